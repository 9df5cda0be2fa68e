/** Garbage collection removes replaced parts with their rows, and keeps the current ones. */
import { describe, expect, test } from 'vitest';
import { VIEW_COLUMNS } from '../../src/analytics/columns.ts';
import { collectStoreGarbage } from '../../src/analytics/storage/clickhouse/collect-garbage.ts';
import { createConnection } from '../../src/analytics/storage/clickhouse/connection.ts';
import { createLog } from '../../src/analytics/storage/clickhouse/log.ts';
import { newPart, type PartRows, writePart } from '../../src/analytics/storage/clickhouse/part.ts';
import { lineOf } from '../../src/analytics/storage/clickhouse/rows.ts';
import { SCHEMA } from '../../src/analytics/storage/segments.ts';
import { atEnd } from '../harness/cleanup.ts';
import { PASSWORD } from './servers/password.ts';
import { addressOf, madeStore, STORE_KINDS, startStore } from './servers/stores.ts';

const DAY_MS = 86_400_000;
const ACCOUNT = 'c'.repeat(24);
const NOW_MS = Date.parse('2026-11-01');

/** So many views, one a second. */
const views = (rows: number, fromMs: number): PartRows => ({
  rows,
  async *lines(account, part) {
    for (let at = 0; at < rows; at += 1) {
      const values = VIEW_COLUMNS.map(({ name }) => (name === 'id' ? `v${at}` : name === 'ts' ? fromMs + at * 1_000 : null));
      yield lineOf([account, part, ...values]);
    }
  },
});

describe.each(STORE_KINDS)('%s', async (kind) => {
  const store = await startStore(kind);

  test('garbage collection removes replaced and unreferenced parts after a day, and nothing else', async () => {
    const { VIDEO_HOSTING_ANALYTICS_STORE: url = '' } = await madeStore(store);
    const connection = await createConnection({ address: addressOf(url), password: PASSWORD, log: () => {} });
    atEnd(() => connection.close());
    const clock = { ms: NOW_MS };
    const now = (): number => clock.ms;
    const log = createLog(connection, ACCOUNT, now);
    const counts = async (): Promise<unknown> => {
      const sql = `SELECT account, count(*) FROM ${connection.address.database}.vh_views GROUP BY account ORDER BY account`;
      return (await connection.select(sql)).rows;
    };
    const keep = async (fetchedMs: number, rows: number): Promise<void> => {
      const written = await writePart(connection, ACCOUNT, views(rows, NOW_MS), now);
      const id = `00000000-0000-0000-0000-${String(fetchedMs).slice(-12).padStart(12, '0')}`;
      const segment = { fromMs: NOW_MS, toMs: NOW_MS + DAY_MS, fetchedMs, id, schema: SCHEMA, rejected: [], ...written };
      await log.append({ kind: 'segment', since: { epoch: 'first', forgotten: [] }, segment }, id);
    };
    await writePart(connection, 'd'.repeat(24), views(5, NOW_MS), now);
    await keep(NOW_MS, 10);
    await keep(NOW_MS + 1, 20);
    // A part that the log never names, as if its process was killed.
    await writePart(connection, ACCOUNT, views(7, NOW_MS), now);
    expect(newPart(NOW_MS).length).toBeLessThan(21);
    await collectStoreGarbage(connection, ACCOUNT, log, now);
    expect(await counts()).toEqual([
      [ACCOUNT, 37],
      ['d'.repeat(24), 5],
    ]);
    clock.ms += 2 * DAY_MS;
    await collectStoreGarbage(connection, ACCOUNT, log, now);
    expect(await counts()).toEqual([
      [ACCOUNT, 20],
      ['d'.repeat(24), 5],
    ]);
    const { snapshot, dead, retired } = await log.read();
    expect(snapshot.segments.map(({ rows }) => rows)).toEqual([20]);
    expect({ dead, retired }).toEqual({ dead: [], retired: [] });
  });
});
