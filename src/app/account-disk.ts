import { closeSync, existsSync, fstatSync, openSync } from 'node:fs';
import { diskReason } from '../errors/disk-error.ts';
import { refusal } from '../errors.ts';
import { failureToWrite, nearestExisting } from '../platform/files.ts';
import { pathInQuotes, sentence } from '../text/sentence.ts';
import { changesIn, decidedIn, keptIn } from './folders.ts';

/** What an account’s folder on disk has to be while a server uses it. */
export interface AccountDisk {
  /**
   * Throws `data_folder_failed` where the folder was there in this process’s life and is no more: what was kept in it is not known
   * then, and an empty history would be told as the whole one.
   */
  assertThere(): void;
  /** Throws `journal_failed` where what a change does can’t be noted, so that no person decides on a change that can’t be made. */
  assertWritable(): Promise<void>;
  /** Throws `journal_failed` where what waits for a person can’t be kept. */
  assertKeeps(): Promise<void>;
  close(): void;
}

const LET_WRITE = 'Let this server write to its data folder (VIDEO_HOSTING_DATA_DIR), with space left on the disk, then call again.';

export function createAccountDisk(path: string): AccountDisk {
  let isSeen = false;
  /** Of the folder that was seen, since another one may have its name by now. Windows keeps an open folder from being removed. */
  let opened: number | undefined;

  function see(): void {
    if (isSeen || !existsSync(path)) return;
    isSeen = true;
    try {
      if (process.platform !== 'win32') opened = openSync(path, 'r');
    } catch {
      // Without it, only a folder whose name is gone is noticed.
    }
  }
  const isGone = (): boolean => isSeen && (!existsSync(path) || (opened !== undefined && fstatSync(opened).nlink === 0));

  see();
  return {
    assertThere() {
      see();
      if (!isGone()) return;
      throw refusal(
        'data_folder_failed',
        sentence`The folder in which this account is kept was removed, or can’t be reached, since this server began to use it: ${pathInQuotes(path)}. It held the history of changes, what channels were said to hold, what waits for a person, and views. Without it nothing is done.`,
        'Put the folder back. If it was meant to be removed, restart this server, which then begins with nothing kept.',
      );
    },
    async assertKeeps() {
      const failure = await failureToWrite(await nearestExisting(keptIn(path)));
      if (failure !== undefined)
        throw refusal('journal_failed', sentence`What waits for a person can’t be kept (${diskReason(failure)}).`, LET_WRITE);
    },
    async assertWritable() {
      for (const folder of [changesIn(path), decidedIn(path)]) {
        const failure = await failureToWrite(await nearestExisting(folder));
        if (failure === undefined) continue;
        throw refusal(
          'journal_failed',
          sentence`What is done could not be noted (${diskReason(failure)}), so nobody is asked, and nothing is sent.`,
          LET_WRITE,
        );
      }
    },
    close() {
      if (opened !== undefined) closeSync(opened);
      opened = undefined;
      isSeen = false;
    },
  };
}
