/** Shards that die at any moment: the question fails with a clear error, and no partial answer looks complete. */
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { answerIn, ask } from '../analytics/support/ask.ts';
import type { ToolReply } from '../harness/client.ts';
import { startService } from '../harness/service.ts';
import { start } from '../harness/start.ts';
import type { Shard } from './servers/shards.ts';
import { HAS_SHARDS, madeStore, startOwnShards } from './servers/stores.ts';
import { codeOf, QUESTION, startOn } from './support.ts';

const valuesOf = (reply: ToolReply) => {
  const { columns, rows, totals, coverage } = answerIn(reply);
  return { columns, rows, totals, records: coverage.records, complete: coverage.complete };
};

describe.runIf(HAS_SHARDS)('one of two shards', async () => {
  const store = HAS_SHARDS ? await startOwnShards() : undefined;
  const shardsOf = (): { store: NonNullable<typeof store>; last: Shard } => {
    const last = store?.shards.at(-1);
    if (store === undefined || last === undefined) throw new Error('There are no shards.');
    return { store, last };
  };

  test('that dies during a question leads to an error or a complete answer, never to a partial one', async () => {
    const { store: shards, last } = shardsOf();
    const { client } = await startOn(shards, { views: 30_000 });
    await ask(client, QUESTION);
    const whole = valuesOf(await client.callTool('query_analytics', QUESTION));
    const seen = { right: 0, failed: 0 };
    for (let round = 0; round < 12; round += 1) {
      const replies = Array.from({ length: 3 }, () => client.callTool('query_analytics', QUESTION));
      await sleep(round * 6);
      await last.kill();
      for (const reply of await Promise.all(replies)) {
        if (reply.isError) {
          expect(codeOf(reply)).toBe('store_unreachable');
          seen.failed += 1;
        } else {
          expect(valuesOf(reply)).toEqual(whole);
          seen.right += 1;
        }
      }
      await last.start();
    }
    expect(seen.failed).toBeGreaterThan(0);
    expect(valuesOf(await client.callTool('query_analytics', QUESTION))).toEqual(whole);
  });

  test('that dies while views are read leaves no view lost or counted twice', async () => {
    const { store: shards, last } = shardsOf();
    const demo = await startService({ views: 30_000 });
    const expected = answerIn(await (await start({ demo })).client.callTool('query_analytics', QUESTION));
    const settings = await madeStore(shards);
    const { client } = await start({ demo, env: settings });
    for (const wait of [150, 400, 900, 1_500]) {
      const reply = client.callTool('query_analytics', QUESTION);
      await sleep(wait);
      await last.kill();
      const first = await reply;
      if (first.isError) expect(codeOf(first)).toBe('store_unreachable');
      else if (answerIn(first).coverage.complete) expect(answerIn(first).totals).toEqual(expected.totals);
      await last.start();
    }
    await ask(client, QUESTION);
    const after = answerIn(await client.callTool('query_analytics', QUESTION));
    expect(after.coverage).toMatchObject({ complete: true, records: expected.coverage.records });
    expect(after.totals).toEqual(expected.totals);
    expect(after.rows).toEqual(expected.rows);
  });
});
