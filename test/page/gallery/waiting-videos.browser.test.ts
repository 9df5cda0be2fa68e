/** What waits for a person: moves and copies. */

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'vitest';
import { COPY, MOVE, manyVideos } from '../../changes/kinds/videos/harness.ts';
import { AGENT, fileOf, moveRule, writeApprovals } from '../../changes/standing/harness.ts';
import { freshHome } from '../../harness/start.ts';
import { desk } from './desk.ts';
import { useGallery } from './gallery.ts';

const gallery = useGallery();

test('moves and copies', async () => {
  const account = await manyVideos(3_000);
  const { demo, ids, archive, elsewhere } = account;
  const home = freshHome();
  const files = join(home, 'files');
  mkdirSync(files);
  const approvals = writeApprovals(fileOf([moveRule(account, { perDay: 5 })]));
  const env = { VIDEO_HOSTING_FILES_DIR: files, VIDEO_HOSTING_STANDING_APPROVALS: approvals, VIDEO_HOSTING_AGENT: AGENT };
  const { ask, done, press, view, shown } = await desk(gallery, { demo, home, env });
  const over = (changeId: string) => press(changeId, 'decline');
  const from = { targetProject: archive, fromProject: elsewhere };

  // What was declined would be told of the others, so none of these is about what another one was.
  const covered = await ask('move_videos', { ...from, videoIds: ids.slice(0, 7) });
  await shown(covered, '033-move-waits-beyond-a-standing-approval', 'a standing approval allows 5 a day, 7 are asked');
  await over(covered);
  const third = [...demo.world.projects.keys()].find((id) => id !== archive && id !== elsewhere);
  const few = await ask('move_videos', { fromProject: elsewhere, targetProject: third, videoIds: ids.slice(0, 3) });
  await shown(few, '030-move-of-3-waits', 'move_videos with three ids and fromProject');
  await over(few);
  const many = await ask('move_videos', { targetProject: third, videoIds: ids.slice(100, 1_100) });
  await shown(many, '031-move-of-1000-waits-origin-unknown', 'move_videos with 1,000 ids and no fromProject: it can’t be undone');
  await over(many);
  writeFileSync(
    join(files, 'to-archive.csv'),
    `id,fromProject\n${ids
      .slice(10)
      .map((id) => `${id},Marketing`)
      .join('\n')}`,
  );
  const fromFile = await ask('move_videos', { targetProject: archive, videoIdsFile: 'to-archive.csv' });
  await shown(fromFile, '032-move-of-3000-from-a-file-waits', 'move_videos with a CSV of id and fromProject');
  await over(fromFile);

  const [source = '', ...targets] = ids;
  const one = await ask('copy_cta', { sourceVideoId: source, targetVideoIds: targets.slice(0, 1) });
  await shown(one, '034-copy-to-one-waits', 'copy_cta to one video');
  await over(one);
  await done('copy_cta', { sourceVideoId: source, targetVideoIds: targets.slice(0, 4) });
  demo.faults.always({ match: COPY, do: { kind: 'reset-after' } });
  await done('copy_cta', { sourceVideoId: source, targetVideoIds: targets.slice(4, 9) });
  demo.faults.clear();
  const some = await ask('copy_cta', { sourceVideoId: source, targetVideoIds: targets.slice(0, 60) });
  await shown(some, '035-copy-to-60-waits-some-done-some-in-doubt', 'four of the targets were copied to before, of five it is not known');
  await over(some);

  const moved = await done('move_videos', { ...from, videoIds: ids.slice(0, 40) });
  const undo = await ask('undo_change', { changeId: moved });
  await shown(undo, '036-undo-of-a-move-waits', 'undo_change of a move of 40 whose origin was only said');
  await over(undo);
  demo.faults.always({ match: MOVE, skip: 2, do: { kind: 'status', code: 401 } });
  const cut = await done('move_videos', { ...from, videoIds: ids.slice(100) });
  demo.faults.clear();
  const rest = await ask('resume_change', { changeId: cut });
  await shown(rest, '037-resumption-of-a-move-waits', 'the service refused the key after two batches; resume_change');
  await view('changes', '103-changes-of-videos', 'moves and copies that wait, were declined, done, refused and in doubt');
  await view('approvals', '160-standing-approvals-one', 'one approval of moves, with use');
});
