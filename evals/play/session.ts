import { setTimeout as sleep } from 'node:timers/promises';
import { judge } from '../judge/judge.ts';
import { isMutation } from '../judge/requests.ts';
import { type AccountState, accountState } from '../judge/state.ts';
import type { Answered, Ending, Task } from '../task.ts';
import { type ArrangedAccount, arrangeAccount, type ConfirmedCall } from './account.ts';
import { showPresent } from './clock.ts';
import { type Answer, type Connection, connect } from './connect.ts';
import type { Arguments, Counts, Decision, Play, Run, Turn } from './recording.ts';
import { createReferences, type References } from './references.ts';
import { tokensOf } from './tokens.ts';
import { createUser, type User } from './user.ts';

export interface SessionOptions extends Omit<Play, 'task'> {
  /** A folder for the user's files, which is kept. */
  readonly files?: string;
}

export async function startSession(task: Task, { files, ...options }: SessionOptions): Promise<Session> {
  const account = await arrangeAccount(task, files);
  if (account.begun.length > 0 && options.server !== 'ours') {
    await account.close();
    throw new Error(`${task.id} begins while a change of this server runs, so another server can’t play it.`);
  }
  const showRealDay = showPresent(account.now);
  const close = async (): Promise<void> => {
    showRealDay();
    await account.close();
  };
  try {
    await playEarlier(account, task);
    const session = new Session({ ...account, close }, task, { task: task.id, ...options });
    await session.open();
    return session;
  } catch (error) {
    await close();
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
      await callConfirmed(connection, step, task);
    }
  } finally {
    await connection.close();
  }
}

async function callConfirmed(connection: Connection, { tool, arguments: args }: ConfirmedCall, { id }: Task): Promise<void> {
  const asked = await connection.call(tool, args);
  const { changeId, confirmationToken, preview } = asked.data;
  // The shape of every preview.
  const { summary } = (preview ?? {}) as { readonly summary?: string };
  const { isError, text } =
    confirmationToken === undefined ? asked : await connection.call('confirm_change', { changeId, confirmationToken, summary });
  if (isError) throw new Error(`${id}: the call of ${tool} before the task failed. ${text}`);
}

/** A run at its end. */
export interface Finished extends Omit<Run, 'counts'> {
  /** How many calls failed. */
  readonly errors: number;
}

const CHANGES_IN_WRAPPER = /^(?:create|update|move|copy)_/;

/** A task being played: what an assistant can do, and how it ends. */
export class Session {
  readonly references: References = createReferences();
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
  #unasked = 0;
  readonly #answerTexts: string[] = [];
  /** Whether a change that the user agreed to was answered before it had ended. */
  #goesOn = false;
  /** The call that runs, with what the user answered to its forms. */
  #running: { tool: string; arguments: Arguments; forms: Decision[] } = { tool: '', arguments: {}, forms: [] };

  constructor(account: ArrangedAccount, task: Task, play: Play) {
    this.#account = account;
    this.#task = task;
    this.#play = play;
    this.#user = createUser(task, () => this.#wish.knows);
    this.#start = accountState(account.demo.world);
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

  /** At the first call: until then an assistant may take any time, while a change would end. */
  async #begin(): Promise<void> {
    for (const step of this.#account.begun.splice(0)) {
      await callConfirmed(this.#connection, step, this.#task);
      this.#goesOn = true;
    }
  }

  async call(tool: string, args: Arguments): Promise<Pick<Answer, 'text' | 'isError'>> {
    await this.#begin();
    const { confirmationToken } = args;
    const agreed = typeof confirmationToken !== 'string' || this.#user.confirm(confirmationToken);
    if (!agreed) this.#unagreed.push(`${tool} was confirmed though the user had not agreed`);
    const forms: Decision[] = [];
    this.#running = { tool, arguments: args, forms };
    // It has the shape of what it is made from.
    const kept = this.references.toReferences(args) as Arguments;
    const sentBefore = this.#mutations();
    const { text, isError, data } = await this.#connection.call(tool, args);
    const mayChange = typeof confirmationToken === 'string' || forms.includes(true) || this.#goesOn || this.#play.server === 'wrapper';
    if (!mayChange && this.#mutations() > sentBefore) this.#unagreed.push(`${tool} changed the account though the user had not agreed`);
    this.#goesOn ||= data.status === 'running';
    if (typeof data.confirmationToken === 'string') {
      this.#user.shown(data.confirmationToken, { text, tool, arguments: args });
      this.#account.previewed();
    }
    this.references.answered(data);
    this.#seen.push(text);
    this.#calls.push({ tool, arguments: args, isError });
    this.#answerTexts.push(text);
    if (!isError && this.#isChange(tool, args) && !this.#turns.some((turn) => 'ask' in turn)) this.#unasked += 1;
    this.#turns.push({ call: tool, arguments: kept, ...(forms.length === 0 ? {} : { forms }) });
    return { text, isError };
  }

  /** Of this server, a token changes something. */
  #isChange(tool: string, args: Arguments): boolean {
    return this.#play.server === 'ours' ? 'confirmationToken' in args : CHANGES_IN_WRAPPER.test(tool);
  }

  #mutations(): number {
    return this.#account.demo.requests.filter(isMutation).length;
  }

  async #answerForm(message: string): Promise<{ action: 'accept'; content: Record<string, string> }> {
    this.#account.previewed();
    const { tool, arguments: args, forms } = this.#running;
    const decision = this.#user.decide({ text: message, tool, arguments: args });
    forms.push(decision);
    // What is answered within half a second was seen by nobody.
    await sleep(600);
    return { action: 'accept', content: decision === true ? { decision: 'apply' } : { decision: 'nothing', note: decision } };
  }

  ask(question: string): string {
    const reply = this.#user.reply(question);
    this.#seen.push(reply);
    this.#turns.push({ ask: question, reply });
    return reply;
  }

  /** Answers a wish that is not the last; returns what the user says next. */
  next(answer: string): string {
    const { demo } = this.#account;
    this.#answered.push({ account: accountState(demo.world, this.#start), answer });
    const next = this.says;
    this.#account.wishAnswered(this.#answered.length);
    this.#seen.push(next);
    this.#turns.push({ said: answer, next });
    return next;
  }

  /** Ends the task with the assistant's final answer. */
  async finish(finalAnswer: string): Promise<Finished> {
    const { demo, expected, wishes } = this.#account;
    this.#turns.push({ final: finalAnswer });
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
    const errors = this.#calls.filter(({ isError }) => isError).length;
    return { ...this.#play, says: wishes[0]?.says ?? '', turns: this.#turns, errors, verdict };
  }

  /** The run as it is kept, with what it took. To count tokens takes a while: a replay does without. */
  run({ errors, verdict, ...played }: Finished): Run {
    const sum = (texts: readonly string[]): number => texts.reduce((total, text) => total + tokensOf(text), 0);
    const { instructions, tools } = this.#connection;
    const wishes = this.#account.wishes.length;
    const counts: Counts = {
      calls: this.#calls.length,
      ...(wishes === 1 ? {} : { wishes }),
      errors,
      questions: this.#turns.filter((turn) => 'ask' in turn).length,
      unasked: this.#unasked,
      tokens: {
        tools: sum([instructions, ...tools.map((tool) => JSON.stringify(tool))]),
        arguments: sum(this.#calls.map((call) => JSON.stringify(call.arguments))),
        answers: sum(this.#answerTexts),
      },
    };
    return { ...played, counts, verdict };
  }

  async close(): Promise<void> {
    await this.#connection.close().catch(() => {});
    await this.#account.close();
  }
}
