/**
 * The file in which a person finds all the ids that a bulk change did not do, beside its journal (`chg-….fates.csv`). It is
 * written when a change ends (`jobs.ts`), and for one that was cut off, when somebody asks (`mcp/bulk-result.ts`).
 */
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { stringify } from 'csv-stringify/sync';
import { moveFile, removeIfPossible } from '../../platform/files.ts';
import type { BulkState } from './bulk-state.ts';

const ROWS_AT_ONCE = 5_000;

/**
 * Writes every id that failed or whose fate is not known, as CSV that no spreadsheet takes for formulas, with the columns
 * `id`, `outcome` and `reason`. Where there are none, there is no file. Rejects with Node's error where the disk refuses.
 */
export async function writeOutcomes(file: string, ids: readonly string[], state: BulkState): Promise<void> {
  if (state.count('failed') + state.count('unknown') === 0) {
    if (existsSync(file)) await removeIfPossible(file);
    return;
  }
  // Whoever reads it meets the one before or this one, whole.
  const fresh = `${file}.${randomUUID()}.new`;
  const handle = await open(fresh, 'wx', 0o600);
  try {
    await handle.appendFile('id,outcome,reason\n');
    let rows: string[][] = [];
    const flush = async () => {
      await handle.appendFile(stringify(rows, { escape_formulas: true }));
      rows = [];
    };
    for (const [at, id] of ids.entries()) {
      const outcome = state.fateAt(at);
      if (outcome !== 'failed' && outcome !== 'unknown') continue;
      rows.push([id, outcome, state.reasonAt(at) ?? '']);
      if (rows.length >= ROWS_AT_ONCE) await flush();
    }
    await flush();
    await handle.close();
    await moveFile(fresh, file);
  } catch (error) {
    await handle.close().catch(() => undefined);
    await removeIfPossible(fresh);
    throw error;
  }
}
