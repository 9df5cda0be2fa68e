/** The example tools of CONTRIBUTING.md, served together with the real ones. */
import { expect, test, vi } from 'vitest';
import { agree } from '../../changes/support/confirm.ts';
import { channelAt } from '../../changes/support/world.ts';
import { pathsOf } from '../../harness/service.ts';
import { start } from '../../harness/start.ts';

vi.mock(import('../../../src/mcp/tools/index.ts'), async (original) => {
  const [{ tools }, { getPlan }, { renameChannel }] = await Promise.all([
    original(),
    import('./get-plan.ts'),
    import('./rename-channel.ts'),
  ]);
  return { tools: [...tools, getPlan, renameChannel] };
});

test('get_plan returns one plan and the number of channels it covers', async () => {
  const { client, demo } = await start();
  const [, plan] = demo.world.plans;
  const reply = await client.callTool('get_plan', { plan: plan?.id });
  expect(pathsOf(demo)).toEqual(['GET /v1/plans']);
  expect(reply.data).toMatchObject({ plan: { id: plan?.id, channelKeys: plan?.channelKeys }, channelCount: plan?.channelKeys.length });
  expect(reply.text).toContain(`channelCount: ${plan?.channelKeys.length}`);
  expect((await client.callTool('get_plan', { plan: 'none' })).text).toContain('list_plans');
});

test('rename_channel changes only the name, after a person agreed', async () => {
  const { client, demo } = await start();
  demo.behaviour.channelRecordsShowContents = true;
  const { id, description, videoKeys } = { ...channelAt(demo, 0) };
  const asked = await client.callTool('rename_channel', { channel: id, name: 'Summer' });
  expect(asked.data).toMatchObject({ status: 'confirmation_required' });
  expect(demo.world.channels.get(id)?.name).not.toBe('Summer');
  const reply = await agree(client, 'rename_channel', { channel: id, name: 'Summer' });
  expect(demo.world.channels.get(id)).toMatchObject({ name: 'Summer', description, videoKeys });
  expect(reply.data).toMatchObject({ status: 'applied' });
});
