import { open, realpath, stat, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { stringify } from 'csv-stringify/sync';
import { VideoHostingError } from '../../../errors.ts';
import { exportFolder, replaceExportFile, type Write } from '../../../files/export-file.ts';
import { readList } from '../../../files/read-list.ts';
import { firstRecord } from '../../../files/read-table.ts';
import { rowsAt } from '../../../files/rows-beside.ts';
import { BYTE_ORDER_MARK, escapeFormulas } from '../../../files/spreadsheet-cell.ts';
import { cleanText } from '../../../text/sanitize-text.ts';
import type { BulkState, IdRange, IdStatus } from '../../journal/bulk-state.ts';
import type { OutcomesLocation } from '../../journal/journal.ts';
import type { IdRow } from '../../plan/id-files.ts';
import type { Beside, ReadBeside } from '../../plan/plan.ts';

/** Of which ids the outcomes are, and the row of each. */
export interface Outcomes {
  readonly ids: readonly string[];
  readonly state: BulkState;
  readonly rowAt: (index: number) => IdRow;
  /** What else their file says of them. */
  readonly readBeside?: ReadBeside | undefined;
}

/** Of more, the other columns of their file are left out. */
const MAX_BESIDE = 20_000;
const MAX_COLUMNS = 20;
const MAX_CELL = 1_000;
const MAX_HEADER_BYTES = 65_536;
const MAX_READ_BYTES = 32 * 1_024 * 1_024;
/** Before the names of the columns of the user’s file, none of which is then taken for a list of ids. */
const FROM_FILE = 'file: ';
const OWN: ReadonlySet<string> = new Set(['id', 'outcome', 'reason', 'request', 'line', 'entry', 'fromProject']);

const ROWS_PER_WRITE = 5_000;
const KIND = 'chg';

/** The file of a change's outcomes, whether it lies in the folder for files, and the link to it in place of its path; undefined where there is none. */
export async function findOutcomes(
  location: OutcomesLocation,
): Promise<{ readonly path: string; readonly canBeRead: boolean; readonly link: string | undefined } | undefined> {
  const { named, all } = await pathsOf(location);
  for (const path of all) {
    const found = await stat(path).catch(() => undefined);
    if (found?.isFile() === true) return { path, canBeRead: path === named, link: location.link };
  }
  return undefined;
}

/** Where it is in the folder for files, if there is one, and everywhere that it may be. */
async function pathsOf({ changeId, filesDir, beside }: OutcomesLocation) {
  const folder = filesDir === undefined ? undefined : await exportFolder([filesDir]).catch(undefinedIfRefused);
  const named = folder === undefined ? undefined : join(folder, `${changeId}-not-done.csv`);
  return { named, all: named === undefined ? [beside] : [named, beside] };
}

/**
 * Writes every id of a bulk change that failed or whose outcome is unknown, with the columns `id`, `outcome`, `reason`, of a copy `request`, and
 * the columns of its row: `line` or `entry`, `fromProject`, and the others of the user’s file. It can be given as a file of ids. Where there are none, there is no file.
 * A reader sees the earlier file or this one, whole. Rejects where the disk refuses.
 */
export async function writeOutcomes(location: OutcomesLocation, outcomes: Outcomes): Promise<void> {
  const { state } = outcomes;
  const { named, all } = await pathsOf(location);
  const isEmpty = state.count('failed') + state.count('unknown') === 0;
  const beside = isEmpty ? new Map<string, Beside>() : await besideOf(location, outcomes);
  const written = named === undefined || isEmpty ? undefined : await write(named, outcomes, beside).catch(undefinedIfRefused);
  // What an earlier process wrote of it is out of date.
  for (const path of all) if (written === undefined || path !== named) await unlink(path).catch(() => undefined);
  if (written === undefined && !isEmpty)
    await write(join(await realpath(dirname(location.beside)), basename(location.beside)), outcomes, beside);
}

const isNotDone = (status: IdStatus): boolean => status === 'failed' || status === 'unknown';

/** What stood beside each that is not done in the user’s file, which an earlier file of outcomes has where the change was carried on. */
async function besideOf(location: OutcomesLocation, { ids, state, rowAt, readBeside }: Outcomes): Promise<ReadonlyMap<string, Beside>> {
  const ranges = state.ranges(isNotDone);
  if (ranges.reduce((sum, { from, to }) => sum + to - from, 0) > MAX_BESIDE) return new Map();
  const earlier = (await findOutcomes(location))?.path;
  const wanted = new Map<number, string>();
  for (const { from, to } of ranges)
    for (let index = from; index < to; index += 1) {
      const { line, entry } = rowAt(index);
      wanted.set(line ?? entry ?? 0, ids[index] ?? '');
    }
  const known = earlier === undefined ? [] : await readOutcomes(earlier);
  return new Map([...known, ...((await readBeside?.(wanted)) ?? [])]);
}

/** What stood beside the ids of a file of outcomes in the user’s file; nothing of one that can’t be read. */
export async function readOutcomes(path: string): Promise<ReadonlyMap<string, Beside>> {
  const handle = await open(path).catch(() => undefined);
  if (handle === undefined) return new Map();
  try {
    if ((await handle.stat()).size > MAX_READ_BYTES) return new Map();
    const rows = await readList({ name: basename(path), from: { handle } }, rowsAt(undefined, { wanted: 'id' }));
    return new Map([...rows.values()].map(({ value, names, cells }) => [value, besideIn(names, cells)]));
  } catch (error) {
    if (error instanceof VideoHostingError) return new Map();
    throw error;
  } finally {
    await handle.close();
  }
}

/** The columns of a file of outcomes; none of one that can’t be read. */
export async function outcomeColumns(path: string): Promise<readonly string[]> {
  const handle = await open(path).catch(() => undefined);
  if (handle === undefined) return [];
  try {
    const { buffer, bytesRead } = await handle.read({ buffer: Buffer.alloc(MAX_HEADER_BYTES), position: 0 });
    return firstRecord(buffer.subarray(0, bytesRead));
  } catch {
    return [];
  } finally {
    await handle.close();
  }
}

const besideIn = (names: readonly string[], cells: readonly string[]): Beside =>
  Object.fromEntries(
    names.flatMap((name, at) => {
      const cell = cells[at] ?? '';
      return name.startsWith(FROM_FILE) && cell !== '' ? [[name.slice(FROM_FILE.length), cell]] : [];
    }),
  );

/** The user’s columns, by their names in the file of outcomes. */
function columnsFrom(beside: ReadonlyMap<string, Beside>): ReadonlyMap<string, string> {
  const names = new Set([...beside.values()].flatMap((row) => Object.keys(row)));
  const shown = [...names].filter((name) => !OWN.has(name)).slice(0, MAX_COLUMNS);
  return new Map(shown.map((name) => [name.startsWith(FROM_FILE) ? name : `${FROM_FILE}${name}`, name]));
}

async function write(path: string, { ids, state, rowAt }: Outcomes, beside: ReadonlyMap<string, Beside>): Promise<string> {
  const ranges = state.ranges(isNotDone);
  const hasRequests = ranges.some(({ from }) => state.requestAt(from) !== undefined);
  const own = ['id', 'outcome', 'reason', ...(hasRequests ? ['request'] : []), ...rowColumns(ranges, rowAt)];
  const theirs = columnsFrom(beside);
  const columns = [...own, ...theirs.keys()];
  const fill = async (append: Write): Promise<void> => {
    await append(`${BYTE_ORDER_MARK}${stringify([columns])}`);
    let rows: string[][] = [];
    const flush = async () => {
      if (rows.length > 0) await append(stringify(rows));
      rows = [];
    };
    for (const { from, to } of ranges)
      for (let index = from; index < to; index += 1) {
        const told = { outcome: state.statusAt(index), reason: state.reasonAt(index) ?? '', request: state.requestAt(index) };
        const row = { id: ids[index] ?? '', ...told, ...rowAt(index) };
        const others = beside.get(row.id);
        rows.push([
          ...own.map((column) => escapeFormulas(String(row[column as keyof typeof row] ?? ''))), // made of its names
          ...[...theirs.values()].map((name) => escapeFormulas(cleanText(others?.[name] ?? '', MAX_CELL))),
        ]);
        if (rows.length >= ROWS_PER_WRITE) await flush();
      }
    await flush();
  };
  return replaceExportFile(dirname(path), KIND, basename(path), fill);
}

/** The columns that any of them has. */
function rowColumns(ranges: readonly IdRange[], rowAt: Outcomes['rowAt']): string[] {
  const found = new Set<string>();
  for (const { from, to } of ranges) for (let index = from; index < to; index += 1) for (const name in rowAt(index)) found.add(name);
  return [...found];
}

function undefinedIfRefused(error: unknown): undefined {
  if (error instanceof VideoHostingError && error.code === 'file_refused') return undefined;
  throw error;
}
