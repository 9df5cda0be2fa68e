import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { stringify } from 'csv-stringify/sync';
import { moveFile, removeIfPossible } from '../../platform/files.ts';
import type { BulkState } from './bulk-state.ts';

const ROWS_PER_WRITE = 5_000;

/**
 * Writes every id of a bulk change that failed or whose outcome is unknown into the file beside its journal
 * (`chg-….fates.csv`), with the columns `id`, `outcome` and `reason`; where there are none, there is no file.
 * Rejects with Node's error where the disk refuses.
 */
export async function writeOutcomes(file: string, ids: readonly string[], state: BulkState): Promise<void> {
  if (state.count('failed') + state.count('unknown') === 0) {
    if (existsSync(file)) await removeIfPossible(file);
    return;
  }
  // A reader sees the earlier file or this one, whole.
  const temporary = `${file}.${randomUUID()}.new`;
  const handle = await open(temporary, 'wx', 0o600);
  try {
    await handle.appendFile('id,outcome,reason\n');
    let rows: string[][] = [];
    const flush = async () => {
      await handle.appendFile(stringify(rows, { escape_formulas: true }));
      rows = [];
    };
    for (const [index, id] of ids.entries()) {
      const outcome = state.statusAt(index);
      if (outcome !== 'failed' && outcome !== 'unknown') continue;
      rows.push([id, outcome, state.reasonAt(index) ?? '']);
      if (rows.length >= ROWS_PER_WRITE) await flush();
    }
    await flush();
    await handle.close();
    await moveFile(temporary, file);
  } catch (error) {
    await handle.close().catch(() => undefined);
    await removeIfPossible(temporary);
    throw error;
  }
}
