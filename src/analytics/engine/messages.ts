/** What the server and its engine's processes say to each other: plain data, as JSON. */
import type { Column, Scalar } from '../contract.ts';
import type { Engine, PartFacts } from './contract.ts';

/** What a process is for. Each has its own, so that none is lost with another. */
export type Role = 'query' | 'write' | 'sandbox';

type Input<K extends 'writePart' | 'query' | 'sandboxed'> = Omit<Parameters<Engine[K]>[0], 'signal' | 'timeoutMs'>;

export type Task =
  | { readonly kind: 'query'; readonly input: Input<'query'> }
  | { readonly kind: 'write'; readonly input: Input<'writePart'> }
  | { readonly kind: 'sandbox'; readonly input: Input<'sandboxed'> };

/** The first message to a process. */
export interface Opening {
  /** A folder of all processes; each makes its own in it. */
  readonly tempFolder: string;
  readonly memoryMb: number;
  /** A process that grows past this ends itself. */
  readonly maxRssMb?: number;
  readonly threads: number;
}

export type ToChild =
  | { readonly open: Opening }
  | { readonly id: number; readonly task: Task }
  /** What is running for this id is to end early. */
  | { readonly interrupt: number };

export type Failure =
  | { readonly kind: 'refused'; readonly message: string }
  | { readonly kind: 'too_heavy'; readonly message: string }
  /** A part that was named is not there, or is damaged. */
  | { readonly kind: 'part_unreadable'; readonly part: string; readonly message: string }
  /** A disk that is full. */
  | { readonly kind: 'failed'; readonly message: string };

export type FromChild =
  | { readonly ready: true }
  /** DuckDB can't be loaded here. */
  | { readonly unavailable: string }
  | { readonly id: number; readonly columns: readonly Column[] }
  | { readonly id: number; readonly rows: readonly (readonly Scalar[])[] }
  | { readonly id: number; readonly done: { readonly truncated?: boolean; readonly facts?: PartFacts } }
  | { readonly id: number; readonly failure: Failure };
