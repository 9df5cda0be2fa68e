import { tmpdir } from 'node:os';
import { VideoHostingError } from '../errors.ts';
import { codeOf } from '../platform/files.ts';
import { makeTemporaryFolder } from '../platform/temporary-folder.ts';
import { inQuotes, sentence, word } from '../text/sentence.ts';

/** Makes a folder for temporary files of this process. Throws `temp_folder_failed`. */
export function makeTemporary(prefix: string): string {
  try {
    return makeTemporaryFolder(tmpdir(), prefix);
  } catch (cause) {
    const why = word(codeOf(cause) ?? 'no code');
    throw new VideoHostingError('temp_folder_failed', sentence`No folder can be made in ${inQuotes(tmpdir(), 4_096)} (${why}).`, { cause });
  }
}
