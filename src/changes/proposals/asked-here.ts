import { randomBytes } from 'node:crypto';
import { limitedSignal } from '../../platform/limited-signal.ts';
import type { Live } from './live.ts';
import { planConflicts } from './plan-conflicts.ts';
import { type BeginApproved, isWaiting, type PreviewedCall, type Proposal, shownStatus } from './proposal.ts';
import { type AskingRoute, waitsOf } from './routes/index.ts';
import type { NewProposal, ProposalStore, Settlement } from './store.ts';

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
  leave(isGivenUp: boolean): Promise<void>;
}

export type AskedHere = ReturnType<typeof createAskedHere>;

/**
 * What this process asks: by secrets that are to come back, and on the page, where it carries out what is approved. `ending` is aborted when it begins
 * to end, and with that nobody waits any more.
 */
export function createAskedHere(store: ProposalStore, ending?: AbortSignal) {
  const livesOn = (route: AskingRoute): Live[] => [...store.lives()].filter(({ proposal }) => proposal.route === route);
  const nowOf = async ({ proposal }: Live): Promise<Proposal | undefined> => {
    const found = await store.get(proposal.changeId);
    return found?.route === proposal.route ? found : undefined;
  };

  /** Where it still waits, or its time is over. */
  async function bySecret(secret: string): Promise<{ readonly live: Live; readonly change: Proposal } | undefined> {
    const live = [...store.lives()].find((one) => one.secret === secret);
    const change = live && (await nowOf(live));
    const isOpen = change?.status === 'waiting' || change?.status === 'expired';
    return live?.secret === secret && isOpen ? { live, change } : undefined;
  }

  return {
    /** Adds a plan that is answered with a secret, and returns the secret. */
    async issue(asked: NewProposal, signal: AbortSignal, call?: PreviewedCall): Promise<string> {
      const secret = newSecret();
      await store.add(asked, signal, { secret, ...(call !== undefined && { call }) });
      return secret;
    },
    /** The plan of a token, which is not spent by this. */
    async previewed(token: string): Promise<Previewed> {
      const { live, change } = (await bySecret(token)) ?? {};
      if (live?.call === undefined || change === undefined) return { ok: false, why: 'unknown' };
      return change.status === 'expired' ? { ok: false, why: 'expired' } : { ok: true, change, call: live.call };
    },
    /** The plan of a secret, which is spent whatever the result. A token of the assistant is no form state, and the other way round. */
    async redeem(route: AskingRoute, secret: string, requestDigest: string): Promise<Redeemed> {
      const { live, change } = (await bySecret(secret)) ?? {};
      if (live === undefined || change === undefined) return { ok: false, why: 'unknown' };
      live.secret = undefined;
      live.isTaken = true;
      if (isWaiting(change) && change.requestDigest === requestDigest && change.route === route)
        return { ok: true, change, tookMs: live.ageMs() };
      await store.remove(change);
      return { ok: false, why: isWaiting(change) ? 'other-arguments' : 'expired' };
    },
    /** Whether plans wait on a route. */
    async hasOn(route: AskingRoute): Promise<boolean> {
      for (const live of livesOn(route)) if (!live.isOver && (await nowOf(live))?.status === 'waiting') return true;
      return false;
    },
    /** Forgets those of a route that were never answered in their time. Returns whether there were any. */
    async dropExpired(route: AskingRoute): Promise<boolean> {
      const changes = await Promise.all(livesOn(route).map(nowOf));
      const expired = changes.flatMap((change) => (change?.status === 'expired' ? [change] : []));
      for (const change of expired) await store.remove(change);
      return expired.length > 0;
    },
    /** Adds a change to the page, or joins the one that waits there already for the same request. Throws where too many wait. */
    async propose(asked: NewProposal, begin: BeginApproved, signal: AbortSignal): Promise<Proposed> {
      const { proposal, isNew } = await store.add(asked, signal, { begin });
      const live = store.liveOf(proposal.changeId);
      if (live === undefined) return { change: proposal, leave: async () => undefined };
      if (asked.isOwn) live.isOwn = true;
      const conflicts = isNew || live.checking !== undefined ? [] : planConflicts(live.shown.plan, asked.plan);
      if (conflicts.length > 0) store.showAnew(live, { plan: asked.plan, conflicts });
      return {
        change: (await nowOf(live)) ?? proposal,
        async leave(isGivenUp) {
          live.calls -= 1;
          if (isGivenUp && live.calls === 0) await store.giveUp(live).catch(() => undefined);
        },
      };
    },
    /** Whether it is carried out by what this process has of it. */
    isHere: ({ changeId, isAskedHere }: Proposal): boolean => isAskedHere && store.liveOf(changeId)?.begin !== undefined,
    /** The person pressed Apply, and `isShown` is what they saw. Rejects with what kept it from being planned again; then it still waits. */
    async approve(changeId: string, isShown: (change: Proposal) => boolean, answer: Omit<Settlement, 'status'>): Promise<Approved> {
      const live = store.liveOf(changeId);
      if (live?.begin === undefined || live.checking !== undefined || store.hasExpired(live)) return 'changed';
      const { note = '', by } = answer;
      const checking = new AbortController();
      live.checking = checking;
      try {
        const change = await store.onPage.get(changeId);
        if (change === undefined || !isWaiting(change) || !isShown(change)) return 'changed';
        const decide = <T>(start: () => Promise<T>) => store.decide(changeId, { ...answer, status: 'started' }, change.digest, start);
        const result = await live.begin({ changeId, asked: change.asked, by, plan: live.shown.plan, note }, checking.signal, decide);
        if (result === 'started') return 'started';
        if (live.isOver) return 'changed';
        if (!('needless' in result)) {
          store.showAnew(live, result);
          return 'conflict';
        }
        live.shown = { ...live.shown, plan: result.needless };
        await store.decide(changeId, { ...answer, status: 'needless' });
        return 'needless';
      } catch (error) {
        // It was withdrawn or decided on otherwise while it was planned again, which that ended.
        if (checking.signal.aborted || (await store.onPage.get(changeId))?.status !== 'waiting') return 'changed';
        throw error;
      } finally {
        live.checking = undefined;
      }
    },
    /** Whether it is planned again at this moment, since the person pressed Apply. */
    isChecked: (changeId: string): boolean => store.liveOf(changeId)?.checking !== undefined,
    /** Waits for a person’s answer, until a time (milliseconds since the epoch) or an abort. */
    async wait(changeId: string, until: number, ...signals: readonly AbortSignal[]): Promise<void> {
      let isBeginning = false;
      const answered = async (): Promise<boolean> => {
        const change = await store.get(changeId);
        // A preview’s answer comes with a call.
        if (change === undefined || waitsOf(change.route).isByAssistant) return true;
        isBeginning = shownStatus(change) === 'running';
        return isBeginning ? store.isBegun(change) : !isWaiting(change);
      };
      // What can’t be read has no answer.
      const isAnswered = () => answered().catch(() => true);
      if (until <= Date.now() || (await isAnswered())) return;
      const over = new AbortController();
      const look = async (): Promise<void> => {
        if (await isAnswered()) over.abort();
      };
      const unwatch = store.watch((changed) => void (changed === changeId && look()));
      // Nobody tells when another process has begun what a person approved there.
      const timer = setInterval(() => void (isBeginning && look()), BEGUN_MS);
      await look();
      const { signal, release } = limitedSignal(until - Date.now(), ...signals, ending, over.signal);
      if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
      release();
      clearInterval(timer);
      unwatch();
    },
  };
}

const BEGUN_MS = 100;

/** A letter and eighteen digits: some sixty random bits in a form that costs a model few tokens. */
const newSecret = (): string => `t${String(randomBytes(8).readBigUInt64BE() % 10n ** 18n).padStart(18, '0')}`;
