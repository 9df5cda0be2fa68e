import { constants, type Stats } from 'node:fs';
import { access, readdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { SETTINGS, type Settings } from '../../config/settings.ts';
import { type Finding, fine, note, wrong } from './finding.ts';

/** As `engines` in package.json. */
const OLDEST_NODE = [20, 18, 1] as const;

/** Looks at the version of Node and at the folders. Makes, opens and changes nothing. */
export async function checkMachine(settings: Settings, nodeVersion = process.versions.node): Promise<Finding[]> {
  // Nothing of the demo account is kept.
  const data = settings.demo ? [] : await dataFolder(settings.dataDir);
  const files = await Promise.all(settings.filesDirs.map(filesFolder));
  return [checkNode(nodeVersion), ...data, ...files.flat()];
}

function checkNode(version: string): Finding {
  const parts = version.split('.').map((part) => Number.parseInt(part, 10));
  const differing = OLDEST_NODE.findIndex((least, at) => parts[at] !== least);
  const isOlder = differing >= 0 && (parts[differing] ?? 0) < (OLDEST_NODE[differing] ?? 0);
  if (!isOlder) return fine('Node', version);
  return wrong(
    'Node',
    `${version} is too old.`,
    `Install Node ${OLDEST_NODE.join('.')} or later, and have the client start this server with it.`,
  );
}

async function dataFolder(folder: string): Promise<Finding[]> {
  const about = SETTINGS.dataDir.title;
  const remedy = `Let this user write there, or set ${SETTINGS.dataDir.variable} to another folder.`;
  const found = await statOf(folder);
  if (found !== undefined && !found.isDirectory()) return [wrong(about, `${quote(folder)} is no folder.`, remedy)];
  if (found === undefined) {
    // Whoever may write to the nearest folder above can make it.
    const parent = await nearestThere(dirname(folder));
    const canBeMade = parent !== undefined && (await mayWrite(parent));
    return [
      canBeMade ? fine(about, `${quote(folder)}, made when something is kept.`) : wrong(about, `${quote(folder)} can’t be made.`, remedy),
    ];
  }
  if (!(await mayWrite(folder))) return [wrong(about, `${quote(folder)} can’t be written to.`, remedy)];
  const open = await openToOthers(folder, found);
  return open.length > 0
    ? open
    : [fine(about, POSIX ? `${quote(folder)}, for this user alone.` : `${quote(folder)}, with the rights of the folder that it is in.`)];
}

/** What other users of the machine may do with what is kept: nothing, if it is as this server made it. */
async function openToOthers(folder: string, itself: Stats): Promise<Finding[]> {
  const about = SETTINGS.dataDir.title;
  const findings = isWritableByOthers(itself)
    ? [note(about, `Others may write to ${quote(folder)}${named(SETTINGS.dataDir.variable)}.`, privately(folder))]
    : [];
  const accounts = join(folder, 'accounts');
  const names = await readdir(accounts).catch(() => []);
  const kept = [accounts, ...names.map((name) => join(accounts, name))];
  const infos = await Promise.all(kept.map(statOf));
  const readable = kept.filter((_, at) => isForOthers(infos[at]));
  return [
    ...findings,
    ...readable.map((path) => note(about, `Others may look into ${quote(path)}${named(SETTINGS.dataDir.variable)}.`, privately(path))),
  ];
}

async function filesFolder(folder: string): Promise<Finding[]> {
  const about = SETTINGS.filesDirs.title;
  const found = await statOf(folder);
  if (found === undefined || !found.isDirectory())
    return [wrong(about, `${quote(folder)} is not there, or is no folder.`, `Make it, or correct ${SETTINGS.filesDirs.variable}.`)];
  if (!(await allowed(folder, constants.R_OK | constants.X_OK)))
    return [wrong(about, `${quote(folder)} can’t be read.`, `Let this user read it, or correct ${SETTINGS.filesDirs.variable}.`)];
  if (!(await mayWrite(folder)))
    return [
      note(
        about,
        `${quote(folder)} can be read, not written to.`,
        `Exports need a folder that this user may write to: the first of ${SETTINGS.filesDirs.variable}.`,
      ),
    ];
  if (isWritableByOthers(found))
    return [note(about, `Others may write to ${quote(folder)}${named(SETTINGS.filesDirs.variable)}.`, privately(folder))];
  return [fine(about, quote(folder))];
}

const POSIX = process.platform !== 'win32';
const FOR_OTHERS = 0o077;
const WRITABLE_BY_OTHERS = 0o022;
/** Where all may write and each remove only what is theirs. */
const STICKY = 0o1000;

// Elsewhere the mode tells nothing of who may do what.
const isForOthers = (info: Stats | undefined): boolean => POSIX && info !== undefined && (info.mode & FOR_OTHERS) !== 0;
const isWritableByOthers = ({ mode }: Stats): boolean => POSIX && (mode & WRITABLE_BY_OTHERS) !== 0 && (mode & STICKY) === 0;
const privately = (path: string): string => `chmod go-rwx ${quote(path)}`;
const named = (variable: string): string => ` (${variable})`;
const quote = (path: string): string => JSON.stringify(path);

const statOf = (path: string): Promise<Stats | undefined> => stat(path).catch(() => undefined);
const mayWrite = (path: string): Promise<boolean> => allowed(path, constants.R_OK | constants.W_OK | constants.X_OK);

function allowed(path: string, mode: number): Promise<boolean> {
  return access(path, mode).then(
    () => true,
    () => false,
  );
}

/** The nearest folder that is there, itself or above; undefined where something else stands in the way. */
async function nearestThere(path: string): Promise<string | undefined> {
  const info = await statOf(path);
  if (info !== undefined) return info.isDirectory() ? path : undefined;
  return dirname(path) === path ? undefined : nearestThere(dirname(path));
}
