import { undefinedIfRefused, VideoHostingError } from '../../errors.ts';
import { definedFields } from '../../platform/defined-fields.ts';
import { holdsLock, isOfThisMachine } from '../../platform/process-liveness.ts';
import { createSeenSince } from '../../platform/seen-since.ts';
import { DAY_MS } from '../../platform/time-units.ts';
import { sentence } from '../../text/sentence.ts';
import type { Journal } from '../journal/journal.ts';
import type { Notification, Notify } from '../standing/notify.ts';
import { agentOf } from './alike.ts';
import { type BackEnd, type StoredProposal, type StoredProposals, unreliable } from './back-end.ts';
import type { Ending } from './disk-file.ts';
import { damagedFile } from './file-errors.ts';
import type { Live } from './live.ts';
import { BEGINNING_MS, isWaiting, type Proposal } from './proposal.ts';
import { waitsOf } from './routes/index.ts';
import type { StoreName } from './routes/route.ts';

/** How far the machine's clock may be from where it would be by the one that nobody sets. */
const ON_TRACK_MS = 120_000;

export interface ProposalList {
  /** The newest first: those that wait, and the last that ended. */
  readonly proposals: readonly Proposal[];
  /** Those that are there and can’t be relied on: nothing is carried out by them. */
  readonly damaged: StoredProposals['damaged'];
}

/** Where proposals are found. */
export interface ProposalLookup {
  /** What waits under an id, or waited last. Throws `not_found` where it is there and can’t be relied on. */
  get(changeId: string): Promise<Proposal | undefined>;
  list(): Promise<ProposalList>;
}

export interface ReadingOptions {
  readonly backEnds: Readonly<Partial<Record<StoreName, BackEnd>>>;
  readonly journal: Pick<Journal, 'has' | 'read'>;
  /** Where a person is told of what waits. */
  readonly notify?: Notify | undefined;
  readonly now: () => number;
  /** To be called with each whose wait is over, whenever they are listed. */
  readonly ended: (proposal: Proposal) => void;
  /** Whether what expired is noted as that: not by who only reads. */
  readonly notesExpiry: boolean;
}

export type Reading = ReturnType<typeof createReading>;

/** What proposals are now, by what back ends keep of them, the time, the journal, and what this process has of those that it asks. */
export function createReading(
  { backEnds: given, journal, notify, now, ended, notesExpiry }: ReadingOptions,
  lives: ReadonlyMap<string, Live>,
) {
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

  const clocks = () => ({ wallMs: now(), steadyMs: performance.now() });
  const atFirst = clocks();
  /** When each was last seen to wait, by the machine's clock and by the one that nobody sets. */
  const waited = new Map<string, ReturnType<typeof clocks>>();
  const seenExpired = new Set<string>();
  const seen = createSeenSince();

  /**
   * Whether its time is over, and `sure` where that counts whatever the machine's clock tells later. What was seen to have expired does not wait
   * again where that clock is set back, unless it is back at what it would have been all along: then it had jumped ahead for a moment. One that
   * is being checked is not ended by its time.
   */
  function expiryOf(proposal: Proposal, live: Live | undefined): 'seen' | 'sure' | undefined {
    if (live?.checking !== undefined) return undefined;
    const { changeId, digest, at, expiresAt } = proposal;
    const key = `${changeId} ${digest}`;
    const { wallMs, steadyMs } = clocks();
    const hasRunOut = live !== undefined && live.ageMs() >= expiresAt - at;
    const isOver = hasRunOut || wallMs >= expiresAt;
    const isSure = seen.isSure(key, isOver) || hasRunOut;
    if (isOver) {
      seenExpired.add(key);
      return isSure ? 'sure' : 'seen';
    }
    const last = waited.get(key) ?? atFirst;
    const isOnTrack = Math.abs(wallMs - last.wallMs - (steadyMs - last.steadyMs)) <= ON_TRACK_MS;
    if (seenExpired.has(key) && !isOnTrack) return 'seen';
    seenExpired.delete(key);
    waited.set(key, { wallMs, steadyMs });
    return undefined;
  }

  const hasExpired = (proposal: Proposal, live: Live | undefined): boolean => expiryOf(proposal, live) !== undefined;
  const hasExpiredForGood = (proposal: Proposal, live: Live | undefined): boolean => expiryOf(proposal, live) === 'sure';

  /** Whether a process of this machine that lives is to begin it. */
  const isHeld = ({ status, at, process }: Ending): boolean =>
    status === 'started' && process !== undefined && isOfThisMachine(process) && holdsLock(process, Date.parse(at));

  /** Whether another process of this machine asked about it, and lives: this one has what it asks in `lives`. */
  const asksStill = ({ process: asker, at }: Proposal): boolean =>
    asker !== undefined && isOfThisMachine(asker) && asker.pid !== process.pid && holdsLock(asker, at);

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
  async function asNow({ proposal, ending }: Pick<StoredProposal, 'proposal' | 'ending'>): Promise<Proposal> {
    const live = liveOf(proposal);
    const here = live && { ...live.shown, isOwn: live.isOwn, isAskedHere: true };
    const isOfIt = ending?.digest === undefined || ending.digest === proposal.digest;
    if (!isOfIt) throw damagedFile(proposal.changeId, sentence`what was decided on it is about another one`);
    if (ending === undefined || (await isLeft(proposal, ending))) {
      const status = hasExpired(proposal, live) ? ('expired' as const) : proposal.status;
      const isAskedElsewhere = live === undefined && ending === undefined && asksStill(proposal) ? (true as const) : undefined;
      return { ...proposal, ...here, status, ...definedFields({ leftAt: ending?.at, isAskedElsewhere }) };
    }
    const { status, at, note, by, isAnswered = by !== undefined, decided: who } = ending;
    const person = who && { decided: { ...who, at, ...(note !== '' && { note }) } };
    const isBeginning = isHeld(ending) && !journal.has(proposal.changeId) ? true : undefined;
    return { ...proposal, ...here, ...{ status, note, isAnswered, decidedAt: at }, ...person, ...definedFields({ by, isBeginning }) };
  }

  async function readIn(backEnd: BackEnd, changeId: string): Promise<Proposal | undefined> {
    const stored = await backEnd.read(changeId);
    return stored && asNow(stored);
  }

  async function listIn(backEnd: BackEnd): Promise<ProposalList & { readonly stored: readonly StoredProposal[] }> {
    const { stored, damaged } = await backEnd.list();
    const proposals: Proposal[] = [];
    const misled: StoredProposals['damaged'][number][] = [];
    for (const one of stored) {
      try {
        const proposal = await asNow(one);
        proposals.push(proposal);
        if (isOverForGood(proposal, one)) {
          ended(proposal);
          await noteIfExpired(proposal, one, backEnd);
        }
        if (!one.isTold) await tellIfExpiring(proposal, backEnd);
      } catch (error) {
        if (!(error instanceof VideoHostingError)) throw error;
        misled.push(unreliable(one.proposal.changeId, error));
      }
    }
    const waitingIds = new Set(proposals.filter(isWaiting).map(({ changeId }) => changeId));
    return { stored, proposals: proposals.map((one) => onlyWaiting(one, waitingIds)), damaged: [...damaged, ...misled] };
  }

  /** Who only reads takes the clock's word. */
  const isOverForGood = (proposal: Proposal, { ending }: StoredProposal): boolean =>
    proposal.status !== 'expired' || ending !== undefined || !notesExpiry || hasExpiredForGood(proposal, liveOf(proposal));

  /** What can’t be noted is looked at again. */
  async function noteIfExpired(proposal: Proposal, { ending }: StoredProposal, backEnd: BackEnd): Promise<void> {
    const { changeId, status, expiresAt, digest } = proposal;
    if (!notesExpiry || status !== 'expired' || ending !== undefined || backEnd.name !== 'disk') return;
    await backEnd.settle(changeId, { status, at: new Date(expiresAt).toISOString(), note: '', digest }).catch(undefinedIfRefused);
  }

  /** Of one that waits for less than a day from now, by one of all processes. */
  async function tellIfExpiring(proposal: Proposal, backEnd: BackEnd): Promise<void> {
    // A process that tells nobody leaves it to one that does.
    const isDue = notify !== undefined && isWaiting(proposal) && waitsOf(proposal.route).isForLater && proposal.expiresAt - now() <= DAY_MS;
    if (isDue && (await backEnd.markTold(proposal.changeId))) notify(notificationOf('expires', proposal));
  }

  /** Whether the journal has what was approved. */
  async function isBegun({ changeId, resumes, decidedAt = '' }: Proposal): Promise<boolean> {
    if (resumes === undefined) return journal.has(changeId);
    const record = await journal.read(resumes).catch(undefinedIfRefused);
    return record?.resumed !== undefined && record.resumed.at >= decidedAt;
  }

  return { liveOf, backEndOf, hasExpired, hasExpiredForGood, isLeft, isBegun, readIn, listIn };
}

export const notificationOf = (
  kind: 'waits' | 'expires',
  { changeId, asked, expiresAt }: Pick<Proposal, 'changeId' | 'asked' | 'expiresAt'>,
): Notification => ({
  ...{ kind, changeId, expiresAt: new Date(expiresAt).toISOString() },
  ...definedFields({ askedBy: agentOf({ asked }) }),
});

/** Without what does not wait any more among what it overtakes. */
const onlyWaiting = (change: Proposal, waitingIds: ReadonlySet<string>): Proposal =>
  change.overtakes.length === 0 ? change : { ...change, overtakes: change.overtakes.filter((id) => waitingIds.has(id)) };

export const withWaiting = (change: Proposal, others: readonly (Proposal | undefined)[]): Proposal =>
  onlyWaiting(change, new Set(others.flatMap((other) => (other !== undefined && isWaiting(other) ? [other.changeId] : []))));
