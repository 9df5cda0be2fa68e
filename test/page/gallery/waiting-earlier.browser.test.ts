import { test } from 'vitest';
import { channelAt, videoKeysOf } from '../../changes/support/world.ts';
import { startService } from '../../harness/service.ts';
import { held } from '../support.ts';
import { desk } from './desk.ts';
import { useGallery } from './gallery.ts';

const gallery = useGallery();

test('what is created, and what undoes changes of channels', async () => {
  const demo = await startService({ channels: 45, projects: 4 });
  const at = (index: number) => channelAt(demo, index);
  const { ask, done, press, get, post, view, shown } = await desk(gallery, { demo });
  const over = (changeId: string) => press(changeId, 'decline');

  const project = await ask('create_project', { name: 'Press 2027', region: 'use-s', description: 'For the press.' });
  await shown(project, '040-create-project-waits', 'create_project');
  await over(project);
  const keys = videoKeysOf(demo, 9);
  const channel = await ask('create_channels', { channels: [{ name: 'Summer school', videoKeys: keys, description: 'All lessons.' }] });
  await shown(channel, '041-create-channel-waits', 'create_channels with one');
  await over(channel);
  const channels = await ask('create_channels', {
    channels: ['Spring', 'Summer', 'Autumn', 'Winter'].map((name) => ({ name, videoKeys: keys.slice(0, 5) })),
  });
  await shown(channels, '042-create-four-channels-waits', 'create_channels with four');
  await over(channels);
  const emails = await ask('get_collected_emails', { exportAs: 'csv' }).catch(() => undefined);
  if (emails !== undefined) {
    await shown(emails, '043-export-of-emails-waits', 'get_collected_emails with exportAs');
    await over(emails);
  }

  const all = [...demo.world.channels.values()].slice(0, 40);
  const losing = await ask('update_channels', {
    changes: all.map((one, index) => ({
      ...held(one),
      removeVideoKeys: one.videoKeys.slice(0, index % 4),
      description: `Revised ${index}`,
    })),
  });
  await shown(losing, '025-40-channels-wait-with-losses', 'update_channels of 40, three of four lose videos, all stated');
  await over(losing);

  const stated = await done('update_channels', {
    changes: [{ ...held(at(40)), name: 'Tips', removeVideoKeys: at(40).videoKeys.slice(0, 2) }],
  });
  const undo = await ask('undo_change', { changeId: stated });
  await shown(undo, '044-undo-waits-rests-on-stated-contents', 'undo_change of a change whose contents were stated');
  await over(undo);

  const two = await done('update_channels', { changes: [41, 42].map((index) => ({ ...held(at(index)), name: `Renamed ${index}` })) });
  demo.world.editChannel(at(42).id, { description: 'By a colleague' });
  const partial = await ask('undo_change', { changeId: two });
  await shown(
    partial,
    '045-undo-waits-a-colleague-changed-one-since',
    'undo_change of two channels, one of which a colleague changed since',
  );
  await over(partial);

  const both = await done('update_channels', {
    changes: [{ ...held(at(43)), name: 'Both', removeVideoKeys: at(43).videoKeys.slice(0, 1) }],
  });
  const nameOnly = await ask('undo_change', { changeId: both, only: ['name'] });
  await shown(
    nameOnly,
    '046-undo-of-the-name-waits-a-removed-video-stays-out',
    'undo_change of the name alone; the change removed a video too',
  );
  await over(nameOnly);

  const named = await done('update_channels', { changes: [{ ...held(at(44)), description: 'New words.', name: 'Fresh name' }] });
  await shown(named, '060-rename-applied-just-now', 'a rename and a description, applied');
  demo.faults.always({ match: { method: 'PUT', path: new RegExp(at(2).id) }, do: { kind: 'status', code: 401 } });
  const broken = await done('update_channels', { changes: [1, 2, 3].map((index) => ({ ...held(at(index)), name: `Broken ${index}` })) });
  demo.faults.clear();
  const resumed = await post<{ changeId: string }>(`changes/${broken}/resume`, { retryFailed: (await get(`changes/${broken}`)).canRetry });
  await shown(
    resumed.changeId,
    '047-resumption-of-channels-waits-asked-on-the-page',
    'the service refused the key for one of three; the person pressed to carry on',
  );
  await over(resumed.changeId);

  for (let index = 5; index < 17; index += 1)
    await ask('update_channels', {
      changes: [{ ...held(at(index)), name: `Waits ${index}`, removeVideoKeys: at(index).videoKeys.slice(0, index % 3) }],
    });
  await ask('create_channels', { channels: [{ name: 'Also waits', videoKeys: keys.slice(0, 2) }] });
  await view('changes', '104-changes-thirteen-wait', 'thirteen changes wait, most of them stated, some with losses');
});
