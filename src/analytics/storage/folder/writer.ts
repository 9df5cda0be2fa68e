import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { removeIfPossible } from '../../../platform/files.ts';
import type { Engine } from '../../engine/contract.ts';
import type { ViewWriter } from '../view-writer.ts';
import { collectGarbage } from './collect-garbage.ts';
import { createFolderStorage } from './folder-storage.ts';
import { createLeases } from './leases.ts';
import { readCoverage } from './reader.ts';

export interface FolderWriterOptions {
  /** The account's folder for views, as the store's. */
  readonly folder: string;
  readonly engine: Pick<Engine, 'writePart' | 'query'>;
  readonly clock?: () => number;
}

/** Keeps views in a folder of this machine, as Parquet. */
export function createFolderWriter({ folder, engine, clock = Date.now }: FolderWriterOptions): ViewWriter {
  const lake = createFolderStorage(folder, clock);
  const leases = createLeases(join(folder, 'leases'));
  return {
    clock,
    read: lake.read,
    open: lake.open,
    lease: leases.take,
    viewerHash: lake.viewerHash,
    workFolder: lake.workFolder,
    isForgotten: lake.isForgotten,
    async keep(span, lines, { epoch, folder: work }) {
      const part = join(work, `${randomUUID()}.parquet`);
      const { rows, ...times } = lines.length === 0 ? { rows: 0 } : await engine.writePart({ spool: lines, part });
      const outcome = await lake.commit({ ...span, rows, ...times, temporaryPart: rows === 0 ? undefined : part }, epoch);
      await removeIfPossible(part);
      return outcome;
    },
    coverage: (span, how) => readCoverage(lake, engine, span, how),
    tidy: () => collectGarbage(lake),
  };
}
