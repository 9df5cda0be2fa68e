import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { diskReason } from '../../errors/disk-error.ts';
import { VideoHostingError } from '../../errors.ts';
import { fsyncFolder, makeFolder, namesInFolder, writeDurably } from '../../platform/files.ts';
import { parseJsonOrUndefined } from '../../platform/parse-json.ts';
import { sentence } from '../../text/sentence.ts';

const DAY_LENGTH = '2026-11-28'.length;
const dayOf = (at: string): string => at.slice(0, DAY_LENGTH);

/** The changes that were covered by standing approvals, by the day (UTC) on which they began, so that they are found without looking at all others. */
export interface CoveredChanges {
  /** The days since that of a moment, each with those of its changes that were carried on. Throws where they can’t be read. */
  days(sinceMs: number): Promise<ReadonlyMap<string, readonly string[]>>;
  /** One may have no intent. Throws as `days`. */
  changesOf(day: string): Promise<readonly string[]>;
  /** What was noted of a day, so that no other process has to read the files of its changes again. */
  noted(day: string): Promise<unknown>;
  /** Nothing depends on it but time. */
  note(day: string, ofChanges: object): Promise<void>;
}

export function createCoveredChanges(journalFolder: string) {
  const folder = join(journalFolder, 'standing');
  const notesOf = (day: string) => join(folder, `${day}.json`);
  /** Durably: a change that is missing is not counted. */
  async function mark(below: string, name: string): Promise<void> {
    await makeFolder(below);
    await writeDurably(join(below, name), '');
    await fsyncFolder(below);
  }
  return {
    /** To be called before its intent, which tells the time, is on disk. */
    async begins(changeId: string, at: string): Promise<void> {
      await mark(join(folder, dayOf(at)), changeId);
      await fsyncFolder(folder);
    },
    carriedOn: (changeId: string, at: string): Promise<void> => mark(folder, `${dayOf(at)}.${changeId}`),
    async days(sinceMs: number) {
      const names = await namesIn(folder);
      const first = dayOf(new Date(sinceMs).toISOString());
      const days = new Map(names.filter((name) => name.length === DAY_LENGTH && name >= first).map((day) => [day, [] as string[]]));
      for (const name of names) if (name.startsWith('.chg-', DAY_LENGTH)) days.get(dayOf(name))?.push(name.slice(DAY_LENGTH + 1));
      return days;
    },
    changesOf: (day: string) => namesIn(join(folder, day)),
    /** The files that mark changes, as paths in the journal’s folder. */
    async marks(): Promise<readonly string[]> {
      const names = await namesIn(folder);
      const marks = names.filter((name) => name.startsWith('.chg-', DAY_LENGTH));
      for (const day of names.filter(({ length }) => length === DAY_LENGTH))
        marks.push(...(await namesIn(join(folder, day))).map((id) => join(day, id)));
      return marks.map((mark) => join('standing', mark));
    },
    noted: async (day: string) => parseJsonOrUndefined(await readFile(notesOf(day), 'utf8').catch(() => '')),
    note: (day: string, ofChanges: object) => writeFile(notesOf(day), JSON.stringify(ofChanges), { mode: 0o600 }).catch(() => undefined),
  };
}

const namesIn = (folder: string): Promise<string[]> =>
  namesInFolder(folder).catch((error: unknown) => {
    const message = sentence`What was covered before can’t be read (${diskReason(error)}).`;
    throw new VideoHostingError('journal_failed', message, { cause: error });
  });
