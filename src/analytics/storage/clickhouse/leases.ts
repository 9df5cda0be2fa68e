import { randomUUID } from 'node:crypto';
import type { Span } from '../../contract.ts';
import { tableIn } from '../../sql/clickhouse-dialect.ts';
import type { Lease } from '../contract.ts';
import { type Claim, takeLease } from '../leases.ts';
import type { Connection } from './connection.ts';
import { TABLES } from './tables.ts';

/** A process that gave no sign of life for so long has lost its claim, in seconds. */
const SILENT_S = 45;
const HEARTBEAT_MS = 10_000;
/** ClickHouse has no compare-and-set: what is written at the same moment is visible to all after this long. */
const VISIBLE_AFTER_MS = 400;

/** Leases of the processes that share a store: a claim is the newest row with its token, the earliest by the server's clock comes first. */
export function createStoreLeases(connection: Connection, account: string): (wanted: readonly Span[]) => Promise<Lease> {
  const table = tableIn(connection.address.database, TABLES.leases);

  async function read(): Promise<Claim[]> {
    const { rows } = await connection.select({
      sql: (bind) =>
        `SELECT token, argMax(spans, turn) FROM ${table} WHERE account = ${bind(account)} AND at > toInt64(now()) - 86400 ` +
        `GROUP BY token HAVING max(at) > toInt64(now()) - ${SILENT_S} ORDER BY min(at), token`,
    });
    // Written below, in a row that is there whole or not at all.
    return rows.map(([token, spans]) => ({ id: String(token), spans: JSON.parse(String(spans)) as Span[] }));
  }

  return async (wanted) => {
    let turn = 0;
    const write = ({ id, spans }: Claim): Promise<void> => {
      const number = turn;
      turn += 1;
      return connection.run({
        sql: (bind) =>
          `INSERT INTO ${table} (account, token, turn, at, spans) SELECT ${bind(account)}, ${bind(id)}, ${number}, toInt64(now()), ${bind(JSON.stringify(spans))}`,
        timeoutMs: 15_000,
      });
    };
    const board = {
      read,
      write,
      renew: write,
      // Without this row the claim ends after some seconds of silence.
      remove: (id: string) => write({ id, spans: [] }).catch(() => undefined),
      visibleAfterMs: VISIBLE_AFTER_MS,
      heartbeatMs: HEARTBEAT_MS,
    };
    return takeLease(board, randomUUID(), wanted);
  };
}
