import { diskReason } from '../../errors/disk-error.ts';
import { refusal, VideoHostingError, writtenByNewer } from '../../errors.ts';
import { codeOf, readRegular } from '../../platform/files.ts';
import { type Sentence, sentence, word } from '../../text/sentence.ts';

/** The text of a file; undefined where there is none. */
export async function textOf(path: string, changeId: string): Promise<string | undefined> {
  return readRegular(path).then(String, (error: unknown) => {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw damagedFile(changeId, sentence`it can’t be opened: ${word(codeOf(error) ?? 'no code')}`);
  });
}

/** A file that is there and can’t be relied on. */
export const damagedFile = (changeId: string, how: Sentence): VideoHostingError =>
  refusal(
    'not_found',
    sentence`${word(changeId)} waited for a person, and its file can’t be relied on: ${how}. Nothing is carried out by it.`,
    'Make the call of the change anew. A person may remove the file from the folder “kept” of the account.',
  );

/** A file that is as it was written. `what`: its subject. */
export const newerFile = (what: Sentence): VideoHostingError =>
  writtenByNewer(
    what,
    sentence`See it with that version, and decide there. Or a person may remove the file from the folder “kept” of the account.`,
  );

/** The disk refused, before anything was sent. */
export const writeFailed = (what: Sentence, cause: unknown): VideoHostingError =>
  new VideoHostingError('data_folder_failed', sentence`${what} (${diskReason(cause)}). Nothing was sent.`, {
    cause,
    facts: { outcome: 'nothing-sent' },
  });
