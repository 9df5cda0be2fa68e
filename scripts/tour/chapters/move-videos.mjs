/** More videos than one request takes, some of which can't be moved. */
export const moveVideos = {
  name: 'move-videos',
  title: 'Moving videos in bulk',
  async run({ ask, say, world, assert }) {
    const marketing = world.projectNamed('Marketing');
    const archive = world.projectNamed('Archive');
    const videos = [...world.videos.values()];
    const sorted = new Map(videos.map(({ id, projectId }) => [id, projectId]));
    // All uploads are in one project.
    for (const video of videos) if (video.projectId !== archive.id) video.projectId = marketing.id;
    const ids = videos.filter(({ projectId }) => projectId === marketing.id).map(({ id }) => id);
    const stuck = [ids[7], ids[400], ids.at(-2)];
    for (const id of stuck) world.poisonedVideoIds.add(id);
    const placesOf = () => Object.fromEntries(ids.map((id) => [id, world.videos.get(id).projectId]));
    const untouched = placesOf();

    say(
      'All uploads of this account are in Marketing. The service takes 1,000 ids a request, and if one of them fails, it answers “not ok” without saying which. Three of these videos can’t be moved.',
    );

    const { changeId } = await ask({
      wants: 'Move all these from Marketing to the Archive, and tell me which failed.',
      call: ['move_videos', { targetProject: 'Archive', fromProject: 'Marketing', videoIds: ids }],
      proves: `${ids.length - stuck.length} of ${ids.length} are in the Archive, and the answer names the ${stuck.length} that failed.`,
      came: ({ moved, total, failed, requests }) =>
        `${moved} of ${total} moved. For a failed batch of 1,000 the service says “not ok” and no more; the ${failed.length} videos were found in ${requests} requests.`,
      check({ data, text }) {
        assert.equal(data.status, 'partly_applied');
        for (const id of stuck) assert.match(text, new RegExp(id));
        assert.deepEqual(new Set(data.failed.map(({ id }) => id)), new Set(stuck));
        for (const id of ids) assert.equal(world.videos.get(id).projectId, stuck.includes(id) ? marketing.id : archive.id);
      },
    });

    await ask({
      wants: 'Put them back for now.',
      call: ['undo_change', { changeId }],
      proves: 'Every video is back in the project that it came from.',
      came: 'Every video is back in the project that it came from.',
      check: () => assert.deepEqual(placesOf(), untouched),
    });
    for (const video of videos) video.projectId = sorted.get(video.id);
  },
};
