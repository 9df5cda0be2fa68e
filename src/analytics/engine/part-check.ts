import { stat } from 'node:fs/promises';
import { isLost } from '../../platform/files.ts';
import { factsOfFile, type PartFile } from '../storage/part-file.ts';

/** A part is read when this process first uses it, and again once the file’s length or time has changed. */
export function createPartCheck() {
  const checked = new Map<string, { readonly state: string; readonly intact: Promise<boolean> }>();

  async function isIntact(part: PartFile): Promise<boolean> {
    try {
      const { size, mtimeNs } = await stat(part.path, { bigint: true });
      if (size !== BigInt(part.bytes)) return false;
      const state = `${part.checksum} ${mtimeNs}`;
      const known = checked.get(part.path);
      const intact = known?.state === state ? known.intact : factsOfFile(part.path).then(({ checksum }) => checksum === part.checksum);
      checked.set(part.path, { state, intact });
      return await intact;
    } catch (error) {
      checked.delete(part.path);
      if (isLost(error)) return false;
      throw error;
    }
  }

  return {
    /** The paths of the parts that are missing or damaged. Throws if that is not known, as with too many open files. */
    async damaged(parts: readonly PartFile[], signal: AbortSignal): Promise<string[]> {
      const damaged: string[] = [];
      for (const part of parts) {
        signal.throwIfAborted();
        if (!(await isIntact(part))) damaged.push(part.path);
      }
      return damaged;
    },
    /** Has parts read again at the next check, although their files seem unchanged. */
    distrust(parts: readonly PartFile[]): void {
      for (const { path } of parts) checked.delete(path);
    },
  };
}
