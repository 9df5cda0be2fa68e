/**
 * How bytes reach the journal's files; what they say is for `change-writer.ts` to know.
 */
import { closeSync, fdatasync, openSync, writeSync } from 'node:fs';
import { promisify } from 'node:util';

/**
 * A file of the journal, open for writing. To open, write and close it is done at once: to have another thread do that
 * takes several times as long. What takes a disk its time is left to one.
 */
export interface JournalFile {
  /** Writes all of it before it returns, so that lines never mix. */
  write(bytes: Buffer): void;
  /** What was written is on disk when its promise resolves. Must be waited for before the file is closed. */
  sync(): Promise<void>;
  close(): void;
}

const datasync = promisify(fdatasync);

/**
 * Opens a file that its owner alone may read. `ax` makes it and fails where it is there; numbers are those of
 * `fs.constants`. Throws Node's errors, as the methods do.
 */
export function openJournalFile(path: string, flags: 'ax' | number): JournalFile {
  let fd = openSync(path, flags, 0o600);
  return {
    write(bytes) {
      // A disk that is nearly full takes a part, and refuses the rest.
      for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at);
    },
    sync: () => datasync(fd),
    close() {
      closeSync(fd);
      // The number may be another file's from now on.
      fd = -1;
    },
  };
}
