import { titlesIfAny } from '../../../account/video-references.ts';
import { refusal } from '../../../errors.ts';
import { definedFields } from '../../../platform/defined-fields.ts';
import { longPiece } from '../../../platform/long-work.ts';
import { joined, type Sentence, sentence, word } from '../../../text/sentence.ts';
import { cutQuoted } from '../../../text/text-columns.ts';
import { type BulkState, type IdStatus, isNotSent, isPossiblyApplied } from '../../journal/bulk-state.ts';
import type { ChangeRecord } from '../../journal/change-record.ts';
import { isNotice, type Notice, type NoticeOf, noticeText } from '../../notices/notices.ts';
import { kindFactsOf, moveIn } from '../../plan/facts.ts';
import { videosText } from '../../plan/list-text.ts';
import type { BulkPlan, PlanReading } from '../../plan/plan.ts';
import type { PlanDeps } from '../../plan/plan-deps.ts';
import { carryOnTexts, summaryText } from '../../plan/preview.ts';
import type { ResumeRequest } from '../kind.ts';
import { readApprovedIds, readApprovedRows } from './approved-ids.ts';
import { earlierCopies } from './earlier-copies.ts';
import { findMovedOn, type MovedOn, movedOnBasis, movedOnNotices, NOTHING_MOVED_ON } from './later-moves.ts';
import { asLeftAlone, buildCopyPlan } from './plan-copy.ts';
import { buildMovePlan } from './plan-move.ts';
import { expiredJwt, untriedCredential } from './untried-credential.ts';

/**
 * Plans to send the rest of a bulk change that stopped, into the same file of the journal; what may have been copied is not
 * sent again; what was moved elsewhere since is left alone, like what another copy reached. Throws `not_resumable`.
 */
export async function planRestOfBulk(
  record: ChangeRecord,
  { retryFailed = false }: ResumeRequest,
  deps: PlanDeps,
  { signal }: Pick<PlanReading, 'signal'>,
): Promise<BulkPlan> {
  const { client, journal } = deps;
  const { intent, bulk } = record;
  const { changeId } = intent;
  if (bulk === undefined) throw refused(sentence`${word(changeId)} is no change of many videos.`);
  const move = moveIn(intent.facts);
  const isMove = move !== undefined;
  const isOpen = (status: IdStatus) => isNotSent(status) || (isMove && isPossiblyApplied(status)) || (retryFailed && status === 'failed');
  const ids = bulk.ranges(isOpen).length === 0 ? [] : await readApprovedIds(journal, record);
  const movedOn = isMove ? await findMovedOn(record, ids, journal, (index) => isOpen(bulk.statusAt(index))) : NOTHING_MOVED_ON;
  const copyFacts = 'copy' in intent.facts ? intent.facts : undefined;
  const copies = copyFacts ? await copiesSince(copyFacts.copy.source, bulk, ids, isOpen, journal) : NO_COPIES;
  const isLeftAlone = (index: number) => movedOn.has(index) || copies.leftAlone.has(ids[index] ?? '');
  const left = bulk.ranges((status, index) => isOpen(status) && !isLeftAlone(index));
  const doubts = bulk.count('done') > 0 ? [] : intent.notices.filter(isNotice('no_ids'));
  const notices = [...doubts, ...movedOnNotices(movedOn), ...copies.notices, ...outcomeNotices(bulk, isMove, retryFailed, movedOn)];
  const untried = isMove ? await untriedCredential(deps) : [];
  if (left.length === 0)
    throw refused(
      sentence`Nothing of ${word(changeId)} is left to be sent. ${joined([summaryText(summariesOf(record, bulk, 0)), ...notices.map(noticeText)])}`,
      isMove && bulk.count('failed') > 0 ? RETRY_HINT : undefined,
    );
  const rows = await readApprovedRows(journal, record);
  const expired = await expiredJwt(deps, signal);
  await longPiece(ids.length, signal);
  const count = left.reduce((sum, { from, to }) => sum + to - from, 0);
  const open = left.flatMap(({ from, to }) => ids.slice(from, to));
  const common = {
    ids,
    ...(await titlesIfAny(open, deps.catalogue)),
    ...definedFields({ rows }),
    basis: { done: bulk.count('done'), ...movedOnBasis(movedOn) },
    resumes: changeId,
    ...summariesOf(record, bulk, count),
    notices: [...expired, ...notices, ...untried],
  };
  if (copyFacts !== undefined) {
    return buildCopyPlan(client, { ...common, facts: copyFacts, ...copies, notices: [...expired, ...notices], open });
  }
  if (move === undefined || intent.ids === undefined) throw refused(sentence`${word(changeId)} is no change of many videos.`);
  return buildMovePlan(deps, move, { ...kindFactsOf(intent), ...common, open: left, movedOn, retryFailed });
}

const NO_COPIES = { doubles: [], copiedBefore: {}, leftAlone: new Map<string, string>(), notices: [] } as const;

/** What other copies did to the videos that a copy has left to do: it leaves them alone, and says so. */
async function copiesSince(
  source: string,
  bulk: BulkState,
  ids: readonly string[],
  isOpen: (status: IdStatus) => boolean,
  journal: PlanDeps['journal'],
) {
  const open = bulk.ranges(isOpen).flatMap(({ from, to }) => ids.slice(from, to));
  const { copiedBy, doubles, ...earlier } = await earlierCopies(source, open, journal);
  const isOfThem = isNotice('copied_since');
  const told = asLeftAlone(doubles);
  return { ...earlier, leftAlone: copiedBy, doubles: told.filter((one) => !isOfThem(one)), notices: told.filter(isOfThem) };
}

/** Where nothing but what failed is left. */
export const RETRY_HINT = sentence`To send again what failed, call it with retryFailed: true.`;

const refused = (message: Sentence, hint = sentence`See get_change for what became of each.`) => refusal('not_resumable', message, hint);

const summariesOf = ({ intent }: ChangeRecord, bulk: BulkState, left: number) =>
  carryOnTexts(intent, sentence`${videosText(bulk.count('done'))} done, ${videosText(left)} to be sent`);

/** Why ids failed, the most frequent reasons first. */
function reasonsOf(bulk: BulkState): Pick<NoticeOf<'failed_before'>, 'reasons' | 'hasMore'> {
  const counts = new Map<Sentence, number>();
  for (const { from, to } of bulk.ranges((status) => status === 'failed'))
    for (let index = from; index < to; index += 1) {
      const reason = bulk.reasonAt(index) ?? sentence`No reason was recorded.`;
      counts.set(reason, (counts.get(reason) ?? 0) + 1);
    }
  const sorted = [...counts].sort(([, one], [, other]) => other - one);
  const reasons = sorted.slice(0, MAX_REASONS).map(([reason, count]) => ({ reason: cutQuoted(reason, MAX_QUOTED), count }));
  return { reasons, hasMore: sorted.length > MAX_REASONS };
}

const MAX_REASONS = 3;
/** What the service said is repeated in so many columns: once it was told in full. */
const MAX_QUOTED = 120;

function outcomeNotices(bulk: BulkState, isMove: boolean, isRetried: boolean, movedOn: MovedOn): Notice[] {
  const countOf = (wanted: IdStatus) => bulk.countIf((status, index) => status === wanted && !movedOn.has(index));
  const [unknown, failed] = [countOf('unknown'), countOf('failed')];
  return [
    ...(failed > 0 ? [{ kind: 'failed_before', videos: failed, isRetried, ...reasonsOf(bulk) } as const] : []),
    ...(unknown > 0 ? [{ kind: 'not_known_before', videos: unknown, isHarmless: isMove } as const] : []),
  ];
}
