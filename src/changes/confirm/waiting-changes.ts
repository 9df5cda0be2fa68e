import { VideoHostingError } from '../../errors.ts';
import { limitedSignal } from '../../platform/limited-signal.ts';
import { KINDS } from '../kinds.ts';
import type { ShownPlan } from '../plan.ts';
import { digestOf } from '../stable-json.ts';
import { planConflicts } from './plan-conflicts.ts';
import { keysIn } from './proposals.ts';

/**
 * What came of a change that waited on the approval page. Nothing was sent unless it is `started`. `answered`: the same request was
 * begun or refused in another way. `needless`: it was approved when nothing was left to be done.
 */
export type WaitingStatus = 'waiting' | 'started' | 'declined' | 'withdrawn' | 'expired' | 'answered' | 'needless';

/** A change that waits on the approval page, or waited there. */
export interface WaitingChange {
  readonly changeId: string;
  /** The person asked for it on the page. */
  readonly isOwn: boolean;
  /** As it was shown last. */
  readonly plan: ShownPlan;
  /** Of the plan: an answer is about it. */
  readonly planDigest: string;
  /** How the plan differs from the one that was shown before; empty if it never moved. */
  readonly moved: readonly string[];
  readonly status: WaitingStatus;
  /** The person's words; empty if there are none. */
  readonly note: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly expiresAt: number;
}

/** Plans again, compares with the plan that was approved, and carries it out or tells how it moved, or that it moved to nothing. */
export type CarryOut = (approved: ApprovedPlan, signal: AbortSignal) => Promise<'started' | MovedPlan | NeedlessPlan>;

export interface ApprovedPlan {
  readonly changeId: string;
  readonly plan: ShownPlan;
  readonly note: string;
}

export interface MovedPlan {
  readonly plan: ShownPlan;
  readonly conflicts: readonly string[];
}

export interface NeedlessPlan {
  readonly needless: ShownPlan;
}

export interface NewWaitingChange {
  readonly changeId: string;
  /** Of the account, the tool and the arguments: the same request joins the change that waits already. */
  readonly requestDigest: string;
  readonly plan: ShownPlan;
  readonly carryOut: CarryOut;
  readonly isOwn?: boolean;
}

/** What came of a press of Apply. `changed`: it is not what was shown, is being checked already, or waits no more. */
export type Approved = 'started' | 'moved' | 'needless' | 'changed';

export type WaitingListener = (changeId: string) => void;

export type WaitingChanges = ReturnType<typeof createWaitingChanges>;

export const WAITING_MS = 30 * 60_000;
/** Of the assistant’s, and as many of the person’s own. */
const MAX_WAITING = 50;
/** Ids and keys of all plans that wait: some 100 MB. */
const MAX_KEYS = 1_000_000;
/** Those that were decided, so that get_change and the page can tell what came of them. */
const MAX_DECIDED = 50;
const MAX_DECIDED_KEYS = 100_000;

type Entry = { -readonly [Field in keyof WaitingChange]: WaitingChange[Field] } & {
  readonly requestDigest: string;
  carryOut: CarryOut | undefined;
  /** Aborted to end a check that is under way. */
  checking: AbortController | undefined;
  /** Calls that wait for the answer. */
  calls: number;
};

/** The changes of this process that wait on the approval page, and the last ones that waited. Nothing of them is on disk. */
export function createWaitingChanges(clock: () => number = Date.now) {
  const entries = new Map<string, Entry>();
  const listeners = new Set<WaitingListener>();
  const declineListeners = new Set<(requestDigest: string) => void>();
  const tell = (changeId: string): void => {
    for (const listener of listeners) listener(changeId);
  };

  function decide(entry: Entry, status: Exclude<WaitingStatus, 'waiting'>, note = ''): void {
    Object.assign(entry, { status, note, carryOut: undefined });
    dropOld(entries);
    tell(entry.changeId);
  }

  function withdraw(entry: Entry | undefined, status: 'withdrawn' | 'answered' = 'withdrawn'): void {
    if (entry?.status !== 'waiting') return;
    entry.checking?.abort();
    decide(entry, status);
  }

  /** One that is being checked is not ended by its time. */
  function expire(): void {
    for (const entry of entries.values())
      if (entry.status === 'waiting' && entry.checking === undefined && entry.expiresAt <= clock()) decide(entry, 'expired');
  }

  function move(entry: Entry, { plan, conflicts }: MovedPlan): void {
    Object.assign(entry, { plan, planDigest: digestOf(plan), moved: conflicts });
    tell(entry.changeId);
  }

  const waiting = (): Entry[] => {
    expire();
    return [...entries.values()].filter(({ status }) => status === 'waiting');
  };

  const timer = setInterval(expire, 10_000);
  timer.unref();

  return {
    /** The change of a request; one that waits already for the same request is joined, unless it shows emails. Throws where too many wait. */
    propose({ changeId, requestDigest, plan, carryOut, isOwn = false }: NewWaitingChange): WaitingChange {
      const all = waiting();
      const same = all.find((entry) => isSameRequest(entry, requestDigest));
      if (same !== undefined) {
        const conflicts = same.checking === undefined ? planConflicts(same.plan, plan) : [];
        if (isOwn) same.isOwn = true;
        if (conflicts.length > 0) move(same, { plan, conflicts });
        return same;
      }
      // So many of the assistant’s must not keep the person from asking for something.
      const alike = all.filter((entry) => entry.isOwn === isOwn);
      const keys = alike.reduce((sum, entry) => sum + keysIn(entry.plan), 0);
      if (alike.length >= MAX_WAITING || (alike.length > 0 && keys + keysIn(plan) > MAX_KEYS)) throw tooMany(alike.length);
      // A change that is resumed keeps its id.
      withdraw(entries.get(changeId));
      const at = clock();
      const entry: Entry = {
        ...{ changeId, requestDigest, plan, carryOut, isOwn, planDigest: digestOf(plan), moved: [], status: 'waiting', note: '' },
        ...{ at, expiresAt: at + WAITING_MS, checking: undefined, calls: 0 },
      };
      entries.delete(changeId);
      entries.set(changeId, entry);
      tell(changeId);
      return entry;
    },
    get(changeId: string): WaitingChange | undefined {
      expire();
      return entries.get(changeId);
    },
    /** Those that wait, and the last that were decided; the newest first. */
    all(): readonly WaitingChange[] {
      expire();
      return [...entries.values()].reverse();
    },
    /** The person pressed Apply. Rejects with what kept it from being planned again; then it still waits. */
    async approve(changeId: string, planDigest: string, note: string): Promise<Approved> {
      const entry = waiting().find((candidate) => candidate.changeId === changeId);
      if (entry?.carryOut === undefined || entry.planDigest !== planDigest || entry.checking !== undefined) return 'changed';
      const checking = new AbortController();
      entry.checking = checking;
      try {
        const result = await entry.carryOut({ changeId, plan: entry.plan, note }, checking.signal);
        if (result === 'started') {
          decide(entry, 'started', note);
          return 'started';
        }
        if (entry.status !== 'waiting') return 'changed';
        if (!('needless' in result)) {
          move(entry, result);
          return 'moved';
        }
        entry.plan = result.needless;
        decide(entry, 'needless', note);
        return 'needless';
      } catch (error) {
        // It was withdrawn while it was planned again, which that ended.
        if (checking.signal.aborted) return 'changed';
        throw error;
      } finally {
        entry.checking = undefined;
      }
    },
    /** The person pressed Decline. Returns whether it still waited. */
    decline(changeId: string, note: string): boolean {
      const entry = waiting().find((candidate) => candidate.changeId === changeId);
      if (entry === undefined || entry.checking !== undefined) return false;
      decide(entry, 'declined', note);
      for (const refuse of declineListeners) refuse(entry.requestDigest);
      return true;
    },
    withdraw: (changeId: string): void => withdraw(entries.get(changeId)),
    /** Ends those that wait for a request which was answered in another way. */
    withdrawSame(requestDigest: string, isWanted: (change: WaitingChange) => boolean): void {
      for (const entry of waiting()) if (isSameRequest(entry, requestDigest) && isWanted(entry)) withdraw(entry, 'answered');
    },
    /** Waits for the answer, until a time (milliseconds since the epoch) or an abort. */
    async wait(changeId: string, until: number, ...signals: readonly AbortSignal[]): Promise<void> {
      const over = new AbortController();
      const check = (): void => {
        if (entries.get(changeId)?.status !== 'waiting') over.abort();
      };
      listeners.add(check);
      check();
      await untilTime(until, [...signals, over.signal]);
      listeners.delete(check);
    },
    /** A call that made or joined a proposal. The last one that is given up withdraws it. */
    join(changeId: string): { leave(isGivenUp: boolean): void } {
      const entry = entries.get(changeId);
      if (entry !== undefined) entry.calls += 1;
      return {
        leave(isGivenUp) {
          if (entry === undefined) return;
          entry.calls -= 1;
          if (isGivenUp && entry.calls === 0) withdraw(entry);
        },
      };
    },
    /** Calls a listener whenever a change begins to wait, moves or is decided. Returns how to end that. */
    onChange(listener: WaitingListener): () => void {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    /** Calls a listener with the request of whatever a person declines. */
    onDeclined: (listener: (requestDigest: string) => void): void => void declineListeners.add(listener),
    /** The server ends: nothing can be approved any more. */
    close(): void {
      clearInterval(timer);
      for (const entry of entries.values()) withdraw(entry);
    },
  };
}

/** What shows emails to the assistant is in the answer of the call that asked: another call has a question of its own. */
const isSameRequest = (entry: Entry, requestDigest: string): boolean =>
  KINDS[entry.plan.kind].isForItsCall !== true && entry.requestDigest === requestDigest;

function tooMany(count: number): VideoHostingError {
  return new VideoHostingError(
    'not_approved',
    `${count} changes wait for the user on the approval page, which is as many as it takes. This one was not added.`,
    { facts: { outcome: 'nothing-sent' }, hint: 'Let the user decide those first; list_changes with status waiting names them.' },
  );
}

/** Removes the oldest of those that were decided. */
function dropOld(entries: Map<string, Entry>): void {
  const decided = [...entries.values()].filter(({ status }) => status !== 'waiting');
  let keys = decided.reduce((sum, { plan }) => sum + keysIn(plan), 0);
  for (const [index, { changeId, plan }] of decided.slice(0, -1).entries()) {
    if (decided.length - index <= MAX_DECIDED && keys <= MAX_DECIDED_KEYS) break;
    entries.delete(changeId);
    keys -= keysIn(plan);
  }
}

async function untilTime(until: number, signals: readonly AbortSignal[]): Promise<void> {
  const { signal, release } = limitedSignal(until - Date.now(), ...signals);
  if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
  release();
}
