/**
 * A part is what one reading of a span stored: rows with one number, which count once the log names the part. ClickHouse has
 * no transactions, so a part whose insert broke is left behind, and removed by `collect-garbage.ts`.
 */
import { randomInt } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { VideoHostingError } from '../../../errors.ts';
import { sentence } from '../../../text/sentence.ts';
import { VIEW_COLUMNS } from '../../columns.ts';
import { tableIn } from '../../sql/clickhouse-dialect.ts';
import type { Segment } from '../segments.ts';
import type { Connection } from './connection.ts';
import { lineOf } from './rows.ts';
import { STORED_COLUMNS, TABLES } from './tables.ts';
import { viewsIn } from './views.ts';

const RANDOM_BITS = 22n;

/** A unique number for a part, in decimal digits: the time when it was begun and random bits. It fits a UInt64. */
export const newPart = (nowMs: number): string =>
  String((BigInt(Math.trunc(nowMs)) << RANDOM_BITS) + BigInt(randomInt(2 ** Number(RANDOM_BITS))));

/** When a part was begun, by its writer's clock, in milliseconds since 1970. */
export const partBegunMs = (part: string): number => Number(BigInt(part) >> RANDOM_BITS);

export interface PartRows {
  readonly rows: number;
  lines(account: string, part: string): AsyncGenerator<string>;
}

const TIME_INDEX = VIEW_COLUMNS.findIndex(({ name }) => name === 'ts');

/** The views of a spool file; the last line of an id and a time counts. Reads the file now, and again for `lines`. */
export async function readSpool(file: string | undefined): Promise<PartRows> {
  const newest = new Map<string, number>();
  let count = 0;
  for await (const line of linesIn(file)) {
    newest.set(idOf(line), count);
    count += 1;
  }
  return {
    rows: newest.size,
    async *lines(account, part) {
      let index = 0;
      for await (const line of linesIn(file)) {
        if (newest.get(idOf(line)) === index) yield storedLine(line, account, part);
        index += 1;
      }
    },
  };
}

/** The id, and the time in milliseconds, of the microseconds that follow it. */
const idOf = (line: string): string => /^\["(?:[^"\\]|\\.)*",(?:\d+(?=\d{3},))?/.exec(line)?.[0] ?? line;

function storedLine(line: string, account: string, part: string): string {
  const values = JSON.parse(line) as (string | number | boolean | null)[];
  values[TIME_INDEX] = Math.floor(Number(values[TIME_INDEX]) / 1_000);
  return lineOf([account, part, ...values]);
}

async function* linesIn(file: string | undefined): AsyncGenerator<string> {
  if (file === undefined) return;
  let rest = '';
  // Not `readline`, which ends lines at U+2028 too.
  for await (const chunk of createReadStream(file, { encoding: 'utf8', highWaterMark: 256 * 1_024 })) {
    const lines = (rest + String(chunk)).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
}

type WrittenPart = Pick<Segment, 'part' | 'rows' | 'minMs' | 'maxMs'>;

const MAX_WRITES = 3;
const RETRY_MS = 2_000;

/** Inserts a part and verifies that every shard has its share, every view once. Throws `store_unreachable`. */
export async function writePart(connection: Connection, account: string, content: PartRows, clock: () => number): Promise<WrittenPart> {
  if (content.rows === 0) return { rows: 0 };
  const table = tableIn(connection.address.database, TABLES.views);
  for (let tries = 1; ; tries += 1) {
    // The rows of an attempt that broke off are not part of the next attempt, which has another number.
    const part = newPart(clock());
    try {
      await connection.insert(table, STORED_COLUMNS, content.lines(account, part));
      return { part, ...(await verify(connection, account, part, content.rows)) };
    } catch (error) {
      if (tries >= MAX_WRITES || !(error instanceof VideoHostingError) || error.code !== 'store_unreachable') throw error;
      await sleep(RETRY_MS * tries);
    }
  }
}

async function verify(connection: Connection, account: string, part: string, rows: number): Promise<Omit<WrittenPart, 'part'>> {
  const { table, conditions } = viewsIn(connection, account, [part]);
  const found = await connection.select(
    `SELECT count(*), uniqExact(id, ts), min(ts), max(ts) FROM ${table} WHERE ${conditions.join(' AND ')}`,
  );
  const [count, ids, minMs, maxMs] = (found.rows[0] ?? []).map(Number);
  if (count === rows && ids === rows && minMs !== undefined && maxMs !== undefined) return { rows, minMs, maxMs };
  throw new VideoHostingError(
    'store_unreachable',
    sentence`The ClickHouse cluster has ${count ?? 0} of the ${rows} views that were written, ${ids ?? 0} of them different. None of them was stored.`,
  );
}
