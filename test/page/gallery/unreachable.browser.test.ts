import { renameSync } from 'node:fs';
import { test } from 'vitest';
import { jwtUntil } from '../../changes/kinds/videos/harness.ts';
import { channelAt } from '../../changes/support/world.ts';
import { startService } from '../../harness/service.ts';
import { desk } from './desk.ts';
import { useGallery } from './gallery.ts';

const gallery = useGallery();

test('a service that is away or refuses the key', async () => {
  const demo = await startService({ channels: 6, projects: 3 });
  const at = await desk(gallery, { demo, env: { VIDEO_HOSTING_CONFIRM: 'wait' } });
  const { id, videoKeys, projectKeys } = channelAt(demo, 0);
  const waits = await at.ask('update_channels', {
    changes: [{ channel: id, name: 'Fine', currentVideoKeys: [...videoKeys], currentProjectKeys: [...projectKeys] }],
  });
  demo.faults.always({ match: { api: 'main' }, do: { kind: 'status', code: 503, retryAfter: 600 } });
  await at.shown(waits, '027-waits-and-could-not-be-looked-at', 'the service answers 503 while the change is looked at');
  for (const [name, view] of [
    ['122-changes-service-away', 'changes'],
    ['123-channels-service-away', 'channels'],
    ['124-channel-service-away', `channels/${id}`],
    ['125-reports-service-away', 'reports'],
  ] as const)
    await at.view(view, name, 'the service answers 503 and asks for ten minutes');
  demo.faults.clear();
  demo.faults.always({ match: { api: 'main' }, do: { kind: 'status', code: 401, body: { message: 'Invalid credentials.' } } });
  await at.shown(waits, '028-waits-and-the-key-is-refused', 'the service answers 401 while the change is looked at');
  for (const [name, view] of [
    ['126-channels-key-refused', 'channels'],
    ['127-channel-key-refused', `channels/${id}`],
  ] as const)
    await at.view(view, name, 'the service answers 401');
  demo.faults.clear();
  await at.view('channels/c-none', '128-no-such-channel', 'an address of a channel that is not there');
  await at.view('reports/r-none', '129-no-such-report', 'an address of a report that is not there');
  await at.see(`changes/${waits}`);
  at.server?.child.kill('SIGKILL');
  await at.page.getByText('The server of this page has ended').first().waitFor();
  await gallery.state(at.page, '130-server-ended-while-a-change-waits', 'SIGKILL while the change is looked at');
});

test('a key that has expired, and a data folder that is gone', async () => {
  const key = jwtUntil(1_600_000_000);
  const demo = await startService({ channels: 6, projects: 3 });
  demo.keys.set(key, { world: demo.world });
  const at = await desk(gallery, { demo, env: { VIDEO_HOSTING_API_KEY: key, VIDEO_HOSTING_CONFIRM: 'wait' } });
  const { id, videoKeys, projectKeys } = channelAt(demo, 0);
  const waits = await at.ask('update_channels', {
    changes: [{ channel: id, name: 'Fine', currentVideoKeys: [...videoKeys], currentProjectKeys: [...projectKeys] }],
  });
  demo.keys.delete(key);
  await at.view('channels', '200-channels-key-expired', 'the service answers 401 to a JWT that expired');
  await at.shown(waits, '201-waits-and-the-key-has-expired', 'the service answers 401 to a JWT that expired while a change is looked at');
  renameSync(at.dataDir, `${at.dataDir}-away`);
  await at.view('changes', '202-changes-data-folder-gone', 'the data folder was moved away');
  await at.view('channels', '203-channels-data-folder-gone', 'the data folder was moved away');
  renameSync(`${at.dataDir}-away`, at.dataDir);
});
