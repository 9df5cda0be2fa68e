import { createHash, randomUUID } from 'node:crypto';
import { type BigIntStats, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { diskReason } from '../../errors/disk-error.ts';
import { undefinedIfRefused, VideoHostingError } from '../../errors.ts';
import type { NamedFiles } from '../../files/named-files.ts';
import { fsyncFolder, linkExclusive, makeFolder, namesInFolder, removeIfPossible, writeDurably } from '../../platform/files.ts';
import { INTERVALS } from '../../platform/intervals.ts';
import { fieldsIn } from '../../platform/is-object.ts';
import { createKeyedMutex } from '../../platform/keyed-mutex.ts';
import { entriesIn, entriesOfText, longPiece } from '../../platform/long-work.ts';
import { parseJsonOrUndefined } from '../../platform/parse-json.ts';
import { thisProcess } from '../../platform/process-liveness.ts';
import { digestOf } from '../../platform/stable-json.ts';
import { DAY_MS } from '../../platform/time-units.ts';
import { sentence, word } from '../../text/sentence.ts';
import { isOfNewerVersion } from '../../text/zod-problem.ts';
import { CHANGE_ID, idsWith } from '../journal/file-names.ts';
import type { Journal } from '../journal/journal.ts';
import { type BackEnd, type StoredProposal, type StoredProposals, unreliable } from './back-end.ts';
import { EndingSchema, FORMAT, jsonOfPlan, ListsSchema, ProposalFileSchema, proposalOf } from './disk-file.ts';
import { copiedFiles, copyFiles, removeCopies } from './file-copies.ts';
import { damagedFile, newerFile, textOf, writeFailed } from './file-errors.ts';
import { KEPT_ENDED_DAYS, MAX_KEPT_ENDED } from './proposal-limits.ts';
import { recordsOf } from './records-of.ts';
import { waitsOf } from './routes/index.ts';

/** Of the journal: held while any of the files are written or removed, but for decisions. */
export const PROPOSALS_LOCK = 'kept-changes';
/** Of the names of the files of one: what was asked for, its lists, what was decided, and that its end was told. */
const SUFFIXES = ['json', 'lists', 'decision', 'told'] as const;
/** Whether a name tells that something began to wait, or was decided. */
const isTelling = (name: string): boolean => name.endsWith('.json') || name.endsWith('.decision');
/** For so long the time of a folder may stay as it is although something else comes into it. */
const UNSURE_MS = 2_000;

export interface DiskOptions {
  readonly folder: string;
  readonly accountId: string;
  readonly journal: Pick<Journal, 'withLock'>;
  /** Where calls name files. */
  readonly files?: NamedFiles;
  /** How often is looked for what another process does. */
  readonly everyMs?: number;
}

/**
 * What waits for all processes with a folder: a file for each, which is there as a whole or not at all and never changes, and one for
 * what ended its wait, which only one process can create.
 */
export function createDiskBackEnd({ folder, accountId, journal, files = [], everyMs = INTERVALS.historyMs }: DiskOptions): BackEnd {
  const fileOf = (changeId: string, suffix: (typeof SUFFIXES)[number]): string => join(folder, `${changeId}.${suffix}`);
  /** By its name, no other process takes it for one that was left. */
  const temporary = (changeId: string): string => join(folder, `${changeId}.${randomUUID()}.new`);
  const withMutex = createKeyedMutex();
  /** Who watches what others do. */
  let watcher: ((changeId: string) => void) | undefined;
  /** The names that tell, as they were when it was looked last, and as this process has made them since. */
  let known: Set<string> = new Set();
  /** Those that this process is making or removing. */
  const underWay = new Set<string>();

  /** Makes or removes a file, which is told to nobody as done by another process. `act` resolves to false where nothing came of it. */
  async function asOwn<T>(changeId: string, suffix: (typeof SUFFIXES)[number], isThere: boolean, act: () => Promise<T>): Promise<T> {
    const name = `${changeId}.${suffix}`;
    underWay.add(name);
    try {
      const result = await act();
      if (result !== false && watcher !== undefined && isTelling(name)) isThere ? known.add(name) : known.delete(name);
      return result;
    } finally {
      underWay.delete(name);
    }
  }

  const namesOfFiles = () =>
    namesInFolder(folder).catch((error: unknown) => {
      throw new VideoHostingError('data_folder_failed', sentence`What waits for a person can’t be read (${diskReason(error)}).`);
    });

  /** The content of a file, or undefined where there is none. Throws where it is not what was written for this account and name. */
  async function contentOf(changeId: string) {
    const text = await textOf(fileOf(changeId, 'json'), changeId);
    if (text === undefined) return undefined;
    // The plan of what channels hold has their lists.
    const step = () => longPiece(entriesOfText(text.length));
    await step();
    const { digest, ...body } = fieldsIn(parseJsonOrUndefined(text));
    const waiting = sentence`${word(changeId)} waited for a person, and`;
    // Its digest may be made in another way.
    if (typeof body.format === 'number' && body.format > FORMAT) throw newerFile(waiting);
    await step();
    if (digest !== digestOf(accountId, body)) throw damagedFile(changeId, sentence`it is not as it was written, or of another account`);
    await step();
    const { data: file, error } = ProposalFileSchema.safeParse(body);
    if (error !== undefined && isOfNewerVersion(error.issues, body)) throw newerFile(waiting);
    if (file?.changeId !== changeId) throw damagedFile(changeId, sentence`it was written by another version`);
    return file;
  }

  async function endingOf(changeId: string) {
    const text = await textOf(fileOf(changeId, 'decision'), changeId);
    if (text === undefined) return undefined;
    const value = parseJsonOrUndefined(text);
    const { data: ending, error } = EndingSchema.safeParse(value);
    if (error !== undefined && isOfNewerVersion(error.issues, value)) throw newerFile(sentence`What was decided on ${word(changeId)}`);
    if (ending === undefined) throw damagedFile(changeId, sentence`what was decided on it is damaged`);
    return ending;
  }

  async function read(changeId: string, names?: ReadonlySet<string>): Promise<StoredProposal | undefined> {
    if (!CHANGE_ID.test(changeId)) return undefined;
    const file = await contentOf(changeId);
    if (file === undefined) return undefined;
    const isThere = (suffix: string) => names === undefined || names.has(`${changeId}.${suffix}`);
    return {
      proposal: proposalOf(file),
      ending: isThere('decision') ? await endingOf(changeId) : undefined,
      hasFileCopies: file.files !== undefined && isThere('file0'),
      isTold: names?.has(`${changeId}.told`) === true,
    };
  }

  async function wholeOf(changeId: string) {
    const file = await contentOf(changeId);
    if (file === undefined) throw damagedFile(changeId, sentence`it is gone`);
    const text = (await textOf(fileOf(changeId, 'lists'), changeId)) ?? '';
    const step = () => longPiece(entriesOfText(text.length));
    await step();
    const isAsWritten = sha256(text) === file.lists;
    await step();
    const lists = isAsWritten ? ListsSchema.safeParse(parseJsonOrUndefined(text)).data : undefined;
    if (lists === undefined) throw damagedFile(changeId, sentence`its lists are missing, or not as they were written`);
    return { ...lists, copies: file.files };
  }

  async function release(changeId: string): Promise<void> {
    await removeCopies(folder, changeId, (await contentOf(changeId).catch(undefinedIfRefused))?.files ?? []);
  }

  const stamp = (): { readonly time: string; readonly isSure: boolean } => {
    const { mtimeNs = 0n, mtimeMs = 0n } = statsOf(folder) ?? {};
    return { time: String(mtimeNs), isSure: Date.now() - Number(mtimeMs) > UNSURE_MS };
  };

  return {
    name: 'disk',
    ended: { max: MAX_KEPT_ENDED, maxKeys: Number.POSITIVE_INFINITY, keptMs: KEPT_ENDED_DAYS * DAY_MS },
    exclusively: (signal, act) =>
      // First within this process, so that it asks for the file once at a time.
      withMutex(PROPOSALS_LOCK, () =>
        journal.withLock(PROPOSALS_LOCK, signal, async () => {
          try {
            await makeFolder(folder);
            return await act();
          } catch (error) {
            throw error instanceof VideoHostingError ? error : writeFailed(sentence`The change can’t be kept for a person`, error);
          }
        }),
      ),
    async add({ proposal, args, files: noted }) {
      const {
        changeId,
        plan,
        at,
        expiresAt,
        resumes,
        asked,
        requestDigest,
        action = requestDigest,
        tool,
        route,
        why,
        lacks,
        overtakes,
        declinedAt,
      } = proposal;
      const records = recordsOf(plan);
      await longPiece(records.length);
      const lists = JSON.stringify({ args, records });
      await longPiece(records.length);
      const copies = noted.length === 0 ? undefined : await copyFiles(folder, changeId, files, noted);
      const content = {
        ...{ format: FORMAT, changeId, asked, requestDigest, action, tool, route, why, lacks, overtakes, declinedAt, resumes },
        ...{ at: new Date(at).toISOString(), expiresAt: new Date(expiresAt).toISOString() },
        ...{ files: copies, lists: sha256(lists), plan: jsonOfPlan(plan), process: waitsOf(route).isForLater ? undefined : thisProcess() },
      };
      const step = () => longPiece(entriesIn(content.plan));
      await step();
      // As it is read again: without what is undefined.
      const body = fieldsIn(JSON.parse(JSON.stringify(content)));
      await writeDurably(fileOf(changeId, 'lists'), lists);
      await step();
      const text = JSON.stringify({ ...body, digest: digestOf(accountId, body) });
      await asOwn(changeId, 'json', true, () => linkExclusive(temporary(changeId), text, fileOf(changeId, 'json')));
      await fsyncFolder(folder);
    },
    read: (changeId) => read(changeId),
    async list(): Promise<StoredProposals> {
      const names = await namesOfFiles();
      const all = new Set(names);
      const stored: StoredProposal[] = [];
      const damaged: StoredProposals['damaged'][number][] = [];
      for (const changeId of idsWith('.json', names).toSorted().toReversed()) {
        try {
          const one = await read(changeId, all);
          if (one !== undefined) stored.push(one);
        } catch (error) {
          if (!(error instanceof VideoHostingError)) throw error;
          damaged.push(unreliable(changeId, error));
        }
      }
      return { stored, damaged };
    },
    async settle(changeId, ending) {
      const write = () => linkExclusive(temporary(changeId), JSON.stringify(ending), fileOf(changeId, 'decision'));
      const isFirst = await asOwn(changeId, 'decision', true, write).catch((cause: unknown) => {
        throw writeFailed(sentence`The decision on ${word(changeId)} can’t be written`, cause);
      });
      if (isFirst) await fsyncFolder(folder);
      return isFirst;
    },
    unsettle: (changeId, ending) =>
      asOwn(changeId, 'decision', false, async () => {
        const there = await endingOf(changeId);
        if (there === undefined) return true;
        if (digestOf(there) !== digestOf(EndingSchema.parse(ending))) return false;
        await removeIfPossible(fileOf(changeId, 'decision'));
        return true;
      }),
    release,
    async remove(changeId) {
      await release(changeId);
      for (const suffix of SUFFIXES) {
        await asOwn(changeId, suffix, false, () => removeIfPossible(fileOf(changeId, suffix)));
      }
    },
    async tidy() {
      const names = await namesOfFiles();
      const whole = new Set(idsWith('.json', names));
      // What somebody else put there stays.
      const isOrphan = (id = '') => CHANGE_ID.test(id) && !whole.has(id);
      for (const name of names) if (isOrphan(name.split('.')[0])) await removeIfPossible(join(folder, name));
    },
    recordsOf: async (changeId) => (await wholeOf(changeId)).records,
    async callOf(changeId) {
      const { args, copies } = await wholeOf(changeId);
      // Of one of an earlier version, the files as they are.
      return { args, files: copies === undefined ? files : copiedFiles(folder, changeId, copies) };
    },
    markTold: (changeId) =>
      // What can’t be marked would be told at each look.
      linkExclusive(temporary(changeId), '', fileOf(changeId, 'told')).catch(() => false),
    watch(listener) {
      watcher = listener;
      let last = stamp();
      known = telling(folder);
      const timer = setInterval(() => {
        const now = stamp();
        if (now.time === last.time && last.isSure) return;
        // What is under way is looked at once it is done.
        last = { ...now, isSure: now.isSure && underWay.size === 0 };
        const names = telling(folder);
        for (const name of underWay) known.has(name) ? names.add(name) : names.delete(name);
        const changed = [...[...names].filter((name) => !known.has(name)), ...[...known].filter((name) => !names.has(name))];
        known = names;
        for (const changeId of new Set(changed.map((name) => name.split('.')[0] ?? ''))) listener(changeId);
      }, everyMs).unref();
      return () => {
        clearInterval(timer);
        watcher = undefined;
        known = new Set();
      };
    },
  };
}

/** Undefined also where it may not be looked at, or its disk is away: a timer that throws ends the process. */
function statsOf(folder: string): BigIntStats | undefined {
  try {
    return statSync(folder, { bigint: true });
  } catch {
    return undefined;
  }
}

/** At once, so that whoever looks after it misses nothing. */
function telling(folder: string): Set<string> {
  try {
    return new Set(readdirSync(folder).filter(isTelling));
  } catch {
    return new Set();
  }
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
