/** While the service carries nothing out, answers about a running change and its progress say so. */
import { expect, test, vi } from 'vitest';
import { troubleText } from '../../../../src/changes/kinds/videos/trouble-text.ts';
import type { Progress } from '../../../harness/client.ts';
import { start } from '../../../harness/start.ts';
import { ended, idsIn, MOVE, manyVideos, UNASKED } from './harness.ts';

const SAYS = (what: string, waiting: string) =>
  new RegExp(`^The service ${what} since \\d\\d:\\d\\d UTC, ${waiting} are waiting, (?:next try in \\d+ s|tried again now)\\.$`);

async function begin(fault: Parameters<Awaited<ReturnType<typeof manyVideos>>['demo']['faults']['always']>[0]['do']) {
  const account = await manyVideos(3_000);
  account.demo.faults.always({ match: MOVE, do: fault });
  const { client } = await start({ demo: account.demo, env: UNASKED });
  const { data } = await client.callTool('move_videos', { targetProject: 'Archive', videoIds: account.ids, waitSeconds: 0 });
  expect(data).toMatchObject({ status: 'running' });
  const told = () => client.callTool('get_change', { changeId: data?.changeId });
  return { ...account, client, told, changeId: data?.changeId };
}

test('a 503 that asks to wait is told with its time, what waits and the next try, in answers and in progress', async () => {
  const { demo, client, told, archive, changeId } = await begin({ kind: 'status', code: 503, retryAfter: 300 });
  await vi.waitFor(async () => expect((await told()).data?.note).toMatch(SAYS('answers 503', '3,000')), { timeout: 300_000 });
  expect((await told()).text).toMatch(/^The service answers 503 since/m);
  const seen: Progress[] = [];
  const giveUp = new AbortController();
  const waiting = client.callTool(
    'get_change',
    { changeId, waitSeconds: 200 },
    { onProgress: (step) => seen.push(step), signal: giveUp.signal },
  );
  waiting.catch(() => undefined);
  await vi.waitFor(() => expect(seen.length).toBeGreaterThan(1), { timeout: 300_000 });
  giveUp.abort();
  for (const { message, total } of seen) {
    expect(message).toMatch(SAYS('answers 503', '3,000'));
    expect(total).toBe(3_000);
  }
  const steps = seen.map(({ progress }) => progress);
  expect(new Set(steps).size).toBe(steps.length);
  expect(steps).toEqual(steps.toSorted((a, b) => a - b));
  expect(Math.max(...steps)).toBeLessThan(1);
  const stopped = await client.callTool('stop_change', { changeId });
  expect(stopped.data).toMatchObject({ status: expect.stringMatching(/stopped|partly_applied/) });
  expect(idsIn(demo, archive)).toEqual([]);
  expect((await told()).data?.note).toMatch(/^An assistant stopped it with stop_change on [^.]* UTC\.$/);
});

test('it is not told any more once the service carries out again', async () => {
  const { demo, client, told, archive, changeId } = await begin({ kind: 'status', code: 429, retryAfter: 1 });
  await vi.waitFor(async () => expect((await told()).data?.note).toMatch(SAYS('answers 429', '3,000')), { timeout: 300_000 });
  demo.faults.clear();
  const { data } = await ended(client, changeId);
  expect(idsIn(demo, archive)).toHaveLength(3_000);
  expect(data).toMatchObject({ status: 'applied' });
  expect(data).not.toHaveProperty('note');
});

test.each([
  [{ status: 429 }, 3_000, 8_000, 'The service answers 429 since 10:41 UTC, 3,000 are waiting, next try in 8 s.'],
  [{ status: 500 }, 1, 0, 'The service answers 500 since 10:41 UTC, 1 is waiting, tried again now.'],
  [{ status: 200 }, 12, 0, 'The service gives no answer that can be read since 10:41 UTC, 12 are waiting, tried again now.'],
  [{}, 12, 0, 'The service gives no answer that can be read since 10:41 UTC, 12 are waiting, tried again now.'],
])('of %j, with %i that wait, it says what is known', (known, waiting, inMs, words) => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-11-23T10:45:00Z') });
  try {
    const since = Date.parse('2026-11-23T10:41:59Z');
    expect(troubleText({ ...known, sinceMs: since, nextTryMs: Date.now() + inMs }, waiting)).toBe(words);
  } finally {
    vi.useRealTimers();
  }
});
