/**
 * Which of an account's views a statement is about, and the proof that they were all there. Every question, coverage and SQL
 * goes through `overWindows`.
 */
import { VideoHostingError } from '../../../errors.ts';
import type { Ask, Coverage, Span } from '../../contract.ts';
import { checkHeld, coverageOf } from '../../coverage.ts';
import { clickHouse, literal, tableIn } from '../../sql/clickhouse-dialect.ts';
import type { Dialect } from '../../sql/dialect.ts';
import type { Manifest, Segment } from '../folder/manifest.ts';
import { asked, extentOf } from '../folder/reader.ts';
import type { CoverageHow } from '../view-writer.ts';
import type { How } from './attempt.ts';
import type { Connection } from './connection.ts';
import type { Log } from './log.ts';
import { partList } from './part.ts';
import { TABLES } from './tables.ts';

/** An account's views in some parts: the one place where whose and which they are becomes part of a statement. */
export interface Views {
  readonly table: string;
  /** Conditions that every statement over them has. */
  readonly always: readonly string[];
}

/** Nothing at all where there are no parts. */
export function viewsOf(connection: Connection, account: string, parts: readonly string[]): Views {
  return {
    table: tableIn(connection.address.database, TABLES.views),
    always: parts.length === 0 ? ['1 = 0'] : [`account = ${literal(account)}`, `part IN (${partList(parts)})`],
  };
}

export async function dialectOf(connection: Connection, { table, always }: Views): Promise<Dialect> {
  const { render } = await connection.server();
  return clickHouse({ views: table, always, render });
}

/** The numbers of the parts that windows have; an empty one has none. */
export const partsOf = (windows: readonly Segment[]): string[] => windows.flatMap(({ part }) => part ?? []);

/** How often it is looked again at what is held, where views went away while they were read. */
const MAX_TRIES = 3;

/** What is held of a span, by the record. */
export interface Held {
  readonly views: Views;
  /** In which all views of those parts lie. */
  readonly within: Span;
  readonly parts: readonly string[];
  readonly manifest: Manifest;
}

/**
 * Does something with the views of a span, and looks afterwards whether all of them were there: rows that are there then
 * were there before. So a shard that lost its disk, or views that were just removed, never make an answer that looks whole.
 * Throws `store_incomplete`.
 */
export async function overWindows<T>(
  connection: Connection,
  account: string,
  log: Log,
  span: Span,
  { held: claimed = [], ...how }: How & Pick<Ask, 'held'>,
  act: (held: Held) => Promise<T>,
): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    const { manifest } = await log.read(how);
    checkHeld(manifest.windows, claimed);
    const windows = asked(manifest.windows, span);
    const views = viewsOf(connection, account, partsOf(windows));
    const answer = await act({ views, within: extentOf(windows, span), parts: partsOf(windows), manifest });
    const held = windows.reduce((sum, { rows }) => sum + rows, 0);
    const found = held === 0 ? 0 : await count(connection, views, how);
    if (found === held) return answer;
    const isTheSame = partsOf(asked((await log.read(how)).manifest.windows, span)).join() === partsOf(windows).join();
    if (isTheSame || tries >= MAX_TRIES) throw incomplete(held, found);
  }
}

function incomplete(held: number, found: number): VideoHostingError {
  return new VideoHostingError(
    'store_incomplete',
    `Of the ${held} views that the store is to hold for this time, the ClickHouse cluster has ${found}. There is no whole answer.`,
  );
}

async function count(connection: Connection, { table, always }: Views, how: How, span?: Span): Promise<number> {
  const { rows } = await connection.select({
    sql: (bind) => {
      const within = span === undefined ? [] : [`ts >= ${bind(span.fromMs)}`, `ts < ${bind(span.toMs)}`];
      return `SELECT count(*) FROM ${table} WHERE ${[...always, ...within].join(' AND ')}`;
    },
    ...how,
  });
  return Number(rows[0]?.[0] ?? 0);
}

/**
 * What is held of a span by now, and there: a question looks at it before, and counts again after. So views that are just
 * being brought back are missed too.
 */
export async function readCoverage(
  connection: Connection,
  account: string,
  log: Log,
  span: Span,
  { stale, why }: CoverageHow = {},
): Promise<Coverage> {
  const countIn = (windows: readonly Segment[]): Promise<number> => {
    const parts = partsOf(asked(windows, span));
    return parts.length === 0 ? Promise.resolve(0) : count(connection, viewsOf(connection, account, parts), {}, span);
  };
  return overWindows(connection, account, log, span, {}, ({ manifest }) =>
    coverageOf(manifest, span, { count: countIn, stale: stale?.(manifest.windows) ?? [], why }),
  );
}
