import { definedFields } from '../../platform/defined-fields.ts';
import { counted, inFull } from '../../text/counted.ts';
import { cleanText } from '../../text/sanitize-text.ts';
import { joined, type Sentence, sentence, word } from '../../text/sentence.ts';
import type { BulkState, IdStatus } from '../journal/bulk-state.ts';
import { bulkCounts } from '../journal/bulk-state.ts';
import type { ChangeRecord } from '../journal/change-record.ts';
import type { Journal } from '../journal/journal.ts';
import { undoneBy } from '../kinds/earlier/undone-by.ts';
import { findAllMovedOn, NOTHING_MOVED_ON } from '../kinds/videos/later-moves.ts';
import { findOutcomes, outcomeColumns, readOutcomes, writeOutcomes } from '../kinds/videos/outcomes-file.ts';
import { idListIn, moveIn, type ProjectShare } from '../plan/facts.ts';
import { rowLookup } from '../plan/id-files.ts';
import type { Beside } from '../plan/plan.ts';
import { agreedOut } from './agreement.ts';
import { bulkSentence, leftBehindText, verbOf } from './message.ts';
import { failedAgain, nextSteps } from './next-steps.ts';
import { sidesOut, troubleOut, undoOut } from './result-fields.ts';

/** The result of one bulk change: counts, and the ids that failed or whose outcome is unknown. */
export async function bulkResult(record: ChangeRecord, bulk: BulkState, journal: Journal, maxListed: number) {
  const { intent, status, requests } = record;
  const { failed, unknown } = bulkCounts(bulk);
  const facts = idListIn(intent.facts);
  const isRunning = status === 'running';
  const isLong = failed > maxListed || unknown > maxListed;
  const { ids, rowAt } = await idsOf(record, bulk, journal);
  const file = isRunning || ids === undefined ? undefined : await outcomesOf(record, { ids, state: bulk, rowAt }, journal, isLong);
  const rowOf = file === undefined ? () => ({}) : rowTaker(await readOutcomes(file.path));
  const list = (outcome: 'failed' | 'unknown') =>
    firstIdsWith(outcome, ids ?? [], bulk, maxListed).map(({ index, id, reason }) => ({
      id,
      ...filePosition(rowAt(index)),
      ...definedFields({ request: bulk.requestAt(index) }),
      ...rowOf(id),
      reason,
    }));
  const undone = isRunning ? undefined : await undoneBy(intent.changeId, journal);
  const movedOn = isRunning || moveIn(intent.facts) === undefined ? NOTHING_MOVED_ON : await findAllMovedOn(record, journal);
  const stays = (wanted: IdStatus) => bulk.countIf((is, index) => is === wanted && !movedOn.has(index));
  return {
    status,
    changeId: intent.changeId,
    message: joined([bulkSentence(record, bulk), await leftBehindText(record, journal)].filter((text) => text !== '')),
    ...agreedOut(record, ['no_undo', 'file_read', 'set_aside']),
    ...definedFields({ fileRead: facts?.fileRead && sentence`Of the file: ${facts.fileRead}` }),
    ...countsOut(record, bulk),
    failed: list('failed'),
    unknown: list('unknown'),
    ...(ids === undefined ? { idsLost: sentence`The file in which its ids were kept can’t be read: only the counts are known.` } : {}),
    ...(isLong
      ? {
          leftOut: sentence`failed and unknown list the first ${maxListed} each; get_change with list and page has ${isRunning ? 'those that are known by now' : 'all'}.`,
        }
      : {}),
    ...(file === undefined
      ? {}
      : { notDoneFile: file.link ?? file.path, notDoneFileHolds: heldText(record, bulk, await outcomeColumns(file.path), file.link) }),
    ...sides(record),
    ...troubleOut(record),
    ...definedFields({ requests: isRunning ? undefined : requests }),
    ...nextSteps(record, bulk, stays, {
      isUndone: undone !== undefined,
      failedAgain: failedAgain(record, (index) => !movedOn.has(index)),
      file,
    }),
    undo: undoOut(record, { undone, movedOn }),
  };
}

/** The numbers of a bulk change by outcome, as its answer has them. */
export function countsOut(record: ChangeRecord, bulk: BulkState) {
  const { done, failed, unknown } = bulkCounts(bulk);
  const isRunning = record.status === 'running';
  return {
    [bulk.does.done]: done,
    total: bulk.total,
    failedCount: failed,
    unknownCount: unknown,
    notSentCount: isRunning ? 0 : bulk.count('not_done'),
    ...(isRunning && bulk.count('retrying') > 0 ? { retryingCount: bulk.count('retrying') } : {}),
  };
}

/** The ids of a change of which some are not done, and the row of each; undefined where they can’t be read any more. */
async function idsOf({ intent }: ChangeRecord, bulk: BulkState, journal: Journal) {
  const { failed, unknown } = bulkCounts(bulk);
  const facts = idListIn(intent.facts);
  const ids = failed + unknown === 0 ? [] : await journal.readIds(intent.changeId).catch(() => undefined);
  const rows = failed + unknown === 0 || facts?.rows === undefined ? undefined : await journal.readRows(intent.changeId, bulk.total);
  return { ids, rowAt: rowLookup(facts, rows) };
}

/** The path of the file of a change’s outcomes, which is written where it is missing; undefined where nothing failed, or nothing is known of it. */
export async function outcomesFileOf(record: ChangeRecord, journal: Journal): Promise<string | undefined> {
  const { bulk, status } = record;
  if (bulk === undefined || status === 'running') return undefined;
  const { ids, rowAt } = await idsOf(record, bulk, journal);
  if (ids === undefined || ids.length === 0) return undefined;
  return (await outcomesOf(record, { ids, state: bulk, rowAt }, journal, true))?.path;
}

/** What the file of outcomes holds, and what it does not; where it is behind a link, whose it is. */
function heldText(record: ChangeRecord, bulk: BulkState, columns: readonly string[], link: string | undefined): Sentence {
  const { failed, unknown } = bulkCounts(bulk);
  const verb = verbOf(record, bulk);
  const others = bulk.count('not_done') === 0 ? verb : sentence`${verb}, or not sent,`;
  const named =
    columns.length === 0
      ? ''
      : sentence` Its columns: ${joined(
          columns.map((name) => word(name, MAX_COLUMN)),
          ', ',
        )}.`;
  const what = link === undefined ? sentence`notDoneFile` : sentence`For people, notDoneFile leads to the change on the page, where a file`;
  return sentence`${what} has ${counted(failed + unknown, 'row')}: ${inFull(failed)} failed, ${inFull(unknown)} not known.${named} What was ${others} is not in it.`;
}

const MAX_COLUMN = 40;

type FoundFile = Awaited<ReturnType<typeof findOutcomes>>;

/** The file of the outcomes; written anew where it is needed and missing, or a process that was killed may have left an older one. */
async function outcomesOf(
  { intent, ended }: ChangeRecord,
  outcomes: Parameters<typeof writeOutcomes>[1],
  journal: Journal,
  isLong: boolean,
): Promise<FoundFile> {
  const location = journal.outcomesLocation(intent.changeId);
  const isCutOff = ended === undefined;
  const found = isCutOff ? undefined : await findOutcomes(location);
  if (found !== undefined || !isLong) return found;
  await writeOutcomes(location, outcomes).catch(() => {});
  return findOutcomes(location);
}

/** The projects that videos were in, and those that they were moved into. */
function sides({ intent: { facts, ids } }: ChangeRecord) {
  const { fromProjects = [], targetProjects = [] } = moveIn(facts) ?? {};
  const out = (projects: readonly ProjectShare[]) =>
    projects.flatMap(({ id, label, count }) => (count === 0 ? [] : [{ id, label, ...(count === ids ? {} : { count }) }]));
  return sidesOut(out(fromProjects), out(targetProjects));
}

/** Of the user’s columns, so many are shown of each video, and so many characters of all; the file of outcomes has the rest. */
const MAX_SHOWN_COLUMNS = 4;
const MAX_SHOWN_CELL = 80;
const MAX_SHOWN_OF_ALL = 6_000;

/** What stands beside a video in the user’s file, for as many as an answer has room for. */
export function rowTaker(beside: ReadonlyMap<string, Beside>): (id: string) => { readonly row?: Beside } {
  let left = MAX_SHOWN_OF_ALL;
  return (id) => {
    const cells = Object.entries(beside.get(id) ?? {}).slice(0, MAX_SHOWN_COLUMNS);
    const shown = cells.map(([name, cell]) => [cleanText(name, MAX_SHOWN_CELL), cleanText(cell, MAX_SHOWN_CELL)] as const);
    left -= shown.reduce((sum, [name, cell]) => sum + name.length + cell.length, 0);
    return shown.length === 0 || left < 0 ? {} : { row: Object.fromEntries(shown) };
  };
}

/** Where an id stands in its file. */
export const filePosition = ({ line, entry }: ReturnType<ReturnType<typeof rowLookup>>) => definedFields({ line, entry });

/** The first ids with an outcome. */
export function firstIdsWith(outcome: 'failed' | 'unknown', ids: readonly string[], bulk: BulkState, max: number) {
  const found: { readonly index: number; readonly id: string; readonly reason: Sentence }[] = [];
  for (let index = 0; index < ids.length && found.length < max; index += 1)
    if (bulk.statusAt(index) === outcome) found.push({ index, id: ids[index] ?? '', reason: bulk.reasonAt(index) ?? sentence`` });
  return found;
}
