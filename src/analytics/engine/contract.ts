import type { Rows, Scalar, SideTable, ZoneOffset } from '../contract.ts';

/** What is known of a part after it was written. */
export interface PartFacts {
  readonly rows: number;
  /** Milliseconds since the epoch, cut; absent of an empty part. */
  readonly minMs?: number;
  readonly maxMs?: number;
}

/** A part that was named is not there, or is no Parquet file of ours. One that can't be opened just now is not meant. */
export class UnreadablePartError extends Error {
  override readonly name = 'UnreadablePartError';
  readonly part: string;

  constructor(part: string, message: string) {
    super(message);
    this.part = part;
  }
}

/** The engine: a child process that alone loads DuckDB, started when first needed and killed when it strays. */
export interface Engine {
  /**
   * Writes one Parquet part from files of checked rows (a line a row, as `spool.ts` writes them), each id once
   * (the last line wins). The caller has it synced and named.
   */
  writePart(input: { readonly spool: readonly string[]; readonly part: string }): Promise<PartFacts>;
  /**
   * Our own SQL over exactly these parts, as the view `views`. Values only ever as parameters. An integer beyond 2^53 comes
   * as text, its digits; an infinity as null; a DATE or TIMESTAMP as ISO text without a zone.
   */
  query(input: {
    readonly parts: readonly string[];
    readonly sql: string;
    readonly params: readonly Scalar[];
    readonly maxRows: number;
    readonly timeoutMs: number;
    readonly signal: AbortSignal;
  }): Promise<Rows>;
  /** A stranger's SQL (values as above, long texts cut): checked against lists of what is allowed, in an instance that can reach nothing else. */
  sandboxed(input: {
    readonly parts: readonly string[];
    readonly span: { readonly fromMs: number; readonly toMs: number };
    /** Of the zone in which `ts` is. */
    readonly offsets: readonly ZoneOffset[];
    readonly tables: readonly SideTable[];
    readonly sql: string;
    readonly maxRows: number;
    readonly timeoutMs: number;
    readonly signal: AbortSignal;
  }): Promise<Rows>;
  close(): Promise<void>;
}
