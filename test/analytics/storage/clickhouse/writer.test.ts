import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import type { Connection } from '../../../../src/analytics/storage/clickhouse/connection.ts';
import type { Log } from '../../../../src/analytics/storage/clickhouse/log.ts';
import { type LogEntry, replayLog } from '../../../../src/analytics/storage/clickhouse/replay-log.ts';
import { createClickHouseWriter } from '../../../../src/analytics/storage/clickhouse/writer.ts';

const DAY_MS = 86_400_000;
const NOW_MS = Date.parse('2026-10-20T18:00:00Z');

/** A log in memory, which several writers may share. */
function memoryLog(): Log {
  const entries: LogEntry[] = [];
  return {
    read: async () => replayLog(entries),
    append: async (entry, id = randomUUID()) => void entries.push({ ...entry, id, atMs: NOW_MS }),
    remove: async () => {},
    removeAllBut: async () => {},
  };
}

test('what a machine whose clock was ahead stored is replaced for all who share the store, for good', async () => {
  const log = memoryLog();
  // Spans without views send nothing to ClickHouse.
  const connection = { address: { database: 'd' } } as Connection;
  const writerAt = (nowMs: number) =>
    createClickHouseWriter({ connection, account: 'a', log, secret: 's', folder: '/nowhere', clock: () => nowMs });
  const store = async (fetchedMs: number) => {
    const writer = writerAt(fetchedMs);
    const span = { fromMs: NOW_MS, toMs: NOW_MS + DAY_MS, fetchedMs, rejected: [] };
    return writer.write(span, undefined, { since: await writer.open(), serviceMs: fetchedMs, folder: '/nowhere' });
  };
  const stored = async () => (await log.read()).snapshot.segments.map(({ fetchedMs }) => fetchedMs);
  expect(await store(NOW_MS + 3 * DAY_MS)).toBe('committed');
  expect(await store(NOW_MS)).toBe('committed');
  expect(await stored()).toEqual([NOW_MS]);
  expect(await store(NOW_MS + DAY_MS)).toBe('committed');
  expect(await stored()).toEqual([NOW_MS + DAY_MS]);
  // A reading that began before another one, on a clock that is right, is not stored.
  expect(await store(NOW_MS + DAY_MS - 30_000)).toBe('superseded');
});
