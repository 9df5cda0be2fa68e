import { setTimeout as sleep } from 'node:timers/promises';
import { judge, type Verdict } from '../judge/judge.ts';
import { accountState } from '../judge/state.ts';
import type { Ending, Task } from '../task.ts';
import { type ArrangedAccount, arrangeAccount } from './account.ts';
import { type Canonical, createCanonical, shortened } from './canonical.ts';
import { type Connection, connect } from './connect.ts';
import type { Arguments, FormTurn, Play, Recording, Turn } from './recording.ts';
import { tokensOf } from './tokens.ts';
import { createUser } from './user.ts';

/** A task being played: what an assistant can do, and how it ends. */
export interface Session {
  readonly says: string;
  readonly instructions: string;
  readonly tools: Connection['tools'];
  readonly canonical: Canonical;
  call(tool: string, args: Arguments): Promise<{ readonly text: string; readonly isError: boolean }>;
  ask(question: string): string;
  /** Ends the task with the assistant's final answer. */
  finish(answer: string): Promise<Recording>;
  close(): Promise<void>;
}

export interface SessionOptions extends Omit<Play, 'task'> {
  /** A folder for the user's files, which is kept. */
  readonly files?: string;
}

export async function startSession(task: Task, { files, ...options }: SessionOptions): Promise<Session> {
  const account = await arrangeAccount(task, files);
  try {
    await playEarlier(account, task);
    return await open(account, task, { task: task.id, ...options });
  } catch (error) {
    await account.close();
    throw error;
  }
}

/** What this server had done before the assistant came, each change confirmed at once. */
async function playEarlier(account: ArrangedAccount, task: Task): Promise<void> {
  if (account.earlier.length === 0) return;
  const connection = await connect(account, { server: 'ours', era: 'legacy' }, { settings: task.settings });
  try {
    for (const step of account.earlier) {
      if (typeof step === 'function') {
        step();
        continue;
      }
      const preview = await connection.call(step.tool, step.arguments);
      const { confirmationToken } = preview.data;
      const { isError, text } =
        confirmationToken === undefined ? preview : await connection.call(step.tool, { ...step.arguments, confirmationToken });
      if (isError) throw new Error(`${task.id}: the call of ${step.tool} before the task failed. ${text}`);
    }
  } finally {
    await connection.close();
  }
}

async function open(account: ArrangedAccount, task: Task, play: Play): Promise<Session> {
  const { demo, now, folders, says, knows } = account;
  const canonical = createCanonical({ now, places: { files: folders.files, data: folders.data, api: demo.baseUrl, stats: demo.statsUrl } });
  const user = createUser(task, knows);
  const turns: Turn[] = [];
  const seen: string[] = [];
  const calls: Ending['calls'][number][] = [];
  const unagreed: string[] = [];
  let answerTokens = 0;
  let current: { tool: string; arguments: Arguments; forms: FormTurn[] } = { tool: '', arguments: {}, forms: [] };

  const onForm = async (message: string) => {
    account.previewed();
    const decision = user.decide({ text: message, tool: current.tool, arguments: current.arguments });
    current.forms.push({ shown: canonical.fromReal(message), decision });
    // What is answered within half a second was seen by nobody.
    await sleep(600);
    const content: Record<string, string> = decision === true ? { decision: 'apply' } : { decision: 'nothing', note: decision };
    return { action: 'accept' as const, content };
  };
  const connection = await connect(account, play, { settings: task.settings, onForm: play.forms ? onForm : undefined });
  const start = accountState(demo.world);
  const firstRequest = demo.requests.length;
  const marked = <T>(value: T): T => JSON.parse(canonical.fromReal(JSON.stringify(value)));

  function noteConfirmation({ confirmationToken }: Arguments, tool: string): void {
    if (typeof confirmationToken !== 'string' || user.confirm(confirmationToken)) return;
    unagreed.push(`${tool} was confirmed though the user had not agreed`);
  }

  function notePreview(tool: string, args: Arguments, text: string, { confirmationToken }: Arguments): void {
    if (typeof confirmationToken !== 'string') return;
    user.shown(confirmationToken, { text, tool, arguments: args });
    account.previewed();
  }

  return {
    says,
    instructions: connection.instructions,
    tools: connection.tools,
    canonical,
    async call(tool, args) {
      noteConfirmation(args, tool);
      current = { tool, arguments: args, forms: [] };
      const { text, isError, data } = await connection.call(tool, args);
      notePreview(tool, args, text, data);
      seen.push(text);
      calls.push({ tool, arguments: args, isError });
      const { forms } = current;
      const answer = canonical.fromReal(text);
      answerTokens += tokensOf(answer);
      turns.push({
        call: tool,
        arguments: marked(args),
        ...(forms.length === 0 ? {} : { forms }),
        ...(isError ? { isError: true } : {}),
        answer: shortened(answer),
      });
      return { text, isError };
    },
    ask(question) {
      const reply = user.reply(question);
      seen.push(reply);
      turns.push({ ask: canonical.fromReal(question), reply: canonical.fromReal(reply) });
      return reply;
    },
    async finish(finalAnswer) {
      turns.push({ final: canonical.fromReal(finalAnswer) });
      await connection.close();
      const requests = demo.requests.slice(firstRequest);
      const ending = { start, account: accountState(demo.world, start), requests, finalAnswer, seen, calls, newFiles: account.newFiles() };
      const ofUser = `${says} ${knows}`;
      const verdict = judge(task, account.expected, { ...ending, ofUser, unagreed });
      return recordingOf(play, says, turns, connection, verdict, canonical, answerTokens);
    },
    async close() {
      await connection.close().catch(() => {});
      await account.close();
    },
  };
}

function recordingOf(
  play: Play,
  says: string,
  turns: readonly Turn[],
  { instructions, tools }: Connection,
  verdict: Verdict,
  canonical: Canonical,
  answerTokens: number,
): Recording {
  const calls = turns.flatMap((turn) => ('call' in turn ? [turn] : []));
  const sum = (texts: readonly string[]): number => texts.reduce((total, text) => total + tokensOf(text), 0);
  const counts = {
    calls: calls.length,
    errors: calls.filter(({ isError }) => isError === true).length,
    questions: turns.filter((turn) => 'ask' in turn).length,
    tokens: {
      tools: tokensOf(instructions) + sum(tools.map((tool) => JSON.stringify(tool))),
      arguments: sum(calls.map((call) => JSON.stringify(call.arguments))),
      answers: answerTokens,
    },
  };
  const findings = verdict.findings.map(canonical.fromReal);
  const unsafe = verdict.unsafe.map(canonical.fromReal);
  return { ...play, says: canonical.fromReal(says), turns, counts, verdict: { ...verdict, findings, unsafe } };
}
