/** Resumed bulk changes: known outcomes are kept, and what the preview says is what is done. */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { freshHome, start } from '../../../harness/start.ts';
import { agree, agreementIn, confirmPreview } from '../../support/confirm.ts';
import { COPY, changesFolder, copiedIds, doubled, idsIn, MOVE, manyVideos, requestsOf, sorted, UNASKED } from './harness.ts';

const idsOf = (body: unknown) => (body as { videoIds: string[] }).videoIds; // as move sends it
const targetsOf = (body: unknown) => (body as { targetVideos: string[] }).targetVideos; // as copy sends it

test('a resumed move does not retry failed ids, and its preview says so', async () => {
  const account = await manyVideos(3_000, 1);
  const { demo, archive, poisoned } = account;
  const [bad = ''] = poisoned;
  const doubtful = account.ids.findLast((id) => id !== bad) ?? '';
  const isDoubtful = ({ body }: { body: unknown }) => idsOf(body).includes(doubtful);
  demo.faults.always({ match: { ...MOVE, when: isDoubtful }, do: { kind: 'garbage', shape: 'null', processed: false } });
  const { client } = await start({ demo });
  const { data: before } = await agree(client, 'move_videos', { targetProject: 'Archive', videoIds: account.ids });
  expect(before).toMatchObject({ moved: 2_998, failed: [{ id: bad }], unknown: [{ id: doubtful }] });
  demo.faults.clear();
  demo.world.poisonedVideoIds.clear();
  const sent = requestsOf(demo, MOVE).length;
  const changeId = before?.changeId;
  const asked = await client.callTool('resume_change', { changeId });
  expect(asked.text).toContain('2,998 videos done, 1 video to be sent.');
  expect(asked.text).toContain('1 video failed before and is not tried again.');
  expect(asked.text).toContain('The outcome of 1 video is not known; it is sent again, which is harmless.');
  const { data } = await confirmPreview(client, asked);
  expect(
    requestsOf(demo, MOVE)
      .slice(sent)
      .map(({ body }) => idsOf(body)),
  ).toEqual([[doubtful]]);
  expect(idsIn(demo, archive)).not.toContain(bad);
  expect(data).toMatchObject({ status: 'partly_applied', moved: 2_999, failed: [{ id: bad }], unknown: [] });
  const refused = await client.callTool('resume_change', { changeId });
  expect(refused.data).toMatchObject({ error: { code: 'not_resumable' } });
  expect(refused.text).toContain(`Nothing of ${String(changeId)} is left to be sent.`);
  expect(refused.text).toContain('1 video failed before and is not tried again.');
});

test('the preview of a rest counts no more once another server carried the change on, which left more videos to be sent', async () => {
  const { demo, ids, archive, elsewhere } = await manyVideos(50);
  const home = freshHome();
  for (const id of ids.slice(0, 40)) demo.world.poisonedVideoIds.add(id);
  const isDoubtful = ({ body }: { body: unknown }) => idsOf(body).join() === ids[40];
  demo.faults.always({ match: { ...MOVE, when: isDoubtful }, do: { kind: 'status', code: 500 } });
  const other = await start({ demo, home, env: UNASKED });
  const moved = await other.client.callTool('move_videos', { videoIds: ids, targetProject: archive, fromProject: elsewhere });
  expect(moved.data).toMatchObject({ moved: 9, failedCount: 40, unknownCount: 1 });
  demo.faults.clear();
  const { changeId } = moved.data ?? {};
  const { client } = await start({ demo, home });
  const asked = await client.callTool('resume_change', { changeId });
  expect(asked.text).toContain('9 videos done, 1 video to be sent');
  // Somebody else tries what failed again, and it is not known what became of it.
  demo.faults.always({ match: MOVE, do: { kind: 'reset-before' } });
  await other.client.callTool('resume_change', { changeId, retryFailed: true });
  demo.faults.clear();
  demo.world.poisonedVideoIds.clear();
  const sent = requestsOf(demo, MOVE).length;
  const reply = await confirmPreview(client, asked);
  expect(requestsOf(demo, MOVE)).toHaveLength(sent);
  expect(reply.text).toContain('lapsed when the same request was answered otherwise');
  expect((await client.callTool('resume_change', { changeId })).text).toContain('41 videos to be sent');
});

test('a token is refused if another server resumed the change meanwhile', async () => {
  const account = await manyVideos(12_000);
  const { demo, archive } = account;
  const home = freshHome();
  const { client } = await start({ demo, home });
  const other = await start({ demo, home, env: UNASKED });
  demo.faults.always({ match: MOVE, skip: 10, do: { kind: 'status', code: 401 } });
  const { data: before } = await agree(client, 'move_videos', { targetProject: 'Archive', videoIds: account.ids });
  const changeId = before?.changeId;
  const asked = await client.callTool('resume_change', { changeId });
  expect(asked.text).toContain('10,000 videos done, 2,000 videos to be sent.');
  demo.faults.clear();
  demo.faults.always({ match: MOVE, skip: 1, do: { kind: 'status', code: 401 } });
  await other.client.callTool('resume_change', { changeId });
  expect(idsIn(demo, archive)).toHaveLength(11_000);
  demo.faults.clear();
  const refused = await confirmPreview(client, asked);
  expect(idsIn(demo, archive)).toHaveLength(11_000);
  expect(refused.text).toContain('lapsed when the same request was answered otherwise');
  expect((await agree(client, 'resume_change', { changeId })).data).toMatchObject({ status: 'applied', moved: 12_000 });
});

test('ids in doubt stay in doubt if the service refuses the resumed move', async () => {
  const account = await manyVideos(500);
  const { demo, archive } = account;
  demo.faults.next({ match: MOVE, do: { kind: 'reset-after' } });
  demo.faults.always({ match: MOVE, do: { kind: 'status', code: 401 } });
  const { client } = await start({ demo, env: UNASKED });
  const { data: before } = await client.callTool('move_videos', { targetProject: 'Archive', videoIds: account.ids });
  expect(idsIn(demo, archive)).toHaveLength(500);
  expect(before).toMatchObject({ moved: 0, unknownCount: 500, notSentCount: 0 });
  const { data } = await client.callTool('resume_change', { changeId: before?.changeId });
  expect(data).toMatchObject({ moved: 0, unknownCount: 500, failedCount: 0, notSentCount: 0 });
});

test('a resumed copy sends only targets that were never sent, not those that failed or are in doubt', async () => {
  const account = await manyVideos(1_601);
  const { demo } = account;
  const [source = '', ...targets] = account.ids;
  const locked = targets[0] ?? '';
  const isLocked = ({ body }: { body: unknown }) => targetsOf(body).includes(locked);
  // The first, alone, has failed, some hundreds are in doubt, and the rest is not sent when the service begins to refuse the credential.
  demo.faults.always({ match: { ...COPY, when: isLocked }, do: { kind: 'status', code: 400, body: { message: 'It is locked.' } } });
  const isDoubtful = ({ body }: { body: unknown }) => targetsOf(body).includes(targets[250] ?? '');
  demo.faults.next({ match: { ...COPY, when: isDoubtful }, do: { kind: 'reset-after' } });
  let isShut = false;
  demo.behaviour.onProcessed = ({ path, body }) => {
    if (COPY.path.test(path) && isDoubtful({ body })) isShut = true;
  };
  demo.faults.always({ match: { ...COPY, when: () => isShut }, do: { kind: 'status', code: 401 } });
  const { client } = await start({ demo, env: UNASKED });
  const { data: before } = await client.callTool('copy_cta', { sourceVideoId: source, targetVideoIds: targets, batchSize: 100 });
  expect(before).toMatchObject({ failed: [{ id: locked }] });
  const inDoubt = Number(before?.unknownCount);
  expect(inDoubt).toBeGreaterThan(99);
  expect(Number(before?.notSentCount)).toBeGreaterThan(0);
  const sent = requestsOf(demo, COPY).length;
  demo.faults.clear();
  delete demo.behaviour.onProcessed;
  const { data } = await client.callTool('resume_change', { changeId: before?.changeId });
  expect(doubled(demo)).toEqual([]);
  const again = requestsOf(demo, COPY)
    .slice(sent)
    .flatMap(({ body }) => targetsOf(body));
  expect(again).toHaveLength(Number(before?.notSentCount));
  expect(again).not.toContain(locked);
  expect(copiedIds(demo)).not.toContain(locked);
  expect(data).toMatchObject({ copied: 1_599 - inDoubt, failed: [{ id: locked }], unknownCount: inDoubt, notSentCount: 0 });
});

test('the preview of a resumed copy warns of targets that got the same CTAs meanwhile', async () => {
  const account = await manyVideos(201);
  const { demo } = account;
  const [source = '', ...targets] = account.ids;
  // Of one alone it is certain that it was not done.
  const isLater = ({ body }: { body: unknown }) => targetsOf(body).some((id) => targets.indexOf(id) >= 100);
  demo.faults.always({ match: { ...COPY, when: isLater }, do: { kind: 'status', code: 401 } });
  const { client, ...session } = await start({ demo });
  const { data: before } = await agree(client, 'copy_cta', { sourceVideoId: source, targetVideoIds: targets, batchSize: 1 });
  demo.faults.clear();
  const { changeId } = before ?? {};
  const first = await client.callTool('resume_change', { changeId });
  expect(first.text).toContain('100 videos done, 100 videos to be sent.');
  expect(first.text).not.toContain('would be there twice');
  const has = new Set(copiedIds(demo));
  const open = targets.filter((id) => !has.has(id));
  expect(first.data?.preview).toMatchObject({
    lines: [
      `${open
        .slice(0, 3)
        .map((id) => JSON.stringify(id))
        .join(', ')} and 97 more`,
    ],
    notes: ['No earlier copy of this source onto them is in this server’s history.'],
  });
  const other = await agree(client, 'copy_cta', { sourceVideoId: source, targetVideoIds: open.slice(0, 1) });
  await agree(client, 'move_videos', { targetProject: 'Archive', videoIds: [source] });
  const again = await client.callTool('resume_change', { changeId });
  const warning = `1 of them ("${open[0]}") got CTAs of this video before, last by ${String(other.data?.changeId)}. It is left alone, lest the CTAs come twice.`;
  expect(again.text).toContain(`! ${warning}`);
  // Without the ids of that other copy, the rest can still be resumed.
  rmSync(join(changesFolder(session), `${String(other.data?.changeId)}.ids`));
  const unread = await client.callTool('resume_change', { changeId });
  expect(unread.data).toMatchObject({ status: 'confirmation_required' });
  expect(unread.text).toContain(`Onto which videos "${String(other.data?.changeId)}" copied, if onto any, is not known any more`);
  expect(unread.text).not.toContain('No earlier copy');
});

test('a resumed copy leaves alone what another copy reached since, and names it', async () => {
  const { demo, ids } = await manyVideos(31);
  const [source = '', ...targets] = ids;
  const isLater = ({ body }: { body: unknown }) => targetsOf(body).some((id) => targets.indexOf(id) >= 10);
  demo.faults.always({ match: { ...COPY, when: isLater }, do: { kind: 'status', code: 401 } });
  const { client } = await start({ demo });
  const { data: first } = await agree(client, 'copy_cta', { sourceVideoId: source, targetVideoIds: targets, batchSize: 1 });
  demo.faults.clear();
  const rest = targets.filter((id) => !copiedIds(demo).includes(id));
  const { data: other } = await agree(client, 'copy_cta', { sourceVideoId: source, targetVideoIds: rest.slice(0, 15) });
  const preview = await client.callTool('resume_change', { changeId: first?.changeId });
  expect(agreementIn(preview).summary).toBe('Carry on: Copy CTAs to 5 videos; no undo');
  expect(preview.text).toContain(`15 of them (`);
  expect(preview.text).toContain(`got CTAs of this video before, last by ${String(other?.changeId)}. They are left alone`);
  const { data } = await confirmPreview(client, preview);
  expect(doubled(demo)).toEqual([]);
  expect(sorted(copiedIds(demo))).toEqual(sorted(targets));
  expect(data).toMatchObject({ copied: 15, notSentCount: 15 });
  // Nothing is left that a further attempt would send.
  const again = await client.callTool('resume_change', { changeId: first?.changeId });
  expect(again).toMatchObject({ isError: true, data: { error: { code: 'not_resumable' } } });
  expect(again.text).toContain('They are left alone');
});

test('that CTAs would be there twice stands in the summary and at the top of the form', async () => {
  const { demo, ids } = await manyVideos(6);
  const [source = '', ...targets] = ids;
  const { client, home } = await start({ demo });
  const args = { sourceVideoId: source, targetVideoIds: targets };
  const { data: before } = await agree(client, 'copy_cta', { ...args, targetVideoIds: targets.slice(0, 2) });
  const preview = await client.callTool('copy_cta', args);
  expect(agreementIn(preview).summary).toBe('Copy CTAs to 5 videos; 2 would have CTAs twice; no undo');
  const { client: person } = await start({ demo, home, forms: 'decline', env: { VIDEO_HOSTING_CONFIRM: 'form' } });
  await person.callTool('copy_cta', args);
  const rows = person.forms[0]?.message.split('\n') ?? [];
  expect(rows[1]).toBe('! 2 videos would have the CTAs twice. Can’t be undone.');
  expect(rows.slice(2, 4).join(' ').replace(/ +/g, ' ')).toContain(`got CTAs of this video before, last by ${String(before?.changeId)}`);
  expect(copiedIds(demo)).toHaveLength(2);
});

test('a resumed copy has the same source if this was named by its title', async () => {
  const account = await manyVideos(201);
  const { demo } = account;
  const [source = '', ...targets] = account.ids;
  const home = freshHome();
  const file = join(home, 'videos.csv');
  writeFileSync(file, `id,key,title\n${source},K1,The first\n`);
  const { client } = await start({ demo, home, env: { ...UNASKED, VIDEO_HOSTING_VIDEO_CATALOGUE: file } });
  demo.faults.always({ match: COPY, skip: 1, do: { kind: 'status', code: 401 } });
  const { data: before } = await client.callTool('copy_cta', { sourceVideoId: 'The first', targetVideoIds: targets, batchSize: 1 });
  demo.faults.clear();
  const { data } = await client.callTool('resume_change', { changeId: before?.changeId });
  expect(sorted(copiedIds(demo))).toEqual(sorted(targets));
  expect(data).toMatchObject({ status: 'applied', copied: 200 });
  expect(new Set(requestsOf(demo, COPY).map(({ path }) => path))).toEqual(new Set([`/v1/videos/${source}/cta/copy`]));
});

test('retryFailed shows why ids failed before, and afterwards what this run did and how many an undo moves', async () => {
  const { demo, ids, archive, elsewhere } = await manyVideos(83, 3);
  const { client } = await start({ demo });
  const args = { targetProject: 'Archive', fromProject: elsewhere, videoIds: ids };
  const first = await agree(client, 'move_videos', args);
  expect(first.data).toMatchObject({ moved: 80, undo: { how: expect.stringContaining('that is 80 videos.') } });
  demo.world.poisonedVideoIds.clear();
  const { changeId } = first.data ?? {};
  const asked = await client.callTool('resume_change', { changeId, retryFailed: true });
  expect(asked.text).toContain('3 videos failed before; they are tried again. Why: The service says that it failed, but not why.');
  expect(asked.text).toContain('That goes for the whole change: what was moved before, too.');
  const done = await agree(client, 'resume_change', { changeId, retryFailed: true });
  expect(idsIn(demo, archive)).toHaveLength(83);
  expect(done.data).toMatchObject({ moved: 83, undo: { how: expect.stringContaining('that is 83 videos.') } });
  expect(done.data?.message).toMatch(/83 of 83 moved\. Last run: 3 sent in \d+ requests?, 3 moved; 80 were moved before\.$/);
});
