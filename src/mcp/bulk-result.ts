import { existsSync } from 'node:fs';
import type { BulkState } from '../changes/bulk/bulk-state.ts';
import type { ChangeRecord } from '../changes/change-record.ts';
import type { Journal } from '../changes/journal.ts';

type Values = Readonly<Record<string, unknown>>;

/** One bulk change as its journal tells it: counts, and the ids that failed or whose fate is not known. */
export async function bulkResult(
  record: ChangeRecord,
  bulk: BulkState,
  journal: Journal,
  mostFates: number,
): Promise<Values & { readonly status: string }> {
  const { intent, ended, status } = record;
  const done = bulk.count('done');
  const fated = bulk.count('failed') + bulk.count('unknown');
  const ids = fated === 0 ? [] : await journal.readIds(intent.changeId);
  const file = journal.pathOf(intent.changeId, 'fates.csv');
  const { target, targetLabel, from, fromLabel } = intent.facts;
  return {
    status,
    changeId: intent.changeId,
    message: sentenceOf(record, bulk),
    [intent.kind === 'copy_cta' ? 'copied' : 'moved']: done,
    total: bulk.total,
    failed: fates('failed', ids, bulk, mostFates),
    unknown: fates('unknown', ids, bulk, mostFates),
    ...(fated > mostFates && existsSync(file) ? { fatesFile: file } : {}),
    before: from == null ? [] : [{ id: from, label: fromLabel }],
    after: target == null ? [] : [{ id: target, label: targetLabel }],
    undo: done + bulk.count('unknown') === 0 ? { possible: 'no', how: 'Nothing was changed.' } : intent.undo,
    ...(ended?.requests === undefined ? {} : { requests: ended.requests }),
    ...(ended === undefined ? {} : { seconds: Math.round((Date.parse(ended.at) - Date.parse(intent.at)) / 100) / 10 }),
    ...(ended?.message === undefined ? {} : { note: ended.message }),
  };
}

function fates(outcome: 'failed' | 'unknown', ids: readonly string[], bulk: BulkState, most: number): Values[] {
  const found: Values[] = [];
  for (let at = 0; at < ids.length && found.length < most; at += 1)
    if (bulk.outcomeAt(at) === outcome) found.push({ id: ids[at], reason: bulk.reasonAt(at) ?? '' });
  return found;
}

function sentenceOf({ intent, status }: ChangeRecord, bulk: BulkState): string {
  const pending = status === 'running' ? bulk.count('none') + bulk.count('sending') + bulk.count('not_done') : 0;
  const word = intent.kind === 'copy_cta' ? 'copied' : 'moved';
  const parts = [
    `${bulk.count('done')} of ${bulk.total} ${word}`,
    ...part(bulk.count('failed'), 'failed'),
    ...part(bulk.count('unknown'), 'not known'),
    ...part(status === 'running' ? 0 : bulk.count('not_done'), 'not sent'),
    ...part(pending, 'to go'),
  ];
  const next = {
    running: ` Wait for it with get_change ${intent.changeId}.`,
    stopped: ' resume_change carries it on.',
    interrupted: ' The server ended in the middle; resume_change carries it on.',
  }[status as 'running' | 'stopped' | 'interrupted'];
  return `${intent.summary} ${parts.join(', ')}.${next ?? ''}`;
}

const part = (count: number, word: string): string[] => (count > 0 ? [`${count} ${word}`] : []);
