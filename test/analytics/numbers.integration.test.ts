/** What an answer makes of its numbers: means per viewer, shares, names and marks beside them. */
import { expect, test } from 'vitest';
import type { Values } from '../harness/client.ts';
import { startService } from '../harness/service.ts';
import { start } from '../harness/start.ts';
import { answerIn } from './support/ask.ts';

/** Asks about views of October 2026, and of other times where they say so. */
async function asking(views: readonly Values[]) {
  const demo = await startService({ views: 0, now: '2026-11-01T00:00:00.000Z' });
  demo.world.addViews(views.map((view) => ({ date: '2026-10-05T10:00:00.000+00:00', ...view })));
  const { client } = await start({ demo });
  return async (args: Values) => {
    const reply = await client.callTool('query_analytics', { from: '2026-10', ...args });
    return { ...answerIn(reply), text: reply.text };
  };
}

test('watch time per viewer counts a viewer of several views once, and says what a viewer is', async () => {
  const ask = await asking([
    { viewerId: 'a', watchTime: 10 },
    { viewerId: 'a', watchTime: 20 },
    { viewerId: 'b', watchTime: 15 },
  ]);
  const { columns, rows, text } = await ask({ metrics: ['watch_time_per_viewer'], groupBy: ['month'] });
  expect(columns[1]).toEqual({ name: 'watch_time_per_viewer', type: 'number' });
  expect(rows).toEqual([['2026-10', 22.5]]);
  expect(text).toContain('A viewer is a viewerId of the service');
  expect(text).toContain('watch_time: unit not documented.');
});
