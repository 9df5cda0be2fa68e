/**
 * The list that was last sent to a channel, read from a journal whose changes overlap or come from several servers.
 * It counts as known only if it is certainly the last one, since a change that is based on it replaces what the channel holds.
 */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createJournal } from '../../../../src/changes/journal/journal.ts';
import { createSentLookup } from '../../../../src/changes/kinds/channels/last-sent.ts';
import type { ItemOutcome, Seen } from '../../../../src/changes/plan/plan.ts';
import { sentence } from '../../../../src/text/sentence.ts';
import { freshHome } from '../../../harness/start.ts';
import { moveIntent } from '../../support/intents.ts';

const CHANNEL = 'the channel';
const MINUTE_MS = 60_000;

// The journal has times, and the time between them matters here: a fake clock replaces the waiting.
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }));
afterEach(() => void vi.useRealTimers());

const pass = (ms: number) => vi.setSystemTime(Date.now() + ms);

interface Sent {
  readonly changeId?: string;
  /** Without it, the change sends no list. */
  readonly videoKeys?: readonly string[];
  readonly before?: Seen | null;
  /** Without it, the change is still under way. */
  readonly outcome?: ItemOutcome;
}

function aJournal() {
  const journal = createJournal(freshHome());
  return {
    journal,
    async send({ changeId: given, videoKeys, before = null, outcome }: Sent) {
      const changeId = given ?? (await journal.newChangeId());
      const item = {
        id: CHANNEL,
        label: sentence`Channel`,
        seen: before,
        before: {},
        after: { name: 'A', ...(videoKeys === undefined ? {} : { videoKeys }) },
      };
      const writer = await journal.begin({ ...moveIntent(changeId), kind: 'update_channels', facts: {}, items: [item] });
      await writer.sending(CHANNEL);
      if (outcome === undefined) return writer;
      await writer.record(CHANNEL, outcome);
      await writer.end('applied', {});
      return writer;
    },
    /** The known list of a channel whose record has this version and time. */
    known: async (seen: Seen) => (await createSentLookup(journal)(CHANNEL, seen))?.videoKeys,
  };
}

const at = (version: number | null, updated: string | null): Seen => ({ version, updated });
const done = (version: number | null, updated: string | null): ItemOutcome => ({ outcome: 'done', seen: at(version, updated) });

test('a sent list is known while the channel has the version and time of that write', async () => {
  const { send, known } = aJournal();
  await send({ videoKeys: ['a'], outcome: done(2, 't2') });
  expect(await known(at(2, 't2'))).toEqual(['a']);
  expect(await known(at(3, 't2'))).toBeUndefined();
  expect(await known(at(2, 't3'))).toBeUndefined();
});

test.each([
  [null, 't2'],
  [2, null],
  [null, null],
])('no list is known if the service shows version %s and time %s', async (version, updated) => {
  const { send, known } = aJournal();
  await send({ videoKeys: ['a'], outcome: done(version, updated) });
  expect(await known(at(version, updated))).toBeUndefined();
});

test('no list is known after an update without one, which can have cleared it', async () => {
  const { send, known } = aJournal();
  await send({ videoKeys: ['a'], outcome: done(2, 't2') });
  pass(1_000);
  await send({ outcome: done(2, 't2') });
  expect(await known(at(2, 't2'))).toBeUndefined();
});

test('after a later update whose response was lost, the earlier list is unknown, and known again minutes later', async () => {
  const { send, known } = aJournal();
  await send({ videoKeys: ['a'], outcome: done(2, 't2') });
  pass(1_000);
  await send({ videoKeys: ['b'], before: at(2, 't2'), outcome: { outcome: 'unknown', reason: sentence`Lost.` } });
  expect(await known(at(2, 't2'))).toBeUndefined();
  pass(3 * MINUTE_MS);
  expect(await known(at(2, 't2'))).toEqual(['a']);
});

test('an update whose response was lost counts as not applied only if the channel is exactly as before', async () => {
  const { send, known } = aJournal();
  await send({ videoKeys: ['a'], outcome: done(2, 't2') });
  pass(1_000);
  await send({ videoKeys: ['b'], before: at(2, 't1'), outcome: { outcome: 'unknown', reason: sentence`Lost.` } });
  pass(3 * MINUTE_MS);
  expect(await known(at(2, 't2'))).toBeUndefined();
});

test('no list is known while an update is under way', async () => {
  const { send, known } = aJournal();
  await send({ videoKeys: ['a'], outcome: done(2, 't2') });
  pass(1_000);
  const under = await send({ videoKeys: ['b'], before: at(2, 't2') });
  expect(await known(at(2, 't2'))).toBeUndefined();
  pass(3 * MINUTE_MS);
  expect(await known(at(2, 't2'))).toBeUndefined();
  await under.record(CHANNEL, { outcome: 'failed', reason: sentence`Refused.` });
  await under.end('failed', {});
  expect(await known(at(2, 't2'))).toEqual(['a']);
});

test('the last change is the one that was sent last, not the one that was planned last', async () => {
  const { journal, send, known } = aJournal();
  const changeId = await journal.newChangeId();
  pass(MINUTE_MS);
  await send({ videoKeys: ['a'], outcome: done(2, 't2') });
  pass(9 * MINUTE_MS);
  await send({ changeId, videoKeys: ['b'], outcome: { outcome: 'unknown', reason: sentence`Lost.` } });
  expect(await known(at(2, 't2'))).toBeUndefined();
});

test.each([1, 60, 2 * 24 * 60])('a change that is carried on %s minutes later counts as sent then', async (minutes) => {
  const { journal, send, known } = aJournal();
  const changeId = await journal.newChangeId();
  await send({ changeId, videoKeys: ['b'], before: at(2, 't2'), outcome: { outcome: 'not_done', reason: sentence`Not sent.` } });
  pass(minutes * MINUTE_MS);
  await send({ videoKeys: ['a'], outcome: done(2, 't2') });
  pass(1_000);
  const resumed = await journal.resume(changeId);
  await resumed?.writer.sending(CHANNEL);
  expect(await known(at(2, 't2'))).toBeUndefined();
  await resumed?.writer.record(CHANNEL, { outcome: 'unknown', reason: sentence`Lost.` });
  await resumed?.writer.end('partly_applied', {});
  expect(await known(at(2, 't2'))).toBeUndefined();
  pass(3 * MINUTE_MS);
  expect(await known(at(2, 't2'))).toEqual(['a']);
});

test('of two lists for one version, the one that was sent later is known, whichever change is older', async () => {
  const { journal, send, known } = aJournal();
  const changeId = await journal.newChangeId();
  await send({ changeId, videoKeys: ['b'], before: at(1, 't1'), outcome: { outcome: 'not_done', reason: sentence`Not sent.` } });
  const resumed = await journal.resume(changeId);
  await resumed?.writer.sending(CHANNEL);
  await resumed?.writer.record(CHANNEL, done(2, 't2'));
  await resumed?.writer.end('applied', {});
  pass(MINUTE_MS);
  await send({ videoKeys: ['a'], outcome: done(2, 't2') });
  expect(await known(at(2, 't2'))).toEqual(['a']);
});

test('the service’s version decides the order of writes, not the clocks of the servers', async () => {
  const { send, known } = aJournal();
  await send({ videoKeys: ['b'], outcome: done(3, 't3') });
  pass(MINUTE_MS);
  // Sent earlier, by a server whose clock is ahead.
  await send({ videoKeys: ['a'], outcome: done(2, 't2') });
  expect(await known(at(3, 't3'))).toEqual(['b']);
  expect(await known(at(2, 't2'))).toBeUndefined();
});

test('a value that is not a list of keys is ignored', async () => {
  const { send, known } = aJournal();
  await send({ videoKeys: JSON.parse('["a", 7]'), outcome: done(2, 't2') });
  expect(await known(at(2, 't2'))).toBeUndefined();
});
