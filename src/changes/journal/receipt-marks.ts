import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { VideoHostingError } from '../../errors.ts';
import { codeOf, fsyncFolder, makeFolder, writeDurably } from '../../platform/files.ts';
import { sentence, word } from '../../text/sentence.ts';

export interface CoveredId {
  readonly changeId: string;
  readonly isResumed: boolean;
}

/** A folder that names the changes which were covered by standing approvals, so that they are found without looking at all others. */
export function createReceiptMarks(journalFolder: string) {
  const folder = join(journalFolder, 'standing');
  return {
    /** Durably: one that is missing is not counted. */
    async mark(changeId: string): Promise<void> {
      await makeFolder(folder);
      await writeDurably(join(folder, changeId), '');
      await fsyncFolder(folder);
    },
    /** Throws where they can’t be read. */
    ids: (): Promise<readonly string[]> => readdir(folder).catch(noneYet),
  };
}

function noneYet(error: unknown): string[] {
  if (codeOf(error) === 'ENOENT') return [];
  throw new VideoHostingError(
    'journal_failed',
    sentence`What was covered before can’t be read (${codeOf(error) === undefined ? 'no code' : word(codeOf(error) ?? '')}).`,
    {
      cause: error,
    },
  );
}
