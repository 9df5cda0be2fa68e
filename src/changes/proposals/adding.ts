import { undefinedIfRefused } from '../../errors.ts';
import { fieldsIn } from '../../platform/is-object.ts';
import { longPiece } from '../../platform/long-work.ts';
import { createSeenSince } from '../../platform/seen-since.ts';
import { sentence } from '../../text/sentence.ts';
import type { Journal } from '../journal/journal.ts';
import { personIn } from '../plan/asked-and-decided.ts';
import type { ShownPlan } from '../plan/plan.ts';
import { TRAITS } from '../plan/traits/index.ts';
import { isAlike, isSameAction, isSameRequest, sharesBound, surplusOfEnded } from './alike.ts';
import type { Added, BackEnd } from './back-end.ts';
import type { DecidedRequests } from './decided-requests.ts';
import { damagedFile } from './file-errors.ts';
import { createLive, type Live, type NewLive } from './live.ts';
import { isWaiting, type Proposal } from './proposal.ts';
import { keysHeld, MAX_OWN, MAX_WAITING_KEYS, surplusOf } from './proposal-limits.ts';
import type { Reading } from './reading.ts';
import { recordsOf } from './records-of.ts';
import { full } from './refusals.ts';
import { FOR_LATER } from './routes/for-later.ts';
import { isOnPage, waitsOf, waitsOnDisk } from './routes/index.ts';
import type { Settling } from './settling.ts';

/** What is asked, by which route and by which call. */
export interface NewProposal extends Pick<Proposal, 'changeId' | 'route' | 'asked' | 'tool' | 'requestDigest' | 'action' | 'plan'> {
  readonly isOwn?: boolean;
  readonly args: unknown;
  readonly files?: Added['files'] | undefined;
}

/** By the digest of a change, whether it is about some of the same records. */
type Overlaps = Map<string, boolean>;

interface AddingOptions {
  readonly reading: Reading;
  readonly lives: Map<string, Live>;
  readonly journal: Pick<Journal, 'has'>;
  readonly decided: Pick<DecidedRequests, 'lastOf' | 'declinedAt'> | undefined;
  readonly now: () => number;
  readonly get: (changeId: string) => Promise<Proposal | undefined>;
  readonly settling: Pick<Settling, 'withdraw' | 'dropLeft'>;
}

/** What may be added, what makes room for it, and what it joins or takes the place of. All but `lookAhead` and `remove` need the lock of the back end. */
export function createAdding({ reading, lives, journal, decided, now, get, settling }: AddingOptions) {
  const { liveOf, listIn, hasExpiredForGood } = reading;
  const { withdraw, dropLeft } = settling;
  const seen = createSeenSince();

  async function remove({ changeId, route }: Proposal, backEnd: BackEnd): Promise<void> {
    if (liveOf({ changeId, route }) !== undefined) lives.delete(changeId);
    await backEnd.remove(changeId);
  }

  /** Removes what ended long ago, or is too much; returns the rest, the newest first. Needs the lock. */
  async function prune(backEnd: BackEnd): Promise<readonly Proposal[]> {
    await backEnd.tidy();
    const { stored, proposals } = await listIn(backEnd);
    const { ended, name } = backEnd;
    const noted = new Set(stored.filter(({ ending }) => ending !== undefined).map(({ proposal }) => proposal.changeId));
    // What one look finds expired stays.
    const isOver = (one: Proposal) => one.status !== 'expired' || noted.has(one.changeId) || hasExpiredForGood(one, liveOf(one));
    const over = proposals.filter((one) => !isWaiting(one) && isOver(one));
    const sizeOf = (one: Proposal) => (name === 'memory' ? keysHeld(one) : 0);
    const isOld = ({ changeId, expiresAt }: Proposal) => seen.isSure(changeId, expiresAt + ended.keptMs < now());
    const tooOld = new Set(over.filter(isOld));
    const old = new Set([
      ...tooOld,
      ...surplusOfEnded(
        over.filter((one) => !tooOld.has(one)),
        ended,
        sizeOf,
      ),
    ]);
    for (const one of old) await remove(one, backEnd);
    // Of what was begun, and of what expired, nobody plans anything again.
    const withCopies = new Set(stored.filter(({ hasFileCopies }) => hasFileCopies).map(({ proposal }) => proposal.changeId));
    for (const { changeId, status } of over)
      if (withCopies.has(changeId) && (status === 'expired' || journal.has(changeId))) await backEnd.release(changeId);
    return proposals.filter((one) => !old.has(one));
  }

  /**
   * Whether changes are about some of the same records as a plan, by their digests, for those that wait by now. Each may have a hundred thousand,
   * so they are read before the lock is taken, for which everybody waits who asks for anything.
   */
  async function lookAhead({ plan, route }: NewProposal, backEnd: BackEnd): Promise<Overlaps> {
    const overlaps: Overlaps = new Map();
    if (waitsOnDisk(route)) await overtakenBy(plan, (await listIn(backEnd)).proposals.filter(isWaiting), backEnd, overlaps);
    return overlaps;
  }

  /** Those of some changes that are about some of the same records as a plan. What is read is added to what is known. */
  async function overtakenBy(plan: ShownPlan, others: readonly Proposal[], backEnd: BackEnd, known: Overlaps): Promise<readonly string[]> {
    const unread = others.filter(({ digest }) => !known.has(digest));
    const wanted = unread.length === 0 ? [] : recordsOf(plan);
    await longPiece(wanted.length);
    const records = new Set(wanted);
    for (const { changeId, digest } of records.size === 0 ? [] : unread) {
      const of = await backEnd.recordsOf(changeId).catch(undefinedIfRefused);
      await longPiece(of?.length ?? 0);
      known.set(digest, of?.some((id) => records.has(id)) === true);
    }
    return others.flatMap(({ changeId, digest }) => (known.get(digest) === true ? [changeId] : []));
  }

  /** As many wait as may: the oldest make room, or it is refused. */
  async function makeRoom(asked: Proposal, newestFirst: readonly Proposal[], call: NewLive['call'], backEnd: BackEnd): Promise<void> {
    const { max, ifFull } = waitsOf(asked.route);
    const alike = newestFirst.toReversed();
    const sizes = [...alike.map((one) => ({ ...one, call: liveOf(one)?.call })), { ...asked, call }].map((one) =>
      waitsOf(one.route).isForLater ? 0 : keysHeld(one),
    );
    const surplus = surplusOf(sizes, ifFull === 'refuse' && asked.isOwn ? max + MAX_OWN : max, MAX_WAITING_KEYS);
    if (surplus > 0 && ifFull === 'refuse') throw full(alike.length, asked);
    for (const one of alike.slice(0, surplus)) await remove(one, backEnd);
  }

  /** A call for what is asked here already waits for the same answer. */
  const isJoinable = (one: Proposal, { route, requestDigest }: Pick<NewProposal, 'route' | 'requestDigest'>): boolean =>
    isWaiting(one) && one.route === route && isOnPage(one) && one.isAskedHere && isSameRequest(one, requestDigest);

  async function addTo(backEnd: BackEnd, added: NewProposal, newLive: NewLive, overlaps: Overlaps) {
    const { changeId, route, asked, tool, requestDigest, action, plan, isOwn = false, args, files = [] } = added;
    const { isForLater } = waitsOf(route);
    // What one of several people asks for on the page may be for others to decide on, as all that they ask for is.
    const lifetimeMs = personIn(asked.by) === undefined ? waitsOf(route).lifetimeMs : FOR_LATER.lifetimeMs;
    const known = await prune(backEnd);
    const at = now();
    const { standing: why, lacks } = plan.preview;
    const proposal: Omit<Proposal, 'digest' | 'store'> = {
      ...{ changeId, route, asked, tool, requestDigest, action, plan },
      ...{ resumes: plan.resumes, isOwn, isAskedHere: false, conflicts: [], status: 'waiting', note: '', isAnswered: false, why, lacks },
      ...{
        at,
        expiresAt: at + Math.min(lifetimeMs, TRAITS[plan.kind].waitsAtMostMs ?? lifetimeMs),
        overtakes: [],
        declinedAt: action && (await decided?.declinedAt(() => action)),
      },
    };
    const alike = known.filter((one) => isWaiting(one) && isAlike(one, proposal));
    const joined = isForLater ? undefined : known.find((one) => isJoinable(one, added));
    const same = joined ?? (waitsOnDisk(route) ? alike.find((one) => isSameAction(one, added)) : undefined);
    if (same !== undefined) {
      const live = joined && liveOf(joined);
      if (live !== undefined) live.calls += 1;
      if (live !== undefined || isForLater) return { proposal: same, isNew: false };
    }
    // Before anything is withdrawn: where there is no room, what waits waits on.
    const sharing = waitsOf(route).ifFull === 'refuse' ? known.filter((one) => isWaiting(one) && sharesBound(one, proposal)) : alike;
    await makeRoom(
      { ...proposal, digest: '', store: backEnd.name },
      sharing.filter((one) => one !== same),
      newLive.call,
      backEnd,
    );
    if (same !== undefined) {
      // The process that asked before is gone, or asks in another way: one question is enough.
      if (same.leftAt !== undefined) await dropLeft(same, backEnd);
      await withdraw(same);
    }
    const overtakes = waitsOnDisk(route) ? await overtakenBy(plan, known.filter(isWaiting), backEnd, overlaps) : [];
    await backEnd.add({ proposal: { ...proposal, overtakes }, args: fieldsIn(args), files });
    const stored = (await backEnd.read(changeId))?.proposal;
    if (stored === undefined) throw damagedFile(changeId, sentence`it is gone`);
    if (!isForLater) {
      const live = createLive(stored, plan, newLive, decided);
      live.calls = 1;
      lives.set(changeId, live);
    }
    return { proposal: (await get(changeId)) ?? stored, isNew: true };
  }

  return { lookAhead, addTo, remove };
}
