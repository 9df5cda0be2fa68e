import * as z from 'zod';
import type { WaitingChange } from '../../changes/confirm/waiting-change.ts';
import type { Outcome } from '../../changes/journal/bulk-state.ts';
import type { ChangeRecord } from '../../changes/journal/change-record.ts';
import { isLeftAlone } from '../../changes/journal/change-status.ts';
import type { KeptChange } from '../../changes/kept/kept-change.ts';
import { settledBy } from '../../changes/later-changes.ts';
import { undoOf } from '../../changes/undoable.ts';
import { type UndoRecord, undoneSince } from '../../changes/undone-by.ts';
import { confirmedText } from '../../changes/view/change-fields.ts';
import { titleOf } from '../../changes/view/change-title.ts';
import { sizeOf } from '../../changes/view/preview-text.ts';
import { sentence } from '../../text/sentence.ts';
import { listed, sentenceOut, unlisted } from '../answer/answer-schema.ts';
import { defineTool } from '../define-tool.ts';

const DEFAULT_LIMIT = 20;
const IN_JOURNAL = ['applied', 'partly_applied', 'running', 'stopped', 'failed', 'interrupted'] as const;
const STATUSES = ['confirmation_required', 'waiting', ...IN_JOURNAL, 'declined', 'expired'] as const;
/** Of changes that waited on disk and were not begun; those that wait on the page, and what the journal has, come by themselves. */
const UNBEGUN: readonly KeptChange['status'][] = ['declined', 'expired', 'withdrawn'];

export const listChanges = defineTool({
  name: 'list_changes',
  title: 'List changes',
  description:
    'What this server changed, or began to change, in this account: what waits, then the newest first; not what others changed. interrupted: the server ended in the middle; waiting: for a person’s decision.',
  effect: 'read',
  input: { status: z.enum(STATUSES).optional(), limit: z.int().min(1).max(200).optional() },
  output: {
    changes: z.array(
      z.looseObject({
        changeId: listed(z.string()),
        kind: z.string(),
        status: listed(z.string()),
        at: z.string(),
        summary: sentenceOut(),
        done: z.number(),
        of: z.number(),
        receipt: unlisted(sentenceOut()),
      }),
    ),
  },
  cuttable: ['changes'],
  run: async ({ status, limit = DEFAULT_LIMIT }, { journal, waiting, kept }) => {
    const { changes: onDisk } = await kept.list();
    const all = [...waiting.all().filter((change) => change.status === 'waiting'), ...onDisk];
    const isWanted = (found: string) => status === undefined || status === found;
    const previewed = isWanted('confirmation_required') ? waiting.previews() : [];
    const waits = all.filter((change) => change.status === 'waiting' && isWanted('waiting'));
    const over = onDisk.filter((change) => UNBEGUN.includes(change.status) && isWanted(change.status));
    const resumed = new Set([...previewed, ...waits].map(({ changeId }) => changeId));
    const begunStatus = IN_JOURNAL.find(isWanted);
    const found = begunStatus === undefined ? [] : await journal.list(limit, { status: status && begunStatus });
    const records = found.filter(({ intent }) => !resumed.has(intent.changeId));
    const oldest = records.at(-1)?.intent.changeId;
    const undone = oldest === undefined ? new Map<string, UndoRecord>() : await undoneSince(oldest, journal);
    const changes = records.map(async (record) => ({
      ...changeOut(record, undone.get(record.intent.changeId)),
      settledBy: await settledBy(record, journal),
    }));
    const begun = new Set(records.map(({ intent }) => intent.changeId));
    const unbegun = over.filter(({ changeId }) => !begun.has(changeId)).map((change) => waitingOut(change, change.status));
    const ended = [...unbegun, ...(await Promise.all(changes))].sort((one, other) => (one.changeId < other.changeId ? 1 : -1));
    const open = [
      ...previewed.map((change) => waitingOut(change, 'confirmation_required')),
      ...waits.map((change) => waitingOut(change, 'waiting')),
    ];
    return { changes: [...open, ...ended].slice(0, limit) };
  },
});

function waitingOut(
  { changeId, plan, at }: Pick<WaitingChange, 'changeId' | 'plan' | 'at'>,
  status: KeptChange['status'] | 'confirmation_required',
) {
  const { kind, preview } = plan;
  const summary = sentence`${titleOf(preview.summary, 'items' in plan ? plan.items : [])}.`;
  return {
    ...{ changeId, kind, status, at: minuteOf(new Date(at).toISOString()), summary, done: 0 },
    of: sizeOf(plan),
  };
}

const minuteOf = (time: string): string => `${time.slice(0, 'YYYY-MM-DDTHH:MM'.length)}Z`;

function changeOut(record: ChangeRecord, undone: UndoRecord | undefined) {
  const { intent, bulk, status } = record;
  const items = record.items.filter((item) => !isLeftAlone(intent.kind, item));
  const count = (outcome: Outcome) => bulk?.count(outcome) ?? items.filter((item) => item.outcome === outcome).length;
  return {
    changeId: intent.changeId,
    kind: intent.kind,
    status,
    at: minuteOf(intent.at),
    summary: sentence`${titleOf(intent.summary, intent.items)}.`,
    undoneBy: undone?.whole ? undone.by : undefined,
    partlyUndoneBy: undone?.whole === false ? undone.by : undefined,
    confirmedBy: intent.confirmedBy,
    receipt: intent.standing && confirmedText(record, 'assistant'),
    done: count('done'),
    failed: count('failed') || undefined,
    unknown: count('unknown') || undefined,
    notDone: count('not_done') || undefined,
    of: bulk?.total ?? items.length,
    undo: undone?.whole ? undefined : undoOf(record, { undone }).possible,
  };
}
