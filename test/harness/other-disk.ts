/**
 * Node's file functions as they behave on Windows, on a drive without hard links and permissions (exFAT), while a virus scanner
 * has every new file open.
 *
 *   vi.mock(import('node:fs/promises'), async (original) => ({ ...(await original()), ...elsewhere(await original()) }));
 */
import { constants } from 'node:fs';
import type * as promises from 'node:fs/promises';

export const failure = (code: string, syscall: string): NodeJS.ErrnoException =>
  Object.assign(new Error(`${code}: simulated, ${syscall}`), { code, syscall });

/** How often each kind of call failed. */
export interface Refused {
  reads: number;
  links: number;
  flushes: number;
  removals: number;
}

export function elsewhere(real: typeof promises, refused: Refused): Partial<typeof promises> {
  const isWritable = (flags: unknown): boolean =>
    typeof flags === 'number' ? (flags & (constants.O_WRONLY | constants.O_RDWR)) !== 0 : /[wa+]/.test(String(flags));
  const seen = new Set<string>();
  return {
    chmod: async () => {
      throw failure('EPERM', 'chmod');
    },
    // libuv's translation of ERROR_INVALID_FUNCTION.
    link: async () => {
      refused.links += 1;
      throw failure('EISDIR', 'link');
    },
    // FlushFileBuffers requires a writable handle.
    open: async (path, flags = 'r', mode) => {
      const handle = await real.open(path, flags, mode);
      if (isWritable(flags)) return handle;
      const denied = async (): Promise<never> => {
        refused.flushes += 1;
        throw failure('EPERM', 'fsync');
      };
      return Object.assign(handle, { sync: denied, datasync: denied });
    },
    // A file that the scanner has open can't be read at first.
    readFile: (async (path: Parameters<typeof promises.readFile>[0], options: Parameters<typeof promises.readFile>[1]) => {
      if (/manifest.v\d+\.json$/.test(String(path)) && !seen.has(String(path))) {
        seen.add(String(path));
        refused.reads += 1;
        throw failure('EBUSY', 'open');
      }
      return real.readFile(path, options);
    }) as typeof promises.readFile, // with all its overloads
    // A file that the scanner has open can't be removed.
    rm: async (path, options) => {
      if (!/\.(offer|json|key|lines|parquet|unfinished|new|part)$/.test(String(path))) return real.rm(path, options);
      refused.removals += 1;
      throw failure('EBUSY', 'unlink');
    },
  };
}
