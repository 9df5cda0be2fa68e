import { undefinedIfRefused, VideoHostingError } from '../../errors.ts';
import { canBeKept } from '../kinds/planners.ts';
import { createAdding, type NewProposal } from './adding.ts';
import type { DecidedRequests } from './decided-requests.ts';
import { endLive, type Live, type NewLive } from './live.ts';
import { isWaiting, type Proposal } from './proposal.ts';
import { createReading, notificationOf, type ProposalList, type ProposalLookup, type ReadingOptions, withWaiting } from './reading.ts';
import { isOnPage, waitsOf } from './routes/index.ts';
import { createSettling } from './settling.ts';
import { type Unbegun, unbegunOf } from './unbegun-change.ts';

export type { NewProposal } from './adding.ts';
export type { ProposalLookup } from './reading.ts';
export type { Settlement } from './settling.ts';

export interface StoreOptions extends Pick<ReadingOptions, 'backEnds' | 'journal' | 'notify'> {
  /** What processes with this data folder decide on requests. Absent where it is only read. */
  readonly decided?: Pick<DecidedRequests, 'lastOf' | 'declined' | 'actionDeclined' | 'declinedAt'>;
  /** Is told of each that waited and was never begun: when its wait ends, and with each look at what ended. */
  readonly onUnbegun?: (unbegun: Unbegun) => void;
  /** Resolves once what `onUnbegun` was told is on disk, or can’t be brought there. */
  readonly unbegunNoted?: () => Promise<void>;
  readonly now?: () => number;
  /** For how long a decision waits for a process that adds or removes some. */
  readonly lockMs?: number;
}

export type ProposalStore = ReturnType<typeof createProposalStore>;

const LOOK_MS = 10_000;
const LOCK_MS = 10_000;

/** What a person is asked about, and was: each is in one back end, which differ in nothing else, and whoever decides on one does it here. */
export function createProposalStore({
  backEnds: given,
  journal,
  decided,
  notify,
  onUnbegun,
  unbegunNoted,
  now = () => Date.now(),
  lockMs = LOCK_MS,
}: StoreOptions) {
  const backEnds = (['memory', 'disk'] as const).flatMap((name) => given[name] ?? []);
  const lives = new Map<string, Live>();
  const listeners = new Set<(changeId: string) => void>();
  const changed = (changeId: string): void => {
    for (const listener of [...listeners]) listener(changeId);
  };
  const ended = (proposal: Proposal): void => {
    const unbegun = onUnbegun && unbegunOf(proposal);
    if (unbegun !== undefined) onUnbegun?.(unbegun);
  };
  const reading = createReading({ backEnds: given, journal, notify, now, ended, notesExpiry: decided !== undefined }, lives);
  const { backEndOf, hasExpired, hasExpiredForGood, readIn, listIn, isBegun } = reading;

  async function find(changeId: string, isWanted: (proposal: Proposal) => boolean): Promise<Proposal | undefined> {
    await endDecided();
    let found: Proposal | undefined;
    for (const backEnd of backEnds) {
      const one = await readIn(backEnd, changeId).catch(async (error: unknown) => {
        if ((await journal.read(changeId)) === undefined) throw error;
        return undefined;
      });
      if (one === undefined || !isWanted(one)) continue;
      if (found === undefined || isWaiting(one) || one.at > found.at) found = one;
      if (isWaiting(one)) break;
    }
    if (found === undefined || found.overtakes.length === 0) return found;
    const backEnd = backEndOf(found);
    const older = await Promise.all(found.overtakes.map((id) => readIn(backEnd, id).catch(undefinedIfRefused)));
    return withWaiting(found, older);
  }

  const get = (changeId: string) => find(changeId, () => true);

  async function list(isWanted: (proposal: Proposal) => boolean = () => true): Promise<ProposalList> {
    await endDecided();
    const found: ProposalList[] = [];
    for (const backEnd of backEnds) found.push(await listIn(backEnd));
    const proposals = found.flatMap((of) => of.proposals.filter(isWanted));
    return { proposals, damaged: found.flatMap(({ damaged }) => damaged) };
  }

  const waiting = async () => (await list()).proposals.filter(isWaiting);

  /** Looks at what nobody else tells of. */
  async function look(): Promise<void> {
    await endDecided();
    for (const live of lives.values())
      if (!live.isOver && hasExpired(live.proposal, live)) {
        if (hasExpiredForGood(live.proposal, live)) {
          endLive(live, 'expired');
          ended({ ...live.proposal, ...live.shown, status: 'expired' });
        }
        changed(live.proposal.changeId);
      }
  }
  const settling = createSettling({ reading, lives, decided, now, lockMs, get, waiting, ended, noted: unbegunNoted, changed });
  const { endDecided, decide, decline, end, declineRequest } = settling;
  const { lookAhead, addTo, remove } = createAdding({ reading, lives, journal, decided, now, get, settling });
  const timer = setInterval(() => void look().catch(() => undefined), LOOK_MS).unref();

  let unwatch: readonly (() => void)[] = [];

  return {
    get,
    list: (): Promise<ProposalList> => list(),
    /** What is, or was, on the approval page alone. */
    onPage: { get: (changeId) => find(changeId, isOnPage), list: () => list(isOnPage) } satisfies ProposalLookup,
    /** What only this process has of what it asks. */
    liveOf: (changeId: string): Live | undefined => lives.get(changeId),
    lives: (): Iterable<Live> => lives.values(),
    /**
     * Adds one where its route keeps what waits, or finds the one that asks the same. Where the disk can’t have it, and its route allows
     * that, it waits for as long as this process runs. Throws where as many wait as may.
     */
    async add(
      asked: NewProposal,
      signal: AbortSignal,
      live: NewLive = {},
    ): Promise<{ readonly proposal: Proposal; readonly isNew: boolean }> {
      const { stores, isForLater } = waitsOf(asked.route);
      const able = stores.flatMap((name) => (name === 'memory' || canBeKept(asked.tool) ? (given[name] ?? []) : []));
      for (const [index, backEnd] of able.entries()) {
        try {
          const overlaps = await lookAhead(asked, backEnd);
          const added = await backEnd.exclusively(signal, () => addTo(backEnd, asked, live, overlaps));
          if (added.isNew) changed(asked.changeId);
          if (added.isNew && isForLater) notify?.(notificationOf('waits', added.proposal));
          return added;
        } catch (error) {
          const mayGoOn = error instanceof VideoHostingError && error.code !== 'not_approved' && error.code !== 'cancelled';
          if (!mayGoOn || index === able.length - 1) throw error;
        }
      }
      throw new Error(`nothing keeps what is asked by ${asked.route}`);
    },
    ...{ decide, decline, end, declineRequest },
    /** Whoever asked for it gives it up. Throws `not_approved` unless it waits. */
    withdraw: (changeId: string): Promise<void> => decide(changeId, { status: 'withdrawn' }),
    /** No call waits any more for the answer to what is asked here. */
    async giveUp({ proposal, isOver }: Live): Promise<void> {
      if (!isOver) await settling.withdraw(proposal);
    },
    /** Forgets it: nothing came of it. */
    remove: (proposal: Proposal): Promise<void> => remove(proposal, backEndOf(proposal)),
    /** Whether its time is over, unless it is being checked. */
    hasExpired: (live: Live): boolean => hasExpired(live.proposal, live),
    /** It is shown anew here. */
    showAnew(live: Live, shown: Live['shown']): void {
      live.shown = shown;
      changed(live.proposal.changeId);
    },
    isBegun,
    /** The call that asked for it. Throws where it can’t be relied on. */
    callOf: (proposal: Proposal) => backEndOf(proposal).callOf(proposal.changeId),
    /** The ids of its records, without those that were too many to be kept. Throws like `callOf`. */
    recordsOf: (proposal: Proposal) => backEndOf(proposal).recordsOf(proposal.changeId),
    /** Calls a listener with each that begins to wait, is shown anew or ends, in whichever process. Returns how to end that. */
    watch(listener: (changeId: string) => void): () => void {
      if (listeners.size === 0) unwatch = backEnds.map((backEnd) => backEnd.watch(changed));
      listeners.add(listener);
      return () => {
        if (!listeners.delete(listener) || listeners.size > 0) return;
        for (const stop of unwatch) stop();
      };
    },
    /** The server ends: nothing can be carried out here any more; what is on disk waits on. */
    close(): void {
      clearInterval(timer);
      for (const stop of unwatch) stop();
      for (const live of lives.values()) {
        live.begin = undefined;
        live.secret = undefined;
        live.checking?.abort();
      }
    },
  };
}
