import * as z from 'zod';
import { noSuchChange } from '../../changes/journal/journal.ts';
import { changeIdArgument, defineTool } from '../define-tool.ts';

/** A change of another process looks for the request this often, and has requests in flight to wait for. */
const PATIENCE_MS = 10_000;

export const stopChange = defineTool({
  name: 'stop_change',
  title: 'Stop a change',
  description: 'Ends a running bulk change after the requests in flight. resume_change carries it on.',
  effect: 'control',
  input: { changeId: changeIdArgument },
  output: { changeId: z.string(), status: z.string(), message: z.string() },
  run: async ({ changeId }, { journal, jobs, settings, signal, progress }) => {
    const before = await journal.read(changeId);
    if (before === undefined) throw noSuchChange(changeId);
    if (before.status !== 'running') return { changeId, status: before.status, message: 'It is not running; nothing had to be stopped.' };
    const until = Date.now() + Math.min(PATIENCE_MS, settings.callBudgetMs * 0.8);
    const job = jobs.get(changeId);
    job?.stop();
    if (job === undefined) await journal.requestStop(changeId);
    await job?.watch({ until, signal, progress });
    const after = await waitUntilEnded(() => journal.read(changeId), until, signal);
    const message =
      after === 'running'
        ? 'It was asked to stop and ends after the requests in flight; see get_change.'
        : 'It has ended; see get_change for what was done.';
    return { changeId, status: after, message };
  },
  present: ({ changeId, status, message }) => `${changeId}: ${status}. ${message}`,
});

const POLL_MS = 200;

async function waitUntilEnded(
  read: () => Promise<{ readonly status: string } | undefined>,
  until: number,
  signal: AbortSignal,
): Promise<string> {
  for (;;) {
    const status = (await read())?.status ?? 'running';
    if (status !== 'running' || Date.now() >= until || signal.aborted) return status;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}
