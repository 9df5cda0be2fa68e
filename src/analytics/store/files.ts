import { constants } from 'node:fs';
import { chmod, link, mkdir, open, rm, stat, writeFile } from 'node:fs/promises';

/** A folder for its owner alone. */
export async function makeFolder(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o700 });
}

/** Puts a file, its owner's alone, on disk for good. */
export async function settle(file: string): Promise<void> {
  await chmod(file, 0o600);
  // Windows flushes only what was opened to be written.
  const handle = await open(file, constants.O_RDWR);
  await handle.sync().finally(() => handle.close());
}

/** Puts the names in a folder on disk for good. */
export async function settleFolder(folder: string): Promise<void> {
  // Windows can't open a folder; its file systems keep the name with the file.
  if (process.platform === 'win32') return;
  const handle = await open(folder, constants.O_RDONLY);
  await handle.sync().finally(() => handle.close());
}

/** A whole file of its owner's, on disk before the promise resolves. */
export async function writeDurably(file: string, text: string | Buffer): Promise<void> {
  const handle = await open(file, 'w', 0o600);
  try {
    await handle.writeFile(text);
    await handle.datasync();
  } finally {
    await handle.close();
  }
}

/** Gives a whole file a name that nobody has taken. False when somebody has. */
export async function nameOnce(temporary: string, text: string | Buffer, name: string): Promise<boolean> {
  await writeDurably(temporary, text);
  try {
    await link(temporary, name);
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    if (!NO_LINKS.has(codeOf(error) ?? '')) throw error;
    return createOnce(name, text);
  } finally {
    await rm(temporary, { force: true });
  }
}

/** What file systems without hard links answer. */
const NO_LINKS = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EINVAL']);

async function createOnce(name: string, text: string | Buffer): Promise<boolean> {
  try {
    await writeFile(name, text, { flag: 'wx', mode: 0o600, flush: true });
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
}

export async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
