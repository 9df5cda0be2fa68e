import { describe, expect, test } from 'vitest';
import { CLIENT_KINDS } from '../../harness/client.ts';
import { start } from '../../harness/start.ts';
import { expectTold, idsIn, MOVE, manyVideos, PASSING, requestsOf, sorted, UNASKED } from './harness.ts';

const VIDEOS = 100_000;
const POISONED = 137;

test(`under random faults, a move of ${VIDEOS} videos reports exactly the failing ids`, { timeout: 1_200_000 }, async () => {
  const account = await manyVideos(VIDEOS, POISONED);
  account.demo.faults.random({ rate: 0.05, seed: 7, faults: PASSING });
  const { client } = await start({ demo: account.demo, env: UNASKED });
  const { data } = await client.callTool('move_videos', { targetProject: 'Archive', videoIds: account.ids }, { timeoutMs: 600_000 });
  const good = account.ids.filter((id) => !account.poisoned.has(id));
  expect(sorted(idsIn(account.demo, account.archive))).toEqual(sorted(good));
  const { failed, unknown } = expectTold(account, data);
  expect({ failed: sorted(failed), unknown }).toEqual({ failed: sorted(account.poisoned), unknown: [] });
  expect(data).toMatchObject({ status: 'partly_applied', moved: VIDEOS - POISONED, failedCount: POISONED, notSentCount: 0 });
  expect(data?.requests).toBe(requestsOf(account.demo, MOVE).length);
});

describe.each(CLIENT_KINDS)('%s', (kind) => {
  test('a list without failing ids costs one request for each thousand', async () => {
    const account = await manyVideos(2_500);
    const { client } = await start({ client: kind, demo: account.demo, env: UNASKED });
    const { data, text } = await client.callTool('move_videos', { targetProject: 'Archive', videoIds: account.ids });
    expect(sorted(idsIn(account.demo, account.archive))).toEqual(sorted(account.ids));
    expect(requestsOf(account.demo, MOVE).map(({ bodyBytes }) => bodyBytes)).toHaveLength(3);
    expect(data).toMatchObject({ status: 'applied', moved: 2_500, failed: [], unknown: [], requests: 3 });
    expect(text).toContain('2500 of 2500 moved');
  });
});
