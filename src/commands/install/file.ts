import { randomUUID } from 'node:crypto';
import { lstat, open, readFile, realpath, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { VideoHostingError } from '../../errors.ts';
import { makeFolder, moveFile, removeIfPossible } from '../../platform/files.ts';

/** Larger than any configuration. */
const MAX_BYTES = 256 * 1024 * 1024;
const BOM = '\ufeff';
const OWNER_ONLY = 0o600;
const MODE_BITS = 0o777;

/** A configuration as it was read. */
export interface ConfigFile {
  readonly path: string;
  /** Where the path leads, through links. */
  readonly target: string;
  /** Without the byte order mark; empty where there is no file. */
  readonly text: string;
  /** What was there; undefined where there is no file. */
  readonly before: { readonly bytes: Buffer; readonly mode: number; readonly uid: number; readonly gid: number } | undefined;
}

/** Reads a client's configuration. Throws `client_config` where it can't be read or may not be written. */
export async function readConfig(path: string): Promise<ConfigFile> {
  try {
    const target = await targetOf(path);
    if (target === undefined) return { path, target: path, text: '', before: undefined };
    const info = await stat(target);
    const { mode, uid, gid, size } = info;
    if (!info.isFile()) throw refused(path, 'it is not a file.');
    if (size > MAX_BYTES) throw refused(path, `it is larger than ${MAX_BYTES / 1024 / 1024} MiB.`);
    // The administrator of a machine may write everywhere; who made it read-only meant it.
    if ((mode & 0o200) === 0) throw refused(path, 'it is read-only.');
    const bytes = await readFile(target);
    return { path, target, text: textOf(path, bytes), before: { bytes, mode: mode & MODE_BITS, uid, gid } };
  } catch (error) {
    throw known(path, error);
  }
}

async function targetOf(path: string): Promise<string | undefined> {
  const link = await lstat(path).catch(absent);
  if (link === undefined) return undefined;
  const target = await realpath(path).catch(absent);
  if (target === undefined) throw refused(path, 'it is a link to a file that is not there.');
  return target;
}

function absent(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}

function textOf(path: string, bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw refused(path, 'it is not text in UTF-8.');
  }
}

/**
 * Puts a new text in a configuration's place, at once and whole, through links, with the file's mode, which a secret only
 * makes stricter. What was there is copied beside it before. Answers the copy's path.
 */
export async function writeConfig(file: ConfigFile, text: string, secret: boolean): Promise<string | undefined> {
  const { path, target, before } = file;
  try {
    await makeFolder(dirname(target));
    const backup = before === undefined ? undefined : await backUp(file, before.bytes);
    const mode = before === undefined ? OWNER_ONLY : secret ? before.mode & 0o700 : before.mode;
    const fresh = join(dirname(target), `.${basename(target)}.${randomUUID()}.tmp`);
    try {
      await writeFresh(fresh, bytesOf(file, text), mode, before);
      if (!(await isUnchanged(file))) throw refused(path, 'somebody else changed it meanwhile.');
      await moveFile(fresh, target);
    } finally {
      await removeIfPossible(fresh);
    }
    return backup;
  } catch (error) {
    throw known(path, error);
  }
}

async function writeFresh(path: string, bytes: Buffer, mode: number, owner: ConfigFile['before']): Promise<void> {
  const handle = await open(path, 'wx', OWNER_ONLY);
  try {
    await handle.writeFile(bytes);
    await handle.sync();
    // Under sudo it would become the administrator's, and the client could not read it any more.
    if (owner !== undefined && process.platform !== 'win32') await handle.chown(owner.uid, owner.gid).catch(() => {});
    await handle.chmod(mode);
  } finally {
    await handle.close();
  }
}

async function backUp({ path }: ConfigFile, bytes: Buffer): Promise<string> {
  const time = new Date().toISOString().replaceAll(/[-:]/g, '');
  const backup = `${path}.${time}.bak`;
  await writeFile(backup, bytes, { flag: 'wx', mode: OWNER_ONLY });
  return backup;
}

async function isUnchanged({ path, target, before }: ConfigFile): Promise<boolean> {
  const now = await targetOf(path);
  if (before === undefined || now === undefined) return before === undefined && now === undefined;
  return now === target && before.bytes.equals(await readFile(target));
}

const bytesOf = ({ before }: ConfigFile, text: string): Buffer =>
  Buffer.from(before?.bytes.subarray(0, 3).equals(Buffer.from(BOM)) ? BOM + text : text);

const refused = (path: string, problem: string): VideoHostingError => new VideoHostingError('client_config', `${path}: ${problem}`);

function known(path: string, error: unknown): unknown {
  // What the file system says is an Error with a code.
  const { code } = error as NodeJS.ErrnoException;
  if (error instanceof VideoHostingError || code === undefined) return error;
  return new VideoHostingError('client_config', `${path}: it can’t be read or written (${code}).`, { cause: error });
}
