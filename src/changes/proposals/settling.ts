import { undefinedIfRefused } from '../../errors.ts';
import { definedFields } from '../../platform/defined-fields.ts';
import { limitedSignal } from '../../platform/limited-signal.ts';
import { thisProcess } from '../../platform/process-liveness.ts';
import type { Decided } from '../plan/asked-and-decided.ts';
import type { ConfirmedBy } from '../plan/confirmed-by.ts';
import { type EndedRequest, isDoneBy, isEndedBy, isSameRequest } from './alike.ts';
import type { BackEnd } from './back-end.ts';
import type { DecidedRequests, DeclinedRequest } from './decided-requests.ts';
import type { Ending } from './disk-file.ts';
import { decidedElsewhere, endLive, type Live } from './live.ts';
import type { Proposal } from './proposal.ts';
import type { Reading } from './reading.ts';
import { assertWaits, decidedOn, held, replaced } from './refusals.ts';

/** What ends the wait of one. */
export interface Settlement {
  readonly status: Ending['status'];
  /** How a person decided, and their words. */
  readonly how?: ConfirmedBy;
  /** Who decided, where that is known. */
  readonly by?: Decided['by'];
  readonly note?: string;
}

interface SettlingOptions {
  readonly reading: Reading;
  readonly lives: ReadonlyMap<string, Live>;
  readonly decided: Pick<DecidedRequests, 'lastOf' | 'declined' | 'actionDeclined'> | undefined;
  readonly now: () => number;
  /** For how long a decision waits for a process that adds or removes some. */
  readonly lockMs: number;
  readonly get: (changeId: string) => Promise<Proposal | undefined>;
  readonly waiting: () => Promise<readonly Proposal[]>;
  /** To be called with each whose wait is over. */
  readonly ended: (proposal: Proposal) => void;
  /** Resolves once what `ended` was called with is recorded for auditors. */
  readonly noted: (() => Promise<void>) | undefined;
  /** To be called with each that ends, or waits again. */
  readonly changed: (changeId: string) => void;
}

export type Settling = ReturnType<typeof createSettling>;

/** What ends the wait of proposals: decisions on one, and requests that were begun or declined in whichever way. */
export function createSettling({ reading, lives, decided, now, lockMs, get, waiting, ended, noted, changed }: SettlingOptions) {
  const { liveOf, backEndOf, isLeft, isBegun } = reading;

  /** Ends the wait of one. Resolves to how; undefined where somebody else did. */
  async function settle(
    proposal: Proposal,
    { status, how, by: who, note = '' }: Settlement,
    by?: Pick<Ending, 'by' | 'isAnswered'>,
  ): Promise<Ending | undefined> {
    const { changeId, digest } = proposal;
    const backEnd = backEndOf(proposal);
    const ending: Ending = {
      ...{ status, at: new Date(now()).toISOString(), note, digest },
      ...definedFields({
        decided: how && { ...definedFields({ by: who }), how },
        process: status === 'started' ? thisProcess() : undefined,
        ...by,
      }),
    };
    if (!(await backEnd.settle(changeId, ending))) return undefined;
    const { at, by: begun, isAnswered = begun !== undefined, decided: person } = ending;
    ended({ ...proposal, status, isAnswered, decidedAt: at, ...definedFields({ by: begun, decided: person && { ...person, at } }) });
    const live = liveOf(proposal);
    if (live !== undefined) endLive(live, status);
    // Nobody plans it again.
    if (status !== 'started') await backEnd.release(changeId);
    // What is begun is told once it is.
    if (status !== 'started') changed(changeId);
    // Whoever is answered that they declined it may rely on the record; what a change that begins ends need not hold that up.
    if (status !== 'started' && by === undefined) await noted?.();
    return ending;
  }

  /** What another process decided on a request ends what this one asks about it. */
  async function endDecided(): Promise<void> {
    for (const live of lives.values()) {
      const other = decidedElsewhere(live, decided);
      if (other === undefined) continue;
      live.isOver = true;
      const by = { isAnswered: true, ...definedFields({ by: other.begun }) };
      await settle(live.proposal, { status: 'withdrawn' }, by).catch(undefinedIfRefused);
    }
  }

  /** Removes the decision of a process that is gone, so that another can be made. Resolves to whether there is none any more. Needs the lock. */
  async function dropLeft({ changeId }: Proposal, backEnd: BackEnd): Promise<boolean> {
    const { proposal, ending } = (await backEnd.read(changeId)) ?? {};
    if (proposal === undefined) return false;
    // Another process removed it, and may have made the next one by now.
    if (ending === undefined) return true;
    return (await isLeft(proposal, ending)) && (await backEnd.unsettle(changeId, ending));
  }

  /** The same with the lock. Throws `running_elsewhere` where another process keeps it. */
  async function dropLeftAlone(proposal: Proposal, backEnd: BackEnd): Promise<boolean> {
    const { signal, release } = limitedSignal(lockMs);
    try {
      return await backEnd.exclusively(signal, () => dropLeft(proposal, backEnd));
    } catch (error) {
      throw signal.aborted ? held(proposal.changeId, error) : error;
    } finally {
      release();
    }
  }

  async function waitingAs(changeId: string, shown: string | undefined): Promise<Proposal> {
    const proposal = await get(changeId);
    assertWaits(changeId, proposal);
    if (shown !== undefined && proposal.digest !== shown) throw replaced(changeId);
    return proposal;
  }

  /**
   * Ends the wait of one, and with `begin` begins it; where that fails it waits on. Throws `not_approved` unless it still waits, and with
   * the digest that was `shown` to whoever decides: the first counts.
   */
  async function decide(changeId: string, settlement: Settlement, shown?: string): Promise<void>;
  async function decide<T>(changeId: string, settlement: Settlement, shown: string | undefined, begin: () => Promise<T>): Promise<T>;
  async function decide(changeId: string, settlement: Settlement, shown?: string, begin?: () => Promise<unknown>): Promise<unknown> {
    const proposal = await waitingAs(changeId, shown);
    const backEnd = backEndOf(proposal);
    const again = async () => ((await dropLeftAlone(proposal, backEnd)) ? settle(proposal, settlement) : undefined);
    const ending = (await settle(proposal, settlement)) ?? (proposal.leftAt === undefined ? undefined : await again());
    if (ending === undefined) {
      assertWaits(changeId, await get(changeId));
      throw decidedOn(changeId);
    }
    try {
      const begun = await begin?.();
      if (settlement.status === 'started') changed(changeId);
      return begun;
    } catch (error) {
      // What the journal has was begun, whatever failed after that; so may have been what can’t be looked for.
      const hasBegun = await isBegun({ ...proposal, decidedAt: ending.at }).catch(() => true);
      const waitsAgain = !hasBegun && (await backEnd.unsettle(changeId, ending));
      const live = liveOf(proposal);
      if (live !== undefined && waitsAgain) live.isOver = false;
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

  /** A request was begun: what else waits for it, or would do nothing but what that does, counts no more. */
  async function end(request: EndedRequest): Promise<void> {
    const others = (await waiting()).filter((one) => liveOf(one)?.isTaken !== true);
    if (others.length === 0) return;
    const action = await request.actionOf();
    for (const one of others)
      if (await isOverBy(request, action, one).catch(undefinedIfRefused))
        await settle(one, { status: 'withdrawn' }, { by: request.begun, isAnswered: true }).catch(undefinedIfRefused);
  }

  /**
   * A person declined a request: what would do the same and is asked by nobody here is declined, and what else waits for it counts no more, in any process.
   * What they asked for on the page themselves is theirs to cancel there. What can’t be written is not told to others.
   */
  async function declineRequest(request: DeclinedRequest, answer: Omit<Settlement, 'status'>): Promise<void> {
    const { requestDigest, action } = request;
    for (const one of await waiting()) {
      if (one.isOwn) continue;
      if (!one.isAskedHere && action !== undefined && one.action === action)
        await settle(one, { ...answer, status: 'declined' }).catch(undefinedIfRefused);
      else if (isSameRequest(one, requestDigest))
        await settle(one, { status: 'withdrawn' }, { isAnswered: true }).catch(undefinedIfRefused);
    }
    await decided?.declined(request).catch(() => undefined);
  }

  /**
   * A person declines one, and its request. That they said no to what it would do is noted first, so that nothing allowed in advance does it
   * where this process is killed then. Throws like `decide`.
   */
  async function decline(changeId: string, answer: Omit<Settlement, 'status'>, request: DeclinedRequest, shown?: string): Promise<void> {
    await waitingAs(changeId, shown);
    await decided?.actionDeclined(request).catch(() => undefined);
    await decide(changeId, { ...answer, status: 'declined' }, shown);
    // A token that was given out before its call came to the page must not confirm it any more.
    await declineRequest(request, answer);
  }

  /** No more than this one: another may wait under its id in another way. */
  const withdraw = (proposal: Proposal) => settle(proposal, { status: 'withdrawn' });

  return { withdraw, dropLeft, endDecided, decide, decline, end, declineRequest };
}
