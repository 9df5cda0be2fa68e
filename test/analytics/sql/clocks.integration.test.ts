/** Queries count time in quarter hours where that is exact. Here the UTC offset or the bounds are no multiples of 15 minutes. */
import { expect, test } from 'vitest';
import { DIMENSION_NAMES, type Dimension } from '../../../src/analytics/dimensions.ts';
import { startService } from '../../harness/service.ts';
import { start } from '../../harness/start.ts';
import { answerIn, ask, byDimensions, reachOf } from '../support/ask.ts';
import { expectedAnswer } from '../support/oracle.ts';

const MINUTE_MS = 60_000;
const emptyService = () => startService({ views: 0, now: '2026-11-01T00:00:00.000Z' });
const iso = (ms: number): string => new Date(ms).toISOString().replace('Z', '+00:00');

test.each(['hour', 'day', 'weekday hour_of_day', 'month', 'country week', 'day video', ''])(
  'rows and totals are right across the end of a UTC offset of −10:40, grouped by %j',
  async (dimensions) => {
    const demo = await emptyService();
    const firstMs = Date.parse('1979-09-28T00:00:00Z');
    const views = Array.from({ length: 6 * 24 * 12 }, (_, n) =>
      demo.world.addView({ date: iso(firstMs + n * 5 * MINUTE_MS - (n % 2)), started: n % 3 > 0, viewerId: `viewer-${n % 50}` }),
    );
    const { client } = await start({ demo });
    const question = {
      from: '1979-09-28',
      to: '1979-10-02',
      timezone: 'Pacific/Kiritimati',
      metrics: ['views', 'play_rate', dimensions.includes(' ') ? 'watch_time' : 'unique_viewers'],
      groupBy: dimensions.split(' ').filter((name): name is Dimension => DIMENSION_NAMES.some((one) => one === name)),
    };
    const answer = await ask(client, question);
    const expected = expectedAnswer(views, { ...question, filters: {} }, reachOf(answer.coverage));
    expect(answer.totals).toEqual(expected.totals);
    expect(Object.fromEntries(byDimensions(answer, question.groupBy))).toEqual(Object.fromEntries(expected.rows));
  },
);

test('span bounds between quarter hours are exact to the millisecond', async () => {
  const demo = await emptyService();
  const firstMs = Date.parse('2026-03-01T10:07:00.000Z');
  for (let n = 0; n < 600; n += 1) demo.world.addView({ date: iso(firstMs + n * 97_003) });
  const { client } = await start({ demo });
  const at = (n: number, moreMs = 0): string => new Date(firstMs + n * 97_003 + moreMs).toISOString();
  const views = async (from: string, to: string) =>
    answerIn(await client.callTool('query_analytics', { from, to, groupBy: ['hour'], metrics: ['views'] })).totals.views;
  expect(await views(at(10), at(500))).toBe(490);
  expect(await views(at(10, 1), at(500, 1))).toBe(490);
  expect(await views(at(10, 1), at(500))).toBe(489);
  expect(await views(at(0), at(600))).toBe(600);
  expect(await views(at(0), at(599))).toBe(599);
  expect(await views(at(0, 1), at(600))).toBe(599);
  expect(await views('2026-03-01T11:00:00Z', at(500))).toBe(500 - Math.ceil((53 * MINUTE_MS) / 97_003));
});
