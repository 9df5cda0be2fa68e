import type { Rows } from '../contract.ts';
import type { Engine, PartFacts } from './contract.ts';

/** Each kind of task has its own processes, so that a crash affects no other kind. */
export type TaskKind = Task['kind'];

type Input<K extends 'writePart' | 'query' | 'sandboxed'> = Omit<Parameters<Engine[K]>[0], 'signal' | 'timeoutMs'>;

export type Task =
  | { readonly kind: 'query'; readonly input: Input<'query'> }
  | { readonly kind: 'write'; readonly input: Input<'writePart'> }
  | { readonly kind: 'sandbox'; readonly input: Input<'sandboxed'> };

export interface EngineConfig {
  /** Shared by all processes; each creates its own folder in it. */
  readonly tempFolder: string;
  readonly memoryMb: number;
  /** The process ends itself when it uses more. */
  readonly maxRssMb?: number;
  readonly threads: number;
}

export type ToChild =
  | { readonly config: EngineConfig }
  | { readonly id: number; readonly task: Task }
  | { readonly interrupt: number };

export type Failure =
  | { readonly kind: 'refused' | 'too_heavy' | 'unavailable' | 'died' | 'failed'; readonly message: string }
  | { readonly kind: 'part_unreadable'; readonly part: string; readonly message: string };

export type Outcome = { readonly rows: Rows } | { readonly facts: PartFacts } | { readonly failure: Failure };

export type FromChild = { readonly id: number; readonly outcome: Outcome };
