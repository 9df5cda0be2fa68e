/**
 * What holds for a caller's SQL in every dialect. Only a query that counts viewers has the column `viewer` at all; in that query
 * nothing may reach it without its name (a star, a row of the whole table, a place in a list), and the name may stand in that
 * count alone.
 */
import { type Sentence, sentence } from '../../text/sentence.ts';
import type { SideTable } from '../contract.ts';

export const NAME_TABLES: readonly SideTable['name'][] = ['channels', 'projects', 'videos'];

/** Limits of an answer, for a text and for all of them, in UTF-16 units. */
const MAX_CELL_CHARS = 2_000;
export const MAX_ANSWER_CHARS = 4_000_000;

export const cutText = (text: string): string =>
  text.length > MAX_CELL_CHARS ? `${text.slice(0, MAX_CELL_CHARS - 1).replace(/\p{Surrogate}$/u, '')}…` : text;

/** Maximum length of a caller's SQL in UTF-16 units. */
const MAX_SQL_CHARS = 20_000;
export const TOO_LONG = `The query is longer than ${MAX_SQL_CHARS} characters.`;
export const isTooLong = (sql: string): boolean => sql.length > MAX_SQL_CHARS;

export const ONLY_COUNTED = sentence`viewer can only be counted, as count(DISTINCT viewer): not shown, grouped by, filtered on, joined on, sorted by or used in an expression`;

/**
 * Rules of a query that counts viewers. With overlapping groups of views, or groups of two, a caller could tell which views
 * are of one person; so each view is in one group of the one reading, and a group of few views has no count.
 */
export const ONE_READING = {
  views: sentence`views can be read only once in a query that counts viewers: use GROUP BY`,
  groups: sentence`a query that counts viewers has each view in one group: no ROLLUP, CUBE, GROUPING SETS or TOTALS`,
  filter: sentence`a count of viewers has no FILTER: use WHERE, or GROUP BY the condition`,
  place: sentence`the SELECT that reads views must be the query itself, a CTE, or alone in a FROM in a query that counts viewers: put it into a CTE (WITH …), and join that`,
  join: sentence`in a query that counts viewers, views can be joined only with channels, projects or videos, each by its key (JOIN channels c ON c.key = views.channel_key); put the counts into a CTE to join them with something else`,
  cte: sentence`a CTE can’t have the name of a table in a query that counts viewers`,
  form: sentence`write each count of viewers as count(DISTINCT viewer), with nothing else in the brackets`,
};

/** What could reach a column of views without its name. */
export const UNNAMED = { star: sentence`name columns instead of *`, row: sentence`a whole row of views can’t be used` };
export const whereCounted = (problem: Sentence): Sentence => sentence`${problem} in a query that counts viewers`;

export const NO_ID = 'In a query that counts viewers, views has no id.';

/** A group with fewer views has no count of viewers. */
export const MIN_VIEWS = 5;

export const SUPPRESSED_NOTE = sentence`count(DISTINCT viewer) is NULL for a group of 1 to ${MIN_VIEWS - 1} views that have a viewer, also in HAVING and ORDER BY, so that views of one person can’t be told from others.`;

/** Columns of views by which it is joined with the tables of names. */
export const KEY_COLUMNS: readonly string[] = ['video_key', 'channel_key', 'project_key'];

const CLOCKS: ReadonlySet<string> = new Set(
  `now today yesterday get_current_timestamp get_current_time current_date current_time current_timestamp current_localtime
  current_localtimestamp localtime localtimestamp transaction_timestamp statement_timestamp clock_timestamp curdate curtime sysdate
  utc_date utc_time utc_timestamp utctimestamp now64 nowinblock nowinblock64 unix_timestamp`.split(/\s+/),
);

/** Names of functions that read the clock, which is that of UTC and not of the zone that `ts` is in. */
export const readsClock = (name: string): boolean => CLOCKS.has(name.toLowerCase());

export const clockProblem = (name: Sentence): Sentence =>
  sentence`${name} is not allowed: it is in UTC, and ts is local to timezone. Say the time in from and to (from: "today", "24h", "7d"), or write it out as a constant of that zone`;

/** What is a moment wherever it is written, compared with `ts` by the clock of UTC. */
export const instantProblem = (name: Sentence): Sentence =>
  sentence`${name} is not allowed with a timezone other than UTC: it is in UTC, and ts is local to timezone. Say the time in from and to, or write it out as a constant of that zone, without an offset: TIMESTAMP '2026-03-01 05:00'`;

const DATE_TIME = /^\s*[+-]?\d{4,}([-/ \\])\d{1,2}\1\d{1,2}[ t]+\d{1,2}:\d{2}(?::\d{2}(?:\.\d*)?)?/i;

/** Whether a text is a time with an offset or a zone behind it. */
export const isInstantText = (text: string): boolean => {
  const [time] = DATE_TIME.exec(text) ?? [];
  return time !== undefined && /^\s*(?:z|[+-]\d|[a-z])/i.test(text.slice(time.length));
};

/** Whether a text, put together with others, makes a time with an offset: `+00`, `Z`, `T04:00:00Z`. */
export const isOffsetText = (text: string): boolean => /(?:^|\d:\d{2}(?:\.\d+)?)\s*(?:z|utc|gmt|[+-]\d{1,2}(?::?\d{2})?)\s*$/i.test(text);

/** Where seconds are counted from, which is a moment. */
export const isEpochText = (text: string): boolean => /^\s*(?:epoch\s*$|1970([-/ \\])0?1\1[0]?1(?!\d))/i.test(text);

/** Whether a format of times has an offset or a zone in it. */
export const hasOffsetFormat = (format: string): boolean => /%z|%[a-z]\s*(?:z|utc|gmt|[+-]\d{2})/i.test(format);

/** Columns of the tables of names that are times in UTC, as texts. */
export const UTC_TEXTS: ReadonlySet<string> = new Set(['created', 'updated']);

const TOKEN =
  /'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*|\/\*[\s\S]*?\*\/|\b(?:count\s*\(\s*distinct\s+|countdistinct\s*\(\s*)((?:(?:\w+|"[^"]*")\s*\.\s*)*(?:viewer\b|"viewer"))\s*\)/giy;
/**
 * Makes each count of viewers NULL for a group of few views. Text only: what was made must be verified by a parser, and `counts`,
 * those that were found, compared with its own.
 */
export function suppressSmallGroups(sql: string) {
  let made = '';
  let counts = 0;
  for (let index = 0; index < sql.length; ) {
    const match = matchAt(TOKEN, sql, index);
    const column = match?.[1];
    if (match === undefined || column === undefined) {
      const text = match?.[0] ?? wordAt(sql, index);
      made += text;
      index += text.length;
      continue;
    }
    made += `CASE WHEN count(${column}) BETWEEN 1 AND ${MIN_VIEWS - 1} THEN NULL ELSE ${match[0]} END`;
    counts += 1;
    index += match[0].length;
  }
  return { sql: made, counts };
}

/** A word stays whole, so that no count is found inside a longer name. */
const wordAt = (sql: string, index: number): string => matchAt(/\w+|[\s\S]/y, sql, index)?.[0] ?? '';

function matchAt(pattern: RegExp, text: string, index: number): RegExpExecArray | undefined {
  pattern.lastIndex = index;
  return pattern.exec(text) ?? undefined;
}
