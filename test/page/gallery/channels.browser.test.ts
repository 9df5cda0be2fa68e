/** Channels and what they hold. */

import { test } from 'vitest';
import { channelAt, videoKeysOf } from '../../changes/support/world.ts';
import { startService } from '../../harness/service.ts';
import { desk } from './desk.ts';
import { useGallery } from './gallery.ts';

const gallery = useGallery();

test('channels', async () => {
  const demo = await startService({ channels: 30, projects: 4, views: 4_000 });
  const at = (index: number) => channelAt(demo, index);
  const { call, ask, done, page, client, press, view, shown } = await desk(gallery, { demo });
  const state = (index: number) =>
    done('state_contents', { channels: [{ channel: at(index).id, videoKeys: at(index).videoKeys, projectKeys: at(index).projectKeys }] });

  await view('channels', '131-channels-none-known', 'nobody knows what any of 30 channels holds');
  const from = new Date(demo.world.now - 60 * 86_400_000).toISOString().slice(0, 10);
  const busiest = [...demo.world.channels.values()][0] ?? at(0);
  await view(`channels/${busiest.id}`, '132-channel-unknown-no-views-read', 'nobody knows what it holds, and no views were read yet');
  await call('query_analytics', { from });
  await view(`channels/${at(0).id}`, '133-channel-unknown-with-views-to-pick-from', 'views of 60 days were read');
  await page
    .getByLabel('Paste keys, ids or titles')
    .fill([...at(0).videoKeys.slice(0, 4), at(0).videoKeys[0], '', 'noSuchKey1'].join('\n'));
  await page.getByText('entries read').first().waitFor();
  await gallery.state(page, '134-channel-list-pasted', 'a list with a repeated, a blank and an unknown entry was pasted');
  await page
    .getByRole('button', { name: /^Add \d+ videos$/ })
    .first()
    .click();
  await page.getByRole('listbox').focus();
  for (const key of ['Home', 'Space']) await page.keyboard.press(key);
  await gallery.state(page, '135-channel-list-edited', 'the pasted videos were added, and the first is selected');
  await page.getByRole('button', { name: /^This is what it holds now/ }).click();
  await page.getByRole('button', { name: 'Record it' }).waitFor();
  await gallery.state(page, '136-statement-on-the-page-waits', 'the person pressed “This is what it holds now”');
  await page.getByRole('button', { name: 'Record it' }).click();
  await page.getByText('It is recorded.').first().waitFor();
  await gallery.state(page, '137-statement-on-the-page-recorded', 'the person pressed “Record it”');
  await view(`channels/${at(0).id}`, '138-channel-stated', 'what it holds was stated on the page');

  await state(1);
  await done('update_channels', { changes: [{ channel: at(1).id, name: 'Known and renamed' }] });
  await view(`channels/${at(1).id}`, '139-channel-known-and-renamed', 'stated, then renamed by this server');
  await state(9);
  await view(`channels/${at(9).id}`, '140-channel-with-a-project', 'stated with a project');
  await state(2);
  demo.world.editChannel(at(2).id, { name: 'Renamed by a colleague' });
  await view(`channels/${at(2).id}`, '141-channel-stated-and-changed-since', 'stated, then renamed by a colleague');
  await view('channels', '142-channels-some-known-some-stated', 'three were stated, one of them was changed by this server');
  await page.getByRole('searchbox').fill('zzz');
  await page.getByText('No channel has this in its name.').waitFor();
  await gallery.state(page, '143-channels-none-found', 'a search without a result');

  const stranger = videoKeysOf(demo, 200)
    .filter((key) => !at(0).videoKeys.includes(key))
    .slice(0, 3);
  const contradicted = await ask('state_contents', { channels: [{ channel: at(0).id, videoKeys: stranger, projectKeys: [] }] });
  await shown(contradicted, '144-statement-waits-contradicted-by-views', 'none of the stated videos was seen in its views');
  await press(contradicted, 'decline');
  const change = await ask('update_channels', {
    changes: [{ channel: at(4).id, name: 'Contradicted', currentVideoKeys: stranger, currentProjectKeys: [] }],
  });
  await shown(change, '145-rename-waits-stated-list-contradicted-by-views', 'none of the videos in the stated list was seen in its views');
  await client.callTool('list_changes');
});

test('channels without a catalogue, and an account without channels', async () => {
  const demo = await startService({ channels: 2, projects: 1 });
  const { done, ask, view, shown } = await desk(gallery, { demo, hasCatalogue: false });
  const { id, videoKeys, projectKeys } = channelAt(demo, 0);
  await done('state_contents', { channels: [{ channel: id, videoKeys, projectKeys }] });
  await view(`channels/${id}`, '146-channel-stated-bare-keys', 'no catalogue, so no titles');
  const removing = await ask('update_channels', {
    changes: [{ channel: id, removeVideoKeys: videoKeys.slice(0, 2), addVideoKeys: videoKeysOf(demo, 3, 150) }],
  });
  await shown(removing, '147-videos-wait-bare-keys', 'no catalogue, so no titles');
  demo.world.channels.clear();
  await view('channels', '148-channels-none-in-the-account', 'the account has no channels');
});

test('channels whose contents the service shows', async () => {
  const demo = await startService({ channels: 3, projects: 1 });
  demo.behaviour.channelRecordsShowContents = true;
  const { view } = await desk(gallery, { demo, env: { VIDEO_HOSTING_READ_ONLY: '1' } });
  await view(
    `channels/${channelAt(demo, 0).id}`,
    '149-channel-shown-by-the-service-read-only',
    'the service shows what channels hold; read-only mode',
  );
  await view('changes', '150-changes-empty-read-only', 'read-only mode');
});
