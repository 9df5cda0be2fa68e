import { undefinedIfRefused, VideoHostingError } from '../../errors.ts';
import { definedFields } from '../../platform/defined-fields.ts';
import { thisProcess } from '../../platform/process-liveness.ts';
import { canBeKept } from '../kinds/planners.ts';
import type { ConfirmedBy } from '../plan/confirmed-by.ts';
import { createAdding, type NewProposal } from './adding.ts';
import { type EndedRequest, isDoneBy, isEndedBy, isSameRequest } from './alike.ts';
import type { DecidedRequests, DeclinedRequest } from './decided-requests.ts';
import type { Ending } from './disk-file.ts';
import { endLive, isDecidedElsewhere, type Live, type NewLive } from './live.ts';
import { isWaiting, type Proposal } from './proposal.ts';
import { createReading, notificationOf, type ProposalList, type ProposalLookup, type ReadingOptions, withWaiting } from './reading.ts';
import { assertWaits, decidedOn, replaced } from './refusals.ts';
import { isOnPage, waitsOf } from './routes/index.ts';

export type { NewProposal } from './adding.ts';
export type { ProposalLookup } from './reading.ts';

/** What ends the wait of one. */
export interface Settlement {
  readonly status: Ending['status'];
  /** How a person decided, and their words. */
  readonly how?: ConfirmedBy;
  readonly note?: string;
}

export interface StoreOptions extends Pick<ReadingOptions, 'backEnds' | 'journal' | 'notify'> {
  /** What processes with this data folder decide on requests. */
  readonly decided?: Pick<DecidedRequests, 'lastOf' | 'declined' | 'declinedAt'>;
  readonly now?: () => number;
}

export type ProposalStore = ReturnType<typeof createProposalStore>;

const LOOK_MS = 10_000;

/** What a person is asked about, and was: each is in one back end, which differ in nothing else, and whoever decides on one does it here. */
export function createProposalStore({ backEnds: given, journal, decided, notify, now = () => Date.now() }: StoreOptions) {
  const backEnds = (['memory', 'disk'] as const).flatMap((name) => given[name] ?? []);
  const lives = new Map<string, Live>();
  const listeners = new Set<(changeId: string) => void>();
  const changed = (changeId: string): void => {
    for (const listener of [...listeners]) listener(changeId);
  };
  const reading = createReading({ backEnds: given, journal, notify, now }, lives);
  const { liveOf, backEndOf, hasExpired, readIn, listIn, isBegun } = reading;

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

  /** Ends the wait of one. Resolves to false where somebody else did. */
  async function settle(
    proposal: Proposal,
    { status, how, note = '' }: Settlement,
    by?: Pick<Ending, 'by' | 'isAnswered'>,
  ): Promise<boolean> {
    const { changeId, digest } = proposal;
    const backEnd = backEndOf(proposal);
    const isFirst = await backEnd.settle(changeId, {
      ...{ status, at: new Date(now()).toISOString(), note, digest },
      ...definedFields({ decided: how && { how }, process: status === 'started' ? thisProcess() : undefined, ...by }),
    });
    if (!isFirst) return false;
    const live = liveOf(proposal);
    if (live !== undefined) endLive(live, status);
    // Nobody plans it again.
    if (status !== 'started') await backEnd.release(changeId);
    // What is begun is told once it is.
    if (status !== 'started') changed(changeId);
    return true;
  }

  /** What another process decided on a request ends what this one asks about it. */
  async function endDecided(): Promise<void> {
    for (const live of lives.values())
      if (isDecidedElsewhere(live, decided)) {
        live.isOver = true;
        await settle(live.proposal, { status: 'withdrawn' }, { isAnswered: true }).catch(undefinedIfRefused);
      }
  }

  /** Looks at what nobody else tells of. */
  async function look(): Promise<void> {
    await endDecided();
    for (const live of lives.values())
      if (!live.isOver && hasExpired(live.proposal, live)) {
        endLive(live, 'expired');
        changed(live.proposal.changeId);
      }
  }
  const timer = setInterval(() => void look().catch(() => undefined), LOOK_MS).unref();

  const withdraw = (proposal: Proposal) => settle(proposal, { status: 'withdrawn' });
  const { addTo, dropLeft, remove } = createAdding({ reading, lives, journal, decided, now, get, withdraw });

  /**
   * Ends the wait of one, and with `begin` begins it; where that fails it waits on. Throws `not_approved` unless it still waits, and with
   * the digest that was `shown` to whoever decides: the first counts.
   */
  async function decide(changeId: string, settlement: Settlement, shown?: string): Promise<void>;
  async function decide<T>(changeId: string, settlement: Settlement, shown: string | undefined, begin: () => Promise<T>): Promise<T>;
  async function decide(changeId: string, settlement: Settlement, shown?: string, begin?: () => Promise<unknown>): Promise<unknown> {
    const proposal = await get(changeId);
    assertWaits(changeId, proposal);
    if (shown !== undefined && proposal.digest !== shown) throw replaced(changeId);
    const backEnd = backEndOf(proposal);
    const again = () => backEnd.exclusively(new AbortController().signal, () => dropLeft(proposal, backEnd));
    const isFirst =
      (await settle(proposal, settlement)) || (proposal.leftAt !== undefined && (await again()) && (await settle(proposal, settlement)));
    if (!isFirst) {
      assertWaits(changeId, await get(changeId));
      throw decidedOn(changeId);
    }
    try {
      const begun = await begin?.();
      if (settlement.status === 'started') changed(changeId);
      return begun;
    } catch (error) {
      await backEnd.unsettle(changeId);
      const live = liveOf(proposal);
      if (live !== undefined) live.isOver = false;
      changed(changeId);
      throw error;
    }
  }

  /** Whether nothing is left of one to be decided on once a request was begun. */
  async function isOverBy(request: EndedRequest, action: string, proposal: Proposal): Promise<boolean> {
    if (isEndedBy(proposal, request)) return true;
    // What is asked here is shown anew once its plan is another one.
    if (proposal.isAskedHere) return false;
    if (proposal.action === action) return true;
    const records = 'ids' in proposal.plan ? await backEndOf(proposal).recordsOf(proposal.changeId) : undefined;
    return isDoneBy(request.plan, proposal.plan, records);
  }

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
          const added = await backEnd.exclusively(signal, () => addTo(backEnd, asked, live));
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
    decide,
    /** Whoever asked for it gives it up. Throws `not_approved` unless it waits. */
    withdraw: (changeId: string): Promise<void> => decide(changeId, { status: 'withdrawn' }),
    /** A request was begun: what else waits for it, or would do nothing but what that does, counts no more. */
    async end(request: EndedRequest): Promise<void> {
      const others = (await waiting()).filter((one) => liveOf(one)?.isTaken !== true);
      if (others.length === 0) return;
      const action = request.actionOf();
      for (const one of others)
        if (await isOverBy(request, action, one).catch(undefinedIfRefused))
          await settle(one, { status: 'withdrawn' }, { by: request.begun, isAnswered: true }).catch(undefinedIfRefused);
    },
    /**
     * A person declined a request: what would do the same and is asked by nobody here is declined, and what else waits for it counts no more, in any process.
     * What they asked for on the page themselves is theirs to cancel there. What can’t be written is not told to others.
     */
    async declineRequest(request: DeclinedRequest, answer: Omit<Settlement, 'status'>): Promise<void> {
      const { requestDigest, action } = request;
      for (const one of await waiting()) {
        if (one.isOwn) continue;
        if (!one.isAskedHere && action !== undefined && one.action === action)
          await settle(one, { ...answer, status: 'declined' }).catch(undefinedIfRefused);
        else if (isSameRequest(one, requestDigest))
          await settle(one, { status: 'withdrawn' }, { isAnswered: true }).catch(undefinedIfRefused);
      }
      await decided?.declined(request).catch(() => undefined);
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
