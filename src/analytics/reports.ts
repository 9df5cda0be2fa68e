import { randomBytes } from 'node:crypto';
import { open, readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { SETTINGS } from '../config/settings.ts';
import { diskError, diskReason } from '../errors/disk-error.ts';
import { BYTE_ORDER_MARK, escapeFormulas } from '../files/spreadsheet-cell.ts';
import { makeFolder, moveFile, namingFile, removeIfPossible, writeWholeFile } from '../platform/files.ts';
import { longPiece } from '../platform/long-work.ts';
import { parseJsonOrUndefined } from '../platform/parse-json.ts';
import { DAY_MS, HOUR_MS } from '../platform/time-units.ts';
import { cleanText } from '../text/sanitize-text.ts';
import { type Sentence, sentence } from '../text/sentence.ts';
import type { DrawableTable } from './chart/contract.ts';
import type { ResultColumn, Scalar } from './contract.ts';

export interface Report {
  readonly id: string;
  /** Path on this machine; only its owner can read it. */
  readonly file: string;
}

/** Why a report could not be kept: what was asked for is answered without it. */
export interface Unkept {
  readonly id?: undefined;
  readonly unkept: Sentence;
}

export interface ListedReport {
  readonly id: string;
  readonly at: string;
  readonly head: Pick<DrawableTable, 'columns' | 'drawing'>;
}

export type ReportContent =
  | { readonly type: 'text/csv'; readonly file: string; readonly text: string; readonly bytes: number; readonly isCut: boolean }
  | { readonly type: 'image/png'; readonly file: string; readonly data: Buffer };

export interface Reports {
  /** Saves rows as CSV for people, and beside it as they were, to be drawn later. */
  saveTable(table: DrawableTable): Promise<Report | Unkept>;
  saveImage(png: Buffer): Promise<Report | Unkept>;
  /** The newest tables, without their rows. */
  list(max: number): Promise<readonly ListedReport[]>;
  /** The rows of a table as they were saved. Undefined if there is no such table, or no longer. */
  readTable(id: string): Promise<DrawableTable | undefined>;
  /** The first `maxBytes` of a table, or a picture. Undefined if there is no such report, or no longer. */
  read(id: string, maxBytes: number): Promise<ReportContent | undefined>;
}

const unkeptText = (error: unknown): Sentence =>
  sentence`No report could be kept: ${diskReason(error)}. Make room there, or let this server write there, or set ${SETTINGS.dataDir.variable} to another folder.`;

const KEPT_MS = 7 * DAY_MS;
export const REPORTS_KEPT = 'kept for a week';
/** Each look takes a call of the system for every report. One that expired is not given out, whether it is removed yet or not. */
const REMOVE_EVERY_MS = HOUR_MS;
const ID = /^[\w-]{12}$/;
/** Rows that are written at once, so that a large table doesn't block other calls. */
const SLICE = 500;
const MAX_CELL = 2_000;
const MAX_HEAD_BYTES = 65_536;

export function createReports(folder: string): Reports {
  let removeAt = 0;
  const newId = async (): Promise<string> => {
    await makeFolder(folder);
    if (performance.now() >= removeAt) {
      removeAt = performance.now() + REMOVE_EVERY_MS;
      await removeOld(folder);
    }
    return randomBytes(9).toString('base64url');
  };
  const save = async (id: string, extension: 'csv' | 'png' | 'jsonl', write: (file: string) => Promise<void>): Promise<Report> => {
    const file = join(folder, `${id}.${extension}`);
    try {
      await write(`${file}.part`);
      await moveFile(`${file}.part`, file);
    } catch (error) {
      // Of a table, neither of its two files is of use alone.
      for (const name of [`${file}.part`, join(folder, `${id}.jsonl`)]) await removeIfPossible(name);
      throw error;
    }
    return { id, file };
  };
  const kept = (saving: Promise<Report>): Promise<Report | Unkept> =>
    saving.catch((error: unknown) => {
      if (diskError(error) === undefined) throw error;
      return { unkept: unkeptText(namingFile(error, folder)) };
    });
  return {
    saveTable(table) {
      const saving = async () => {
        const id = await newId();
        await save(id, 'jsonl', (file) => writeLines(file, table));
        return save(id, 'csv', (file) => writeTable(file, table.columns, table.rows));
      };
      return kept(saving());
    },
    saveImage(png) {
      const saving = async () => save(await newId(), 'png', (file) => writeWholeFile(file, png, { mode: 0o600, flag: 'wx' }));
      return kept(saving());
    },
    async list(max) {
      const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.jsonl') && ID.test(name.slice(0, -6)));
      const dated = await Promise.all(
        names.map(async (name) => ({ name, at: (await stat(join(folder, name)).catch(() => undefined))?.mtimeMs ?? 0 })),
      );
      const newest = dated.filter(({ at }) => Date.now() - at <= KEPT_MS).sort((a, b) => b.at - a.at);
      const listed = newest.slice(0, max).map(async ({ name, at }): Promise<ListedReport[]> => {
        const line = await readHead(join(folder, name), MAX_HEAD_BYTES);
        const head = parseJsonOrUndefined(line?.head.toString('utf8').split('\n')[0] ?? '');
        // As `writeLines` wrote it.
        return head === undefined ? [] : [{ id: name.slice(0, -6), at: new Date(at).toISOString(), head: head as ListedReport['head'] }];
      });
      return (await Promise.all(listed)).flat();
    },
    async readTable(id) {
      const file = join(folder, `${id}.jsonl`);
      if (!ID.test(id) || (await readHead(file, 1)) === undefined) return undefined;
      const [head = '', ...lines] = (await readFile(file, 'utf8')).trimEnd().split('\n');
      // As `writeLines` wrote them.
      const { columns, drawing } = JSON.parse(head) as Pick<DrawableTable, 'columns' | 'drawing'>;
      return { columns, drawing, rows: lines.map((line) => JSON.parse(line) as Scalar[]) };
    },
    async read(id, maxBytes) {
      if (!ID.test(id)) return undefined;
      const png = await readHead(join(folder, `${id}.png`), Number.MAX_SAFE_INTEGER);
      if (png !== undefined) return { type: 'image/png', file: join(folder, `${id}.png`), data: png.head };
      const file = join(folder, `${id}.csv`);
      const csv = await readHead(file, maxBytes);
      if (csv === undefined) return undefined;
      const isCut = csv.head.length < csv.bytes;
      const head = isCut ? csv.head.subarray(0, csv.head.lastIndexOf('\n') + 1) : csv.head;
      return { type: 'text/csv', file, text: head.toString('utf8').replace(BYTE_ORDER_MARK, ''), bytes: csv.bytes, isCut };
    },
  };
}

async function writeTable(file: string, columns: readonly ResultColumn[], rows: readonly (readonly Scalar[])[]): Promise<void> {
  const { stringify } = await import('csv-stringify/sync');
  // Names and addresses come from strangers, and an SQL query names its columns.
  const cellOf = (value: Scalar): Scalar => (typeof value === 'string' ? escapeFormulas(cleanText(value, MAX_CELL)) : value);
  // An empty text is in quotes, to tell it from no value.
  const string = (text: string) => (text === '' ? { value: text, quoted_empty: true } : text);
  await writeSlices(file, `${BYTE_ORDER_MARK}${stringify([columns.map(({ name }) => cellOf(name))])}`, rows, (slice) =>
    stringify(
      slice.map((row) => row.map(cellOf)),
      { cast: { boolean: String, string } },
    ),
  );
}

/** A line for what belongs to all rows, then a line for each row. */
function writeLines(file: string, { columns, rows, drawing }: DrawableTable): Promise<void> {
  return writeSlices(file, `${JSON.stringify({ columns, drawing })}\n`, rows, (slice) =>
    slice.map((row) => `${JSON.stringify(row)}\n`).join(''),
  );
}

async function writeSlices(
  file: string,
  head: string,
  rows: DrawableTable['rows'],
  textOf: (slice: DrawableTable['rows']) => string,
): Promise<void> {
  const handle = await open(file, 'wx', 0o600);
  const cells = rows.length * (rows[0]?.length ?? 0);
  try {
    await handle.appendFile(head);
    for (let at = 0; at < rows.length; at += SLICE) {
      await longPiece(cells);
      await handle.appendFile(textOf(rows.slice(at, at + SLICE)));
    }
  } finally {
    await handle.close();
  }
}

/** The beginning of a file that has not expired. */
async function readHead(file: string, maxBytes: number): Promise<{ head: Buffer; bytes: number } | undefined> {
  const handle = await open(file, 'r').catch(() => undefined);
  if (handle === undefined) return undefined;
  try {
    const { size, mtimeMs } = await handle.stat();
    if (Date.now() - mtimeMs > KEPT_MS) return undefined;
    const head = Buffer.alloc(Math.min(size, maxBytes));
    const { bytesRead } = await handle.read(head, 0, head.length, 0);
    return { head: head.subarray(0, bytesRead), bytes: size };
  } finally {
    await handle.close();
  }
}

async function removeOld(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const file = join(folder, name);
    const info = await stat(file).catch(() => undefined);
    if (info !== undefined && Date.now() - info.mtimeMs > KEPT_MS) await removeIfPossible(file);
  }
}
