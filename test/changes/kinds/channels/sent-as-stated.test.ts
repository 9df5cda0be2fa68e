/** A list that is known by a person's word alone is sent with every later change, and whoever is asked sees how long it is. */
import { expect, test } from 'vitest';
import { startService } from '../../../harness/service.ts';
import { start } from '../../../harness/start.ts';
import { asked, startWithPage } from '../../../page/support.ts';
import { agree } from '../../support/confirm.ts';
import { channelAt, writesOf } from '../../support/world.ts';

const stated = (id: string, videoKeys: readonly string[]) => ({
  channels: [{ channel: id, videoKeys: videoKeys.slice(0, 1), projectKeys: [] }],
});
const rename = (id: string) => ({ changes: [{ channel: id, name: 'Renamed' }] });

test('in a preview', async () => {
  const demo = await startService({ channels: 1 });
  const { id, videoKeys } = channelAt(demo, 0);
  const { client } = await start({ demo, env: { VIDEO_HOSTING_CONFIRM: 'token' } });
  await agree(client, 'state_contents', stated(id, [...videoKeys]));
  const preview = await client.callTool('update_channels', rename(id));
  expect(writesOf(demo)).toEqual([]);
  expect(preview.text).toContain('" (1 video as stated): name → "Renamed"');
});

test('in a form, which says of which channel it is where there are several', async () => {
  const demo = await startService({ channels: 2 });
  const [one, other] = [channelAt(demo, 0), channelAt(demo, 1)];
  const { client } = await start({ demo, forms: 'accept' });
  await client.callTool('state_contents', stated(one.id, [...one.videoKeys]));
  const change = { channel: other.id, name: 'Other', currentVideoKeys: other.videoKeys.slice(0, 1), currentProjectKeys: [] };
  await client.callTool('update_channels', { changes: [...rename(one.id).changes, change] });
  expect(demo.world.channels.get(one.id)).toMatchObject({ name: 'Renamed', videoKeys: one.videoKeys.slice(0, 1) });
  const shown = client.forms.at(-1)?.message;
  expect(shown).toMatch(/→ "Renamed"; 1 video as stated/);
  expect(shown).toContain('As stated, 1 channel holds 1 video');
});

test('on the page', async () => {
  const session = await startWithPage();
  const { id, videoKeys } = channelAt(session.demo, 0);
  const first = await asked(session, 'state_contents', stated(id, [...videoKeys]));
  await first.page.decide(first.change, 'apply');
  await first.call;
  const call = session.client.callTool('update_channels', rename(id));
  const change = await first.page.firstWaiting();
  expect(change.records[0]?.fields).toEqual([
    { name: 'Name', before: expect.any(String), after: 'Renamed' },
    { name: 'Videos', before: '1, as listed', after: '1, as listed' },
  ]);
  await first.page.decide(change, 'decline');
  await call;
});
