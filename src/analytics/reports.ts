import { randomBytes } from 'node:crypto';
import { open, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder, moveFile, removeIfPossible } from '../platform/files.ts';
import { cleanText } from '../service/sanitize-text.ts';
import type { Column, Scalar } from './contract.ts';

export interface Report {
  readonly id: string;
  /** Path on this machine; only its owner can read it. */
  readonly file: string;
}

export type ReportContent =
  | { readonly type: 'text/csv'; readonly file: string; readonly text: string; readonly bytes: number; readonly isCut: boolean }
  | { readonly type: 'image/png'; readonly file: string; readonly data: Buffer };

export interface Reports {
  saveTable(columns: readonly Column[], rows: readonly (readonly Scalar[])[]): Promise<Report>;
  saveImage(png: Buffer): Promise<Report>;
  /** The first `maxBytes` of a table, or a picture. Undefined if there is no such report, or no longer. */
  read(id: string, maxBytes: number): Promise<ReportContent | undefined>;
}

const KEPT_MS = 7 * 86_400_000;
const ID = /^[\w-]{12}$/;
/** Rows that are written at once, so that a large table doesn't block other calls. */
const SLICE = 5_000;
const MAX_CELL = 2_000;

export function createReports(folder: string): Reports {
  const save = async (extension: 'csv' | 'png', write: (file: string) => Promise<void>): Promise<Report> => {
    await makeFolder(folder);
    await removeOld(folder);
    const id = randomBytes(9).toString('base64url');
    const file = join(folder, `${id}.${extension}`);
    await write(`${file}.part`);
    await moveFile(`${file}.part`, file);
    return { id, file };
  };
  return {
    saveTable: (columns, rows) => save('csv', (file) => writeTable(file, columns, rows)),
    saveImage: (png) => save('png', (file) => writeFile(file, png, { mode: 0o600, flag: 'wx' })),
    async read(id, maxBytes) {
      if (!ID.test(id)) return undefined;
      const png = await readHead(join(folder, `${id}.png`), Number.MAX_SAFE_INTEGER);
      if (png !== undefined) return { type: 'image/png', file: join(folder, `${id}.png`), data: png.head };
      const file = join(folder, `${id}.csv`);
      const csv = await readHead(file, maxBytes);
      if (csv === undefined) return undefined;
      const isCut = csv.head.length < csv.bytes;
      const head = isCut ? csv.head.subarray(0, csv.head.lastIndexOf('\n') + 1) : csv.head;
      return { type: 'text/csv', file, text: head.toString('utf8'), bytes: csv.bytes, isCut };
    },
  };
}

async function writeTable(file: string, columns: readonly Column[], rows: readonly (readonly Scalar[])[]): Promise<void> {
  const { stringify } = await import('csv-stringify/sync');
  const handle = await open(file, 'wx', 0o600);
  try {
    await handle.appendFile(stringify([columns.map(({ name }) => name)]));
    for (let from = 0; from < rows.length; from += SLICE)
      await handle.appendFile(
        stringify(
          rows.slice(from, from + SLICE).map((row) => row.map((value) => (typeof value === 'string' ? cleanText(value, MAX_CELL) : value))),
          // Names and addresses are untrusted, and a spreadsheet would run a text that looks like a formula.
          { escape_formulas: true, cast: { boolean: String } },
        ),
      );
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
