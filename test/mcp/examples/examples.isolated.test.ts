/** The example tool of CONTRIBUTING.md, served together with the real ones. */
import { expect, test, vi } from 'vitest';
import { pathsOf } from '../../harness/service.ts';
import { start } from '../../harness/start.ts';

vi.mock(import('../../../src/mcp/tools/index.ts'), async (original) => {
  const [{ tools }, { getPlan }] = await Promise.all([original(), import('./get-plan.ts')]);
  return { tools: [...tools, getPlan] };
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
