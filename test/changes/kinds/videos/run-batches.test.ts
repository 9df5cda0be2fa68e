/** `runBatches` by itself, with scripted answers: what is sent, in which order, and what must not be sent. */

import { describe, expect, test } from 'vitest';
import { type BulkState, createBulkState, type IdRange, type IdStatus } from '../../../../src/changes/journal/bulk-state.ts';
import { type BatchAnswer, type BatchFailure, failureFrom } from '../../../../src/changes/kinds/videos/batch-answer.ts';
import { type Batch, createBatchQueue } from '../../../../src/changes/kinds/videos/batch-queue.ts';
import { type BatchRules, runBatches } from '../../../../src/changes/kinds/videos/run-batches.ts';
import type { BulkRun } from '../../../../src/changes/plan/plan.ts';
import { COPY, MOVE } from '../../../../src/changes/plan/traits/videos.ts';
import { VideoHostingError } from '../../../../src/errors.ts';
import { mintApproval } from '../../../../src/service/approval.ts';
import { sentence } from '../../../../src/text/sentence.ts';

type Script = (batch: IdRange, at: number) => BatchAnswer | Promise<BatchAnswer>;

const DONE: BatchAnswer = { kind: 'done' };

function failure(kind: BatchFailure['kind'], certain: boolean): BatchFailure {
  const error = new VideoHostingError(kind === 'throttled' ? 'rate_limited' : 'service_failed', sentence`It was ${kind}.`);
  return { kind, certain, error, reason: error.message };
}

/** Some turns of the event loop, after which all pending work has gone on. */
async function turns(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate);
}

interface Rules extends Partial<BatchRules> {
  readonly does?: BulkState['does'];
}

/** A change of so many ids, of which nothing is known yet; a move if `rules` say no other. */
function change(total: number, script: Script, { does = MOVE, ...rules }: Rules = {}, run: Partial<BulkRun> = {}) {
  const state = createBulkState(total, does);
  const sent: IdRange[] = [];
  const approval = mintApproval();
  const bulkRun: BulkRun = {
    approval,
    stop: new AbortController().signal,
    progress: () => {},
    state,
    ids: () => [],
    sending: async (from, to) => state.markSending(from, to),
    record: async (from, to, outcome, reason) => state.mark(from, to, outcome, reason),
    ...run,
  };
  const send = async (batch: IdRange): Promise<BatchAnswer> => {
    approval.use();
    sent.push({ from: batch.from, to: batch.to });
    return script(batch, sent.length);
  };
  const carryOut = () => runBatches(bulkRun, { batchSize: 10, maxRequests: 1_000, concurrency: 1, ...rules, send });
  const places = (outcome: IdStatus) => Array.from({ length: total }, (_, at) => at).filter((at) => state.statusAt(at) === outcome);
  return { state, sent, carryOut, places };
}

test('after a throttled batch, batches are sent one at a time until one succeeds; throttled ones are resent whole', async () => {
  const held: (() => void)[] = [];
  const answer = (sentCount: number) => {
    if (sentCount <= 8) return sentCount >= 5 ? failure('throttled', false) : DONE;
    return new Promise<BatchAnswer>((resolve) => held.push(() => resolve(DONE)));
  };
  const { sent, carryOut, places } = change(200, (_, sentCount) => answer(sentCount), { concurrency: 4 });
  const over = carryOut();
  await turns();
  expect(sent).toHaveLength(8 + 1);
  for (let isOver = false; !isOver; ) {
    for (const letGo of held.splice(0)) letGo();
    isOver = await Promise.race([over.then(() => true), turns().then(() => false)]);
  }
  expect(await over).toBeUndefined();
  expect(places('done')).toHaveLength(200);
  expect(sent.filter(({ from, to }) => to - from !== 10)).toEqual([]);
  expect(sent).toHaveLength(24);
});

test('a service that throttles seven requests in a row ends the change', async () => {
  const { sent, carryOut, places } = change(40, () => failure('throttled', false));
  expect(await carryOut()).toMatchObject({ code: 'rate_limited' });
  expect(sent).toHaveLength(7);
  expect([places('unknown').length, places('not_done').length]).toEqual([10, 30]);
});

test('concurrent batches do not exceed the limit of requests', async () => {
  const { state, sent, carryOut, places } = change(1_000, () => DONE, { maxRequests: 11, concurrency: 8 });
  expect(await carryOut()).toMatchObject({ message: expect.stringContaining('The limit of 11 requests') });
  expect(sent).toHaveLength(11);
  expect([places('done').length, places('not_done').length]).toEqual([110, 890]);
  expect(state.reasonAt(999)).toBe('Not sent.');
});

test.each([MOVE, COPY])('each batch of what is $done is announced in the journal before it is sent', async (does) => {
  const announced: [number, number, boolean][] = [];
  const sending = async (...batch: [number, number, boolean]) => {
    await turns();
    announced.push(batch);
  };
  const missing: IdRange[] = [];
  const script: Script = ({ from, to }) => {
    if (!announced.some((batch) => batch[0] === from && batch[1] === to)) missing.push({ from, to });
    return from === 20 ? failure('refused', true) : DONE;
  };
  const { sent, carryOut } = change(45, script, { does, concurrency: 3 }, { sending });
  await carryOut();
  expect(missing).toEqual([]);
  expect(announced).toHaveLength(sent.length);
  // The announcement of a batch that must not be sent twice is durable on disk by then.
  expect(announced.filter(([, , durable]) => durable === (does === MOVE))).toEqual([]);
});

test('a batch that never arrived is resent whole, not in halves', async () => {
  const { sent, carryOut, places } = change(40, (_, at) => (at <= 4 ? failure('unknown', true) : DONE));
  await carryOut();
  expect(places('done')).toHaveLength(40);
  expect(sent.filter(({ from, to }) => to - from !== 10)).toEqual([]);
});

test('a batch that the journal can’t announce is not sent, and batches in flight are awaited', async () => {
  let letGo = (): void => {};
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const sending = async (from: number) => {
    if (from === 20) throw new VideoHostingError('journal_failed', 'The disk is full.');
  };
  const recorded: IdRange[] = [];
  const record = async (from: number, to: number) => void recorded.push({ from, to });
  const { sent, carryOut } = change(100, () => held.then(() => DONE), { concurrency: 3 }, { sending, record });
  let isOver = false;
  const over = carryOut().catch((error: unknown) => error);
  void over.then(() => {
    isOver = true;
  });
  await turns();
  expect([sent, isOver]).toEqual([
    [
      { from: 0, to: 10 },
      { from: 10, to: 20 },
    ],
    false,
  ]);
  letGo();
  expect(await over).toMatchObject({ code: 'journal_failed' });
  expect(recorded).toEqual(sent);
});

test('a failed journal write of an outcome fails the change, for an early, a middle and the last batch', async () => {
  for (const which of [0, 50, 90]) {
    const record = async (from: number) => {
      if (from === which) throw new VideoHostingError('journal_failed', 'The disk is full.');
    };
    const { carryOut } = change(100, () => turns().then(() => DONE), {}, { record });
    await expect(carryOut()).rejects.toMatchObject({ code: 'journal_failed' });
  }
});

test('every batch of a list is sent once before the search for single ids begins', async () => {
  const { sent, carryOut, places } = change(200, ({ from, to }) => (from <= 5 && to > 5 ? failure('some-failed', false) : DONE), {
    concurrency: 4,
  });
  await carryOut();
  expect(sent.slice(0, 20).every(({ from, to }) => to - from === 10)).toBe(true);
  expect([places('failed'), places('done').length]).toEqual([[5], 199]);
});

test.each([
  [1, 1_000],
  [7, 5_000],
  [50, 10_000],
  [3, 3],
  [2, 1_001],
])('%i failing ids of %i are found with about 2k·log2(n/k) requests', async (bad, of) => {
  const failing = Array.from({ length: bad }, (_, at) => Math.floor(((at + 0.5) * of) / bad));
  const script: Script = ({ from, to }) => (failing.some((at) => from <= at && at < to) ? failure('some-failed', false) : DONE);
  const { sent, carryOut, places } = change(of, script, { batchSize: 1_000, maxRequests: 10_000, concurrency: 8 });
  await carryOut();
  expect([places('failed'), places('done').length]).toEqual([failing, of - bad]);
  // One for each thousand, two for each halving down to each failing id, and two tries of each of those.
  expect(sent.length).toBeLessThanOrEqual(Math.ceil(of / 1_000) + Math.ceil(2 * bad * (Math.log2(of / bad) + 1.5)));
});

test('at the limit of requests, the failing ids that were found are failed, and the rest is not known', async () => {
  // All but the first batch.
  const script: Script = ({ to }) => (to <= 10 ? DONE : failure('some-failed', false));
  const { sent, carryOut, places } = change(100, script, { maxRequests: 200 });
  expect(await carryOut()).toMatchObject({ message: expect.stringContaining('The limit of 200 requests') });
  expect(sent).toHaveLength(200);
  expect(places('failed').length).toBeGreaterThan(0);
  expect([places('done'), places('not_done'), places('failed').length + places('unknown').length]).toEqual([
    [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
    [],
    90,
  ]);
});

describe('a list of which nothing can be moved', () => {
  const REFUSED = failure('some-failed', false);
  const sizes = (sent: readonly IdRange[]) => sent.map(({ from, to }) => to - from);

  test.each([
    [1_500, 1_000, 8],
    [12_000, 1_000, 8],
    [12_000, 1_000, 1],
    [100, 10, 4],
    [51, 10, 4],
  ])('of %i in batches of %i, %i at once, is given up after a few batches and 50 single ids', async (of, batchSize, concurrency) => {
    const { sent, carryOut, places } = change(of, () => REFUSED, { batchSize, concurrency });
    expect(await carryOut()).toMatchObject({ code: 'service_failed', message: expect.stringContaining('None of 50 could be moved') });
    expect(sizes(sent).slice(-50)).toEqual(Array.from({ length: 50 }, () => 1));
    expect(sent.length).toBeLessThanOrEqual(50 + 8);
    expect([places('done'), places('failed').length]).toEqual([[], 50]);
    // What was in a batch that failed may have been moved; the rest was not sent.
    const touched = new Set(sent.flatMap(({ from, to }) => Array.from({ length: to - from }, (_, at) => from + at)));
    expect(places('unknown').length).toBe(touched.size - 50);
    expect(places('not_done').length).toBe(of - touched.size);
  });

  test('that was doubted before has nothing but the 50 sent', async () => {
    const { sent, carryOut, places } = change(12_000, () => REFUSED, { batchSize: 1_000, concurrency: 8, isDoubted: true });
    expect(await carryOut()).toMatchObject({ message: expect.stringContaining('These look like no ids') });
    expect(sizes(sent)).toEqual(Array.from({ length: 50 }, () => 1));
    expect([places('failed').length, places('not_done').length]).toEqual([50, 11_950]);
  });

  test('is tried to its end where it is carried on after that', async () => {
    const state = createBulkState(120, MOVE);
    for (let at = 0; at < 120; at += 1) state.mark(at, at + 1, at < 50 ? 'failed' : 'not_done', sentence`It was refused.`);
    const { carryOut } = change(
      120,
      () => REFUSED,
      { batchSize: 100 },
      {
        state,
        sending: async (from, to) => state.markSending(from, to),
        record: async (from, to, outcome, reason) => state.mark(from, to, outcome, reason),
      },
    );
    expect(await carryOut()).toBeUndefined();
    expect(state.count('failed')).toBe(120);
  });

  test('is looked for again where a process was killed before all 50 were tried', async () => {
    const { state, sent, carryOut } = change(12_000, () => REFUSED, { batchSize: 1_000 });
    for (let at = 0; at < 30; at += 1) state.mark(at, at + 1, 'retrying', sentence`It was refused.`);
    expect(await carryOut()).toMatchObject({ message: expect.stringContaining('None of 50 could be moved') });
    expect(sent.length).toBeLessThan(100);
  });
});

describe('a move in which something succeeds', () => {
  const onlyDone = (isGood: (at: number) => boolean): Script => {
    return ({ from, to }) => (Array.from({ length: to - from }, (_, at) => from + at).every(isGood) ? DONE : failure('some-failed', false));
  };

  test.each<[string, (at: number) => boolean]>([
    ['the first project of a list is broken', (at) => at >= 9_000],
    ['all but the last tenth is broken', (at) => at >= 10_800],
    ['one in ten can be moved', (at) => at % 10 === 3],
    ['each batch has one that fails', (at) => at % 1_000 !== 500],
  ])('is carried on to its end: %s', async (_, isGood) => {
    const { carryOut, places } = change(12_000, onlyDone(isGood), { batchSize: 1_000, concurrency: 8, maxRequests: 100_000 });
    expect(await carryOut()).toBeUndefined();
    const all = Array.from({ length: 12_000 }, (_, at) => at);
    expect([places('done'), places('failed')]).toEqual([all.filter(isGood), all.filter((at) => !isGood(at))]);
  });

  test('is carried on though it was doubted, with a few requests more', async () => {
    const { sent, carryOut, places } = change(12_000, () => DONE, { batchSize: 1_000, concurrency: 8, isDoubted: true });
    expect(await carryOut()).toBeUndefined();
    expect(places('done')).toHaveLength(12_000);
    expect(sent.length).toBeLessThanOrEqual(12 + 2 * 4);
  });

  test.each(['throttled', 'unknown'] as const)('is not given up for answers that tell nothing (%s)', async (kind) => {
    const { carryOut, places } = change(
      2_000,
      ({ from, to }, at) =>
        at > 4 && at % 3 === 0 ? failure(kind, false) : to - from === 1 && from % 2 === 0 ? DONE : failure('some-failed', false),
      { batchSize: 1_000, maxRequests: 100_000 },
    );
    await carryOut();
    expect(places('done').length).toBeGreaterThan(900);
  });
});

test('nothing but a move is tried in a sample: a copy is never sent twice', async () => {
  const { sent, carryOut } = change(1_000, (_, at) => (at === 1 ? DONE : failure('some-failed', false)), { does: COPY, isDoubted: true });
  await carryOut();
  const [first, rest, ...batches] = sent;
  expect([first, rest]).toEqual([
    { from: 0, to: 1 },
    { from: 1, to: 10 },
  ]);
  expect(batches.map(({ from, to }) => [from, to])).toEqual(batches.map((_, at) => [10 * (at + 1), 10 * (at + 2)]));
});

test('a single id that is refused once is tried again', async () => {
  const { sent, carryOut, places } = change(1, (_, at) => (at === 1 ? failure('refused', true) : DONE));
  await carryOut();
  expect([sent.length, places('done')]).toEqual([2, [0]]);
});

test.each([1, 4, 8, 100])('a service that fails from the start gets at most ten batches (%i at once)', async (concurrency) => {
  const { sent, carryOut, places } = change(10_000, () => failure('unknown', false), { concurrency });
  expect(await carryOut()).toMatchObject({ code: 'service_failed' });
  expect(sent.length).toBeLessThanOrEqual(10);
  expect([places('done').length, places('failed').length]).toEqual([0, 0]);
  expect(places('not_done').length).toBeGreaterThanOrEqual(9_960);
});

describe('a service that fails because of single ids, without saying that nothing was done', () => {
  const stumbles = (bad: ReadonlySet<number>, rest: BatchAnswer | undefined = DONE): Script => {
    return ({ from, to }) =>
      Array.from({ length: to - from }, (_, at) => from + at).some((at) => bad.has(at)) ? failure('unknown', false) : rest;
  };
  const everyTenth = new Set(Array.from({ length: 100 }, (_, at) => 10 * at + 3));

  test.each([1, 4, 8])('has these ids found even if every batch has one (%i at once)', async (concurrency) => {
    const { sent, carryOut, places } = change(1_000, stumbles(everyTenth), { maxRequests: 10_000, concurrency });
    // At the end, only failing ids are left.
    await carryOut();
    expect(places('done')).toHaveLength(900);
    expect(places('unknown')).toEqual([...everyTenth]);
    // A single id is tried a few times only.
    const times = [...everyTenth].map((bad) => sent.filter(({ from, to }) => from === bad && to === bad + 1).length);
    expect(Math.max(...times)).toBeLessThanOrEqual(4);
    const parts = sent.filter(({ from, to }) => to - from > 1).map(({ from, to }) => `${from}-${to}`);
    expect(new Set(parts).size).toBe(parts.length);
  });

  test('does not end the change if it gives clear answers in between', async () => {
    const bad = new Set(Array.from({ length: 24 }, (_, at) => 2 * at));
    const { carryOut, places } = change(48, stumbles(bad, failure('some-failed', false)), { batchSize: 1 });
    // At the end, only failing ids are left.
    await carryOut();
    expect(places('unknown')).toEqual([...bad]);
    expect(places('failed')).toHaveLength(24);
  });

  test('ends the change if it never gives another answer, and each batch keeps its own reason', async () => {
    const ids = new Set(Array.from({ length: 100 }, (_, at) => at));
    const script = stumbles(ids);
    const { carryOut, places, state, sent } = change(100, (batch, at) => (at <= 4 ? failure('some-failed', false) : script(batch, at)), {});
    expect(await carryOut()).toMatchObject({ message: 'It was unknown.' });
    expect(sent).toHaveLength(4 + 7);
    expect([places('done'), places('failed')]).toEqual([[], []]);
    const reasons = new Set(places('unknown').map((at) => state.reasonAt(at)));
    expect(reasons).toContain('It was some-failed. The change ended before its outcome was known.');
    expect(reasons).toContain('It was unknown. The change ended before its outcome was known.');
  });
});

describe('a change whose ids must not be sent twice', () => {
  const once: Rules = { does: COPY };

  test.each([
    ['fatal', true, 'not_done'],
    ['fatal', false, 'unknown'],
    ['withdrawn', true, 'not_done'],
    ['withdrawn', false, 'unknown'],
    ['refused', true, 'failed'],
    ['some-failed', false, 'unknown'],
    ['unknown', false, 'unknown'],
    ['throttled', false, 'unknown'],
  ] as const)('with one id: after the failure "%s" (certain: %s), the id is %s and was sent once', async (kind, certain, outcome) => {
    const { sent, carryOut, places } = change(1, () => failure(kind, certain), once);
    await carryOut();
    expect(sent).toHaveLength(1);
    expect(places(outcome)).toEqual([0]);
  });

  test('ends if some ids of every batch fail, seven times in a row', async () => {
    const { sent, carryOut, places } = change(1_000, (_, at) => (at === 1 ? DONE : failure('some-failed', false)), once);
    expect(await carryOut()).toMatchObject({ message: 'It was some-failed.' });
    expect(sent).toHaveLength(1 + 7);
    expect([places('done'), places('unknown').length, places('not_done').length]).toEqual([[0], 69, 930]);
  });

  test.each(['some-failed', 'unknown', 'throttled'] as const)(
    'ends with seven in doubt if none was done, seven times in a row (%s)',
    async (kind) => {
      const { sent, carryOut, places } = change(1_000, () => failure(kind, false), { ...once, concurrency: 4 });
      expect(await carryOut()).toMatchObject({ message: `It was ${kind}.` });
      expect(sent).toEqual(Array.from({ length: 7 }, (_, at) => ({ from: at, to: at + 1 })));
      expect([places('unknown').length, places('not_done').length]).toEqual([7, 993]);
    },
  );
});

test.each([0, 1, 2, 3])('the queue gives out each part once, in any mix of sizes, and lists the rest (seed %i)', (seed) => {
  // Large parts, small parts, and single ids that were tried before.
  const part = (from: number): Batch => {
    const ids = [100, 1, 64, 65, 63][from % 5] ?? 0;
    return { from: from * 100, to: from * 100 + ids, possiblyApplied: false, attempts: ids === 1 ? 1 : 0, refusals: 0, reason: sentence`` };
  };
  const all = Array.from({ length: 4_501 }, (_, at) => at * 100);
  const queue = createBatchQueue([part(0)]);
  queue.put(...all.slice(1, 4_001).map((from) => part(from / 100)));
  const taken = Array.from({ length: 2_600 }, (_, at) => queue.take((at + seed) % (seed + 3) === 2)?.from);
  queue.put(...all.slice(4_001).map((from) => part(from / 100)));
  const rest = queue.rest().map(({ from }) => from);
  expect(rest).toEqual(rest.toSorted((a, b) => a - b));
  expect([...taken, ...rest].toSorted((a, b) => Number(a) - Number(b))).toEqual(all);
  const last = rest.map((_, at) => queue.take(at % 2 === 0)?.from);
  expect(last.toSorted((a, b) => Number(a) - Number(b))).toEqual(rest);
  expect([queue.take(false), queue.take(true), queue.rest()]).toEqual([undefined, undefined, []]);
});

test.each([
  ['not_approved', undefined, 'nothing-sent', 'withdrawn', true],
  ['cancelled', undefined, 'not-known', 'withdrawn', false],
  ['invalid_arguments', undefined, 'nothing-sent', 'fatal', true],
  ['settings_invalid', undefined, 'nothing-sent', 'fatal', true],
  ['redirect_refused', 302, 'not-known', 'fatal', false],
  ['service_failed', 503, 'not-known', 'unknown', false],
  ['service_failed', 500, 'not-known', 'unknown', false],
  ['service_failed', undefined, undefined, 'unknown', false],
  ['unexpected_status', 405, 'not-done', 'fatal', true],
  ['unexpected_status', 409, 'not-known', 'unknown', false],
  ['unexpected_status', 413, 'not-done', 'refused', true],
  ['unexpected_status', 423, 'not-done', 'refused', true],
  ['unreachable', undefined, 'nothing-sent', 'unknown', true],
  ['rate_limited', 429, 'not-known', 'throttled', false],
] as const)('the error %s with status %s and outcome %s is a failure "%s" (certain: %s)', (code, status, outcome, kind, certain) => {
  const facts = { ...(status === undefined ? {} : { status }), ...(outcome === undefined ? {} : { outcome }) };
  expect(failureFrom(new VideoHostingError(code, 'Any.', { facts }))).toMatchObject({ kind, certain });
});
