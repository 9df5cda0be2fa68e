import { existsSync } from 'node:fs';
import type { BulkState } from '../changes/bulk/bulk-state.ts';
import { writeOutcomes } from '../changes/bulk/outcomes-file.ts';
import type { ChangeRecord } from '../changes/journal/change-record.ts';
import type { Journal } from '../changes/journal/journal.ts';
import { type UndoRecord, undoneBy } from '../changes/undone-by.ts';
import { cleanText } from '../service/sanitize-text.ts';
import { agreedOut, sidesOut } from './change-fields.ts';

const MAX_REASON = 240;

type Values = Readonly<Record<string, unknown>>;

/** The result of one bulk change: counts, and the ids that failed or whose outcome is unknown. */
export async function bulkResult(
  record: ChangeRecord,
  bulk: BulkState,
  journal: Journal,
  maxListed: number,
): Promise<Values & { readonly status: string }> {
  const { intent, ended, status, effort } = record;
  const done = bulk.count('done');
  const failed = bulk.count('failed');
  const unknown = bulk.count('unknown');
  const ids = failed + unknown === 0 ? [] : await journal.readIds(intent.changeId).catch(() => undefined);
  const file = journal.pathOf(intent.changeId, 'fates.csv');
  const { target, targetLabel, from, fromLabel } = intent.facts;
  const isLong = failed > maxListed || unknown > maxListed;
  const isRunning = status === 'running';
  // A process that was killed wrote no file, or left an older one.
  const isCutOff = status === 'interrupted';
  const undone = isRunning ? undefined : await undoneBy(intent.changeId, journal);
  if (isLong && !isRunning && ids !== undefined && (isCutOff || !existsSync(file))) await writeOutcomes(file, ids, bulk).catch(() => {});
  const hasFile = !isRunning && (isLong || !isCutOff) && existsSync(file);
  return {
    status,
    changeId: intent.changeId,
    message: sentenceOf(record, bulk, undone),
    ...agreedOut(intent),
    [wordOf(record)]: done,
    total: bulk.total,
    failedCount: failed,
    unknownCount: unknown,
    notSentCount: isRunning ? 0 : bulk.count('not_done'),
    ...(isRunning && bulk.count('retrying') > 0 ? { retryingCount: bulk.count('retrying') } : {}),
    failed: idsWith('failed', ids ?? [], bulk, maxListed),
    unknown: idsWith('unknown', ids ?? [], bulk, maxListed),
    ...(ids === undefined ? { idsLost: 'The file in which its ids were kept can’t be read: only the counts are known.' } : {}),
    ...(isLong
      ? {
          leftOut: `failed and unknown list the first ${maxListed} each; get_change with list and page has ${isRunning ? 'those that are known by now' : 'all'}.`,
        }
      : {}),
    ...(hasFile ? { outcomesFile: file } : {}),
    ...sidesOut(from == null ? [] : [{ id: from, label: fromLabel }], target == null ? [] : [{ id: target, label: targetLabel }]),
    ...(ended?.message === undefined ? {} : { note: ended.message }),
    ...(isRunning ? {} : { requests: effort.requests }),
    undo: done + unknown === 0 ? { possible: 'no', how: 'Nothing was changed.' } : intent.undo,
  };
}

function idsWith(outcome: 'failed' | 'unknown', ids: readonly string[], bulk: BulkState, max: number): Values[] {
  const found: { id: string | undefined; reason: string }[] = [];
  for (let index = 0; index < ids.length && found.length < max; index += 1)
    if (bulk.statusAt(index) === outcome) found.push({ id: ids[index], reason: cleanText(bulk.reasonAt(index) ?? '', MAX_REASON) });
  return found;
}

const isCopy = ({ intent }: ChangeRecord): boolean => intent.kind === 'copy_cta';
const wordOf = (record: ChangeRecord) => (isCopy(record) ? 'copied' : 'moved');

function sentenceOf(record: ChangeRecord, bulk: BulkState, undone: UndoRecord | undefined): string {
  const { intent, status, damagedLines } = record;
  const isRunning = status === 'running';
  const pending = isRunning ? bulk.count('none') + bulk.count('sending') + bulk.count('not_done') : 0;
  const parts = [
    `${bulk.count('done')} of ${bulk.total} ${wordOf(record)}`,
    ...part(bulk.count('failed'), 'failed'),
    ...part(bulk.count('unknown'), 'not known'),
    ...part(isRunning ? 0 : bulk.count('not_done'), 'not done'),
    ...part(isRunning ? bulk.count('retrying') : 0, 'being tried again'),
    ...part(pending, 'to go'),
  ];
  return [
    `${intent.summary} ${parts.join(', ')}.`,
    ...(isRunning ? [`Wait for it with get_change ${intent.changeId}.`] : []),
    ...(status === 'interrupted' ? ['The server ended in the middle.'] : []),
    ...(damagedLines > 0 ? [damageOf(damagedLines)] : []),
    ...(!isRunning && undone === undefined && canGoOn(record, bulk) ? ['resume_change carries it on.'] : []),
  ].join(' ');
}

const part = (count: number, word: string): string[] => (count > 0 ? [`${count} ${word}`] : []);

/** Whether any of it may be sent; a copy whose outcome is unknown is never sent again. */
function canGoOn(record: ChangeRecord, bulk: BulkState): boolean {
  const open = isCopy(record) ? (['none', 'not_done'] as const) : (['none', 'not_done', 'unknown', 'sending'] as const);
  return open.some((status) => bulk.count(status) > 0);
}

export function damageOf(lines: number): string {
  return lines === 1
    ? 'One line of its journal is torn; what that told counts as not known.'
    : `${lines} lines of its journal are torn; what they told counts as not known.`;
}
