/**
 * The record of an account's views in the store, an entry a row of the table `vh_log`: only what it names counts, as only
 * what the folder's manifest names does. `fold.ts` says what the entries come to.
 */
import { randomUUID } from 'node:crypto';
import { VideoHostingError } from '../../../errors.ts';
import { tableIn } from '../../sql/clickhouse-dialect.ts';
import type { How } from './attempt.ts';
import type { Connection } from './connection.ts';
import { lineOf } from './lines.ts';
import { type Entry, type ReplayedLog, replayLog } from './replay-log.ts';
import { TABLES } from './tables.ts';

/** An entry as it is written: its place and moment are added. */
export type NewEntry = Entry extends infer One ? (One extends Entry ? Omit<One, 'id' | 'atMs'> : never) : never;

/** The record of which spans an account's views are held of, shared by all that keep views in one store. */
export interface Log {
  /** What all entries come to; they are read again only when there are others than the last time. Throws `store_unready` for those of a later version. */
  read(how?: How): Promise<ReplayedLog>;
  /** Adds an entry, and answers when it is there for everybody. */
  append(entry: NewEntry, id?: string): Promise<void>;
  /** Removes entries that say nothing any more. */
  remove(ids: readonly string[]): Promise<void>;
  /** Removes all entries but one. */
  removeBut(id: string): Promise<void>;
}

/** The kinds that this version knows. */
const KINDS: readonly string[] = ['window', 'forgotten', 'epoch', 'retired'];

/** `clock` tells the moment of an entry, in milliseconds since 1970. */
export function createLog(connection: Connection, account: string, clock: () => number): Log {
  const table = tableIn(connection.address.database, TABLES.log);
  let last: { readonly mark: string; readonly folded: ReplayedLog } | undefined;

  async function readAll(how: How): Promise<ReplayedLog> {
    const { rows } = await connection.select({
      // In an order of its own: of two with one id, as of one import that ran twice, everybody takes the same.
      sql: (bind) => `SELECT id, kind, at, body FROM ${table} WHERE account = ${bind(account)} ORDER BY at, body`,
      ...how,
    });
    // One that was written twice, because its answer was lost, counts once.
    const entries = new Map(rows.map(([id, kind, at, body]) => [String(id), entryOf(String(id), String(kind), Number(at), String(body))]));
    return replayLog([...entries.values()]);
  }

  const ids = async (): Promise<string[]> => {
    const { rows } = await connection.select({ sql: (bind) => `SELECT id FROM ${table} WHERE account = ${bind(account)}` });
    return rows.map(([id]) => String(id));
  };

  return {
    async read(how = {}) {
      const { rows } = await connection.select({
        sql: (bind) => `SELECT count(*), max(at), sum(cityHash64(id)) FROM ${table} WHERE account = ${bind(account)}`,
        ...how,
      });
      const mark = JSON.stringify(rows);
      if (last?.mark === mark) return last.folded;
      const folded = await readAll(how);
      last = { mark, folded };
      return folded;
    },
    async append(entry, id = randomUUID()) {
      const { kind, ...body } = entry;
      const line = lineOf([account, id, kind, clock(), JSON.stringify(body)]);
      await connection.insert(table, ['account', 'id', 'kind', 'at', 'body'], one(line), { timeoutMs: 30_000 });
    },
    remove: (gone) => connection.remove(TABLES.log, account, 'id', gone),
    removeBut: async (kept) =>
      connection.remove(
        TABLES.log,
        account,
        'id',
        (await ids()).filter((id) => id !== kept),
      ),
  };
}

async function* one(line: string): AsyncGenerator<string> {
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
