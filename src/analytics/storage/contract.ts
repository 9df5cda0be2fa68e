import type { Sentence } from '../../text/sentence.ts';
import type { Ask, AskedSpan, CallerQuery, Coverage, Groups, Question, Rows, Span } from '../contract.ts';
import type { Beginning, ReadSpan, Segment, StorageSnapshot } from './segments.ts';

/**
 * Where the views of an account are stored: a folder of this machine (`folder/`) or a ClickHouse database that several
 * machines share (`clickhouse/`). Any number of processes may use one storage at once.
 */
export interface ViewStorage {
  readonly reader: ViewReader;
  readonly writer: ViewWriter;
}

export interface ViewReader {
  /** Answers from the stored views; `coverage` says which are missing. */
  ask(question: Question, options: Ask): Promise<Groups>;
  /** Runs a caller's read-only query over the views of a span and the given tables. */
  sandboxed(query: CallerQuery, options: Ask): Promise<Rows>;
  coverage(span: AskedSpan, options?: CoverageOptions): Promise<Coverage>;
  close(): Promise<void>;
}

export interface CoverageOptions {
  /** Returns the spans that are stored but outdated. */
  readonly stale?: (segments: readonly Segment[]) => readonly Span[];
  readonly why?: Sentence | undefined;
  /** The latest moment that it can be now, by this machine’s clock and the service’s. */
  readonly presentMs?: number | undefined;
}

export interface ViewWriter {
  readonly clock: () => number;
  /** What is stored; before the first write, no segments and an empty epoch. */
  snapshot(): Promise<StorageSnapshot>;
  /** The same, but creates missing storage. */
  open(): Promise<StorageSnapshot>;
  /** Reserves the parts of the spans that no other process is reading. */
  lease(wanted: readonly Span[]): Promise<Lease>;
  /** The keyed hash of viewers' ids, in decimal digits. */
  viewerHash(epoch: string): Promise<(viewerId: string) => string>;
  workFolder(): Promise<string>;
  /** Stores the views of a spool file (`spool.ts`; the last line of an id and a time counts) as all views of a span, or stores nothing. */
  write(span: ReadSpan, spool: string | undefined, options: WriteOptions): Promise<WriteResult>;
  collectGarbage(): Promise<void>;
}

export interface WriteOptions {
  readonly since: Beginning;
  readonly serviceMs: number;
  readonly folder: string;
}

/** `superseded`: a later reading of the span is stored already; `forgotten`: the span was forgotten while it was read. */
export type WriteResult = 'committed' | 'superseded' | 'forgotten';

/** Spans that this process has reserved for reading; none if other processes have reserved all of them. */
export interface Lease {
  readonly spans: readonly Span[];
  end(): Promise<void>;
}
