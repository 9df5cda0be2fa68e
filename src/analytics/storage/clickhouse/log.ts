import { randomUUID } from 'node:crypto';
import { VideoHostingError } from '../../../errors.ts';
import { tableIn } from '../../sql/clickhouse-dialect.ts';
import type { How } from './attempt.ts';
import type { Connection } from './connection.ts';
import { type Entry, type ReplayedLog, replayLog } from './replay-log.ts';
import { lineOf } from './rows.ts';
import { TABLES } from './tables.ts';

/** An entry without what is added when it is written. */
export type NewEntry = Entry extends infer One ? (One extends Entry ? Omit<One, 'id' | 'atMs'> : never) : never;

/** The log of an account's segments, a row of the table `vh_log` for each entry: only parts that it names count. */
export interface Log {
  /** What all entries add up to. Throws `store_unready` where a later version of this program wrote one. */
  read(how?: How): Promise<ReplayedLog>;
  /** Adds an entry, and resolves when every process can read it. */
  append(entry: NewEntry, id?: string): Promise<void>;
  remove(ids: readonly string[]): Promise<void>;
  removeAllBut(id: string): Promise<void>;
}

/** The kinds of entries that this version knows. */
const KINDS: readonly string[] = ['window', 'forgotten', 'epoch', 'retired'];

/** `clock` is the time of the entries that are written, in milliseconds since 1970. */
export function createLog(connection: Connection, account: string, clock: () => number): Log {
  const table = tableIn(connection.address.database, TABLES.log);
  // A store of a billion views has some 20,000 entries, and each question reads the log at least twice.
  let last: { readonly digest: string; readonly replayed: ReplayedLog } | undefined;

  async function readAll(how: How): Promise<ReplayedLog> {
    const { rows } = await connection.select({
      // The order makes the choice among rows of one id the same for all: an import that ran twice at once writes such rows.
      sql: (bind) => `SELECT id, kind, at, body FROM ${table} WHERE account = ${bind(account)} ORDER BY at, body`,
      ...how,
    });
    const entries = new Map(rows.map(([id, kind, at, body]) => [String(id), entryOf(String(id), String(kind), Number(at), String(body))]));
    return replayLog([...entries.values()]);
  }

  const remove = (ids: readonly string[]): Promise<void> => connection.remove(TABLES.log, account, 'id', ids);

  return {
    async read(how = {}) {
      const { rows } = await connection.select({
        sql: (bind) => `SELECT count(*), max(at), sum(cityHash64(id)) FROM ${table} WHERE account = ${bind(account)}`,
        ...how,
      });
      const digest = JSON.stringify(rows);
      if (last?.digest !== digest) last = { digest, replayed: await readAll(how) };
      return last.replayed;
    },
    async append({ kind, ...body }, id = randomUUID()) {
      const line = lineOf([account, id, kind, clock(), JSON.stringify(body)]);
      await connection.insert(table, ['account', 'id', 'kind', 'at', 'body'], oneOf(line), { timeoutMs: 30_000 });
    },
    remove,
    async removeAllBut(kept) {
      const { rows } = await connection.select({ sql: (bind) => `SELECT id FROM ${table} WHERE account = ${bind(account)}` });
      await remove(rows.map(([id]) => String(id)).filter((id) => id !== kept));
    },
  };
}

async function* oneOf(line: string): AsyncGenerator<string> {
  yield line;
}

function entryOf(id: string, kind: string, atMs: number, body: string): Entry {
  if (!KINDS.includes(kind))
    throw new VideoHostingError('store_unready', 'The store was written by a later version of this program.', {
      hint: 'Update video-hosting-mcp on this machine.',
    });
  // Written by this program alone, in a row that is there whole or not at all.
  return { kind, id, atMs, ...JSON.parse(body) } as Entry;
}
