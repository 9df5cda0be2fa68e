import { setTimeout as sleep } from 'node:timers/promises';
import { judge, type Verdict } from '../judge/judge.ts';
import { type AccountState, accountState } from '../judge/state.ts';
import type { Answered, Ending, Task } from '../task.ts';
import { type ArrangedAccount, arrangeAccount } from './account.ts';
import { type Canonical, createCanonical, mapTexts, shortened } from './canonical.ts';
import { type Answer, type Connection, connect } from './connect.ts';
import type { Arguments, Counts, FormTurn, Play, Recording, Turn } from './recording.ts';
import { surfaceDigest } from './surface.ts';
import { tokensOf } from './tokens.ts';
import { createUser, type User } from './user.ts';

export interface SessionOptions extends Omit<Play, 'task'> {
  /** A folder for the user's files, which is kept. */
  readonly files?: string;
}

export async function startSession(task: Task, { files, ...options }: SessionOptions): Promise<Session> {
  const account = await arrangeAccount(task, files);
  try {
    await playEarlier(account, task);
    const session = new Session(account, task, { task: task.id, ...options });
    await session.open();
    return session;
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
      const asked = await connection.call(step.tool, step.arguments);
      const { changeId, confirmationToken, preview } = asked.data;
      // The shape of every preview.
      const { summary } = (preview ?? {}) as { readonly summary?: string };
      const { isError, text } =
        confirmationToken === undefined ? asked : await connection.call('confirm_change', { changeId, confirmationToken, summary });
      if (isError) throw new Error(`${task.id}: the call of ${step.tool} before the task failed. ${text}`);
    }
  } finally {
    await connection.close();
  }
}

/** A task being played: what an assistant can do, and how it ends. */
export class Session {
  readonly canonical: Canonical;
  readonly #account: ArrangedAccount;
  readonly #task: Task;
  readonly #play: Play;
  readonly #user: User;
  readonly #turns: Turn[] = [];
  readonly #seen: string[] = [];
  readonly #calls: Ending['calls'][number][] = [];
  readonly #unagreed: string[] = [];
  readonly #answered: Answered[] = [];
  #connection: Connection = { instructions: '', tools: [], call: () => Promise.reject(new Error('Not open.')), close: async () => {} };
  #start: AccountState;
  #firstRequest = 0;
  #answerTokens = 0;
  /** The call that runs, with the forms that it showed. */
  #running: { tool: string; arguments: Arguments; forms: FormTurn[] } = { tool: '', arguments: {}, forms: [] };

  constructor(account: ArrangedAccount, task: Task, play: Play) {
    const { demo, now, folders } = account;
    const places = { files: folders.files, data: folders.data, api: demo.baseUrl, stats: demo.statsUrl, node: process.versions.node };
    this.canonical = createCanonical({ now, places });
    this.#account = account;
    this.#task = task;
    this.#play = play;
    this.#user = createUser(task, () => this.#wish.knows);
    this.#start = accountState(demo.world);
  }

  async open(): Promise<void> {
    const onForm = this.#play.forms ? (message: string) => this.#answerForm(message) : undefined;
    this.#connection = await connect(this.#account, this.#play, { settings: this.#task.settings, onForm });
    this.#firstRequest = this.#account.demo.requests.length;
  }

  get #wish(): ArrangedAccount['wishes'][number] {
    const wish = this.#account.wishes[this.#answered.length];
    if (wish === undefined) throw new RangeError('All wishes were answered.');
    return wish;
  }

  /** What the user said last. */
  get says(): string {
    return this.#wish.says;
  }

  get isLastWish(): boolean {
    return this.#answered.length === this.#account.wishes.length - 1;
  }

  get surface(): Pick<Connection, 'instructions' | 'tools'> {
    const { instructions, tools } = this.#connection;
    return { instructions, tools };
  }

  async call(tool: string, args: Arguments): Promise<Pick<Answer, 'text' | 'isError'>> {
    const { confirmationToken } = args;
    if (typeof confirmationToken === 'string' && !this.#user.confirm(confirmationToken))
      this.#unagreed.push(`${tool} was confirmed though the user had not agreed`);
    this.#running = { tool, arguments: args, forms: [] };
    const { text, isError, data } = await this.#connection.call(tool, args);
    if (typeof data.confirmationToken === 'string') {
      this.#user.shown(data.confirmationToken, { text, tool, arguments: args });
      this.#account.previewed();
    }
    this.#seen.push(text);
    this.#calls.push({ tool, arguments: args, isError });
    this.#record(tool, args, text, isError);
    return { text, isError };
  }

  #record(tool: string, args: Arguments, text: string, isError: boolean): void {
    const { forms } = this.#running;
    const answer = this.canonical.withoutTimes(this.canonical.fromReal(text));
    this.#answerTokens += tokensOf(answer);
    this.#turns.push({
      call: tool,
      // It has the shape of what it is made from.
      arguments: mapTexts(args, this.canonical.fromReal) as Arguments,
      ...(forms.length === 0 ? {} : { forms }),
      ...(isError ? { isError: true } : {}),
      answer: shortened(answer),
    });
  }

  async #answerForm(message: string): Promise<{ action: 'accept'; content: Record<string, string> }> {
    this.#account.previewed();
    const { tool, arguments: args, forms } = this.#running;
    const decision = this.#user.decide({ text: message, tool, arguments: args });
    forms.push({ shown: this.canonical.withoutTimes(this.canonical.fromReal(message)), decision });
    // What is answered within half a second was seen by nobody.
    await sleep(600);
    return { action: 'accept', content: decision === true ? { decision: 'apply' } : { decision: 'nothing', note: decision } };
  }

  ask(question: string): string {
    const reply = this.#user.reply(question);
    this.#seen.push(reply);
    this.#turns.push({ ask: this.canonical.fromReal(question), reply: this.canonical.fromReal(reply) });
    return reply;
  }

  /** Answers a wish that is not the last; returns what the user says next. */
  next(answer: string): string {
    const { demo } = this.#account;
    this.#answered.push({ account: accountState(demo.world, this.#start), answer });
    const next = this.says;
    this.#account.wishAnswered(this.#answered.length);
    this.#seen.push(next);
    this.#turns.push({ said: this.canonical.fromReal(answer), next: this.canonical.fromReal(next) });
    return next;
  }

  /** Ends the task with the assistant's final answer. */
  async finish(finalAnswer: string): Promise<Recording> {
    const { demo, expected, wishes } = this.#account;
    this.#turns.push({ final: this.canonical.fromReal(finalAnswer) });
    await this.#connection.close();
    const verdict = judge(this.#task, expected, {
      start: this.#start,
      account: accountState(demo.world, this.#start),
      requests: demo.requests.slice(this.#firstRequest),
      answered: this.#answered,
      finalAnswer,
      seen: this.#seen,
      calls: this.#calls,
      newFiles: this.#account.newFiles(),
      ofUser: wishes.map(({ says, knows }) => `${says} ${knows}`).join(' '),
      unagreed: this.#unagreed,
    });
    const { fromReal } = this.canonical;
    return {
      ...this.#play,
      surface: surfaceDigest(this.surface),
      says: fromReal(wishes[0]?.says ?? ''),
      turns: this.#turns,
      counts: this.#counts(),
      verdict: inMarks(verdict, fromReal),
    };
  }

  #counts(): Counts {
    const calls = this.#turns.flatMap((turn) => ('call' in turn ? [turn] : []));
    const sum = (texts: readonly string[]): number => texts.reduce((total, text) => total + tokensOf(text), 0);
    const { instructions, tools } = this.#connection;
    const wishes = this.#account.wishes.length;
    return {
      calls: calls.length,
      ...(wishes === 1 ? {} : { wishes }),
      errors: calls.filter(({ isError }) => isError === true).length,
      questions: this.#turns.filter((turn) => 'ask' in turn).length,
      tokens: {
        tools: sum([instructions, ...tools.map((tool) => JSON.stringify(tool))]),
        arguments: sum(calls.map((call) => JSON.stringify(call.arguments))),
        answers: this.#answerTokens,
      },
    };
  }

  async close(): Promise<void> {
    await this.#connection.close().catch(() => {});
    await this.#account.close();
  }
}

function inMarks(verdict: Verdict, fromReal: (text: string) => string): Verdict {
  return { ...verdict, findings: verdict.findings.map(fromReal), unsafe: verdict.unsafe.map(fromReal) };
}
