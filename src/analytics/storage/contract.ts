import type { Ask, Coverage, Groups, Question, Rows, SideTable, Span, ZoneOffset } from '../contract.ts';
import type { ReasonCount, Segment, Snapshot } from './segments.ts';

/**
 * Where the views of an account are stored: a folder of this machine (`folder/`) or a ClickHouse database that several
 * machines share (`clickhouse/`). Any number of processes may use one storage at once.
 */
export interface ViewStorage {
  readonly reader: ViewReader;
  readonly writer: ViewWriter;
}

export interface ViewReader {
  /** Answers from what is stored; `coverage` says what isn't. */
  ask(question: Question, how: Ask): Promise<Groups>;
  /** One read-only query that the caller wrote, over `views` of the span and the tables given. */
  sandboxed(query: CallerQuery, how: Ask): Promise<Rows>;
  coverage(span: Span, how?: CoverageOptions): Promise<Coverage>;
  close(): Promise<void>;
}

export interface CallerQuery {
  readonly sql: string;
  readonly span: Span;
  /** Of the zone in which `ts` is. */
  readonly offsets: readonly ZoneOffset[];
  readonly tables: readonly SideTable[];
  readonly maxRows: number;
}

export interface CoverageOptions {
  /** Finds the spans that are stored but should have been read again. */
  readonly stale?: (segments: readonly Segment[]) => readonly Span[];
  /** Why something was not read. */
  readonly why?: string | undefined;
}

export interface ViewWriter {
  readonly clock: () => number;
  /** What is stored; without segments and with an empty epoch where nothing ever was. */
  snapshot(): Promise<Snapshot>;
  /** The same; creates the storage if there is none. */
  open(): Promise<Snapshot>;
  /** Reserves what of the spans no other process is reading. */
  lease(wanted: readonly Span[]): Promise<Lease>;
  /** The keyed hash of viewers' ids, in decimal digits. */
  viewerHash(epoch: string): Promise<(viewerId: string) => string>;
  /** Creates a folder on this machine for files that are not stored yet. */
  workFolder(): Promise<string>;
  /** Stores the views of a spool file (`spool.ts`; the last line of an id counts) as all there is of a span, or stores nothing. */
  write(span: ReadSpan, spool: string | undefined, how: { readonly epoch: string; readonly folder: string }): Promise<WriteResult>;
  /** Removes replaced views and what killed processes left behind. */
  collectGarbage(): Promise<void>;
}

/** `superseded`: a later reading of the span is stored already; `forgotten`: the span was forgotten while it was read. */
export type WriteResult = 'committed' | 'superseded' | 'forgotten';

/** A span that was read to its end. */
export interface ReadSpan extends Span {
  /** When its reading began. */
  readonly fetchedMs: number;
  readonly setAside: readonly ReasonCount[];
  /** Why it may lack views. */
  readonly problem?: string;
}

/** Spans that are reserved for this process to read. Empty where other processes have reserved all of them. */
export interface Lease {
  readonly spans: readonly Span[];
  end(): Promise<void>;
}
