/** Heavy questions of one person don’t hold up another’s. */
import { expect, test } from 'vitest';
import { startHttp, toolCall } from '../harness/http.ts';

const DAYS = { from: '2026-10-01', to: '2026-11-01' };
/** It takes far longer than it may. */
const ENDLESS = {
  ...DAYS,
  sql: "SELECT count(*) FROM views a, views b, views c, views d, views e, views f WHERE a.id || b.id || c.id || d.id || e.id || f.id = 'x'",
};
const SHORT = { ...DAYS, sql: 'SELECT count(*) AS views FROM views' };

test('while one person’s queries take all the time that they may, another’s are answered, and their charts are drawn', async () => {
  const { people, connect, post } = await startHttp();
  const ann = await connect(people.ann);
  // The views are read before.
  expect((await ann.callTool('query_analytics', { ...DAYS, groupBy: ['country'] })).isError).toBe(false);
  const ended: string[] = [];
  const bobs = Array.from({ length: 4 }, async (_, id) => {
    await (await post(people.bob, toolCall('run_analytics_sql', ENDLESS, id))).text();
    ended.push('bob');
  });
  for (let asked = 0; asked < 3; asked += 1) {
    const { isError, text } = await ann.callTool('run_analytics_sql', SHORT);
    expect([isError, text]).toEqual([false, expect.stringContaining('views')]);
    ended.push('ann');
  }
  expect((await ann.callTool('query_analytics', { ...DAYS, groupBy: ['country'], chart: 'bar' })).isError).toBe(false);
  ended.push('ann');
  expect(ended.slice(0, 3)).toEqual(['ann', 'ann', 'ann']);
  await Promise.all(bobs);
});
