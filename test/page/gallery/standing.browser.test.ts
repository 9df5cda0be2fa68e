/** Standing approvals. */

import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'vitest';
import { manyVideos } from '../../changes/kinds/videos/harness.ts';
import { AGENT, daysAhead, fileOf, moveRule, writeApprovals } from '../../changes/standing/harness.ts';
import { channelAt } from '../../changes/support/world.ts';
import { freshHome } from '../../harness/start.ts';
import { desk } from './desk.ts';
import { useGallery } from './gallery.ts';

const gallery = useGallery();

test('standing approvals', async () => {
  const account = await manyVideos(30);
  const { demo, ids, archive, elsewhere } = account;
  const home = freshHome();
  const channel = { id: channelAt(demo, 0).id };
  const file = writeApprovals({
    ...fileOf([]),
    approvals: [
      { id: 'moves', for: AGENT, until: daysAhead(30), allow: [moveRule(account, { perDay: 20 })] },
      {
        id: 'tidy-up',
        for: AGENT,
        until: daysAhead(12),
        allow: [
          { kind: 'add_videos', channels: [channel], perDay: 2 },
          { kind: 'reorder_videos', channels: [channel], perDay: 2 },
          { kind: 'undo_own', perDay: 1 },
        ],
      },
      { id: 'last-year', for: AGENT, until: daysAhead(-12), allow: [{ kind: 'undo_own', perDay: 1 }] },
    ],
  });
  const { call, page, post, see, view, shown } = await desk(gallery, {
    demo,
    home,
    env: { VIDEO_HOSTING_STANDING_APPROVALS: file, VIDEO_HOSTING_AGENT: AGENT },
  });
  await view('approvals', '161-standing-approvals-three-one-ended', 'two count, one has ended; nothing used');
  const moved = await call('move_videos', { targetProject: archive, fromProject: elsewhere, videoIds: ids.slice(0, 17) });
  await shown(String(moved.data?.changeId), '163-move-covered-by-a-standing-approval', 'nobody was asked: an approval covers it');
  await see('approvals');
  await page.getByRole('button', { name: 'Revoke moves …' }).click();
  await page.getByText('This can’t be taken back').waitFor();
  await gallery.state(page, '162-standing-approval-revoke-asked', 'the person pressed “Revoke …”; 17 of 20 are used');
  await post('approvals/moves/revoke');
  await view('approvals', '164-standing-approvals-one-revoked', 'one was revoked');
  await post('approvals/stop');
  await view('approvals', '165-standing-approvals-all-stopped', 'all were revoked');
  writeFileSync(file, '{"version": 1, "approvals": [{"id": "moves"');
  await view('approvals', '166-standing-approvals-file-is-broken', 'the file is no JSON');
  writeFileSync(file, JSON.stringify(fileOf([])));
  chmodSync(file, 0o600);
  await view('approvals', '167-standing-approvals-no-rules', 'a file with an approval without rules');
  await view('changes', '168-changes-one-nobody-was-asked', 'an approval covered the only change');
  void join;
});
