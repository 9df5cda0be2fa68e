import * as z from 'zod';
import type { Outcome } from '../../changes/bulk/bulk-state.ts';
import type { ChangeRecord } from '../../changes/change-record.ts';
import { titleOf } from '../change-result.ts';
import { defineTool } from '../define-tool.ts';
import { listText, quoted } from '../present/table.ts';

const DEFAULT_LIMIT = 20;
/** Changes among which an undo of one with another status is looked for. */
const MOST_UNDOS = 200;
const STATUSES = ['applied', 'partly_applied', 'running', 'stopped', 'failed', 'interrupted'] as const;

export const listChanges = defineTool({
  name: 'list_changes',
  title: 'List changes',
  description: 'What this server changed, or began to change, in this account, newest first. interrupted: the server ended in the middle.',
  effect: 'read',
  input: { status: z.enum(STATUSES).optional(), limit: z.int().min(1).max(200).optional() },
  output: {
    changes: z.array(
      z.looseObject({
        changeId: z.string(),
        kind: z.string(),
        status: z.string(),
        at: z.string(),
        summary: z.string(),
        done: z.number(),
        of: z.number(),
      }),
    ),
  },
  cuttable: ['changes'],
  run: async ({ status, limit = DEFAULT_LIMIT }, { journal }) => {
    const records = await journal.list(limit, { status });
    // An undo is newer than what it undid, so it stands in the same list, unless that is of another status.
    const isWhole = status === undefined || status === 'applied' || records.length === 0;
    const undos = isWhole ? records : await journal.list(MOST_UNDOS, { status: 'applied' });
    const undone = new Map<string, string>();
    for (const record of undos) noteUndo(record, undone);
    return { changes: records.map((record) => changeOut(record, undone.get(record.intent.changeId))) };
  },
  present: ({ changes, ...rest }) =>
    listText('changes', rest, changes, {
      changeId: ({ changeId }) => changeId,
      at: ({ at }) => at,
      status: ({ status, undoneBy }) => (undoneBy === undefined ? status : `${status}, undone`),
      done: ({ done, of }) => `${done}/${of}`,
      what: ({ summary }) => quoted(summary),
    }),
});

/** The newest come first: an undo that was itself undone is known for one before what it undid is met. */
function noteUndo({ intent, status }: ChangeRecord, undone: Map<string, string>): void {
  const { undoes } = intent.facts;
  if (typeof undoes === 'string' && status === 'applied' && !undone.has(intent.changeId)) undone.set(undoes, intent.changeId);
}

function changeOut({ intent, items, bulk, status }: ChangeRecord, undoneBy: string | undefined) {
  const count = (outcome: Outcome) => bulk?.count(outcome) ?? items.filter((item) => item.outcome === outcome).length;
  return {
    changeId: intent.changeId,
    kind: intent.kind,
    status,
    at: intent.at,
    summary: titleOf(intent),
    ...(undoneBy === undefined ? {} : { undoneBy }),
    confirmedBy: intent.confirmedBy,
    done: count('done'),
    failed: count('failed'),
    unknown: count('unknown'),
    notDone: count('not_done'),
    of: bulk?.total ?? items.length,
    undo: intent.undo.possible,
  };
}
