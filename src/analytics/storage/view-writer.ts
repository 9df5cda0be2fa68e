import type { Coverage, Span } from '../contract.ts';
import type { Manifest, Segment, Tally } from './folder/manifest.ts';

/** `beaten`: others hold the span as fresh; `forgotten`: it was removed while it was read. */
export type WriteResult = 'committed' | 'beaten' | 'forgotten';

/** A span that was read to its end, as far as its views themselves are not looked at. */
export interface ReadSpan extends Span {
  /** When its reading began. */
  readonly fetchedMs: number;
  readonly setAside: readonly Tally[];
  /** A line a record that was set aside. */
  readonly setAsideLines: readonly string[];
  /** Why it may lack views. */
  readonly problem?: string;
}

/** Spans that this process reads, so that no other need. */
export interface Lease {
  /** Empty where others were quicker. */
  readonly spans: readonly Span[];
  end(): Promise<void>;
}

export interface CoverageHow {
  readonly stale?: (windows: readonly Segment[]) => readonly Span[];
  readonly why?: string | undefined;
}

/** Where a sync keeps what it reads: a folder of this machine, or a database that others share. Any number may use one at once. */
export interface ViewWriter {
  readonly clock: () => number;
  /** What is held; undefined where nothing ever was. */
  read(): Promise<Manifest | undefined>;
  /** The same, begun if there is nothing yet. */
  open(): Promise<Manifest>;
  /** Takes what of the spans nobody else reads at the moment. */
  lease(wanted: readonly Span[]): Promise<Lease>;
  viewerHash(epoch: string): Promise<(viewerId: string) => string>;
  /** A folder of this process's own, for what isn't kept yet. */
  workFolder(): Promise<string>;
  /** Whether what was read of some spans was removed since, on purpose. */
  isForgotten(read: readonly (Span & { readonly fetchedMs: number })[], epoch: string): Promise<boolean>;
  /** Keeps the views in files of lines (as `spool.ts` writes them; the last one of an id counts) as all there is of a span, or keeps nothing. */
  keep(span: ReadSpan, lines: readonly string[], how: { readonly epoch: string; readonly folder: string }): Promise<WriteResult>;
  coverage(span: Span, how?: CoverageHow): Promise<Coverage>;
  /** Removes what is no longer needed. */
  tidy(): Promise<void>;
}
