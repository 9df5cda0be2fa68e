import * as z from 'zod';
import { noSuchChange } from '../../changes/journal/journal.ts';
import { changeIdArgument, defineTool } from '../define-tool.ts';
import { readEnded } from './get-change.ts';

/** Time for a change to see the stop request, which another process polls for, and to end its requests in flight. */
const MAX_WAIT_MS = 10_000;

export const stopChange = defineTool({
  name: 'stop_change',
  title: 'Stop a change',
  description:
    'Ends a running bulk change after the requests in flight; withdraws one that waits for the user. resume_change carries it on.',
  effect: 'control',
  input: { changeId: changeIdArgument },
  output: { changeId: z.string(), status: z.string(), message: z.string() },
  run: async ({ changeId }, { journal, jobs, waiting, settings, signal, progress }) => {
    if (waiting.get(changeId)?.status === 'waiting') {
      waiting.withdraw(changeId);
      return { changeId, status: 'withdrawn', message: 'It waited for the user and was withdrawn. Nothing was sent.' };
    }
    const before = await journal.read(changeId);
    if (before === undefined) throw noSuchChange(changeId);
    if (before.status !== 'running') return { changeId, status: before.status, message: 'It is not running; nothing had to be stopped.' };
    const until = Date.now() + Math.min(MAX_WAIT_MS, settings.callBudgetMs * 0.8);
    const job = jobs.get(changeId);
    job?.stop();
    if (job === undefined) await journal.requestStop(changeId);
    await job?.watch({ until, signal, progress });
    const status = (await readEnded(changeId, journal, until, signal))?.status ?? 'running';
    const message =
      status === 'running'
        ? 'It was asked to stop and ends after the requests in flight; see get_change.'
        : 'It has ended; see get_change for what was done.';
    return { changeId, status, message };
  },
});
