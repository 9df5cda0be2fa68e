import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { lstat, open, readFile, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { VideoHostingError } from '../../errors.ts';
import { codeOf, makeFolder, moveFile, removeIfPossible } from '../../platform/files.ts';
import { type Sentence, sentence } from '../../text/sentence.ts';

const BOM = '\ufeff';
const OWNER_ONLY = 0o600;
const MODE_BITS = 0o777;

/** A client's configuration file as it was read. */
export interface ConfigFile {
  readonly path: string;
  /** Where the path leads, through links. */
  readonly target: string;
  /** Without the byte order mark; empty where there is no file. */
  readonly text: string;
  /** What was there; undefined where there is no file. */
  readonly before: { readonly bytes: Buffer; readonly mode: number } | undefined;
}

/** Reads a client's configuration. Throws `client_config` where it is no text file or is read-only, and what the file system throws. */
export async function readConfig(path: string): Promise<ConfigFile> {
  const target = await targetOf(path);
  if (target === undefined) return { path, target: path, text: '', before: undefined };
  const info = await stat(target);
  if (!info.isFile()) throw refused(sentence`it is not a file.`);
  // An administrator may write it nevertheless, but somebody made it read-only on purpose.
  if ((info.mode & 0o200) === 0) throw refused(sentence`it is read-only.`);
  const bytes = await readFile(target);
  return { path, target, text: decode(bytes), before: { bytes, mode: info.mode & MODE_BITS } };
}

async function targetOf(path: string): Promise<string | undefined> {
  const ifPresent = (error: unknown): undefined => {
    if (codeOf(error) !== 'ENOENT') throw error;
  };
  if ((await lstat(path).catch(ifPresent)) === undefined) return undefined;
  const target = await realpath(path).catch(ifPresent);
  if (target === undefined) throw refused(sentence`it is a link to a file that is not there.`);
  return target;
}

function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw refused(sentence`it is not text in UTF-8.`);
  }
}

/** A copy of what a configuration was, beside it. */
export interface Backup {
  readonly path: string;
  /** False where an earlier copy has the same. */
  readonly isNew: boolean;
  /** Older copies that were removed, so that they don’t become more and more. */
  readonly removed: readonly string[];
}

/**
 * Replaces the text of a configuration atomically, through links, after copying the previous file beside it unless a copy has the same. The
 * mode of the file is kept; `secret` takes it from everybody but the owner.
 */
export async function writeConfig(file: ConfigFile, text: string, secret: boolean): Promise<Backup | undefined> {
  const { target, before } = file;
  await makeFolder(dirname(target));
  const copies = copiesOf(file.path);
  const same = copies.find((copy) => before !== undefined && hasBytes(copy, before.bytes));
  const backup = before === undefined || same !== undefined ? undefined : backupOf(file);
  const temporary = join(dirname(target), `.${basename(target)}.${randomUUID()}.tmp`);
  try {
    if (before !== undefined && backup !== undefined) await writeFile(backup, before.bytes, { flag: 'wx', mode: OWNER_ONLY });
    await writeTemporary(temporary, file, text, secret);
    if (!(await isUnchanged(file))) throw refused(sentence`another program changed it meanwhile.`);
    await moveFile(temporary, target);
  } catch (error) {
    // Nothing was replaced. One that is there already is of another change.
    if (backup !== undefined && codeOf(error) !== 'EEXIST') await removeIfPossible(backup);
    throw error;
  } finally {
    await removeIfPossible(temporary);
  }
  if (same !== undefined) return { path: same, isNew: false, removed: [] };
  if (backup === undefined) return undefined;
  // The oldest tells what was there before this program wrote to it.
  const old = copies.slice(1, Math.max(1, copies.length + 2 - MAX_COPIES));
  for (const copy of old) await removeIfPossible(copy);
  return { path: backup, isNew: true, removed: old };
}

/** Of one configuration: the oldest, and the latest. */
const MAX_COPIES = 5;

function hasBytes(path: string, bytes: Buffer): boolean {
  try {
    return bytes.equals(readFileSync(path));
  } catch {
    return false;
  }
}

/** Removes a configuration, unless another program changed it meanwhile. */
export async function removeConfig(file: ConfigFile): Promise<void> {
  if (!(await isUnchanged(file))) throw refused(sentence`another program changed it meanwhile.`);
  await rm(file.target);
}

async function writeTemporary(path: string, { before }: ConfigFile, text: string, secret: boolean): Promise<void> {
  const handle = await open(path, 'wx', OWNER_ONLY);
  try {
    await handle.writeFile(before?.bytes.subarray(0, 3).equals(Buffer.from(BOM)) ? BOM + text : text);
    await handle.sync();
    if (before !== undefined) await handle.chmod(secret ? before.mode & 0o700 : before.mode);
  } finally {
    await handle.close();
  }
}

const backupOf = ({ path }: ConfigFile): string => `${path}.${new Date().toISOString().replaceAll(/[-:]/g, '')}.bak`;
/** Of a copy that `backupOf` named: the time in its name. */
const OUR_COPY = /^\.\d{8}T\d{6}\.\d{3}Z\.bak$/;

/** The copies of a configuration that install and uninstall made, the oldest first. */
export const copiesOf = (file: string): string[] =>
  filesIn(dirname(file), (name) => name.startsWith(basename(file)) && OUR_COPY.test(name.slice(basename(file).length))).toSorted();

/** The files of a folder, of such names; none where it can’t be read. */
export function filesIn(folder: string, isMeant: (name: string) => boolean): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isFile() && isMeant(entry.name))
      .map(({ name }) => join(folder, name));
  } catch {
    return [];
  }
}

async function isUnchanged({ path, target, before }: ConfigFile): Promise<boolean> {
  const now = await targetOf(path);
  if (before === undefined || now === undefined) return before === undefined && now === undefined;
  return now === target && before.bytes.equals(await readFile(target));
}

const refused = (problem: Sentence): VideoHostingError => new VideoHostingError('client_config', problem);
