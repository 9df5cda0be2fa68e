import { appendFile, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { VideoHostingError } from '../../errors.ts';
import { codeOf, fsyncFolder, makeFolder, writeDurably } from '../../platform/files.ts';
import { parseJsonOrUndefined } from '../../platform/parse-json.ts';
import { sentence, word } from '../../text/sentence.ts';
import { idAt } from './change-order.ts';
import { idsWith, LATE, resumedIn } from './file-names.ts';

/** The changes that were covered by standing approvals, so that they are found without looking at all others. */
export interface CoveredChanges {
  /** Those proposed since a time, or begun late. One may have no intent. Throws where they can’t be read. */
  since(sinceMs: number): Promise<readonly { readonly changeId: string; readonly isResumed: boolean }[]>;
  /** What was noted of changes, so that no other process has to read their files again. */
  noted(): Promise<readonly unknown[]>;
  /** Nothing depends on it but time. */
  note(ofChanges: readonly object[]): Promise<void>;
}

/** `namesOfFiles`: of the journal’s folder. */
export function createCoveredChanges(journalFolder: string, namesOfFiles: () => Promise<readonly string[]>) {
  const folder = join(journalFolder, 'standing');
  const notes = join(journalFolder, 'standing-uses.jsonl');
  return {
    /** Durably: one that is missing is not counted. */
    async mark(changeId: string): Promise<void> {
      await makeFolder(folder);
      await writeDurably(join(folder, changeId), '');
      await fsyncFolder(folder);
    },
    async since(sinceMs: number) {
      const names = await namesOfFiles();
      const [resumed, late] = [resumedIn(names), new Set(idsWith(`.${LATE}`, names))];
      const first = idAt(sinceMs);
      const ids = (await readdir(folder).catch(noneYet)).filter((id) => id >= first || late.has(id));
      return ids.map((changeId) => ({ changeId, isResumed: resumed.has(changeId) }));
    },
    async noted() {
      const lines = (await readFile(notes, 'utf8').catch(() => '')).split('\n').filter((line) => line !== '');
      // All at once, which takes a third of the time, unless one is damaged.
      const all = parseJsonOrUndefined(`[${lines.join(',')}]`);
      return Array.isArray(all) ? all : lines.map(parseJsonOrUndefined);
    },
    async note(ofChanges: readonly object[]) {
      // On lines of their own, also after one that was not written whole.
      const lines = ofChanges.map((one) => `\n${JSON.stringify(one)}`).join('');
      if (lines !== '') await appendFile(notes, `${lines}\n`, { mode: 0o600 }).catch(() => undefined);
    },
  };
}

function noneYet(error: unknown): string[] {
  if (codeOf(error) === 'ENOENT') return [];
  throw new VideoHostingError('journal_failed', sentence`What was covered before can’t be read (${word(codeOf(error) ?? 'no code')}).`, {
    cause: error,
  });
}
