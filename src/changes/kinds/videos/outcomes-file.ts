import { realpath, stat, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { stringify } from 'csv-stringify/sync';
import { VideoHostingError } from '../../../errors.ts';
import { exportFolder, replaceExportFile, type Write } from '../../../files/export-file.ts';
import { BYTE_ORDER_MARK, escapeFormulas } from '../../../files/spreadsheet-cell.ts';
import type { BulkState, IdRange } from '../../journal/bulk-state.ts';
import type { OutcomesLocation } from '../../journal/journal.ts';
import type { IdRow } from '../../plan/id-files.ts';

/** Of which ids the outcomes are, and the row of each. */
export interface Outcomes {
  readonly ids: readonly string[];
  readonly state: BulkState;
  readonly rowAt: (index: number) => IdRow;
}

const ROWS_PER_WRITE = 5_000;
const KIND = 'chg';

/** The file of a change's outcomes, and whether it lies in the folder for files; undefined where there is none. */
export async function findOutcomes(
  location: OutcomesLocation,
): Promise<{ readonly path: string; readonly canBeRead: boolean } | undefined> {
  const { named, all } = await pathsOf(location);
  for (const path of all) {
    const found = await stat(path).catch(() => undefined);
    if (found?.isFile() === true) return { path, canBeRead: path === named };
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
 * Writes every id of a bulk change that failed or whose outcome is unknown, with the columns `id`, `outcome`, `reason` and
 * the columns of its row: `line` or `entry`, `fromProject`. It can be given as a file of ids. Where there are none, there is no file.
 * A reader sees the earlier file or this one, whole. Rejects where the disk refuses.
 */
export async function writeOutcomes(location: OutcomesLocation, outcomes: Outcomes): Promise<void> {
  const { state } = outcomes;
  const { named, all } = await pathsOf(location);
  const isEmpty = state.count('failed') + state.count('unknown') === 0;
  const written = named === undefined || isEmpty ? undefined : await write(named, outcomes).catch(undefinedIfRefused);
  // What an earlier process wrote of it is out of date.
  for (const path of all) if (written === undefined || path !== named) await unlink(path).catch(() => undefined);
  if (written === undefined && !isEmpty) await write(join(await realpath(dirname(location.beside)), basename(location.beside)), outcomes);
}

async function write(path: string, { ids, state, rowAt }: Outcomes): Promise<string> {
  const ranges = state.ranges((status) => status === 'failed' || status === 'unknown');
  const columns = ['id', 'outcome', 'reason', ...rowColumns(ranges, rowAt)];
  const fill = async (append: Write): Promise<void> => {
    await append(`${BYTE_ORDER_MARK}${stringify([columns])}`);
    let rows: string[][] = [];
    const flush = async () => {
      if (rows.length > 0) await append(stringify(rows));
      rows = [];
    };
    for (const { from, to } of ranges)
      for (let index = from; index < to; index += 1) {
        const row = { id: ids[index] ?? '', outcome: state.statusAt(index), reason: state.reasonAt(index) ?? '', ...rowAt(index) };
        rows.push(columns.map((column) => escapeFormulas(String(row[column as keyof typeof row] ?? '')))); // made of its names
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
