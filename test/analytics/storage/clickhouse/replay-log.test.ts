import fc from 'fast-check';
import { expect, test } from 'vitest';
import { overlaps } from '../../../../src/analytics/spans.ts';
import { type LogEntry, replayLog } from '../../../../src/analytics/storage/clickhouse/replay-log.ts';
import { EMPTY } from '../../../../src/analytics/storage/folder/folder-storage.ts';
import { addSegment, type Manifest } from '../../../../src/analytics/storage/folder/manifest.ts';
import { type Beginning, SCHEMA, type Segment } from '../../../../src/analytics/storage/segments.ts';

let last = 0;
const segmentOf = ([fromMs, length, fetchedMs, rows]: readonly [number, number, number, number]): Segment => {
  last += 1;
  const id = `00000000-0000-0000-0000-${String(last).padStart(12, '0')}`;
  const part = rows === 0 ? {} : { part: String(last) };
  return { fromMs, toMs: fromMs + length, fetchedMs, id, schema: SCHEMA, rows, rejected: [], ...part };
};

const segments = fc
  .array(fc.tuple(fc.nat(40), fc.integer({ min: 1, max: 12 }), fc.nat(1_000), fc.constantFrom(0, 5)), { maxLength: 30 })
  .map((all) => all.map(segmentOf));

const SINCE: Beginning = { epoch: 'first', forgotten: [] };
const entryOf = (segment: Segment, atMs: number): LogEntry => ({ kind: 'segment', id: segment.id, atMs, since: SINCE, segment });

test('the result does not depend on the order of entries, and segments never overlap', () => {
  fc.assert(
    fc.property(segments, fc.infiniteStream(fc.nat()), (all, numbers) => {
      const entries = all.map(entryOf);
      const alive = replayLog(entries).snapshot.segments;
      const shuffled = entries.map((entry) => ({ entry, rank: numbers.next().value })).sort((a, b) => a.rank - b.rank);
      expect(replayLog(shuffled.map(({ entry }) => entry)).snapshot.segments).toEqual(alive);
      for (const [at, segment] of alive.entries()) for (const other of alive.slice(at + 1)) expect(overlaps(segment, other)).toBe(false);
    }),
  );
});

test('the result equals a folder’s manifest with the same segments added in order', () => {
  fc.assert(
    fc.property(segments, (all) => {
      const inTime = [...all].sort((a, b) => a.fetchedMs - b.fetchedMs || (a.id < b.id ? -1 : 1));
      let manifest: Manifest = { ...EMPTY, epoch: 'first' };
      for (const segment of inTime) {
        const next = addSegment(manifest, segment, SINCE, 0);
        if (typeof next !== 'string') manifest = next;
      }
      expect(replayLog(all.map(entryOf)).snapshot.segments).toEqual(manifest.segments);
    }),
  );
});

test('replay leaves out retired and forgotten segments, and segments of an earlier epoch', () => {
  const [a, b, c] = [segmentOf([0, 10, 1, 5]), segmentOf([20, 10, 1, 5]), segmentOf([40, 10, 100, 5])];
  const entries = [a, b, c].map(entryOf);
  const ids = (extra: readonly LogEntry[]): string[] => replayLog([...entries, ...extra]).snapshot.segments.map(({ id }) => id);
  expect(ids([])).toEqual([a.id, b.id, c.id]);
  expect(ids([{ kind: 'retired', id: 'r', atMs: 5, segments: [a.id] }])).toEqual([b.id, c.id]);
  const span = { fromMs: 0, toMs: 100, atMs: 50 };
  const forgotten: LogEntry = { kind: 'forgotten', id: 'f', atMs: 50, span, segments: [] };
  expect(ids([forgotten])).toEqual([]);
  // A reading that began afterwards knows of it, whatever the clocks say.
  const later = segmentOf([0, 10, 1, 5]);
  expect(ids([forgotten, { ...entryOf(later, 1), since: { epoch: 'first', forgotten: [span] } } as LogEntry])).toEqual([later.id]);
  expect(ids([{ kind: 'epoch', id: 'next', atMs: 60 }])).toEqual([]);
  expect(replayLog(entries).dead).toEqual([]);
  expect(replayLog([...entries, { kind: 'retired', id: 'r', atMs: 5, segments: [a.id] }]).dead.map(({ id }) => id)).toEqual([a.id]);
});
