import { randomBytes } from 'node:crypto';
import { refusal, type VideoHostingError } from '../../errors.ts';
import { limitedSignal } from '../../platform/limited-signal.ts';
import { digestOf } from '../../platform/stable-json.ts';
import { startStopwatch } from '../../platform/stopwatch.ts';
import { sentence } from '../../text/sentence.ts';
import { type ChangePlan, shownPlan } from '../plan/plan.ts';
import { TRAITS } from '../plan/traits/index.ts';
import { type DecidedRequest, type DeclinedRequest, resumptionDigest } from './decided-requests.ts';
import { type PlanConflict, planConflicts } from './plan-conflicts.ts';
import { type BeginApproved, isWaiting, type PreviewedCall, type Proposal, type ProposalStatus } from './proposal.ts';
import { keysHeld, MAX_ENDED, MAX_ENDED_KEYS, MAX_WAITING_KEYS, surplusOf } from './proposal-limits.ts';
import { isOnPage, type MemoryRoute, waitsOf } from './routes/index.ts';
import type { EndedRequest, ProposalLookup, ProposalStore } from './store.ts';

export type NewInMemory = Pick<Proposal, 'changeId' | 'asked' | 'tool' | 'requestDigest' | 'action' | 'plan'> & {
  readonly call?: PreviewedCall;
};

type NewOnPage = NewInMemory & { readonly route: MemoryRoute; readonly begin: BeginApproved; readonly isOwn?: boolean };

/** What came of a press of Apply. `changed`: it is not what was shown, is being checked already, or waits no more. */
export type Approved = 'started' | 'conflict' | 'needless' | 'changed';

export type Redeemed =
  | { readonly ok: true; readonly change: Proposal; readonly tookMs: number }
  | { readonly ok: false; readonly why: 'unknown' | 'expired' | 'other-arguments' };

/** The plan of a token that was not spent yet, with the call that it answered. */
export type Previewed =
  | { readonly ok: true; readonly change: Proposal; readonly call: PreviewedCall }
  | { readonly ok: false; readonly why: 'unknown' | 'expired' };

/** A plan on the page as its call sees it. */
export interface Proposed {
  readonly change: Proposal;
  /** The call ends. The last one that is given up withdraws the change. */
  leave(isGivenUp: boolean): void;
}

/** What the processes with this data folder decide on requests. */
export interface DecidedElsewhere {
  /** The last decision of another process. */
  readonly lastOf: (requestDigest: string) => DecidedRequest | undefined;
  /** A person declined it here. */
  readonly declined: (request: DeclinedRequest, note: string) => Promise<void>;
  /** It waits no more, though nothing is begun: a copy on disk is not to be decided on. */
  readonly ended?: (changeId: string, how: 'declined' | 'withdrawn', note: string) => void;
}

export type WaitingListener = (changeId: string) => void;

export type MemoryStore = ReturnType<typeof createMemoryStore> & ProposalStore;

/** A waiting change with what belongs to this process alone. */
type Entry = Omit<{ -readonly [Field in keyof Proposal]: Proposal[Field] }, 'route'> & {
  readonly route: MemoryRoute;
  readonly ageMs: () => number;
  /** The last decisions of other processes when it began to wait: on its request, and on carrying the same change on. */
  readonly decidedBefore: readonly (DecidedRequest | undefined)[];
  /** What was sent out with a form or a preview, and is to come back with the answer. */
  readonly secret: string | undefined;
  /** Of a token. */
  readonly call: PreviewedCall | undefined;
  begin: BeginApproved | undefined;
  /** Aborted to end a check that is under way. */
  checking: AbortController | undefined;
  /** Calls that wait for the answer. */
  calls: number;
};

/**
 * The plans of this process that wait for an answer, on whichever route, and the last ones that waited. None of them is on disk; what any
 * process with this data folder decides on the same request ends them.
 */
export function createMemoryStore(decided?: DecidedElsewhere) {
  const entries = new Set<Entry>();
  const listeners = new Set<WaitingListener>();
  const tell = (changeId: string): void => {
    for (const listener of listeners) listener(changeId);
  };

  /** One that is being checked is not ended by its time. */
  function expire(): void {
    for (const entry of entries)
      if (entry.status === 'waiting' && entry.checking === undefined && entry.ageMs() >= waitsOf(entry.route).lifetimeMs)
        end(entry, 'expired');
  }

  const lastOf = ({ requestDigest, resumes }: Pick<Proposal, 'requestDigest' | 'resumes'>) =>
    [requestDigest, ...(resumes === undefined ? [] : [resumptionDigest(resumes)])].map((digest) => decided?.lastOf(digest));

  /** What a person asked for on the page is theirs to cancel there. */
  function endDecided(): void {
    for (const entry of entries) {
      if (entry.status !== 'waiting') continue;
      const { requestDigest, isOwn, decidedBefore } = entry;
      const isEnded = lastOf(entry).some((last, index) => {
        const isOther = last !== undefined && last.id !== decidedBefore[index]?.id && isSameRequest(entry, requestDigest);
        return isOther && !(isOwn && last.how === 'declined');
      });
      if (isEnded) end(entry, 'withdrawn', { isAnswered: true });
    }
  }

  function current(): Entry[] {
    expire();
    endDecided();
    return [...entries];
  }

  const waiting = (): Entry[] => current().filter(isWaiting);
  const onPage = (changeId: string): Entry | undefined => current().find((entry) => isOnPage(entry) && entry.changeId === changeId);

  /** What waits under an id, else what waited there: a call may ask in one way after the other. */
  function find(changeId: string, isWanted: (entry: Entry) => boolean): Proposal | undefined {
    const under = current().filter((entry) => entry.changeId === changeId && isWanted(entry));
    return under.findLast(isWaiting) ?? under.at(-1);
  }

  const bySecret = (secret: string): Entry | undefined =>
    current().find((entry) => entry.secret === secret && (entry.status === 'waiting' || entry.status === 'expired'));

  /** What was begun is begun, even if it was withdrawn in that moment. */
  function end(
    entry: Entry,
    status: Exclude<ProposalStatus, 'waiting'>,
    how: Partial<Pick<Entry, 'note' | 'isAnswered' | 'by'>> = {},
  ): void {
    if (entry.status !== 'waiting' && status !== 'started') return;
    entry.checking?.abort();
    Object.assign(entry, { ...how, status, decidedAt: new Date().toISOString(), begin: undefined });
    const ended = [...entries].filter((other) => other.route === entry.route && other.status !== 'waiting');
    remove(ended.slice(0, surplusOf(ended.map(keysHeld), MAX_ENDED, MAX_ENDED_KEYS)));
    tell(entry.changeId);
    // What begins, or was decided elsewhere, is on disk already, and the time tells the rest.
    if (waitsOf(entry.route).store !== 'both' || entry.isAnswered || status === 'started' || status === 'expired') return;
    decided?.ended?.(entry.changeId, status === 'declined' ? status : 'withdrawn', entry.note);
  }

  /** The one place that ends whatever waits for a request, or would carry on one of some changes, on any route. */
  function endRequest(
    { requestDigest, resumed = [], begun, plan }: EndedRequest,
    isKept: (change: Proposal) => boolean = () => false,
  ): void {
    const isSame = (entry: Entry) =>
      (isSameRequest(entry, requestDigest) && isOfSameFiles(entry, plan)) ||
      (entry.resumes !== undefined && resumed.includes(entry.resumes));
    for (const entry of waiting()) if (isSame(entry) && !isKept(entry)) end(entry, 'withdrawn', { isAnswered: true, by: begun });
  }

  function remove(some: readonly Entry[]): void {
    for (const entry of some) entries.delete(entry);
  }

  function add(added: NewInMemory & Pick<Entry, 'route'> & Partial<Pick<Entry, 'isOwn' | 'secret' | 'begin'>>): Entry {
    const { changeId, route, asked, tool, requestDigest, action, plan, isOwn = false, secret, call, begin } = added;
    // So many of the assistant’s must not keep the person from asking for something.
    const alike = waiting().filter((entry) => entry.route === route && entry.isOwn === isOwn);
    const { max, ifFull, lifetimeMs } = waitsOf(route);
    const surplus = surplusOf([...alike, added].map(keysHeld), max, MAX_WAITING_KEYS);
    if (surplus > 0 && ifFull === 'refuse') throw tooMany(alike.length);
    remove(alike.slice(0, surplus));
    const earlier = isOnPage(added) ? onPage(changeId) : undefined;
    if (earlier !== undefined) {
      end(earlier, 'withdrawn');
      entries.delete(earlier);
    }
    const at = Date.now();
    const entry: Entry = {
      ...{
        changeId,
        store: 'memory',
        route,
        tool,
        requestDigest,
        action,
        asked,
        overtakes: [],
        resumes: plan.resumes,
        decidedBefore: lastOf({ requestDigest, resumes: plan.resumes }),
        plan,
        digest: digestOf(plan),
        conflicts: [],
        isOwn,
        status: 'waiting',
        isAnswered: false,
        note: '',
      },
      ...{ at, expiresAt: at + lifetimeMs, ageMs: startStopwatch(), secret, call, begin, checking: undefined, calls: 0 },
    };
    entries.add(entry);
    tell(changeId);
    return entry;
  }

  function showAnew(entry: Entry, { plan, conflicts }: PlanConflict): void {
    Object.assign(entry, { plan, digest: digestOf(plan), conflicts });
    tell(entry.changeId);
  }

  /** A person declined a request: what else waits for it, in any process, counts no more. What can’t be written is not told to others. */
  async function declineRequest(request: DeclinedRequest, note: string, isKept?: (change: Proposal) => boolean): Promise<void> {
    endRequest({ requestDigest: request.requestDigest }, isKept);
    await decided?.declined(request, note).catch(() => undefined);
  }

  function lookupOf(isWanted: (entry: Entry) => boolean): ProposalLookup {
    return {
      get: async (changeId) => find(changeId, isWanted),
      list: async () => ({ proposals: current().filter(isWanted).reverse(), damaged: [] }),
    };
  }

  const timer = setInterval(current, 10_000);
  timer.unref();

  return {
    /** Adds a plan that is answered with a secret, and returns the secret. */
    issue(route: MemoryRoute, change: NewInMemory): string {
      const secret = newSecret();
      add({ ...change, route, secret });
      return secret;
    },
    /** The plan of a token, which is not spent by this. */
    previewed(token: string): Previewed {
      const entry = bySecret(token);
      if (entry?.call === undefined) return { ok: false, why: 'unknown' };
      return entry.status === 'expired' ? { ok: false, why: 'expired' } : { ok: true, change: entry, call: entry.call };
    },
    /** The plan of a secret, which is spent whatever the result. A token of the assistant is no form state, and the other way round. */
    redeem(route: MemoryRoute, secret: string, requestDigest: string): Redeemed {
      const entry = bySecret(secret);
      if (entry === undefined) return { ok: false, why: 'unknown' };
      entries.delete(entry);
      if (entry.status === 'expired') return { ok: false, why: 'expired' };
      const isSame = entry.requestDigest === requestDigest && entry.route === route;
      return isSame ? { ok: true, change: entry, tookMs: entry.ageMs() } : { ok: false, why: 'other-arguments' };
    },
    /** Whether plans wait on a route. */
    hasOn: (route: MemoryRoute): boolean => waiting().some((entry) => entry.route === route),
    /** Forgets those of a route that were never answered in their time. Returns whether there were any. */
    dropExpired(route: MemoryRoute): boolean {
      const expired = current().filter((entry) => entry.route === route && entry.status === 'expired');
      remove(expired);
      return expired.length > 0;
    },
    /** Adds a change to the page; one that waits there already for the same request is joined, unless it shows emails. Throws where too many wait. */
    propose(change: NewOnPage): Proposed {
      const { plan, route, requestDigest, isOwn = false } = change;
      const same = waiting().find((candidate) => candidate.route === route && isSameRequest(candidate, requestDigest));
      const entry = same ?? add(change);
      entry.calls += 1;
      if (isOwn) entry.isOwn = true;
      const conflicts = entry.checking === undefined ? planConflicts(entry.plan, plan) : [];
      if (conflicts.length > 0) showAnew(entry, { plan, conflicts });
      return {
        change: entry,
        leave(isGivenUp) {
          entry.calls -= 1;
          if (isGivenUp && entry.calls === 0) end(entry, 'withdrawn');
        },
      };
    },
    ...lookupOf(() => true),
    /** What is, or was, on the approval page alone. */
    onPage: lookupOf(isOnPage),
    /** The person pressed Apply. Rejects with what kept it from being planned again; then it still waits. */
    async approve(changeId: string, digest: string, note: string): Promise<Approved> {
      const entry = onPage(changeId);
      if (entry?.begin === undefined || entry.digest !== digest || entry.checking !== undefined) return 'changed';
      const checking = new AbortController();
      entry.checking = checking;
      try {
        const result = await entry.begin({ changeId, asked: entry.asked, plan: entry.plan, note }, checking.signal);
        if (result === 'started') {
          end(entry, 'started', { note });
          return 'started';
        }
        if (entry.status !== 'waiting') return 'changed';
        if (!('needless' in result)) {
          showAnew(entry, result);
          return 'conflict';
        }
        entry.plan = result.needless;
        end(entry, 'needless', { note });
        return 'needless';
      } catch (error) {
        endDecided();
        // It was withdrawn or declined while it was planned again, which that ended.
        if (checking.signal.aborted) return 'changed';
        throw error;
      } finally {
        entry.checking = undefined;
      }
    },
    /** The person pressed Decline. Resolves to whether it still waited. */
    async decline(changeId: string, note: string): Promise<boolean> {
      const entry = onPage(changeId);
      if (entry?.status !== 'waiting' || entry.checking !== undefined) return false;
      end(entry, 'declined', { note });
      // A token that was given out before its call came to the page must not confirm it any more.
      await declineRequest(entry, note);
      return true;
    },
    /** Ends all that the assistant asked for under an id, and that is not the user's to end. */
    async withdraw(changeId: string): Promise<void> {
      for (const entry of waiting())
        if (entry.changeId === changeId && waitsOf(entry.route).isTheirs === undefined && !entry.isOwn) end(entry, 'withdrawn');
    },
    end: endRequest,
    declineRequest,
    /** Waits for a person’s answer, until a time (milliseconds since the epoch) or an abort. */
    async wait(changeId: string, until: number, ...signals: readonly AbortSignal[]): Promise<void> {
      const over = new AbortController();
      const check = (): void => {
        // A preview’s answer comes with a call.
        if (!waiting().some((entry) => entry.changeId === changeId && !waitsOf(entry.route).isByAssistant)) over.abort();
      };
      listeners.add(check);
      check();
      const { signal, release } = limitedSignal(until - Date.now(), ...signals, over.signal);
      if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
      release();
      listeners.delete(check);
    },
    /** Calls a listener whenever a change begins to wait on the page, is shown anew or is decided. Returns how to end that. */
    onChange(listener: WaitingListener): () => void {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    /** The server ends: nothing can be approved here any more. */
    close(): void {
      clearInterval(timer);
      for (const entry of entries)
        Object.assign(entry, { status: entry.status === 'waiting' ? 'withdrawn' : entry.status, begin: undefined });
      for (const entry of entries) entry.checking?.abort();
    },
  };
}

/** What shows emails to the assistant is in the answer of the call that asked: another call has a question of its own on the page. */
const isSameRequest = ({ route, plan, requestDigest }: Proposal, wanted: string): boolean =>
  requestDigest === wanted && !(isOnPage({ route }) && TRAITS[plan.kind].isForItsCall === true);

/** Of files it is known by what they held that a request is the same, and not by their names. */
const isOfSameFiles = (entry: Pick<Proposal, 'plan'>, begun: ChangePlan | undefined): boolean =>
  begun?.files === undefined || planConflicts(entry.plan, shownPlan(begun)).length === 0;

/** A letter and eighteen digits: some sixty random bits in a form that costs a model few tokens. */
const newSecret = (): string => `t${String(randomBytes(8).readBigUInt64BE() % 10n ** 18n).padStart(18, '0')}`;

const tooMany = (count: number): VideoHostingError =>
  refusal(
    'not_approved',
    sentence`${count} changes wait for the user on the approval page, which is as many as it takes. This one was not added.`,
    'Let the user decide those first; list_changes with status waiting names them.',
  );
