import * as z from 'zod';
import type { ChangeRecord } from '../../changes/change-record.ts';
import type { Journal } from '../../changes/journal.ts';
import { noSuchChange } from '../../changes/no-such-change.ts';
import { sleepFor } from '../../service/retry.ts';
import { bulkOutput, changeOutput } from '../change-reply.ts';
import { changeResult, changeText, sideLines } from '../change-result.ts';
import { changeIdArgument, defineTool } from '../define-tool.ts';

/** Keys in `before` and `after` together, which fill most of an answer. */
const MOST_KEYS = 1_500;
/** How often the file of another process's change is looked at. */
const POLL_MS = 500;

/** A change, once it has ended or the time is up. */
async function readEnded(changeId: string, journal: Journal, until: number, signal: AbortSignal): Promise<ChangeRecord | undefined> {
  for (;;) {
    const record = await journal.read(changeId);
    const leftMs = until - Date.now();
    if (record?.status !== 'running' || leftMs <= 0 || signal.aborted) return record;
    await sleepFor(Math.min(POLL_MS, leftMs), signal).catch(() => undefined);
  }
}

export const getChange = defineTool({
  name: 'get_change',
  title: 'Get a change',
  description: 'One change in full: what is done, failed, not done or not known. Waits for a running one, up to waitSeconds.',
  effect: 'read',
  input: { changeId: changeIdArgument, waitSeconds: z.number().min(0).max(3_600).optional() },
  output: { ...changeOutput, ...bulkOutput, status: z.string(), kind: z.string(), at: z.string(), confirmedBy: z.string() },
  cuttable: ['after', 'before', 'notDone', 'failed', 'unknown'],
  run: async ({ changeId, waitSeconds = 0 }, { journal, jobs, settings, signal, progress }) => {
    // Leaves time for the answer itself within the call's budget.
    const waitMs = Math.min(waitSeconds * 1_000, settings.callBudgetMs * 0.9);
    const until = Date.now() + waitMs;
    await jobs.get(changeId)?.watch({ until, signal, progress });
    const record = await readEnded(changeId, journal, until, signal);
    if (record === undefined) throw noSuchChange(changeId);
    const { kind, at, confirmedBy } = record.intent;
    return { ...(await changeResult(record, journal, { mostKeys: MOST_KEYS })), kind, at, confirmedBy };
  },
  present: (answer) => [changeText(answer), ...sideLines(answer), `Asked for ${answer.at}, confirmed by ${answer.confirmedBy}.`].join('\n'),
});
