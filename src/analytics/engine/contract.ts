import type { Ask, CallerQuery, Rows, Scalar } from '../contract.ts';
import type { PartFile } from '../storage/part-file.ts';

export interface WrittenViews {
  readonly rows: number;
  /** In milliseconds since the epoch, rounded down; absent for an empty part. */
  readonly minMs?: number;
  readonly maxMs?: number;
}

/** Parts are missing or damaged. Temporary failures to open a part are other errors. */
export class DamagedPartsError extends Error {
  override readonly name = 'DamagedPartsError';
  readonly parts: readonly string[];

  constructor(parts: readonly string[]) {
    super(`Parts of the stored views are missing or damaged: ${parts.join(', ')}`);
    this.parts = parts;
  }
}

/** Runs DuckDB in child processes, which start when first needed and are killed when a task runs out of time or memory. */
export interface Engine {
  /** Writes a Parquet part from a spool file (`spool.ts`). The last line of an id and a time counts. The caller syncs and names the part. */
  writePart(input: { readonly spool: string; readonly part: string }): Promise<WrittenViews>;
  /**
   * Runs our own SQL over these parts, as the view `views`. An integer beyond 2^53 is returned as decimal digits, an infinity
   * as null, a DATE or TIMESTAMP as ISO text without a zone. Throws `DamagedPartsError`, as `sandboxed` does.
   */
  query(input: {
    readonly parts: readonly PartFile[];
    readonly sql: string;
    readonly params: readonly Scalar[];
    readonly maxRows: number;
    /** For one of several queries that run at the same time: on one thread each takes less time of the processor. */
    readonly oneThread?: boolean;
    readonly timeoutMs: number;
    readonly signal?: AbortSignal | undefined;
  }): Promise<Rows>;
  /**
   * Runs a caller's SQL (values as above, long texts cut): checked against an allow-list, in a database without access to
   * anything else.
   */
  sandboxed(input: CallerQuery & Pick<Ask, 'signal' | 'timeoutMs'> & { readonly parts: readonly PartFile[] }): Promise<Rows>;
  close(): Promise<void>;
}

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
  readonly maxRssMb?: number;
  readonly threads: number;
}

export type Failure =
  | { readonly kind: 'refused' | 'too_heavy' | 'unavailable' | 'no_folder' | 'died' | 'failed'; readonly message: string }
  | { readonly kind: 'parts_damaged'; readonly parts: readonly string[] };

export type TaskOutcome = { readonly rows: Rows } | { readonly facts: WrittenViews } | { readonly failure: Failure };
