import { withRecordLock } from '../changes/journal/record-lock.ts';
import { VideoHostingError } from '../errors.ts';
import { makeFolder } from '../platform/files.ts';
import { limitedSignal } from '../platform/limited-signal.ts';
import { sentence } from '../text/sentence.ts';

/** Of the data folder, for as long as a server over HTTP works on it. */
const LOCK = 'server over HTTP';
/** For what a server left that was killed to be removed. */
const LOCK_MS = 1_000;

/** Runs a server while no other one serves the same data folder over HTTP. Throws `running_elsewhere` where one does. */
export async function withFolderLock<T>(dataDir: string, act: () => Promise<T>): Promise<T> {
  await makeFolder(dataDir);
  const { signal, release } = limitedSignal(LOCK_MS);
  let isHeld = false;
  return withRecordLock(dataDir, LOCK, signal, () => {
    isHeld = true;
    release();
    return act();
  }).catch((error: unknown) => {
    release();
    if (isHeld || !(error instanceof VideoHostingError) || error.code !== 'cancelled') throw error;
    throw new VideoHostingError('running_elsewhere', sentence`Another server over HTTP works on this data folder. ${error.message}`, {
      cause: error,
      hint: sentence`One account has one such server: end the other one, or set VIDEO_HOSTING_DATA_DIR to another folder for another account.`,
    });
  });
}
