import { expect, test } from 'vitest';
import { recordsIn } from '../../harness/client.ts';
import { startService } from '../../harness/service.ts';
import { start } from '../../harness/start.ts';
import { expectRefused } from './support.ts';

test('list_channel_templates can list only the templates that the account’s plan type allows', async () => {
  const { client, demo } = await start();
  const all = await client.callTool('list_channel_templates');
  expect(recordsIn(all.data, 'templates').map(({ key }) => key)).toEqual(demo.world.templates.map(({ key }) => key));
  expect(recordsIn(all.data, 'templates')[0]).not.toHaveProperty('usable');
  const usable = demo.world.templates.filter(({ planType, status }) => planType <= 2 && status === 1).map(({ key }) => key);
  for (const accountPlanType of ['Pro', 2]) {
    const reply = await client.callTool('list_channel_templates', { accountPlanType, usableOnly: true });
    expect(recordsIn(reply.data, 'templates').map(({ key }) => key)).toEqual(usable);
  }
  const asked = demo.requests.length;
  const alone = await client.callTool('list_channel_templates', { usableOnly: true });
  expect(alone.text).toContain('accountPlanType');
  expect(demo.requests).toHaveLength(asked);
});

test('list_channel_templates says in words that a template is not active, with the number that the service shows', async () => {
  const demo = await startService({ channels: 3 });
  Object.assign(demo.world.templates[0] ?? {}, { status: 0 });
  const { client } = await start({ demo });
  const [first, second] = recordsIn((await client.callTool('list_channel_templates')).data, 'templates');
  expect([first?.status, second?.status]).toEqual(['not active (0)', 'Active']);
});

test('list_channel_templates names the plan types of the account’s channels, unless accountPlanType is given', async () => {
  const demo = await startService({ channels: 3 });
  const { client } = await start({ demo });
  for (const channel of demo.world.channels.values()) channel.planType = 3;
  const one = await client.callTool('list_channel_templates');
  expect(one.data?.accountPlan).toContain('all its channels have Business');
  Object.assign([...demo.world.channels.values()][0] ?? {}, { planType: 1 });
  expect((await client.callTool('list_channel_templates')).data?.accountPlan).toContain('its channels have Free, Business');
  expect((await client.callTool('list_channel_templates', { accountPlanType: 'Pro' })).data?.accountPlan).toBeUndefined();
});

test('a template tells how many channels of this account use it, and so does the preview of a change to it', async () => {
  const demo = await startService({ channels: 3 });
  demo.behaviour.channelRecordsShowContents = true;
  const { client } = await start({ demo });
  const [one, other] = demo.world.templates.filter(({ status, planType }) => status === 1 && planType === 1);
  for (const [at, channel] of [...demo.world.channels.values()].entries())
    Object.assign(channel, { planType: 3, templateKey: at === 2 ? '' : one?.key });
  const { data } = await client.callTool('list_channel_templates');
  const used = recordsIn(data, 'templates').filter(({ usedBy }) => usedBy !== undefined);
  expect(used.map(({ key, usedBy }) => [key, usedBy])).toEqual([[one?.key, 2]]);
  expect(data?.use).toBe('usedBy: how many of this account’s channels use it; without it, none does.');
  const [channel] = [...demo.world.channels.values()].slice(2);
  const noteOn = async (template: unknown) => {
    const asked = await client.callTool('update_channels', { changes: [{ channel: channel?.id, template }] });
    return asked.text;
  };
  expect(await noteOn(one?.key)).toMatch(/The template ".*" \(.*\) is used by 2 channels of this account already\./);
  expect(await noteOn(other?.key)).toMatch(/No channel of this account uses the template ".*" \(.*\) so far\./);
});

test('wrong arguments are refused', () =>
  expectRefused('list_channel_templates', [
    [{ accountPlanType: 'edge' }, 'Free, Pro, Business, Enterprise'],
    [{ usableOnly: true }, 'accountPlanType'],
    [{ usableOnly: 'perhaps', accountPlanType: 'Pro' }, 'usableOnly: '],
  ]));
