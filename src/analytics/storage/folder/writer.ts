import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { removeIfPossible } from '../../../platform/files.ts';
import type { ViewWriter } from '../contract.ts';
import { createWorkFolder } from '../work-folder.ts';
import { collectGarbage } from './collect-garbage.ts';
import { createFolderStorage, EMPTY } from './folder-storage.ts';
import { createFolderLeases } from './leases.ts';
import type { FolderOptions } from './reader.ts';

export function createFolderWriter({ folder, engine, clock = Date.now }: FolderOptions): ViewWriter {
  const storage = createFolderStorage(folder, clock);
  return {
    clock,
    snapshot: async () => (await storage.read()) ?? EMPTY,
    open: storage.open,
    lease: createFolderLeases(join(folder, 'leases')),
    viewerHash: storage.viewerHash,
    workFolder: () => createWorkFolder(folder),
    async write(span, spool, { since, serviceMs, folder: workFolder }) {
      const part = join(workFolder, `${randomUUID()}.parquet`);
      const { rows, ...times } = spool === undefined ? { rows: 0 } : await engine.writePart({ spool, part });
      const result = await storage.commit({ ...span, rows, ...times, temporaryPart: rows === 0 ? undefined : part }, since, serviceMs);
      await removeIfPossible(part);
      return result;
    },
    collectGarbage: () => collectGarbage(storage),
  };
}
