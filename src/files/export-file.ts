import { randomBytes } from 'node:crypto';
import { type FileHandle, open, readdir, realpath, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { refusal } from '../errors.ts';
import { isSameFile, moveFile, removeIfPossible } from '../platform/files.ts';
import { toTakeEffect } from '../text/own-command.ts';
import { pathInQuotes, type Sentence, sentence, word } from '../text/sentence.ts';

export type Write = (text: string) => Promise<void>;
/** Writes the content. */
export type Fill = (write: Write) => Promise<unknown>;

const UNFINISHED = '.unfinished';
/** The process that wrote a file this old is gone. */
const STALE_MS = 3_600_000;

/** The real path of the folder for exports. Throws `file_refused` if there is none. */
export async function exportFolder(filesDirs: readonly string[]): Promise<string> {
  const [folder] = filesDirs;
  if (folder === undefined)
    throw refused(
      sentence`VIDEO_HOSTING_FILES_DIR is not set, so nothing can be exported.`,
      sentence`Set VIDEO_HOSTING_FILES_DIR to the folder that exports go to and ${toTakeEffect()}.`,
    );
  const real = await realpath(folder).catch(() => undefined);
  if (real === undefined || !(await stat(real)).isDirectory())
    throw refused(
      sentence`The folder for files is not there, so nothing can be exported.`,
      sentence`Make the first folder that VIDEO_HOSTING_FILES_DIR names.`,
    );
  return real;
}

const refused = (message: Sentence, hint: Sentence) => refusal('file_refused', message, hint);

/** Writes a new file with a random name that can't be prepared by anybody, like `replaceExportFile`, and returns its path. */
export function createExportFile(folder: string, name: string, ending: string, fill: Fill): Promise<string> {
  const fileName = `${name.replace(/[^\w.-]/g, '_')}-${randomBytes(8).toString('hex')}.${ending}`;
  return writeFile(folder, name, [`${fileName}${UNFINISHED}`, fileName], fill);
}

/**
 * Writes a file that only its owner may read into this very folder, in place of what has the name: a link is replaced, not
 * followed. It has another, random name until it is complete; if `fill` fails, it is removed. `kind` begins the names of such
 * files. Throws `file_refused` if it can't be written.
 */
export function replaceExportFile(folder: string, kind: string, fileName: string, fill: Fill): Promise<string> {
  return writeFile(folder, kind, [`${fileName}.${randomBytes(8).toString('hex')}${UNFINISHED}`, fileName], fill);
}

async function writeFile(folder: string, kind: string, [unfinishedName, fileName]: readonly [string, string], fill: Fill): Promise<string> {
  await removeStale(folder, kind);
  const path = join(folder, fileName);
  const unfinished = join(folder, unfinishedName);
  // `wx` fails if anything has the name already, also a link.
  const handle = await open(unfinished, 'wx', 0o600).catch(() => undefined);
  if (handle === undefined)
    throw refused(
      sentence`The folder for files can’t be written to.`,
      sentence`Let this server’s user write to the folder that VIDEO_HOSTING_FILES_DIR names.`,
    );
  try {
    await requireInside(handle, unfinished, folder);
    await fill(async (text) => {
      await handle.appendFile(text).catch(diskErrorIn(folder));
    });
    await handle.sync().catch(diskErrorIn(folder));
    await handle.close();
    await moveFile(unfinished, path).catch(diskErrorIn(folder));
    return path;
  } catch (error) {
    await handle.close().catch(() => undefined);
    await removeIfPossible(unfinished);
    throw error;
  }
}

/** The folder may have become a link since it was checked, so the place of the open file is checked. */
async function requireInside(handle: FileHandle, path: string, folder: string): Promise<void> {
  const real = await realpath(path).catch(() => '');
  const [opened, there] = await Promise.all([handle.stat({ bigint: true }), stat(real, { bigint: true }).catch(() => undefined)]);
  if (dirname(real) !== folder || there === undefined || !isSameFile(there, opened) || !opened.isFile())
    throw refused(
      sentence`The folder for files changed while it was written to.`,
      sentence`Look at the folder that VIDEO_HOSTING_FILES_DIR names, then ask again.`,
    );
}

const diskErrorIn =
  (folder: string) =>
  (error: unknown): never => {
    // Node's own errors have a code; their message holds a path.
    const { code = 'no code' } = error as NodeJS.ErrnoException;
    throw refused(
      sentence`The file could not be written into ${pathInQuotes(folder)} (${word(code)}).`,
      sentence`See that its disk has room and can be written to, or set VIDEO_HOSTING_FILES_DIR to another folder, then ask again.`,
    );
  };

/** Removes what a killed process left half written. */
async function removeStale(folder: string, name: string): Promise<void> {
  const kind = name.replace(/-\d{4}-\d{2}-\d{2}$/, '');
  for (const entry of await readdir(folder).catch(() => [])) {
    if (!entry.startsWith(`${kind}-`) || !entry.endsWith(UNFINISHED)) continue;
    const info = await stat(join(folder, entry)).catch(() => undefined);
    if (info !== undefined && Date.now() - info.mtimeMs > STALE_MS) await removeIfPossible(join(folder, entry));
  }
}
