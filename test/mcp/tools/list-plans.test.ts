import { expect, test } from 'vitest';
import { recordsIn, type ToolReply } from '../../harness/client.ts';
import { pathsOf } from '../../harness/service.ts';
import { start } from '../../harness/start.ts';
import { expectRefused, setIn, WRONG_PAGES } from './support.ts';

const idsIn = (reply: ToolReply, name: string) => recordsIn(reply.data, name).map(({ id }) => id);

test('list_plans returns what each plan covers, and says that the meaning of its type is not documented', async () => {
  const { client, demo } = await start();
  const reply = await client.callTool('list_plans', { sort: 'Created:1' });
  expect(pathsOf(demo)).toEqual(['GET /v1/plans']);
  const plans = [...demo.world.plans].sort((a, b) => (a.created < b.created ? -1 : 1));
  const days = ({ created, updated }: (typeof plans)[number]) => ({ created: created.slice(0, 10), updated: updated.slice(0, 10) });
  expect(recordsIn(reply.data, 'plans')).toEqual(plans.map((plan) => setIn({ ...plan, ...days(plan) })));
  expect(reply.text).toContain('not documented');
  const pro = demo.world.plans.filter(({ type }) => type === 2).map(({ id }) => id);
  expect(idsIn(await client.callTool('list_plans', { planType: 2 }), 'plans')).toEqual(pro);
});

test('wrong arguments are refused', () =>
  expectRefused('list_plans', [
    ...WRONG_PAGES,
    [{ planType: 'Pro' }, 'planType: '],
    [{ search: 'x' }, 'search: there is no such argument'],
  ]));

test('a page of plans is the page that was asked for', async () => {
  const { client, demo } = await start();
  const { data } = await client.callTool('list_plans', { page: 2, size: 1 });
  expect(demo.requests.map(({ query }) => query)).toEqual([{ page: '2', size: '1' }]);
  const total = demo.world.plans.length;
  expect(data?.pager).toMatchObject({ page: 2, totalPages: total, totalResults: total });
  expect(recordsIn(data, 'plans')).toHaveLength(1);
});
