import { readdir, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { viewsFoldersIn } from '../analytics/storage/folder/views-folder.ts';
import { takeOverChanges } from '../changes/journal/take-over.ts';
import { takeOverDeclined } from '../changes/proposals/decided-requests.ts';
import { takeOverProposals } from '../changes/proposals/take-over-proposals.ts';
import { diskReason } from '../errors/disk-error.ts';
import { VideoHostingError } from '../errors.ts';
import { exists, makeFolder, moveFile } from '../platform/files.ts';
import { sentence } from '../text/sentence.ts';
import { changesIn, decidedIn, emailsIn, keptIn, reportsIn, viewsIn, viewsOfKeyIn, withKeyIn } from './folders.ts';

/** The folder of an account, or of a credential, with its name. */
interface NamedFolder {
  readonly name: string;
  readonly path: string;
}

/**
 * Moves what is kept for a credential alone into the folder of its account. It may be called again, by any number of processes, and goes on after a kill. What
 * a process carries out now stays until a later call. Throws `data_folder_failed`, and `cancelled` where `stop` aborts while it waits for another process.
 */
export async function takeOver(from: NamedFolder, to: NamedFolder, withViews: boolean, stop: AbortSignal): Promise<void> {
  if (!(await exists(from.path))) return;
  const kept = ({ name, path }: NamedFolder) => ({ folder: keptIn(path), changes: changesIn(path), accountId: name });
  try {
    await takeOverChanges(changesIn(from.path), changesIn(to.path), stop);
    await takeOverProposals(kept(from), kept(to), stop);
    await takeOverDeclined(decidedIn(from.path), decidedIn(to.path));
    await moveAll(emailsIn(from.path), emailsIn(to.path));
    if (withViews) await takeOverViews(from.path, to.path);
  } catch (cause) {
    if (cause instanceof VideoHostingError) throw cause;
    throw new VideoHostingError(
      'data_folder_failed',
      sentence`What was kept for this key can’t be moved to its account (${diskReason(cause)}). Nothing was sent, and nothing of it is lost.`,
      { cause, facts: { outcome: 'nothing-sent' } },
    );
  }
}

/** The stored views as a whole, unless there are some already: they are read again where a question needs them. */
async function takeOverViews(from: string, to: string): Promise<void> {
  for (const views of await viewsFoldersIn(from)) {
    const there = join(to, basename(views));
    if (await exists(there)) continue;
    await makeFolder(to);
    // Another process may have begun to store some, or have these open on Windows.
    await moveFile(views, there).catch(() => undefined);
  }
  await moveAll(reportsIn(from), reportsIn(to));
}

/** Moves what is kept for days: another process may move it, or have it open. */
async function moveAll(from: string, to: string): Promise<void> {
  for (const name of await readdir(from).catch(() => [])) {
    await makeFolder(to);
    await moveFile(join(from, name), join(to, name)).catch(() => undefined);
  }
}

/** Moves views that an earlier version asked for with the key out of the place of those that were asked for without it. */
export async function setViewsApart(folder: string): Promise<void> {
  if (!(await exists(viewsOfKeyIn(folder)))) return;
  await takeOverViews(folder, withKeyIn(folder));
  // What could not be moved is nobody’s any more.
  await Promise.all([viewsIn(folder), reportsIn(folder)].map((path) => rm(path, { recursive: true, force: true })));
  await rm(viewsOfKeyIn(folder), { force: true });
}
