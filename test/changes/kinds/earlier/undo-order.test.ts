/** Of changes that are undone together, the one begun last is set back first, whichever was proposed first. */
import { expect, test } from 'vitest';
import { start } from '../../../harness/start.ts';
import { waitingRename } from '../../../page/support.ts';
import { changeIdIn } from '../../support/confirm.ts';
import { channelAt } from '../../support/world.ts';

test('a change that waited on the page while another one was made is undone together with it', async () => {
  const { demo, home, id, call, page, change } = await waitingRename();
  const { name, description, videoKeys, projectKeys } = structuredClone(channelAt(demo, 0));
  const other = await start({ demo, home, env: { VIDEO_HOSTING_CONFIRM: 'never' } });
  const stated = { currentVideoKeys: videoKeys, currentProjectKeys: projectKeys };
  const changes = [{ channel: id, description: 'Other', ...stated }];
  const between = changeIdIn(await other.client.callTool('update_channels', { changes }));
  await page.decide(change, 'apply');
  const [again] = await page.waiting();
  if (again !== undefined) await page.decide(again, 'apply');
  expect((await call).data).toMatchObject({ status: 'applied', changeId: change.changeId });
  expect(channelAt(demo, 0)).toMatchObject({ name: 'Renamed', description: 'Other' });
  const undone = await other.client.callTool('undo_change', { changeIds: [change.changeId, between] });
  expect(channelAt(demo, 0)).toMatchObject({ name, description, videoKeys, projectKeys });
  expect(undone.data).toMatchObject({ status: 'applied' });
});
