import { lstat, readdir, realpath } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { diskReason } from '../../../errors/disk-error.ts';
import { refusal, VideoHostingError } from '../../../errors.ts';
import { createExportFile, type Fill } from '../../../files/export-file.ts';
import { EMAIL_FILES } from '../../../files/named-files.ts';
import { makeFolder, removeIfPossible } from '../../../platform/files.ts';
import { HOUR_MS } from '../../../platform/time-units.ts';
import { sentence } from '../../../text/sentence.ts';
import { DOWNLOAD_HOURS } from '../../plan/traits/emails.ts';

const KEPT_MS = DOWNLOAD_HOURS * HOUR_MS;
/** What a process that was killed left half written. */
const UNFINISHED_MS = HOUR_MS;
const SWEEP_MS = 60_000;
const NAME = /^collected-emails-[\w.-]{1,100}\.(?:csv|json)$/;

export interface EmailDownload {
  readonly path: string;
  /** When it is removed: milliseconds since the epoch. */
  readonly untilMs: number;
}

/** Files of collected emails that people download on the page of a server for several, for a day after they were written. */
export interface EmailDownloads {
  /** Writes one, and returns its name, which tells nothing of what is in it. */
  create(name: string, ending: string, fill: Fill): Promise<string>;
  /** Undefined once it was removed. */
  find(name: string): Promise<EmailDownload | undefined>;
  /** Removes those whose time is over, now and, until it is closed, as their time comes. */
  watch(): void;
  close(): void;
}

export function createEmailDownloads(folder: string, log: (message: string) => void): EmailDownloads {
  let timer: ReturnType<typeof setInterval> | undefined;

  async function sweep(): Promise<void> {
    for (const name of await readdir(folder).catch(() => [])) {
      if (!name.startsWith(`${EMAIL_FILES}-`)) continue;
      const path = join(folder, name);
      const info = await lstat(path).catch(() => undefined);
      if (info !== undefined && Date.now() - info.mtimeMs >= (NAME.test(name) ? KEPT_MS : UNFINISHED_MS)) await removeIfPossible(path);
    }
  }
  const look = (): void => void sweep().catch((error: unknown) => log(`Old exports of emails could not be removed: ${String(error)}`));

  return {
    async create(name, ending, fill) {
      try {
        await makeFolder(folder);
        return basename(await createExportFile(await realpath(folder), name, ending, fill));
      } catch (error) {
        // Its words are about the folder for files, which there is none of.
        if (error instanceof VideoHostingError && error.code !== 'file_refused') throw error;
        throw refusal(
          'data_folder_failed',
          sentence`The file could not be written into the server’s data folder${error instanceof VideoHostingError ? '' : sentence` (${diskReason(error)})`}, so nothing was given out.`,
          sentence`Let the server write to its data folder, with space left on the disk, then ask again.`,
        );
      }
    },
    async find(name) {
      if (!NAME.test(name)) return undefined;
      const path = join(folder, name);
      const info = await lstat(path).catch(() => undefined);
      if (info?.isFile() !== true) return undefined;
      const untilMs = info.mtimeMs + KEPT_MS;
      if (untilMs > Date.now()) return { path, untilMs };
      await removeIfPossible(path);
      return undefined;
    },
    watch() {
      look();
      timer ??= setInterval(look, SWEEP_MS).unref();
    },
    close: () => clearInterval(timer),
  };
}
