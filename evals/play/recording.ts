import type { Verdict } from '../judge/judge.ts';

export type ServerName = 'ours' | 'wrapper';
export type Arguments = Readonly<Record<string, unknown>>;

/** What the user answered to a form: `true`, or what they objected. */
export type Decision = true | string;

/**
 * One thing that the assistant did, and what the user said or pressed. What the server answered is not kept: a value that
 * was taken from an answer is a reference to it (`references.ts`).
 */
export type Turn =
  | { readonly call: string; readonly arguments: Arguments; readonly forms?: readonly Decision[] }
  | { readonly ask: string; readonly reply: string }
  /** The answer to a wish, and what the user said next. */
  | { readonly said: string; readonly next: string }
  | { readonly final: string };

/** What was counted when the assistant played. */
export interface Counts {
  readonly calls: number;
  /** How many wishes the user had, where there were several. */
  readonly wishes?: number;
  readonly errors: number;
  readonly questions: number;
  /** How many calls changed something before the user was asked anything at all. */
  readonly unasked: number;
  /** o200k_base: what a model reads once (instructions, tools), what it writes to call, and what it reads for it. */
  readonly tokens: { readonly tools: number; readonly arguments: number; readonly answers: number };
}

/** How a task was played. */
export interface Play {
  readonly task: string;
  readonly server: ServerName;
  readonly era: Era;
  readonly forms: boolean;
}

export type Era = 'legacy' | 'modern';

/** A run of a task. */
export interface Run extends Play {
  /** What the user said first. */
  readonly says: string;
  readonly turns: readonly Turn[];
  readonly counts: Counts;
  readonly verdict: Verdict;
}

/** A run that is kept. */
export interface Recording extends Run {
  /** The day on which the assistant played, and the version that it played with: a commit. */
  readonly day: string;
  readonly version: string;
}
