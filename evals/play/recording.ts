import type { Verdict } from '../judge/judge.ts';

export type ServerName = 'ours' | 'wrapper';
export type Arguments = Readonly<Record<string, unknown>>;

export interface FormTurn {
  readonly shown: string;
  /** `true`, or what the user objected. */
  readonly decision: true | string;
}

/** One thing that the assistant did. Texts are in canonical form, without what is random in each run. */
export type Turn =
  | {
      readonly call: string;
      readonly arguments: Arguments;
      readonly forms?: readonly FormTurn[];
      readonly isError?: true;
      readonly answer: string;
    }
  | { readonly ask: string; readonly reply: string }
  /** The answer to a wish, and what the user said next. */
  | { readonly said: string; readonly next: string }
  | { readonly final: string };

export interface Counts {
  readonly calls: number;
  /** How many wishes the user had, where there were several. */
  readonly wishes?: number;
  readonly errors: number;
  readonly questions: number;
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

export interface Recording extends Play {
  /** The digest of the instructions and tools that the assistant was given. */
  readonly surface: string;
  /** What the user said first. */
  readonly says: string;
  readonly turns: readonly Turn[];
  readonly counts: Counts;
  readonly verdict: Verdict;
}
