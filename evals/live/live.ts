import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { send } from '../play/driver-client.ts';
import { serveTask } from '../play/driver-server.ts';
import type { Recording, ServerName } from '../play/recording.ts';
import { addRecording, parseRecording } from '../play/recordings.ts';
import { root } from '../root.ts';
import { callsPerWish, groupByTask, median } from '../table.ts';
import { TASKS, taskNamed } from '../tasks/index.ts';

export interface LiveOptions {
  /** A shell command. `{config}` is replaced by the path of an MCP configuration, `{dir}` by the task's folder. It is given the task on stdin; its stdout is the final answer. */
  readonly command: string;
  readonly tasks: readonly string[];
  readonly runs: number;
  readonly server: ServerName;
  /** Keeps the recordings. */
  readonly keep: boolean;
  readonly print: (line: string) => void;
}

const MAX_RUN_MS = 20 * 60_000;

/** Lets an assistant play tasks, one after the other, and prints how it did. */
export async function live(options: LiveOptions): Promise<void> {
  const tasks = options.tasks.length > 0 ? options.tasks.map((id) => taskNamed(id).id) : TASKS.map(({ id }) => id);
  const recordings: Recording[] = [];
  for (const task of tasks) {
    for (let run = 1; run <= options.runs; run += 1) {
      const recording = await playLive(task, options);
      recordings.push(recording);
      const { verdict, counts } = recording;
      options.print(
        `${task} ${run}: ${verdict.passed ? 'right' : 'WRONG'}, ${counts.calls} calls, ${counts.errors} errors, ${counts.questions} questions, ${counts.tokens.arguments + counts.tokens.answers} tokens`,
      );
      for (const finding of verdict.findings) options.print(`  ${finding}`);
    }
  }
  printSummary(recordings, options);
}

async function playLive(task: string, { command, server, keep }: LiveOptions): Promise<Recording> {
  const folder = mkdtempSync(join(tmpdir(), 'video-hosting-evals-live-'));
  try {
    await serveTask(task, folder, { server, era: 'legacy', forms: false });
    const says = await send(folder, { do: 'says' });
    const config = join(folder, 'mcp.json');
    const entry = { command: process.execPath, args: [join(root, 'evals', 'drive.mjs'), 'mcp', folder] };
    writeFileSync(config, JSON.stringify({ mcpServers: { 'video-hosting': entry } }));
    const line = command.replaceAll('{config}', config).replaceAll('{dir}', folder);
    const recorded = join(folder, 'recording.json');
    let conversation = prompt(says);
    while (!existsSync(recorded)) {
      const answer = await answerOf(line, folder, conversation);
      const next = await send(folder, { do: 'answer', text: answer });
      conversation += `\nYou answered:\n\n${answer}\n\n${next}\n`;
    }
    const recording = parseRecording(readFileSync(recorded, 'utf8'));
    if (keep) addRecording(recording);
    return recording;
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

function prompt(says: string): string {
  return `You are the assistant of somebody who runs a video hosting account. Use the tools of the MCP server video-hosting. The user sees nothing of your work but your final answer and what you ask them with ask_user.\n\n${says}\n`;
}

/** Runs the assistant in an empty folder, so that settings of the project don't reach it. */
async function answerOf(command: string, folder: string, input: string): Promise<string> {
  const child = spawn(command, { shell: true, cwd: folder, stdio: ['pipe', 'pipe', 'inherit'], timeout: MAX_RUN_MS });
  const chunks: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  // A command that does not read its input may have ended.
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  await new Promise<void>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', () => resolve());
  });
  return Buffer.concat(chunks).toString('utf8').trim();
}

function printSummary(recordings: readonly Recording[], { runs, print }: LiveOptions): void {
  const tasks = [...groupByTask(recordings).values()];
  const all = tasks.filter((played) => played.every(({ verdict }) => verdict.passed)).length;
  const passed = recordings.filter(({ verdict }) => verdict.passed).length;
  const of = (figure: (recording: Recording) => number): number => median(recordings.map(figure));
  print(`\n${passed} of ${recordings.length} runs are right; ${all} of ${tasks.length} tasks in all runs (pass^${runs}).`);
  print(`Unsafe acts: ${recordings.reduce((sum, { verdict }) => sum + verdict.unsafe.length, 0)}.`);
  print(
    `Medians: ${of(callsPerWish)} calls per wish, ${of(({ counts }) => counts.errors)} errors, ${of(({ counts }) => counts.questions)} questions, ${of(({ counts: { tokens } }) => tokens.arguments + tokens.answers)} tokens of calls and answers.`,
  );
}
