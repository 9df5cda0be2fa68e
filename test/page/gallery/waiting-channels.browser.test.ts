/** What waits for a person: a change of one channel, and what waits on disk. */

import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'vitest';
import { AGENT } from '../../changes/standing/harness.ts';
import { changeIdIn } from '../../changes/support/confirm.ts';
import { channelAt, videoKeysOf } from '../../changes/support/world.ts';
import { startService } from '../../harness/service.ts';
import { freshHome, start } from '../../harness/start.ts';
import { held } from '../support.ts';
import { desk } from './desk.ts';
import { useGallery } from './gallery.ts';

const gallery = useGallery();
const HOUR_MS = 3_600_000;

test('changes of one channel', async () => {
  const home = freshHome();
  const files = join(home, 'files');
  mkdirSync(files);
  const demo = await startService({ channels: 8, projects: 4, now: new Date(Date.now() - 48 * HOUR_MS).toISOString() });
  const at = (index: number) => channelAt(demo, index);
  const { ask, done, press, page, see, view, shown } = await desk(gallery, { demo, home, env: { VIDEO_HOSTING_FILES_DIR: files } });
  const update = (change: Record<string, unknown>) => ask('update_channels', { changes: [change] });
  const over = (changeId: string) => press(changeId, 'decline');
  await view('changes', '100-changes-empty-first-visit', 'nothing was asked yet');

  const stated = await update({ ...held(at(0)), name: 'Player basics' });
  await shown(stated, '010-rename-waits-contents-stated', 'update_channels with a name, and with currentVideoKeys and currentProjectKeys');
  await view('changes', '101-changes-first-one-waits', 'the first change of an account waits');
  await over(stated);

  const statement = await ask('state_contents', {
    channels: [{ channel: at(1).id, videoKeys: at(1).videoKeys, projectKeys: at(1).projectKeys }],
  });
  await shown(statement, '024-statement-waits', 'state_contents of one channel');
  await press(statement, 'apply');
  const known = await update({ channel: at(1).id, name: 'Known by statement' });
  await shown(known, '011-rename-waits-contents-known-by-statement', 'state_contents was applied, then a rename without a list');
  await over(known);

  await done('update_channels', { changes: [{ ...held(at(2)), description: 'Written by this server.' }] });
  const written = await update({ channel: at(2).id, name: 'Webinars', template: demo.world.templates[1]?.key });
  await shown(
    written,
    '012-rename-waits-contents-known-from-journal',
    'this server wrote the channel last; a name and a template are asked',
  );
  await over(written);

  const last = at(2).videoKeys.at(-1);
  const ordered = await update({ channel: at(2).id, firstVideoKeys: [last] });
  await shown(ordered, '013-reorder-waits', 'known contents; firstVideoKeys with the last video');
  await over(ordered);

  const fresh = videoKeysOf(demo, 200)
    .filter((key) => !at(2).videoKeys.includes(key))
    .slice(0, 3);
  const adding = await update({ channel: at(2).id, addVideoKeys: fresh });
  await shown(adding, '014-add-videos-waits', 'known contents; addVideoKeys with three');
  await over(adding);

  const removing = await update({ channel: at(2).id, removeVideoKeys: at(2).videoKeys.slice(0, 2) });
  await shown(removing, '015-remove-videos-waits', 'known contents; removeVideoKeys with two');
  await over(removing);

  const mixed = await update({
    channel: at(2).id,
    name: 'Webinars 2026',
    description: 'All webinars, the newest first.\nAsk us for slides.',
    privateLinkEnabled: true,
    removeVideoKeys: at(2).videoKeys.slice(1, 2),
    addVideoKeys: fresh.slice(0, 1),
    lastVideoKeys: at(2).videoKeys.slice(0, 1),
  });
  await shown(
    mixed,
    '016-all-fields-and-lists-change-waits',
    'name, description, private link, a removal, an addition and an order at once',
  );
  await over(mixed);

  const emptying = await update({ channel: at(2).id, setVideoKeys: [], setProjectKeys: [] });
  await shown(emptying, '017-emptying-waits', 'setVideoKeys [] and setProjectKeys []');
  await over(emptying);

  const unknown = await update({ channel: at(3).id, setVideoKeys: fresh, setProjectKeys: [] });
  await shown(unknown, '018-set-list-waits-contents-unknown', 'setVideoKeys of a channel whose contents nobody knows');
  await over(unknown);

  demo.world.editChannel(at(4).id, {
    updated: new Date(Date.now() - 3 * HOUR_MS).toISOString(),
    videoKeys: [...at(4).videoKeys, ...fresh],
  });
  const doubted = await update({ ...held(at(4)), currentVideoKeys: at(4).videoKeys.slice(0, -3), name: 'Press' });
  await shown(
    doubted,
    '019-stated-list-may-be-old-changed-today',
    'a colleague changed the channel three hours ago, the call states a list',
  );
  await over(doubted);
  writeFileSync(join(files, 'press.txt'), at(4).videoKeys.slice(0, -3).join('\n'));
  const old = (Date.now() - 9 * HOUR_MS) / 1_000;
  utimesSync(join(files, 'press.txt'), old, old);
  const fromFile = await update({
    channel: at(4).id,
    currentVideoKeysFile: 'press.txt',
    currentProjectKeys: [...at(4).projectKeys],
    name: 'Press',
  });
  await shown(fromFile, '020-stated-file-older-than-change', 'currentVideoKeysFile was written before a colleague changed the channel');
  await over(fromFile);

  const moving = await update({ ...held(at(5)), name: 'Support', removeVideoKeys: at(5).videoKeys.slice(0, 1) });
  await see(`changes/${moving}`);
  demo.world.editChannel(at(5).id, { description: 'By a colleague' });
  await page.locator('button.primary').click();
  await page.getByText('The account changed since this plan was first shown').waitFor();
  await gallery.state(
    page,
    '021-plan-moved-while-read',
    'a colleague changed the channel between the plan and the press; nothing was sent',
  );
  await over(moving);
});

test('what waits on disk, for an agent that runs at night', async () => {
  const demo = await startService({ channels: 4, projects: 2 });
  const home = freshHome();
  const agent = await start({ demo, home, env: { VIDEO_HOSTING_CONFIRM: 'wait', VIDEO_HOSTING_AGENT: AGENT } });
  const update = async (change: Record<string, unknown>) =>
    changeIdIn(await agent.client.callTool('update_channels', { changes: [{ ...held(channelAt(demo, 0)), ...change }] }));
  const early = await update({ name: 'At night' });
  const late = await update({ name: 'At night, again', description: 'Later.' });
  const other = async (index: number, name: string) =>
    changeIdIn(await agent.client.callTool('update_channels', { changes: [{ ...held(channelAt(demo, index)), name }] }));
  const [gone, same] = [await other(3, 'Archive of 2019'), await other(2, 'The same')];
  const { page, see, view, shown } = await desk(gallery, { demo, home });
  await shown(early, '048-waits-of-a-night-agent-is-overtaken', 'VIDEO_HOSTING_CONFIRM=wait; another change of the channel waits too');
  await shown(
    late,
    '049-waits-of-a-night-agent-overtakes-another',
    'VIDEO_HOSTING_CONFIRM=wait; an earlier change of the channel waits too',
  );
  demo.world.editChannel(channelAt(demo, 2).id, { name: 'The same' });
  demo.world.channels.delete(channelAt(demo, 3).id);
  await shown(gone, '022-waits-and-can-not-be-applied', 'its channel was deleted meanwhile');
  await shown(same, '023-waits-and-is-as-wanted-already', 'a colleague gave the channel that name meanwhile');
  await view('changes', '102-changes-unfit-ones', 'of a night agent: one can’t be applied, one is needless, one overtakes another');
  await see(`changes/${same}`);
  await page.getByRole('button', { name: 'Dismiss' }).click();
  await page.getByRole('region', { name: 'Your decision' }).waitFor({ state: 'detached' });
  await shown(same, '085-dismissed-as-needless', 'a colleague gave the name meanwhile, the person dismissed it');
});
