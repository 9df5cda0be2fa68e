import { randomUUID } from 'node:crypto';
import type { Span } from '../../contract.ts';
import { literal, tableIn } from '../../sql/clickhouse-dialect.ts';
import type { Lease } from '../contract.ts';
import { type Claim, takeLease } from '../leases.ts';
import type { Connection } from './connection.ts';
import { TABLES } from './tables.ts';

/** A claim without a heartbeat for this long has expired. */
const EXPIRY_S = 45;
const HEARTBEAT_MS = 10_000;
/** ClickHouse has no compare-and-set: after this long every process sees a claim that was written at the same time. */
const VISIBLE_AFTER_MS = 400;

/** Leases of the processes that share a store. A claim is the newest row with its token; claims are ordered by the server's clock. */
export function createStoreLeases(connection: Connection, account: string): (wanted: readonly Span[]) => Promise<Lease> {
  const table = tableIn(connection.address.database, TABLES.leases);

  async function read(): Promise<Claim[]> {
    const { rows } = await connection.select(
      `SELECT token, argMax(spans, revision) FROM ${table} WHERE account = ${literal(account)} AND at > toInt64(now()) - 86400 ` +
        `GROUP BY token HAVING max(at) > toInt64(now()) - ${EXPIRY_S} ORDER BY min(at), token`,
    );
    // `write` below wrote it, and a row is inserted whole.
    return rows.map(([token, spans]) => ({ id: String(token), spans: JSON.parse(String(spans)) as Span[] }));
  }

  return async (wanted) => {
    let revision = 0;
    const write = ({ id, spans }: Claim): Promise<void> => {
      const values = [literal(account), literal(id), revision, 'toInt64(now())', literal(JSON.stringify(spans))];
      revision += 1;
      return connection.run(`INSERT INTO ${table} (account, token, revision, at, spans) SELECT ${values.join(', ')}`, {
        timeoutMs: 15_000,
      });
    };
    const board = {
      read,
      write,
      renew: write,
      remove: (id: string) => write({ id, spans: [] }).catch(() => undefined),
      visibleAfterMs: VISIBLE_AFTER_MS,
      heartbeatMs: HEARTBEAT_MS,
    };
    return takeLease(board, randomUUID(), wanted);
  };
}
