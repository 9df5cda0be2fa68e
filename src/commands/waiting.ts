import { whatWaits } from '../app/what-waits.ts';
import type { Workspace } from '../app/workspace.ts';
import type { ProposalPreview } from '../changes/proposals/decisions.ts';
import type { Proposal } from '../changes/proposals/proposal.ts';
import { fullText, outcomeText, questionOf, resultText, waitingText } from '../changes/tell/terminal.ts';
import { refusal } from '../errors.ts';
import { ownCommand } from '../text/own-command.ts';
import { inQuotes, sentence } from '../text/sentence.ts';
import { createPrompt, type Prompt } from './install/prompt.ts';
import { createProgress } from './progress.ts';
import { assertNoDemo, EXIT, type ExitCode, type Surroundings, wrapping } from './surroundings.ts';
import { withWorkspace } from './with-workspace.ts';

/** `waiting`: the changes that wait for a person, who looks at them and decides. */
export async function waiting(given: Surroundings): Promise<ExitCode> {
  const surroundings = { ...given, print: wrapping(given) };
  const { config, log, print, signal, terminal, isTerminal } = surroundings;
  const { action, operand = '', exitCode = false } = config.options;
  const isDecision = action === 'approve' || action === 'decline';
  // Whoever decides has to see the preview: a pipe or a script can’t.
  if (isDecision && (terminal === undefined || !isTerminal)) {
    log(`waiting ${action} asks a person at a terminal, and this is none. Nothing was sent.`);
    return EXIT.usage;
  }
  assertNoDemo(config.settings);
  return withWorkspace(surroundings, async (workspace) => {
    if (action === undefined) return list(workspace, exitCode, surroundings);
    const change = await workspace.decisions.get(operand);
    if (change === undefined) {
      const others = await workspace.otherAccounts();
      throw refusal('not_found', sentence`No change ${inQuotes(operand)} waits in this account. ${others ?? listedBy()}`);
    }
    if (change.status !== 'waiting') {
      print(await resultText(change, workspace.journal));
      return isDecision ? EXIT.failed : EXIT.done;
    }
    if (isDecision && terminal !== undefined)
      return decide(action, change, createPrompt(terminal, surroundings.signal, UNDECIDED), workspace, surroundings);
    print(fullText(await workspace.decisions.preview(change, signal)));
    return EXIT.done;
  });
}

const listedBy = () => sentence`Those that wait are listed by: ${ownCommand('waiting')}`;

async function list(workspace: Workspace, exitCode: boolean, { config, print, log }: Surroundings): Promise<ExitCode> {
  const { waiting: open, expired, neverBegun, damaged } = await whatWaits(workspace);
  if (open.length === 0) {
    const others = await workspace.otherAccounts();
    print(`Nothing waits.${others === undefined ? '' : ` ${others}`}\n`);
    log(`What waits is read from the data folder ${config.settings.dataDir}, for this account.`);
  }
  for (const change of open) print(`${waitingText(change)}\n`);
  if (open.length > 0) print(`${ownCommand('waiting show ID')} shows one in full; approve ID and decline ID decide on it.\n`);
  if (expired.length > 0) print(`Expired, and decided by nobody: ${expired.map(({ changeId }) => changeId).join(', ')}.\n`);
  for (const { changeId } of neverBegun) print(`${changeId} was approved, and never begun: its process ended. Nothing was sent for it.\n`);
  for (const problem of damaged) log(problem);
  // What can’t be read needs a person too.
  return exitCode && open.length + neverBegun.length + damaged.length > 0 ? EXIT.waiting : EXIT.done;
}

const UNDECIDED = sentence`Nothing was decided, and it still waits.`;

/** Shows it, and declines it or carries it out here once its size was typed in; what moved meanwhile is shown and asked anew. */
async function decide(
  action: 'approve' | 'decline',
  change: Proposal,
  prompt: Prompt,
  workspace: Workspace,
  surroundings: Surroundings,
): Promise<ExitCode> {
  const { print, signal } = surroundings;
  const { decisions } = workspace;
  let preview: ProposalPreview = await decisions.preview(change, signal);
  for (;;) {
    print(fullText(preview));
    if (action === 'approve' && preview.problem !== undefined) return EXIT.failed;
    const { size, about, question } = questionOf(preview, action);
    print(about);
    const typed = await prompt.line(question);
    if (typed.replace(/[,.\s]/g, '') !== String(size)) {
      print('That is not the number. Nothing was sent; it still waits.\n');
      return EXIT.failed;
    }
    if (action === 'decline') {
      const note = await prompt.line('Words for the agent (may be left empty):');
      await decisions.decline(change.changeId, note, preview.change, 'terminal', undefined, preview.isNeedless);
      print(preview.isNeedless ? 'Dismissed: nothing was left to be done, and nothing was sent.\n' : 'Declined. Nothing was sent.\n');
      return EXIT.done;
    }
    const result = await decisions.approve(preview, 'terminal', signal);
    if (result === 'started') return follow(change.resumes ?? change.changeId, workspace, surroundings);
    print('\nWhat was shown is not what would be sent by now, so nothing was sent. It has to be approved as it is now.\n\n');
    preview = result;
  }
}

/** Longer than any change takes, and a time that timers can count. */
const MAX_MS = 1_000_000_000;
/** For requests in flight, after Ctrl+C. */
const STOP_MS = 10_000;

/** Waits until it is carried out, and says what became of it. Ctrl+C stops it after the requests in flight. */
async function follow(changeId: string, { jobs, journal }: Workspace, { print, status, signal }: Surroundings): Promise<ExitCode> {
  const progress = createProgress(status);
  const job = jobs.get(changeId);
  const show = { progress: (done: number, total?: number) => progress.show(done, total, 'Carried out') };
  await job?.wait({ until: Date.now() + MAX_MS, signal, by: 'terminal', ...show });
  if (signal.aborted) await job?.watch({ until: Date.now() + STOP_MS, signal: new AbortController().signal, ...show });
  progress.end();
  const record = await journal.read(changeId);
  if (record !== undefined) print(await outcomeText(record, journal));
  return record?.status === 'applied' ? EXIT.done : EXIT.failed;
}
