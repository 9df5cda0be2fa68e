import { constants, type Stats } from 'node:fs';
import { access, lstat, readdir, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { isTooOld, OLDEST_NODE } from '../../config/oldest-node.ts';
import { SETTINGS, type Settings } from '../../config/settings.ts';
import { codeOf, failureToWrite, nearestExisting } from '../../platform/files.ts';
import { toReaders } from '../../text/own-command.ts';
import { pathInQuotes, sentence, word } from '../../text/sentence.ts';
import { accountsIn, partsOf } from '../folders.ts';
import { knownIn } from '../known-accounts.ts';
import { type Finding, fine, note, wrong } from './finding.ts';

/** Checks the version of Node and the folders, and leaves nothing. */
export async function checkMachine(settings: Settings, nodeVersion = process.versions.node): Promise<Finding[]> {
  // The demo account has a temporary folder.
  const data = settings.demo ? [] : await dataFolder(settings.dataDir);
  const files = await Promise.all(settings.filesDirs.map(filesFolder));
  return [checkNode(nodeVersion), ...data, ...files, ...(await temporaryFolder(tmpdir()))];
}

function checkNode(version: string): Finding {
  if (!isTooOld(version)) return fine('Node', word(version));
  const remedy = sentence`Install Node ${OLDEST_NODE} or later, and have the client start this server with it.`;
  return wrong('Node', sentence`${word(version)} is too old.`, remedy);
}

async function dataFolder(folder: string): Promise<Finding[]> {
  const about = SETTINGS.dataDir.title;
  const remedy = sentence`Let this user write there, or set ${SETTINGS.dataDir.variable} to another folder.`;
  const another = sentence`Set ${SETTINGS.dataDir.variable} to a folder, or move what is there away: a folder is made in its place.`;
  const found = await statOf(folder);
  if (found !== undefined && !found.isDirectory()) return [wrong(about, sentence`${pathInQuotes(folder)} is no folder.`, another)];
  if (found === undefined) {
    const there = await lstat(folder).catch(codeOf);
    if (typeof there === 'object') return [wrong(about, sentence`${pathInQuotes(folder)} is a link to nothing.`, another)];
    if (there !== 'ENOENT' && there !== 'ENOTDIR')
      return [wrong(about, sentence`${pathInQuotes(folder)} can’t be used (${word(there ?? 'no code')}).`, remedy)];
    const parent = await nearestExisting(dirname(folder));
    if (!(await statOf(parent))?.isDirectory())
      return [
        wrong(
          about,
          sentence`${pathInQuotes(folder)} can’t be made: ${pathInQuotes(parent)} is no folder.`,
          sentence`Set ${SETTINGS.dataDir.variable} to a folder that can be made.`,
        ),
      ];
    if (!(await mayWrite(parent)))
      return [wrong(about, sentence`${pathInQuotes(folder)} can’t be made: ${pathInQuotes(parent)} can’t be written to.`, remedy)];
    const failure = await failureToWrite(parent);
    if (failure !== undefined)
      return [wrong(about, sentence`Nothing can be kept in ${pathInQuotes(parent)} (${word(codeOf(failure) ?? 'no code')}).`, ROOM)];
    return [fine(about, sentence`${pathInQuotes(folder)}, made when something is kept.`)];
  }
  if (!(await mayWrite(folder))) return [wrong(about, sentence`${pathInQuotes(folder)} can’t be written to.`, remedy)];
  const failure = await failureToWrite(folder);
  if (failure !== undefined)
    return [wrong(about, sentence`Nothing can be kept in ${pathInQuotes(folder)} (${word(codeOf(failure) ?? 'no code')}).`, ROOM)];
  const accounts = accountsIn(folder);
  const names = await readdir(accounts).catch(() => []);
  const paths = [accounts, knownIn(folder), ...names.map((name) => join(accounts, name))];
  const infos = await Promise.all(paths.map(statOf));
  // As a start by another user, such as root, leaves them. What else a system puts there does not matter.
  const isUsed = (path: string, index: number): boolean => path === accounts || infos[index]?.isDirectory() === true;
  const used = paths.filter((path, index) => infos[index] !== undefined && isUsed(path, index));
  const isOpen = await Promise.all(used.map(mayWrite));
  const closed = used.filter((_, index) => !isOpen[index]);
  if (closed.length > 0) return closed.map((path) => wrong(about, sentence`${pathInQuotes(path)} can’t be written to.`, remedy));
  const ofAccounts = used.filter((path) => path !== accounts && path !== knownIn(folder));
  const unusable = (await Promise.all(ofAccounts.flatMap((path) => partsOf(path).map(unusablePart)))).flat();
  if (unusable.length > 0) return unusable;
  const shared = [
    ...(isWritableByOthers(found) ? [sharedNote('dataDir', 'write to', folder)] : []),
    ...paths.filter((_, index) => isForOthers(infos[index])).map((path) => sharedNote('dataDir', 'look into', path)),
  ];
  const rights = POSIX ? 'for this user alone' : 'with the rights of the folder that it is in';
  return shared.length > 0 ? shared : [fine(about, sentence`${pathInQuotes(folder)}, ${rights}.`)];
}

/** What is wrong with a folder of an account, where it is there. */
async function unusablePart(path: string): Promise<Finding[]> {
  const found = await statOf(path);
  if (found === undefined || (found.isDirectory() && (await mayWrite(path)))) return [];
  const { title, variable } = SETTINGS.dataDir;
  if (found.isDirectory())
    return [
      wrong(
        title,
        sentence`${pathInQuotes(path)} can’t be written to.`,
        sentence`Let this user write there, or set ${variable} to another folder.`,
      ),
    ];
  return [wrong(title, sentence`${pathInQuotes(path)} is no folder.`, sentence`Move what is there away: a folder is made in its place.`)];
}

const ROOM = sentence`Where its disk is full (ENOSPC), or files may not be so long (EFBIG, EDQUOT), make room; or set ${SETTINGS.dataDir.variable} to another folder.`;

/** What the demo account and the approval page need; nothing is said where it is fine. */
async function temporaryFolder(folder: string): Promise<Finding[]> {
  if ((await statOf(folder))?.isDirectory() && (await mayWrite(folder))) return [];
  const remedy = sentence`Let this user write there, or set TMPDIR (on Windows TEMP) to another folder.`;
  return [wrong('Temporary files', sentence`${pathInQuotes(folder)} is not there, or can’t be written to.`, remedy)];
}

async function filesFolder(folder: string): Promise<Finding> {
  const { title, variable } = SETTINGS.filesDirs;
  const found = await statOf(folder);
  if (found === undefined || !found.isDirectory())
    return wrong(title, sentence`${pathInQuotes(folder)} is not there, or is no folder.`, sentence`Make it, or correct ${variable}.`);
  if (!(await allowed(folder, constants.R_OK | constants.X_OK)))
    return wrong(title, sentence`${pathInQuotes(folder)} can’t be read.`, sentence`Let this user read it, or correct ${variable}.`);
  if (!(await mayWrite(folder))) {
    const remedy = sentence`Exports need a folder that this user may write to: the first of ${variable}.`;
    return note(title, sentence`${pathInQuotes(folder)} can be read, not written to.`, remedy);
  }
  return isWritableByOthers(found) ? sharedNote('filesDirs', 'write to', folder) : fine(title, pathInQuotes(folder));
}

const sharedNote = (setting: 'dataDir' | 'filesDirs', access: 'write to' | 'look into', path: string): Finding =>
  note(
    SETTINGS[setting].title,
    sentence`Others may ${access} ${pathInQuotes(path)} (${SETTINGS[setting].variable}).`,
    toReaders(() => sentence`chmod go-rwx ${pathInQuotes(path)}`, sentence`Take that from them.`),
  );

const POSIX = process.platform !== 'win32';
const FOR_OTHERS = 0o077;
const WRITABLE_BY_OTHERS = 0o022;
/** Of a folder like /tmp, in which each user can remove only their own files. */
const STICKY = 0o1000;

// On Windows the mode does not say who has access.
const isForOthers = (info: Stats | undefined): boolean => POSIX && info !== undefined && (info.mode & FOR_OTHERS) !== 0;
const isWritableByOthers = ({ mode }: Stats): boolean => POSIX && (mode & WRITABLE_BY_OTHERS) !== 0 && (mode & STICKY) === 0;

const statOf = (path: string): Promise<Stats | undefined> => stat(path).catch(() => undefined);
const mayWrite = (path: string): Promise<boolean> => allowed(path, constants.R_OK | constants.W_OK | constants.X_OK);

function allowed(path: string, mode: number): Promise<boolean> {
  return access(path, mode).then(
    () => true,
    () => false,
  );
}
