import * as z from 'zod';
import { VideoHostingError } from '../../errors.ts';
import { cleanText } from '../../service/foreign-text.ts';
import { bulkOutput, changeOutput } from '../change-reply.ts';
import { changeResult, changeText } from '../change-result.ts';
import { changeIdArgument, defineTool } from '../define-tool.ts';

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
    await jobs.get(changeId)?.watch({ until: Date.now() + waitMs, signal, progress });
    const record = await journal.read(changeId);
    if (record === undefined)
      throw new VideoHostingError('not_found', `There is no change ${JSON.stringify(cleanText(changeId, 60))} in this account’s journal.`, {
        hint: 'See list_changes for the ids.',
      });
    const { kind, at, confirmedBy } = record.intent;
    return { ...(await changeResult(record, journal)), kind, at, confirmedBy };
  },
  present: (answer) => `${changeText(answer)}\nAsked for ${answer.at}, confirmed by ${answer.confirmedBy}.`,
});
