/** The search for the ids that fail, through a client: where it ends, and what it is told by. `run-batches.test.ts` says what it costs. */
import { expect, test } from 'vitest';
import { start } from '../../../harness/start.ts';
import { expectTold, idsIn, MOVE, manyVideos, requestsOf, sorted, UNASKED } from './harness.ts';

test.concurrent('refused batches are not known at the limit of requests, and resume_change finds their failing ids', async () => {
  // Every second id fails, so finding them all takes some 6,000 requests.
  const account = await manyVideos(3_000);
  const bad = new Set(account.ids.filter((_, at) => at % 2 === 1));
  account.demo.faults.always({ match: { ...MOVE, when: ({ body }) => names(body, bad) }, do: { kind: 'status', code: 400 } });
  const { client } = await start({ demo: account.demo, env: UNASKED });
  let { data, text } = await client.callTool('move_videos', { targetProject: 'Archive', videoIds: account.ids });
  expect(expectTold(account, data).unknown.length).toBeGreaterThan(100);
  expect(data).toMatchObject({ status: 'partly_applied', notSentCount: 0 });
  expect(text).toContain('The limit of 5,003 requests for one change was reached');
  for (let turns = 0; turns < 5 && data?.unknownCount !== 0; turns += 1)
    ({ data, text } = await client.callTool('resume_change', { changeId: data?.changeId }));
  expect(idsIn(account.demo, account.archive)).toHaveLength(1_500);
  expect(sorted(expectTold(account, data).failed)).toEqual(sorted(bad));
});

test.concurrent('the limit of requests counts retries too', async () => {
  const account = await manyVideos(3_000, 1_500);
  account.demo.faults.random({ rate: 0.1, seed: 5, faults: [{ kind: 'status', code: 500, retryAfter: 0 }] });
  const { client } = await start({ demo: account.demo, env: UNASKED });
  const { data } = await client.callTool('move_videos', { targetProject: 'Archive', videoIds: account.ids });
  // Requests in flight when the limit is reached can each be retried.
  expect(requestsOf(account.demo, MOVE).length).toBeLessThanOrEqual(5_003 + 8 * 3);
  expect(data?.requests).toBe(requestsOf(account.demo, MOVE).length);
  expectTold(account, data);
});

test.concurrent('a 400 counts as caused by the ids unless the service reports that the project is gone', async () => {
  const account = await manyVideos(3_000);
  const { demo, archive } = account;
  const bad = new Set(account.ids.slice(1_234, 1_235));
  demo.faults.always({ match: { ...MOVE, when: ({ body }) => names(body, bad) }, do: { kind: 'status', code: 400 } });
  const { client } = await start({ demo, env: UNASKED });
  const isBegun = () => requestsOf(demo, MOVE).length > 0;
  const fails = { kind: 'status', code: 500, retryAfter: 0 } as const;
  demo.faults.always({ match: { method: 'GET', path: `/v1/projects/${archive}`, when: isBegun }, do: fails });
  const { data } = await client.callTool('move_videos', { targetProject: 'Archive', videoIds: account.ids });
  expect(idsIn(demo, archive)).toHaveLength(2_999);
  expect(data).toMatchObject({ status: 'partly_applied', moved: 2_999, failedCount: 1, unknownCount: 0 });
});

function names(body: unknown, ids: ReadonlySet<string>): boolean {
  const { videoIds } = body as { videoIds?: unknown }; // of a fault's request, which is a move
  return Array.isArray(videoIds) && videoIds.some((id) => ids.has(String(id)));
}
