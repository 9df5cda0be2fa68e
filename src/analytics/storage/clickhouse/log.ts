import { randomUUID } from 'node:crypto';
import { VideoHostingError } from '../../../errors.ts';
import { literal, tableIn } from '../../sql/clickhouse-dialect.ts';
import type { Connection } from './connection.ts';
import { type LogEntry, type ReplayedLog, replayLog } from './replay-log.ts';
import type { StatementOptions } from './retry.ts';
import { lineOf } from './rows.ts';
import { TABLES } from './tables.ts';

export type NewEntry = LogEntry extends infer One ? (One extends LogEntry ? Omit<One, 'id' | 'atMs'> : never) : never;

const ENTRY_KINDS: readonly string[] = ['segment', 'forgotten', 'epoch', 'retired'];

export type Log = ReturnType<typeof createLog>;

/**
 * The log of an account's segments, one row of the table `vh_log` for each entry. Only the parts that it names count. `clock` is
 * the time of the entries that are written, in milliseconds since 1970.
 */
export function createLog(connection: Connection, account: string, clock: () => number) {
  const table = tableIn(connection.address.database, TABLES.log);
  // A store of a billion views has some 20,000 entries, and each question reads the log at least twice.
  let last: { readonly digest: string; readonly replayed: ReplayedLog } | undefined;
  const select = (columns: string, options?: StatementOptions) =>
    connection.select(`SELECT ${columns} FROM ${table} WHERE account = ${literal(account)}`, options);

  /** The order makes the choice among rows of one id deterministic: two imports at once write such rows. */
  const replay = async (options: StatementOptions): Promise<ReplayedLog> => {
    const { rows } = await connection.select(
      `SELECT id, kind, at, body FROM ${table} WHERE account = ${literal(account)} ORDER BY at, body`,
      options,
    );
    const entries = new Map(rows.map(([id, kind, at, body]) => [id, entryOf(String(id), String(kind), Number(at), String(body))]));
    return replayLog([...entries.values()]);
  };

  const remove = async (ids: readonly string[]): Promise<void> => {
    if (ids.length > 0) await connection.remove(TABLES.log, account, `id IN (${ids.map(literal).join(', ')})`);
  };

  return {
    async read(options: StatementOptions = {}): Promise<ReplayedLog> {
      const digest = JSON.stringify((await select('count(*), max(at), sum(cityHash64(id))', options)).rows);
      if (last?.digest !== digest) last = { digest, replayed: await replay(options) };
      return last.replayed;
    },
    /** Adds an entry, and resolves when every process can read it. */
    async append({ kind, ...body }: NewEntry, id: string = randomUUID()): Promise<void> {
      const line = lineOf([account, id, kind, clock(), JSON.stringify(body)]);
      await connection.insert(table, ['account', 'id', 'kind', 'at', 'body'], oneOf(line), { timeoutMs: 30_000 });
    },
    remove,
    async removeAllBut(kept: string): Promise<void> {
      const { rows } = await select('id');
      await remove(rows.map(([id]) => String(id)).filter((id) => id !== kept));
    },
  };
}

async function* oneOf(line: string): AsyncGenerator<string> {
  yield line;
}

function entryOf(id: string, kind: string, atMs: number, body: string): LogEntry {
  if (!ENTRY_KINDS.includes(kind))
    throw new VideoHostingError('store_unready', 'The store was written by a later version of this program.', {
      hint: 'Update this server.',
    });
  // Only this program writes entries, and a row is inserted whole.
  return { kind, id, atMs, ...JSON.parse(body) } as LogEntry;
}
