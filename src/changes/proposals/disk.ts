import { createHash, randomUUID } from 'node:crypto';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { diskReason, refusal, undefinedIfRefused, VideoHostingError } from '../../errors.ts';
import type { NamedFiles } from '../../files/named-files.ts';
import type { NotedFile } from '../../files/noted-files.ts';
import { definedFields } from '../../platform/defined-fields.ts';
import { codeOf, fsyncFolder, linkExclusive, makeFolder, removeIfPossible, writeDurably } from '../../platform/files.ts';
import { fieldsIn, type Values } from '../../platform/is-object.ts';
import { parseJsonOrUndefined } from '../../platform/parse-json.ts';
import { holdsLock, isOfThisMachine, thisProcess } from '../../platform/process-liveness.ts';
import { digestOf } from '../../platform/stable-json.ts';
import { DAY_MS } from '../../platform/time-units.ts';
import { ownCommand } from '../../text/own-command.ts';
import { type Sentence, sentence, word } from '../../text/sentence.ts';
import { CHANGE_ID, idsWith } from '../journal/file-names.ts';
import type { Journal } from '../journal/journal.ts';
import type { ChangePlan, ShownPlan } from '../plan/plan.ts';
import type { Notification, Notify } from '../standing/notify.ts';
import { doesAll, effectOf } from './declined-effect.ts';
import { DecisionSchema, FORMAT, jsonOfPlan, type KeptDecision, KeptSchema, ListsSchema, proposalOf, recordsOf } from './disk-file.ts';
import { keptEnded } from './ended-text.ts';
import { damagedFile, textOf, writeFailed } from './file-errors.ts';
import { keepFiles, keptFiles, removeFiles } from './kept-files.ts';
import { BEGINNING_MS, isWaiting, type Proposal } from './proposal.ts';
import { KEPT_ENDED_DAYS, MAX_KEPT, MAX_KEPT_ENDED } from './proposal-limits.ts';
import { type DiskRoute, waitsOf } from './routes/index.ts';
import type { EndedRequest, ProposalStore } from './store.ts';

/** Of the journal: held while any of the files are written or removed, but for decisions. */
export const KEPT_LOCK = 'kept-changes';
/** The files of one: what was asked for, its lists, what was decided, and that its end was told. */
const ENDINGS = ['json', 'lists', 'decision', 'told'] as const;

export interface KeptOptions {
  readonly folder: string;
  readonly accountId: string;
  readonly journal: Pick<Journal, 'withLock' | 'read' | 'has'>;
  /** Where calls name files. */
  readonly files?: NamedFiles;
  /** Where a person is told of what waits. */
  readonly notify?: Notify;
  readonly now?: () => number;
}

export interface NewOnDisk extends Pick<Proposal, 'changeId' | 'asked' | 'requestDigest' | 'action' | 'tool'> {
  readonly route: DiskRoute;
  /** When a person declined the same before. */
  readonly declinedAt: string | undefined;
  readonly why: Sentence | undefined;
  readonly lacks?: Sentence | undefined;
  readonly args: Values;
  /** What its plan read. */
  readonly files?: readonly NotedFile[] | undefined;
  readonly plan: ShownPlan;
}

interface BegunRequest extends EndedRequest {
  readonly begun: string;
  /** The digest of what it does, asked for only where anything waits. */
  readonly actionOf: () => string;
  readonly plan: ChangePlan;
}

export type DiskStore = ReturnType<typeof createDiskStore> & ProposalStore;

/**
 * The changes of one account that wait on disk until a person decides, for all processes with its folder: a file for each, which is
 * there as a whole or not at all and never changes, and one for the decision, which only one process can create.
 */
export function createDiskStore({ folder, accountId, journal, files = [], notify, now = () => Date.now() }: KeptOptions) {
  const fileOf = (changeId: string, ending: (typeof ENDINGS)[number]): string => join(folder, `${changeId}.${ending}`);
  /** By its name, no other process takes it for one that was left. */
  const temporary = (changeId: string): string => join(folder, `${changeId}.${randomUUID()}.new`);
  const namesOfFiles = () =>
    readdir(folder).catch((error: unknown): string[] => {
      if (codeOf(error) === 'ENOENT') return [];
      throw new VideoHostingError('data_folder_failed', sentence`What waits for a person can’t be read (${diskReason(error)}).`);
    });

  /** The content of a file, or undefined where there is none. Throws where it is not what was written for this account and name. */
  async function contentOf(changeId: string) {
    const text = await textOf(fileOf(changeId, 'json'), changeId);
    if (text === undefined) return undefined;
    const { digest, ...body } = fieldsIn(parseJsonOrUndefined(text));
    if (digest !== digestOf(accountId, body)) throw damagedFile(changeId, sentence`it is not as it was written, or of another account`);
    const file = KeptSchema.safeParse(body).data;
    if (file?.changeId !== changeId) throw damagedFile(changeId, sentence`it was written by another version`);
    return file;
  }

  async function decisionOn(changeId: string): Promise<KeptDecision | undefined> {
    const text = await textOf(fileOf(changeId, 'decision'), changeId);
    if (text === undefined) return undefined;
    const decision = DecisionSchema.safeParse(parseJsonOrUndefined(text)).data;
    if (decision === undefined) throw damagedFile(changeId, sentence`what was decided on it is damaged`);
    return decision;
  }

  /** With all that waited when it was asked for as what it overtakes. */
  async function read(changeId: string): Promise<Proposal | undefined> {
    if (!CHANGE_ID.test(changeId)) return undefined;
    const file = await contentOf(changeId);
    if (file === undefined) return undefined;
    const decision = await decisionOn(changeId);
    if (decision === undefined || !(await isLeft(file, decision))) return proposalOf(file, decision, now());
    return { ...proposalOf(file, undefined, now()), leftAt: decision.at };
  }

  /** Whether the process that was to begin it ended before that: nobody else can begin it by that decision. */
  async function isLeft({ changeId, resumes }: Pick<Proposal, 'changeId' | 'resumes'>, decision: KeptDecision): Promise<boolean> {
    const { status, at, process } = decision;
    if (status !== 'started') return false;
    const isGone =
      process === undefined ? now() - Date.parse(at) > BEGINNING_MS : isOfThisMachine(process) && !holdsLock(process, Date.parse(at));
    if (!isGone || journal.has(changeId)) return false;
    if (resumes === undefined) return true;
    const record = await journal.read(resumes).catch(undefinedIfRefused);
    return record !== undefined && (record.resumed === undefined || record.resumed.at < at);
  }

  /** Removes the decision of a process that is gone, so that another can be made. Resolves to whether there is none any more. Needs the lock. */
  async function dropLeft(file: Pick<Proposal, 'changeId' | 'resumes'>): Promise<boolean> {
    const decision = await decisionOn(file.changeId);
    if (decision !== undefined && !(await isLeft(file, decision))) return false;
    await removeIfPossible(fileOf(file.changeId, 'decision'));
    return true;
  }

  const removeLeft = (file: Pick<Proposal, 'changeId' | 'resumes'>): Promise<boolean> =>
    journal.withLock(KEPT_LOCK, new AbortController().signal, () => dropLeft(file));

  async function get(changeId: string): Promise<Proposal | undefined> {
    const change = await read(changeId).catch(async (error: unknown) => {
      if ((await journal.read(changeId)) === undefined) throw error;
      return undefined;
    });
    const older = await Promise.all((change?.overtakes ?? []).map((id) => read(id).catch(undefinedIfRefused)));
    return change && withWaiting(change, older);
  }

  async function listsOf(changeId: string, digest: string) {
    const text = (await textOf(fileOf(changeId, 'lists'), changeId)) ?? '';
    const lists = sha256(text) === digest ? ListsSchema.safeParse(parseJsonOrUndefined(text)).data : undefined;
    if (lists === undefined) throw damagedFile(changeId, sentence`its lists are missing, or not as they were written`);
    return lists;
  }

  async function list() {
    const names = await namesOfFiles();
    const ids = idsWith('.json', names).toSorted().toReversed();
    const proposals: Proposal[] = [];
    /** Those that are there and can’t be relied on: nothing is carried out by them. */
    const damaged: { readonly changeId: string; readonly problem: Sentence }[] = [];
    for (const changeId of ids) {
      try {
        const change = await read(changeId);
        if (change !== undefined) proposals.push(change);
      } catch (error) {
        if (!(error instanceof VideoHostingError)) throw error;
        damaged.push({ changeId, problem: error.message });
      }
    }
    const told = new Set(idsWith('.told', names));
    for (const change of proposals) if (!told.has(change.changeId)) await tellIfExpiring(change);
    return { proposals: proposals.map((change) => withWaiting(change, proposals)), damaged };
  }

  /** Of one that waits for less than a day from now, by one of all processes. */
  async function tellIfExpiring({ changeId, status, expiresAt, asked, route }: Proposal): Promise<void> {
    const { isForLater } = waitsOf(route);
    // A process that tells nobody leaves it to one that does.
    if (notify === undefined || status !== 'waiting' || !isForLater || expiresAt - now() > DAY_MS) return;
    // What can’t be marked would be told at each look.
    const isFirst = await linkExclusive(temporary(changeId), '', fileOf(changeId, 'told')).catch(() => false);
    if (isFirst) notify(notificationOf('expires', { changeId, asked, expiresAt }));
  }

  async function remove(changeId: string): Promise<void> {
    await removeFiles(folder, changeId, (await contentOf(changeId).catch(undefinedIfRefused))?.files ?? []);
    for (const ending of ENDINGS) await removeIfPossible(fileOf(changeId, ending));
  }

  /** Removes what ended long ago, and what a process that was killed left; returns the rest, the newest first. Needs the lock. */
  async function prune(): Promise<readonly Proposal[]> {
    const names = await namesOfFiles();
    const whole = new Set(idsWith('.json', names));
    // What somebody else put there stays.
    const orphans = names.filter((name) => CHANGE_ID.test(name.split('.')[0] ?? '') && !whole.has(name.split('.')[0] ?? ''));
    const { proposals } = await list();
    const isOld = ({ expiresAt }: Proposal) => expiresAt + KEPT_ENDED_DAYS * DAY_MS < now();
    const ended = proposals.filter((change) => !isWaiting(change));
    const old = [...ended.filter(isOld), ...surplusOfAgents(ended.filter((change) => !isOld(change)))];
    for (const name of orphans) await removeIfPossible(join(folder, name));
    for (const { changeId } of old) await remove(changeId);
    // Of what was begun, and of what expired, nobody plans anything again.
    for (const { changeId, status } of ended)
      if (status === 'expired' || journal.has(changeId))
        await removeFiles(folder, changeId, (await contentOf(changeId).catch(undefinedIfRefused))?.files ?? []);
    return proposals.filter((change) => !old.includes(change));
  }

  async function write({ args, files: noted = [], ...kept }: NewOnDisk, known: readonly Proposal[]): Promise<void> {
    const { changeId, plan } = kept;
    const lists = JSON.stringify({ args, records: recordsOf(plan) });
    const at = now();
    const copies = noted.length === 0 ? undefined : await keepFiles(folder, changeId, files, noted);
    const content = {
      ...{ format: FORMAT, ...kept, files: copies, resumes: plan.resumes, lists: sha256(lists), plan: jsonOfPlan(plan) },
      ...{ at: new Date(at).toISOString(), expiresAt: new Date(at + waitsOf(kept.route).lifetimeMs).toISOString() },
      overtakes: await overtakenBy(plan, known.filter(isWaiting)),
    };
    // As it is read again: without what is undefined.
    const body = fieldsIn(JSON.parse(JSON.stringify(content)));
    await writeDurably(fileOf(changeId, 'lists'), lists);
    await linkExclusive(temporary(changeId), JSON.stringify({ ...body, digest: digestOf(accountId, body) }), fileOf(changeId, 'json'));
    await fsyncFolder(folder);
  }

  /** Those of some changes that are about some of the same records as a plan. */
  async function overtakenBy(plan: ShownPlan, waiting: readonly Proposal[]): Promise<readonly string[]> {
    const records = new Set(waiting.length === 0 ? [] : recordsOf(plan));
    const overtaken: string[] = [];
    for (const { changeId } of records.size === 0 ? [] : waiting) {
      const file = await contentOf(changeId).catch(undefinedIfRefused);
      const lists = file && (await listsOf(changeId, file.lists).catch(undefinedIfRefused));
      if (lists?.records.some((id) => records.has(id))) overtaken.push(changeId);
    }
    return overtaken;
  }

  /** Whether a plan does all that a waiting change would do, however it was asked for. */
  async function isDoneBy(plan: ChangePlan, { changeId, plan: waiting }: Proposal): Promise<boolean> {
    const file = 'ids' in waiting ? await contentOf(changeId) : undefined;
    const effect = effectOf(waiting, file && (await listsOf(changeId, file.lists)).records);
    return effect !== undefined && doesAll(plan, effect);
  }

  /** `shown`: the change that a person saw under this id; `by`: the change that began the same. */
  async function decide(changeId: string, status: KeptDecision['status'], note = '', shown?: Proposal, by?: string): Promise<void> {
    const change = await get(changeId);
    assertWaits(changeId, change);
    if (shown !== undefined && change.digest !== shown.digest) throw replaced(changeId);
    const process = status === 'started' ? thisProcess() : undefined;
    const decision: KeptDecision = { status, at: new Date(now()).toISOString(), note, by, process };
    const link = () =>
      linkExclusive(temporary(changeId), JSON.stringify(decision), fileOf(changeId, 'decision')).catch((cause: unknown) => {
        throw writeFailed(sentence`The decision on ${word(changeId)} can’t be written`, cause);
      });
    const isFirst = (await link()) || (change.leftAt !== undefined && (await removeLeft(change)) && (await link()));
    if (!isFirst) {
      assertWaits(changeId, await get(changeId));
      throw refusal('not_approved', sentence`Somebody else decides on ${word(changeId)} at this moment.`, 'Look at it again in a moment.');
    }
    await fsyncFolder(folder);
    // Nobody plans it again.
    if (status !== 'started') await removeFiles(folder, changeId, (await contentOf(changeId))?.files ?? []);
  }

  return {
    /** Those of the account, of all agents, the newest first: those that wait, and what became of others; and the files that can’t be read. */
    list,
    /** Becomes another whenever one begins to wait or is decided. */
    stamp: (): Promise<string> =>
      stat(folder, { bigint: true })
        .then(({ mtimeNs }) => String(mtimeNs), codeOf)
        .then(String),
    /** Throws `not_found` where its file can’t be relied on, and the journal doesn’t have it either. */
    get,
    /** The arguments of the call. Throws `not_found` where they can’t be relied on. */
    async argumentsOf(changeId: string): Promise<Values> {
      const file = await contentOf(changeId);
      if (file === undefined) throw damagedFile(changeId, sentence`it is gone`);
      return (await listsOf(changeId, file.lists)).args;
    },
    /** What the files of its call held, or, of one of an earlier version, the files. */
    async filesOf(changeId: string): Promise<NamedFiles> {
      const copies = (await contentOf(changeId))?.files;
      return copies === undefined ? files : keptFiles(folder, changeId, copies);
    },
    /** The ids of its records, without those that were too many to be kept. Throws like `argumentsOf`. */
    async recordsIn(changeId: string): Promise<readonly string[]> {
      const file = await contentOf(changeId);
      if (file === undefined) throw damagedFile(changeId, sentence`it is gone`);
      return (await listsOf(changeId, file.lists)).records;
    },
    /** Keeps a change, durably, or finds the one that would do the same. Throws where as many wait as may. */
    keep: (proposed: NewOnDisk, signal: AbortSignal): Promise<{ readonly change: Proposal; readonly isNew: boolean }> =>
      journal.withLock(KEPT_LOCK, signal, async () => {
        try {
          await makeFolder(folder);
          const known = await prune();
          const own = known.filter((change) => isWaiting(change) && agentOf(change) === agentOf(proposed));
          const same = own.find(({ action }) => action === proposed.action);
          if (same !== undefined && (same.changeId === proposed.changeId || waitsOf(proposed.route).store === 'disk'))
            return { change: same, isNew: false };
          // The process that asked before is gone, or asks in another way: one question is enough.
          if (same?.route === proposed.route) {
            if (same.leftAt !== undefined) await dropLeft(same);
            await decide(same.changeId, 'withdrawn').catch(undefinedIfRefused);
          }
          if (own.length >= MAX_KEPT) throw full(agentOf(proposed));
          await write(proposed, known);
        } catch (error) {
          throw error instanceof VideoHostingError ? error : writeFailed(sentence`The change can’t be kept for a person`, error);
        }
        const change = await get(proposed.changeId);
        if (change === undefined) throw damagedFile(proposed.changeId, sentence`it is gone`);
        if (waitsOf(change.route).isForLater) notify?.(notificationOf('waits', change));
        return { change, isNew: true };
      }),
    /**
     * Ends the wait without beginning anything. Throws `not_approved` unless it still waits, and as what was `shown` to a person: the
     * first who decides counts.
     */
    decide: (changeId: string, status: 'declined' | 'withdrawn', note?: string, shown?: Proposal): Promise<void> =>
      decide(changeId, status, note, shown),
    withdraw: (changeId: string): Promise<void> => decide(changeId, 'withdrawn'),
    /** Ends the wait and begins the change; where that fails it waits on. Throws like `decide`. */
    async begin<T>(changeId: string, note: string, begin: () => Promise<T>, shown?: Proposal): Promise<T> {
      await decide(changeId, 'started', note, shown);
      try {
        return await begin();
      } catch (error) {
        await removeIfPossible(fileOf(changeId, 'decision'));
        throw error;
      }
    },
    /** A person declined the same in another way. */
    async declineSame(action: string, note: string): Promise<void> {
      const same = (await list()).proposals.filter((change) => isWaiting(change) && change.action === action);
      for (const { changeId } of same) await decide(changeId, 'declined', note).catch(undefinedIfRefused);
    },
    /** A request was begun: what else waits for it, or would do nothing but what that does, counts no more. */
    async end({ requestDigest, resumed = [], begun, actionOf, plan }: BegunRequest): Promise<void> {
      const others = (await list()).proposals.filter(isWaiting);
      if (others.length === 0) return;
      const action = actionOf();
      const isSame = async (change: Proposal): Promise<boolean> =>
        (change.resumes !== undefined && resumed.includes(change.resumes)) ||
        // Files of the same names may hold something else by now.
        (change.requestDigest === requestDigest && plan.files === undefined) ||
        change.action === action ||
        (await isDoneBy(plan, change));
      for (const change of others)
        if (await isSame(change))
          await decide(change.changeId, 'withdrawn', '', undefined, change.changeId === begun ? undefined : begun).catch(() => undefined);
    },
  };
}

const notificationOf = (
  kind: 'waits' | 'expires',
  { changeId, asked, expiresAt }: Pick<Proposal, 'changeId' | 'asked' | 'expiresAt'>,
): Notification => ({
  ...{ kind, changeId, expiresAt: new Date(expiresAt).toISOString() },
  ...definedFields({ askedBy: agentOf({ asked }) }),
});

/** For whom a server asked that was given a name. */
const agentOf = ({ asked }: Pick<Proposal, 'asked'>): string | undefined => asked.by?.name;

/**
 * Those that ended first, of each agent that has more than are kept. What a person declined is counted apart: an agent that asks and
 * withdraws must not make that be forgotten.
 */
function surplusOfAgents(ended: readonly Proposal[]): readonly Proposal[] {
  const endOf = ({ decidedAt, expiresAt }: Proposal) => (decidedAt === undefined ? expiresAt : Date.parse(decidedAt));
  const counts = new Map<string, number>();
  return ended
    .toSorted((one, other) => endOf(other) - endOf(one))
    .filter(({ asked, status }) => {
      const group = JSON.stringify([agentOf({ asked }), status === 'declined']);
      const count = (counts.get(group) ?? 0) + 1;
      counts.set(group, count);
      return count > MAX_KEPT_ENDED;
    });
}

/** Without what does not wait any more among what it overtakes. */
const withWaiting = (change: Proposal, others: readonly (Proposal | undefined)[]): Proposal => ({
  ...change,
  overtakes: change.overtakes.filter((id) => others.some((other) => other?.changeId === id && isWaiting(other))),
});

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

const noneWaits = (changeId: string): VideoHostingError => refusal('not_found', sentence`No change ${word(changeId)} waits here.`);

const replaced = (changeId: string): VideoHostingError =>
  refusal(
    'not_approved',
    sentence`Another change waits as ${word(changeId)} now than the one that was shown.`,
    'Look at it again, and decide on what it is now.',
  );

function assertWaits(changeId: string, change: Proposal | undefined): asserts change is Proposal {
  if (change === undefined) throw noneWaits(changeId);
  if (change.status !== 'waiting')
    throw refusal(
      'not_approved',
      sentence`${word(changeId)} waits no more. ${change.status === 'started' ? sentence`It was approved.` : keptEnded(change, 'person')}`,
      'get_change tells what came of it.',
    );
}

const full = (agent: string | undefined): VideoHostingError =>
  refusal(
    'not_approved',
    sentence`${MAX_KEPT} changes${agent === undefined ? '' : sentence` of ${word(agent)}`} wait for a person already, which is as many as may. This one was not kept.`,
    sentence`A person has to decide on those first (${ownCommand('waiting')}); stop_change withdraws one that is not wanted any more.`,
  );
