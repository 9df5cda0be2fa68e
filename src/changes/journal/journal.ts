import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type ErrorFacts, VideoHostingError } from '../../errors.ts';
import { makeFolder, removeIfPossible, writeDurably } from '../../platform/files.ts';
import { thisProcess } from '../../platform/process-liveness.ts';
import { inQuotes, joined, type Sentence, sentence } from '../../text/sentence.ts';
import type { Agreed, Stopped } from '../plan/asked-and-decided.ts';
import { type IdRows, listHasOne, readIdList, rowsFrom } from '../plan/id-files.ts';
import type { ChangeKind } from '../plan/traits/index.ts';
import { type IndexEntry, mayHave, mayHaveLeft, type SeenRecord } from './change-index.ts';
import { type BegunAt, idAt, isBegunAfter, isLate, latestTimeIn, MAX_PLAN_AGE_MS, timeOfId } from './change-order.ts';
import { claimEpoch, claimFile } from './change-owner.ts';
import { createChangeReader, LONG_AGO, unlessShort } from './change-reader.ts';
import { type ChangeRecord, replayLines } from './change-record.ts';
import { type CoveredChanges, createCoveredChanges } from './covered-changes.ts';
import { idsIn, idsWith, LATE, LONG, lateIn, newestIn, resumedIn } from './file-names.ts';
import type { Intent, ItemOutcome, NewIntent } from './format.ts';
import { withRecordLock } from './record-lock.ts';
import { requestStop, stopFileOf } from './stop-request.ts';
import {
  appendFound,
  type ChangeWriter,
  createChangeWriter,
  journalFailed,
  notBegun,
  removeUnfinished,
  resumeChangeWriter,
} from './writer.ts';

/**
 * The journal of one account: a folder with a file for each change, with a JSON line for each event. Files are append-only, and
 * have one writer at a time.
 */
export interface Journal {
  /** `at`: what `nextTime` gave, where that was asked. */
  newChangeId(at?: string): Promise<string>;
  /** When a change would begin now: after all entries, also where the clock stands before the newest one. ISO 8601. */
  nextTime(): Promise<string>;
  /** Writes the intent, and the ids and rows of a bulk change, durably. Nothing may be sent before it resolves. */
  begin(intent: NewIntent, ids?: readonly string[], rows?: IdRows): Promise<ChangeWriter>;
  /** Resumes a change in its file, as it is at `epoch` where that is given. Undefined when another process was quicker. */
  resume(changeId: string, by?: Resumption): Promise<{ readonly writer: ChangeWriter; readonly record: ChangeRecord } | undefined>;
  /** Adds what a later look found of a change that nobody carries out, and reads it again. */
  addFound(record: ChangeRecord, found: ReadonlyMap<string, ItemOutcome>): Promise<ChangeRecord>;
  /** Whether there is a change of it, also a damaged one; what `read` takes for none is none. */
  has(changeId: string): boolean;
  /** Throws `not_found` where the first line of its file is damaged, and with `isNewer` where a newer version wrote any of it; one that was never written whole is no change. */
  read(changeId: string): Promise<ChangeRecord | undefined>;
  readIds(changeId: string): Promise<string[]>;
  /** Undefined where there is no file of rows for so many ids. */
  readRows(changeId: string, ids: number): Promise<IdRows | undefined>;
  /** Asks the process that carries a change out to stop it. */
  requestStop(changeId: string, by: Stopped): Promise<void>;
  /** Whether it was asked to stop so, and has not ended since. */
  isAskedToStop(changeId: string): boolean;
  /** Of those that were read, or passed over as unreadable, the ones that a newer version of this program wrote. */
  newer(): readonly string[];
  /** How many changes there are, those with a damaged file included. */
  count(): Promise<number>;
  list(
    limit: number,
    wanted?: { readonly status?: ChangeRecord['status'] | undefined; readonly idStart?: string },
  ): Promise<ChangeRecord[]>;
  /** All of some kinds, newest first, read one by one; only those newer than the id `newerThan` or begun later than their id tells, and that may have written one of `records`. */
  each(kinds: readonly ChangeKind[], newerThan?: string, records?: ReadonlySet<string>): AsyncIterable<ChangeRecord>;
  /** Those of some kinds that were begun or carried on after another change was begun, or of many ids and still at work then, as `each`; with `isWanted`, only those of many ids whose list has one that is wanted, asked when it comes to them. */
  eachSince(kinds: readonly ChangeKind[], begun: BegunAt, records?: ReadonlySet<string>, isWanted?: IsWanted): AsyncIterable<ChangeRecord>;
  /** The changes of many ids whose intent is damaged, or that a newer version wrote, so that what they did is not known: of all, or of those as `eachSince`. */
  unreadableBulk(begun?: BegunAt): Promise<readonly string[]>;
  /** The changes whose intent is damaged, from one id to another, without those that were read and those that are `newer`; newest first. */
  unreadable(from: string, to: string | undefined, read: ReadonlySet<string>): Promise<readonly string[]>;
  readonly covered: CoveredChanges;
  /** For searches of the changes that exist when it is first asked: those that were carried on or begun late, then all others, newest first. */
  snapshot(): Snapshot;
  outcomesLocation(changeId: string): OutcomesLocation;
  /** Runs `act` while nobody with this journal runs another one under the same key. Throws like `withRecordLock`. */
  withLock<T>(key: string, stop: AbortSignal, act: () => Promise<T>): Promise<T>;
}

/** Whether an id is wanted, in the list of a change that was last written to at `touchedMs`, in milliseconds since the epoch. */
type IsWanted = (id: string, touchedMs: number) => boolean;

/** Who asked for a change to be carried on and who agreed, what they were warned of, and the epoch that the plan saw. */
export interface Resumption extends Partial<Agreed & Pick<Intent, 'notices' | 'shown'>> {
  readonly epoch?: number;
}

export interface Snapshot {
  /** Those of some records that a change may have left, or stated, as they are. Most are not, which takes no reading of files. */
  thoseLeft(records: readonly SeenRecord[]): Promise<readonly SeenRecord[]>;
  /** The changes that may have written one of the records. */
  each(ids: ReadonlySet<string>): AsyncIterable<ChangeRecord>;
}

/** Where the file of a bulk change's outcomes lies: in the folder for files, where there is one that can be written to, else beside the journal. */
export interface OutcomesLocation {
  readonly changeId: string;
  readonly filesDir: string | undefined;
  /** The path beside the journal. */
  readonly beside: string;
  /** Where people get it who are not at this machine, and have no use for the path. */
  readonly link?: string;
}

/** Nothing is written to disk before the first change begins. Files for people go to `filesDir`, where there is one; with `linkOf` they are behind a link. */
export function createJournal(folder: string, filesDir?: string, linkOf?: (changeId: string) => string): Journal {
  const fileOf = (changeId: string, ending = 'jsonl') => join(folder, `${changeId}.${ending}`);
  const { entryOf, newer, read, has, isDamaged, lastTouchedMs, namesOfFiles, each: eachOf } = createChangeReader(folder);
  let isTidied = false;
  /** Milliseconds since the epoch of the newest id and of the latest beginning of a change in this process. */
  let [lastIdTime, lastTime] = [0, 0];

  const covered = createCoveredChanges(folder);

  /** The changes that may have been begun or carried on after another one, or been at work then, the newest first. */
  function idsSince(names: readonly string[], changeId: string): readonly string[] {
    const earliestMs = timeOfId(changeId) - MAX_PLAN_AGE_MS;
    const late = new Set([...lateIn(names), ...idsWith(`.${LONG}`, names)].filter((id) => id < idAt(earliestMs)));
    return [...idsIn(names, earliestMs), ...[...late].toSorted().toReversed()].filter((id) => id !== changeId);
  }

  async function latestTime(): Promise<number> {
    const names = await namesOfFiles();
    const newest = newestIn(names);
    if (newest === undefined) return lastTime;
    const newestMs = timeOfId(newest);
    const ids = [newest, ...idsSince(names, newest)];
    let latest = Math.max(lastTime, newestMs, ...ids.flatMap((id) => entryOf(id)?.latestMs ?? []));
    const resumed = resumedIn(names);
    const isOpen = (id: string, known: IndexEntry | undefined) => known?.latestMs === undefined || resumed.has(id);
    for await (const record of eachOf(ids, isOpen)) latest = Math.max(latest, latestTimeIn(record));
    return latest;
  }

  /** A time after all that earlier changes wrote, so that the order of changes survives a clock that is set back. */
  async function nextTime(): Promise<string> {
    lastTime = Math.max(Date.now(), (await latestTime()) + 1);
    return new Date(lastTime).toISOString();
  }

  const damagedOf = async (ids: readonly string[]): Promise<readonly string[]> =>
    (await Promise.all(ids.map(async (id) => ((await isDamaged(id)) ? [id] : [])))).flat();

  return {
    async newChangeId(at) {
      const newest = at === undefined ? newestIn(await namesOfFiles()) : undefined;
      lastIdTime = Math.max(Date.parse(at ?? '') || Date.now(), lastIdTime + 1, newest === undefined ? 0 : timeOfId(newest) + 1);
      return `chg-${lastIdTime.toString(36).padStart(9, '0')}-${(randomBytes(4).readUInt32BE() % 36 ** 4).toString(36).padStart(4, '0')}`;
    },
    nextTime,
    async begin(intent, ids, rows) {
      const first = { type: 'intent', format: 1, at: intent.at ?? (await nextTime()), process: thisProcess(), ...intent } as const;
      try {
        await makeFolder(folder);
        if (!isTidied) await removeUnfinished(folder, await namesOfFiles());
        isTidied = true;
        // Before the intent, so that no search by ids passes it over.
        if (isLate(first)) await writeDurably(fileOf(intent.changeId, LATE), '');
        // Before the intent, so that it is never left out when uses are added up.
        if (intent.standing !== undefined) await covered.begins(intent.changeId, first.at);
        const begun = ids === undefined ? first : ({ ...first, ids: ids.length } as Intent); // of a kind that has ids, by its plan
        return await createChangeWriter(folder, intent.changeId, begun, ids, rows);
      } catch (error) {
        throw notBegun(intent.changeId, error);
      }
    },
    async resume(changeId, { epoch: seen, ...agreed } = {}) {
      const earlier = await read(changeId);
      if (earlier === undefined || earlier.status === 'running' || (seen ?? earlier.epoch) !== earlier.epoch) return undefined;
      const { standing, at } = earlier.intent;
      // Before anything more of it is sent, so that no note of what it used counts.
      const claim = async () => {
        if (standing !== undefined) await covered.carriedOn(changeId, at);
        return claimEpoch(folder, changeId, earlier.epoch);
      };
      const epoch = await claim().catch((error: unknown) => {
        throw notBegun(changeId, error);
      });
      if (epoch === undefined) return undefined;
      // The earlier owner may have written until the claim; whatever it writes after that was not sent.
      const record = replayLines(await readFile(fileOf(changeId), 'utf8'), LONG_AGO);
      if (record === undefined) return undefined;
      const first = { type: 'resumed', at: await nextTime(), epoch, process: thisProcess(), ...agreed } as const;
      try {
        return { writer: await resumeChangeWriter(folder, changeId, first), record };
      } catch (error) {
        // As long as this process runs, the claim would keep everybody from carrying it on.
        await removeIfPossible(claimFile(folder, changeId, epoch));
        throw notBegun(changeId, error);
      }
    },
    async addFound(record, found) {
      const { changeId } = record.intent;
      await appendFound(folder, changeId, record.epoch, found);
      return (await read(changeId)) ?? record;
    },
    has,
    read,
    readIds: (changeId) => readIdList(fileOf(changeId, 'ids')),
    readRows: async (changeId, ids) => {
      const file = await readFile(fileOf(changeId, 'rows')).catch(() => undefined);
      return file === undefined ? undefined : rowsFrom(file, ids);
    },
    requestStop: (changeId, by) => requestStop(folder, changeId, by),
    isAskedToStop: (changeId) => existsSync(stopFileOf(folder, changeId)),
    count: async () => idsIn(await namesOfFiles()).length,
    newer,
    async list(limit, { status, idStart = '' } = {}) {
      const found: ChangeRecord[] = [];
      const mayMatch = (id: string, known: IndexEntry | undefined) =>
        id.startsWith(idStart) && (status === undefined || known?.status === undefined || known.status === status);
      for await (const record of eachOf(idsIn(await namesOfFiles()), mayMatch)) {
        if (status === undefined || record.status === status) found.push(record);
        if (found.length >= limit) break;
      }
      return found;
    },
    async *each(kinds, newerThan = '', records) {
      const names = await namesOfFiles();
      const late = new Set(idsWith(`.${LATE}`, names));
      const isNewer = (id: string) => id > newerThan || late.has(id);
      yield* eachOf(idsIn(names), (id, known) => isNewer(id) && (known === undefined || mayHave(known, kinds, records)), kinds);
    },
    async *eachSince(kinds, begun, records, isWanted) {
      const names = await namesOfFiles();
      const late = lateIn(names);
      const isRead = async (changeId: string): Promise<boolean> => {
        if (isWanted === undefined) return true;
        // Before it was carried on, the clock may have been set back.
        const touchedMs = late.has(changeId) ? Number.POSITIVE_INFINITY : lastTouchedMs(changeId);
        return listHasOne(fileOf(changeId, 'ids'), (id) => isWanted(id, touchedMs)).catch(unlessShort(false));
      };
      const begunMs = Date.parse(begun.at);
      const mayMatch = (_id: string, known: IndexEntry | undefined) => known === undefined || mayHave(known, kinds, records);
      const isSince = ({ intent, resumed, bulk, untilMs }: ChangeRecord) =>
        isBegunAfter(intent, begun) || (resumed !== undefined && resumed.at > begun.at) || (bulk !== undefined && untilMs > begunMs);
      for await (const record of eachOf(idsSince(names, begun.changeId), mayMatch, kinds, isRead)) if (isSince(record)) yield record;
    },
    async unreadableBulk(begun) {
      const names = await namesOfFiles();
      const bulk = new Set(idsWith('.ids', names));
      const unread = (begun === undefined ? idsIn(names) : idsSince(names, begun.changeId)).filter(
        (id) => bulk.has(id) && entryOf(id) === undefined,
      );
      return damagedOf(unread);
    },
    async unreadable(from, to, read) {
      const other = new Set([...read, ...newer()]);
      return damagedOf(idsIn(await namesOfFiles()).filter((id) => id >= from && (to === undefined || id <= to) && !other.has(id)));
    },
    covered,
    snapshot() {
      let ids: Promise<readonly string[]> | undefined;
      const found = () => {
        ids ??= namesOfFiles().then((names) => {
          const [all, late] = [idsIn(names), lateIn(names)];
          return [...all.filter((id) => late.has(id)), ...all.filter((id) => !late.has(id))];
        });
        return ids;
      };
      return {
        async thoseLeft(records) {
          const entries = (await found()).map(entryOf);
          return records.filter((record) => entries.some((entry) => mayHaveLeft(entry, record)));
        },
        each: (records) => eachOf(found(), (_id, known) => known?.written?.some((id) => records.has(id)) ?? true),
      };
    },
    outcomesLocation: (changeId) => ({
      changeId,
      filesDir,
      beside: fileOf(changeId, 'not-done.csv'),
      ...(linkOf && { link: linkOf(changeId) }),
    }),
    async withLock(key, stop, act) {
      await makeFolder(folder).catch((error: unknown) => {
        throw journalFailed(key, error);
      });
      return withRecordLock(folder, key, stop, act);
    },
  };
}

/** The error for an id that no change in the account's journal has. */
export const noSuchChange = (changeId: string, facts: ErrorFacts = {}, elsewhere?: Sentence): VideoHostingError =>
  new VideoHostingError(
    'not_found',
    joined([
      sentence`There is no change ${inQuotes(changeId, 60)} in this account’s journal.`,
      ...(elsewhere === undefined ? [] : [elsewhere]),
    ]),
    {
      facts,
      hint: sentence`See list_changes for the ids. What waits in a form, or for a token, is known to its own server process alone.`,
    },
  );
