import type { Play, Run } from '../../evals/play/recording.ts';
import { type Session, startSession } from '../../evals/play/session.ts';
import type { Task } from '../../evals/task.ts';
import { taskNamed } from '../../evals/tasks/index.ts';

/** Plays a task by a script in the place of an assistant; the script returns the final answer. */
export async function scripted(
  task: string | Task,
  script: (session: Session) => Promise<string>,
  play: Partial<Omit<Play, 'task'>> = {},
): Promise<Run> {
  const wanted = typeof task === 'string' ? taskNamed(task) : task;
  const session = await startSession(wanted, { server: 'ours', era: 'legacy', forms: false, ...play });
  try {
    return session.run(await session.finish(await script(session)));
  } finally {
    await session.close();
  }
}

const SUMMARY = /^ *summary: (.*)$/m;

/** Calls a tool, asks the user about the preview, and confirms it. Returns both answers. */
export async function confirmed(session: Session, tool: string, args: Readonly<Record<string, unknown>>): Promise<string[]> {
  const preview = await session.call(tool, args);
  session.ask('Shall I do this?');
  const [confirmationToken, changeId] = [/\bt\d{18}\b/, /chg-[\w-]+/].map((pattern) => pattern.exec(preview.text)?.[0]);
  const done = await session.call('confirm_change', { changeId, confirmationToken, summary: SUMMARY.exec(preview.text)?.[1] });
  return [preview.text, done.text];
}

/** Undoes the name of the channel in the task `undo-part`. */
export async function undoName(session: Session): Promise<string> {
  const { text } = await session.call('list_changes', {});
  const changeId = /chg-[\w-]+/.exec(text)?.[0];
  await confirmed(session, 'undo_change', { changeId, only: ['name'] });
  return 'It is called Product Tour again.';
}
