import { constants } from 'node:fs';
import { type FileHandle, open, readdir, realpath, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import systemPath, { basename, dirname, isAbsolute, join, type PlatformPath, resolve } from 'node:path';
import { refusal, type VideoHostingError } from '../errors.ts';
import { isSameFile } from '../platform/files.ts';
import { nearest } from '../text/nearest.ts';
import { toTakeEffect } from '../text/own-command.ts';
import { inQuotes, joined, type Sentence, sentence } from '../text/sentence.ts';

/** How the files of collected emails begin, which are for people. */
export const EMAIL_FILES = 'collected-emails';

const MAX_BYTES = 1024 * 1024 * 1024;

/** The folders in which a caller may name files, or where somebody keeps what the files that they named held. */
export type NamedFiles = readonly string[] | { readonly areTaken: boolean; readonly open: (name: string) => Promise<FileHandle> };

/** Whether a caller may name any. */
export const areFilesTaken = (files: NamedFiles): boolean => ('open' in files ? files.areTaken : files.length > 0);

/**
 * Opens a file that a caller named for reading, if it is a plain file inside one of the allowed folders. Links out of the folder,
 * devices and pipes are refused, and so is what was exported for people alone. Throws `file_refused`.
 */
export async function openInside(folders: NamedFiles, name: string): Promise<FileHandle> {
  if ('open' in folders) return folders.open(name);
  if (folders.length === 0)
    throw fileRefused(
      name,
      sentence`VIDEO_HOSTING_FILES_DIR is not set, so files can’t be read.`,
      sentence`Set VIDEO_HOSTING_FILES_DIR to the folder that holds such files and ${toTakeEffect()}.`,
    );
  if (!isFileName(name)) throw fileRefused(name, sentence`This is not a file name.`);
  // Systems write the accents of a name in one of two forms, and people see no difference.
  const names = [...new Set([name, name.normalize('NFC'), name.normalize('NFD')])];
  const candidates = names.flatMap((form) => [
    ...(isAbsolute(form) ? [resolve(form)] : folders.map((folder) => resolve(folder, form))),
    // As at a shell, which an assistant’s call does not go through.
    ...(/^~[\\/]/.test(form) ? [join(homedir(), form.slice(1))] : []),
  ]);
  const problems: Sentence[] = [];
  for (const candidate of candidates) {
    const found = await tryOpen(candidate, folders);
    if (typeof found !== 'string') return found;
    problems.push(found);
  }
  const other = problems.find((problem) => problem !== NOT_THERE);
  if (other !== undefined) throw fileRefused(name, other);
  const missing = await missingFolders(folders);
  const shown = joined(
    missing.map((folder) => inQuotes(folder, 200)),
    ', ',
  );
  if (missing.length === folders.length)
    throw fileRefused(
      name,
      sentence`The folder for files is not there: ${shown}.`,
      sentence`Create it, or correct VIDEO_HOSTING_FILES_DIR and ${toTakeEffect()}.`,
    );
  const gone = missing.length === 0 ? sentence`` : sentence` Of the folders for files, ${shown} is not there.`;
  throw fileRefused(name, sentence`${NOT_THERE}${await nearestFiles(candidates, folders)}${gone}`);
}

async function missingFolders(folders: readonly string[]): Promise<readonly string[]> {
  const found = await Promise.all(folders.map((folder) => stat(folder).catch(() => undefined)));
  return folders.filter((_, index) => !found[index]?.isDirectory());
}

/** The names of files beside the one that is not there, if some are like it. A link to another folder is not followed. */
async function nearestFiles(paths: readonly string[], folders: readonly string[]): Promise<Sentence> {
  const real = async (path: string) => realpath(path).catch(() => undefined);
  const roots = await Promise.all(folders.map(real));
  const places = await Promise.all([...new Set(paths.map((path) => dirname(path)))].map(real));
  const inside = places.flatMap((place) =>
    place !== undefined && roots.some((root) => root === place || isInside(root ?? place, place)) ? [place] : [],
  );
  const entries = await Promise.all(inside.map((place) => readdir(place, { withFileTypes: true }).catch(() => [])));
  const names = entries.flat().flatMap((entry) => (entry.isFile() && !isForPeople(entry.name) ? [entry.name] : []));
  const near = nearest(basename(paths[0] ?? ''), [...new Set(names)].slice(0, MAX_COMPARED), 3);
  if (near.length === 0) return sentence``;
  return sentence` The nearest: ${joined(
    near.map((one) => inQuotes(one, 200)),
    ', ',
  )}.`;
}

const MAX_COMPARED = 5_000;
const isForPeople = (name: string): boolean => name.toLowerCase().startsWith(`${EMAIL_FILES}-`);

/** Whether this can name a file. On Windows a colon elsewhere than after a drive letter names an alternate data stream. */
export function isFileName(name: string, platform: NodeJS.Platform = process.platform): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
  if (name === '' || name.length > 1_000 || /[\u0000-\u001f\u007f]/.test(name)) return false;
  return platform !== 'win32' || !name.replace(/^[a-z]:/i, '').includes(':');
}

const NOT_THERE = sentence`There is no such file in the folder for files.`;
const OUTSIDE = sentence`It is outside the folder for files.`;
const OF_PEOPLE = sentence`It holds collected emails, which are for people: what a list of videos holds may stand in an answer. Counts by video are in get_collected_emails.`;
const SWAPPED = sentence`It was replaced while it was opened; call again once nothing writes to it.`;

/** The bytes of an open file, as far as it reaches now: another program may append to it. It stays open. */
export async function chunksOf(handle: FileHandle, signal?: AbortSignal): Promise<AsyncIterable<Buffer>> {
  const { size } = await handle.stat();
  const stream = handle.createReadStream({ start: 0, end: Math.max(0, size - 1), autoClose: false, signal });
  // Its reader throws the error. Node emits it once more after that, which would end the process.
  stream.on('error', () => {});
  return stream;
}

/** The error of a file that a caller named: `problem` is a sentence, `hint` what to do where that isn't the usual. */
export const fileRefused = (name: string, problem: Sentence, hint?: Sentence): VideoHostingError =>
  refusal('file_refused', sentence`${inQuotes(name, 200)}: ${problem}`, hint);

/** The open file, or why it is refused. Nothing outside the folders is opened or looked up. */
async function tryOpen(path: string, folders: readonly string[]): Promise<FileHandle | Sentence> {
  const roots = (await Promise.all(folders.map((folder) => realpath(folder).catch(() => undefined)))).filter((root) => root !== undefined);
  if (![...folders.map((folder) => resolve(folder)), ...roots].some((folder) => isInside(folder, path))) return OUTSIDE;
  const real = await realpath(path).catch(() => undefined);
  if (real === undefined) return NOT_THERE;
  if (!roots.some((root) => isInside(root, real))) return OUTSIDE;
  if (isForPeople(basename(real))) return OF_PEOPLE;
  // Don't wait for the other end of a pipe. Windows lacks the flag.
  const flags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);
  const handle = await open(real, flags).catch(() => undefined);
  if (handle === undefined) return sentence`It can’t be opened.`;
  const problem = (await isStillInside(handle, real, roots)) ? await problemWith(handle) : SWAPPED;
  if (problem === undefined) return handle;
  await handle.close();
  return problem;
}

/** A file, or a folder on the way to it, may have become a link since it was checked, so the place of the open file is checked. */
async function isStillInside(handle: FileHandle, path: string, roots: readonly string[]): Promise<boolean> {
  const real = await realpath(path).catch(() => undefined);
  if (real === undefined || !roots.some((root) => isInside(root, real))) return false;
  const [opened, there] = await Promise.all([handle.stat({ bigint: true }), stat(real, { bigint: true }).catch(() => undefined)]);
  return there !== undefined && isSameFile(there, opened);
}

async function problemWith(handle: FileHandle): Promise<Sentence | undefined> {
  const opened = await handle.stat();
  if (!opened.isFile()) return sentence`It is not a plain file.`;
  if (opened.nlink > 1) return sentence`It is a hard link, so it may be a file from elsewhere.`;
  return opened.size > MAX_BYTES ? sentence`It is larger than ${MAX_BYTES} bytes.` : undefined;
}

/** Whether a path lies below a folder. */
export function isInside(root: string, path: string, { relative, sep, isAbsolute }: PlatformPath = systemPath): boolean {
  const rest = relative(root, path);
  return rest !== '' && rest !== '..' && !rest.startsWith(`..${sep}`) && !isAbsolute(rest);
}
