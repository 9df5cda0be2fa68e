import { undefinedIfRefused, VideoHostingError } from '../../errors.ts';
import { definedFields } from '../../platform/defined-fields.ts';
import { fieldsIn } from '../../platform/is-object.ts';
import { holdsLock, isOfThisMachine, thisProcess } from '../../platform/process-liveness.ts';
import { DAY_MS } from '../../platform/time-units.ts';
import { sentence } from '../../text/sentence.ts';
import type { Journal } from '../journal/journal.ts';
import { canBeKept } from '../kinds/planners.ts';
import type { ConfirmedBy } from '../plan/confirmed-by.ts';
import type { ShownPlan } from '../plan/plan.ts';
import type { Notification, Notify } from '../standing/notify.ts';
import { agentOf, type EndedRequest, isAlike, isDoneBy, isEndedBy, isSameAction, isSameRequest, surplusOfEnded } from './alike.ts';
import type { Added, BackEnd, Kept, KeptList } from './back-end.ts';
import type { DecidedRequests, DeclinedRequest } from './decided-requests.ts';
import { type Ending, recordsOf } from './disk-file.ts';
import { damagedFile } from './file-errors.ts';
import { createLive, endLive, isDecidedElsewhere, type Live, type NewLive } from './live.ts';
import { BEGINNING_MS, isWaiting, type Proposal } from './proposal.ts';
import { keysHeld, MAX_WAITING_KEYS, surplusOf } from './proposal-limits.ts';
import { assertWaits, decidedOn, full, replaced } from './refusals.ts';
import { isOnPage, waitsOf } from './routes/index.ts';
import type { StoreName } from './routes/route.ts';

export interface ProposalList {
  /** The newest first: those that wait, and the last that ended. */
  readonly proposals: readonly Proposal[];
  /** Those that are there and can’t be relied on: nothing is carried out by them. */
  readonly damaged: KeptList['damaged'];
}

/** Where proposals are found. */
export interface ProposalLookup {
  /** What waits under an id, or waited last. Throws `not_found` where it is there and can’t be relied on. */
  get(changeId: string): Promise<Proposal | undefined>;
  list(): Promise<ProposalList>;
}

/** What is asked, by which route and by which call. */
export interface NewProposal extends Pick<Proposal, 'changeId' | 'route' | 'asked' | 'tool' | 'requestDigest' | 'action' | 'plan'> {
  readonly isOwn?: boolean;
  readonly args: unknown;
  readonly files?: Added['files'] | undefined;
}

/** What ends the wait of one. */
export interface Decision {
  readonly status: Ending['status'];
  /** How a person decided, and their words. */
  readonly how?: ConfirmedBy;
  readonly note?: string;
}

export interface StoreOptions {
  readonly backEnds: Readonly<Partial<Record<StoreName, BackEnd>>>;
  readonly journal: Pick<Journal, 'has' | 'read'>;
  /** What processes with this data folder decide on requests. */
  readonly decided?: Pick<DecidedRequests, 'lastOf' | 'declined' | 'declinedAt'>;
  /** Where a person is told of what waits. */
  readonly notify?: Notify;
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

  /** A call may ask in one way after the other, under one id. */
  const liveOf = ({ changeId, route }: Pick<Proposal, 'changeId' | 'route'>): Live | undefined => {
    const live = lives.get(changeId);
    return live?.proposal.route === route ? live : undefined;
  };

  function backEndOf({ store }: Proposal): BackEnd {
    const found = given[store];
    if (found === undefined) throw new Error(`nothing is kept in ${store}`);
    return found;
  }

  /** One that is being checked is not ended by its time. */
  const hasExpired = ({ at, expiresAt }: Proposal, live: Live | undefined): boolean =>
    live?.checking === undefined && (now() >= expiresAt || (live !== undefined && live.ageMs() >= expiresAt - at));

  /** Whether the process that was to begin it ended before that: nobody else can begin it by that decision. */
  async function isLeft({ changeId, resumes }: Proposal, { status, at, process }: Ending): Promise<boolean> {
    if (status !== 'started') return false;
    const isGone =
      process === undefined ? now() - Date.parse(at) > BEGINNING_MS : isOfThisMachine(process) && !holdsLock(process, Date.parse(at));
    if (!isGone || journal.has(changeId)) return false;
    if (resumes === undefined) return true;
    const record = await journal.read(resumes).catch(undefinedIfRefused);
    return record !== undefined && (record.resumed === undefined || record.resumed.at < at);
  }

  /** As it is now. Throws where its end is of another one than was shown. */
  async function told({ proposal, ending }: Pick<Kept, 'proposal' | 'ending'>): Promise<Proposal> {
    const live = liveOf(proposal);
    const here = live && { ...live.shown, isOwn: live.isOwn, isAskedHere: true };
    const isOfIt = ending?.digest === undefined || ending.digest === proposal.digest;
    if (!isOfIt) throw damagedFile(proposal.changeId, sentence`what was decided on it is about another one`);
    if (ending === undefined || (await isLeft(proposal, ending))) {
      const status = hasExpired(proposal, live) ? ('expired' as const) : proposal.status;
      return { ...proposal, ...here, status, ...definedFields({ leftAt: ending?.at }) };
    }
    const { status, at, note, by, isAnswered = by !== undefined, decided: who } = ending;
    const person = who && { decided: { ...who, at, ...(note !== '' && { note }) } };
    return { ...proposal, ...here, ...{ status, note, isAnswered, decidedAt: at }, ...person, ...definedFields({ by }) };
  }

  async function readIn(backEnd: BackEnd, changeId: string): Promise<Proposal | undefined> {
    const kept = await backEnd.read(changeId);
    return kept && told(kept);
  }

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

  async function listIn(backEnd: BackEnd): Promise<ProposalList & { readonly kept: readonly Kept[] }> {
    const { kept, damaged } = await backEnd.list();
    const proposals: Proposal[] = [];
    const misled: KeptList['damaged'][number][] = [];
    for (const one of kept) {
      try {
        const proposal = await told(one);
        proposals.push(proposal);
        if (!one.isTold) await tellIfExpiring(proposal, backEnd);
      } catch (error) {
        if (!(error instanceof VideoHostingError)) throw error;
        misled.push({ changeId: one.proposal.changeId, problem: error.message });
      }
    }
    const waitingIds = new Set(proposals.filter(isWaiting).map(({ changeId }) => changeId));
    return { kept, proposals: proposals.map((one) => onlyWaiting(one, waitingIds)), damaged: [...damaged, ...misled] };
  }

  async function list(isWanted: (proposal: Proposal) => boolean = () => true): Promise<ProposalList> {
    await endDecided();
    const found: ProposalList[] = [];
    for (const backEnd of backEnds) found.push(await listIn(backEnd));
    const proposals = found.flatMap((of) => of.proposals.filter(isWanted));
    return { proposals, damaged: found.flatMap(({ damaged }) => damaged) };
  }

  const waiting = async () => (await list()).proposals.filter(isWaiting);

  /** Of one that waits for less than a day from now, by one of all processes. */
  async function tellIfExpiring(proposal: Proposal, backEnd: BackEnd): Promise<void> {
    // A process that tells nobody leaves it to one that does.
    const isDue = notify !== undefined && isWaiting(proposal) && waitsOf(proposal.route).isForLater && proposal.expiresAt - now() <= DAY_MS;
    if (isDue && (await backEnd.markTold(proposal.changeId))) notify(notificationOf('expires', proposal));
  }

  /** Ends the wait of one. Resolves to false where somebody else did. */
  async function settle(
    proposal: Proposal,
    { status, how, note = '' }: Decision,
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

  /** Removes the decision of a process that is gone, so that another can be made. Resolves to whether there is none any more. Needs the lock. */
  async function dropLeft({ changeId }: Proposal, backEnd: BackEnd): Promise<boolean> {
    const { proposal, ending } = (await backEnd.read(changeId)) ?? {};
    if (proposal === undefined || (ending !== undefined && !(await isLeft(proposal, ending)))) return false;
    await backEnd.unsettle(changeId);
    return true;
  }

  async function remove({ changeId, route }: Proposal, backEnd: BackEnd): Promise<void> {
    if (liveOf({ changeId, route }) !== undefined) lives.delete(changeId);
    await backEnd.remove(changeId);
  }

  /** Removes what ended long ago, or is too much; returns the rest, the newest first. Needs the lock. */
  async function prune(backEnd: BackEnd): Promise<readonly Proposal[]> {
    await backEnd.tidy();
    const { kept, proposals } = await listIn(backEnd);
    const { ended, name } = backEnd;
    const over = proposals.filter((one) => !isWaiting(one));
    const sizeOf = (one: Proposal) => (name === 'memory' ? keysHeld(one) : 0);
    const isOld = ({ expiresAt }: Proposal) => expiresAt + ended.keptMs < now();
    const old = new Set([
      ...over.filter(isOld),
      ...surplusOfEnded(
        over.filter((one) => !isOld(one)),
        ended,
        sizeOf,
      ),
    ]);
    for (const one of old) await remove(one, backEnd);
    // Of what was begun, and of what expired, nobody plans anything again.
    const whole = new Set(kept.filter(({ isWhole }) => isWhole).map(({ proposal }) => proposal.changeId));
    for (const { changeId, status } of over)
      if (whole.has(changeId) && (status === 'expired' || journal.has(changeId))) await backEnd.release(changeId);
    return proposals.filter((one) => !old.has(one));
  }

  /** Those of some changes that are about some of the same records as a plan. */
  async function overtakenBy(plan: ShownPlan, others: readonly Proposal[], backEnd: BackEnd): Promise<readonly string[]> {
    const records = new Set(others.length === 0 ? [] : recordsOf(plan));
    const overtaken: string[] = [];
    for (const { changeId } of records.size === 0 ? [] : others) {
      const of = await backEnd.recordsOf(changeId).catch(undefinedIfRefused);
      if (of?.some((id) => records.has(id))) overtaken.push(changeId);
    }
    return overtaken;
  }

  /** As many wait as may: the oldest make room, or it is refused. */
  async function makeRoom(asked: Proposal, newestFirst: readonly Proposal[], call: NewLive['call'], backEnd: BackEnd): Promise<void> {
    const { max, ifFull, isForLater } = waitsOf(asked.route);
    const alike = newestFirst.toReversed();
    const sizes = [...alike.map((one) => ({ ...one, call: liveOf(one)?.call })), { ...asked, call }].map(isForLater ? () => 0 : keysHeld);
    const surplus = surplusOf(sizes, max, MAX_WAITING_KEYS);
    if (surplus > 0 && ifFull === 'refuse') throw full(alike.length, asked);
    for (const one of alike.slice(0, surplus)) await remove(one, backEnd);
  }

  /** A call for what is asked here already waits for the same answer. */
  const isJoinable = (one: Proposal, { route, requestDigest }: Pick<NewProposal, 'route' | 'requestDigest'>): boolean =>
    isWaiting(one) && one.route === route && isOnPage(one) && one.isAskedHere && isSameRequest(one, requestDigest);

  async function addTo(backEnd: BackEnd, { args, files = [], isOwn = false, ...asked }: NewProposal, newLive: NewLive) {
    const { route, plan, action } = asked;
    const { isForLater, lifetimeMs } = waitsOf(route);
    const known = await prune(backEnd);
    const at = now();
    const { standing: why, lacks } = plan.preview;
    const proposal: Omit<Proposal, 'digest' | 'store'> = {
      ...asked,
      ...{ resumes: plan.resumes, isOwn, isAskedHere: false, conflicts: [], status: 'waiting', note: '', isAnswered: false, why, lacks },
      ...{ at, expiresAt: at + lifetimeMs, overtakes: [], declinedAt: action && (await decided?.declinedAt(() => action)) },
    };
    const alike = known.filter((one) => isWaiting(one) && isAlike(one, proposal));
    const joined = isForLater ? undefined : known.find((one) => isJoinable(one, asked));
    const same = joined ?? (isOnPage(asked) ? alike.find((one) => isSameAction(one, asked)) : undefined);
    if (same !== undefined) {
      const live = joined && liveOf(joined);
      if (live !== undefined) live.calls += 1;
      if (live !== undefined || isForLater) return { proposal: same, isNew: false };
      // The process that asked before is gone, or asks in another way: one question is enough.
      if (same.leftAt !== undefined) await dropLeft(same, backEnd);
      await settle(same, { status: 'withdrawn' });
    }
    await makeRoom(
      { ...proposal, digest: '', store: backEnd.name },
      alike.filter((one) => one !== same),
      newLive.call,
      backEnd,
    );
    const overtakes = isOnPage(asked) ? await overtakenBy(plan, known.filter(isWaiting), backEnd) : [];
    await backEnd.add({ proposal: { ...proposal, overtakes }, args: fieldsIn(args), files });
    const added = (await backEnd.read(asked.changeId))?.proposal;
    if (added === undefined) throw damagedFile(asked.changeId, sentence`it is gone`);
    if (!isForLater) {
      const live = createLive(added, plan, newLive, decided);
      live.calls = 1;
      lives.set(asked.changeId, live);
    }
    return { proposal: (await get(asked.changeId)) ?? added, isNew: true };
  }

  /**
   * Ends the wait of one, and with `begin` begins it; where that fails it waits on. Throws `not_approved` unless it still waits, and with
   * the digest that was `shown` to whoever decides: the first counts.
   */
  async function decide(changeId: string, decision: Decision, shown?: string): Promise<void>;
  async function decide<T>(changeId: string, decision: Decision, shown: string | undefined, begin: () => Promise<T>): Promise<T>;
  async function decide(changeId: string, decision: Decision, shown?: string, begin?: () => Promise<unknown>): Promise<unknown> {
    const proposal = await get(changeId);
    assertWaits(changeId, proposal);
    if (shown !== undefined && proposal.digest !== shown) throw replaced(changeId);
    const backEnd = backEndOf(proposal);
    const again = () => backEnd.exclusively(new AbortController().signal, () => dropLeft(proposal, backEnd));
    const isFirst =
      (await settle(proposal, decision)) || (proposal.leftAt !== undefined && (await again()) && (await settle(proposal, decision)));
    if (!isFirst) {
      assertWaits(changeId, await get(changeId));
      throw decidedOn(changeId);
    }
    try {
      const begun = await begin?.();
      if (decision.status === 'started') changed(changeId);
      return begun;
    } catch (error) {
      await backEnd.unsettle(changeId);
      const live = liveOf(proposal);
      if (live !== undefined) live.isOver = false;
      changed(changeId);
      throw error;
    }
  }

  /** Whether the journal has what was approved. */
  async function isBegun({ changeId, resumes, decidedAt = '' }: Proposal): Promise<boolean> {
    if (resumes === undefined) return journal.has(changeId);
    const record = await journal.read(resumes).catch(undefinedIfRefused);
    return record?.resumed !== undefined && record.resumed.at >= decidedAt;
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
    async declineRequest(request: DeclinedRequest, decision: Omit<Decision, 'status'>): Promise<void> {
      const { requestDigest, action } = request;
      for (const one of await waiting()) {
        if (one.isOwn) continue;
        if (!one.isAskedHere && action !== undefined && one.action === action)
          await settle(one, { ...decision, status: 'declined' }).catch(undefinedIfRefused);
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

const notificationOf = (
  kind: 'waits' | 'expires',
  { changeId, asked, expiresAt }: Pick<Proposal, 'changeId' | 'asked' | 'expiresAt'>,
): Notification => ({
  ...{ kind, changeId, expiresAt: new Date(expiresAt).toISOString() },
  ...definedFields({ askedBy: agentOf({ asked }) }),
});

/** Without what does not wait any more among what it overtakes. */
const onlyWaiting = (change: Proposal, waitingIds: ReadonlySet<string>): Proposal =>
  change.overtakes.length === 0 ? change : { ...change, overtakes: change.overtakes.filter((id) => waitingIds.has(id)) };

const withWaiting = (change: Proposal, others: readonly (Proposal | undefined)[]): Proposal =>
  onlyWaiting(change, new Set(others.flatMap((other) => (other !== undefined && isWaiting(other) ? [other.changeId] : []))));
