import { stat } from 'node:fs/promises';
import { codeOf } from '../../../platform/files.ts';
import type { AnalyticsStore, Ask, Coverage, Groups, Rows, Span } from '../../contract.ts';
import { checkHeld, coverageOf } from '../../coverage.ts';
import { type Engine, UnreadablePartError } from '../../engine/contract.ts';
import { isReadable } from '../../ingest/refresh-policy.ts';
import { overlaps } from '../../spans.ts';
import { askInSql } from '../../sql/ask.ts';
import type { Statement } from '../../sql/compile.ts';
import { type Extent, partitionsOf } from '../../sql/partitions.ts';
import type { CoverageHow } from '../view-writer.ts';
import { createFolderStorage, type FolderStorage } from './folder-storage.ts';
import type { Segment } from './manifest.ts';

export interface StoreOptions {
  /** The account's folder for views; need not exist. */
  readonly folder: string;
  /** Closed together with the store. */
  readonly engine: Engine;
  readonly clock?: () => number;
}

/** Looks at the manifest again, where parts were replaced while they were read. */
const MAX_TRIES = 5;
const COUNT_TIMEOUT_MS = 30_000;

/** The views kept in a folder, asked for through DuckDB. */
export function createFolderReader({ folder, engine, clock = Date.now }: StoreOptions): AnalyticsStore {
  const lake = createFolderStorage(folder, clock);
  return {
    ask: (question, how): Promise<Groups> =>
      overWindows(lake, how.held, (windows) => {
        const until = performance.now() + how.timeoutMs;
        const run = ({ span, sql, params }: Statement, maxRows: number): Promise<Rows> => {
          const timeoutMs = Math.max(1, Math.round(until - performance.now()));
          return engine.query({ parts: partsOf(lake, windows, span), signal: how.signal, timeoutMs, sql, params, maxRows });
        };
        const within = extentOf(windows, question.span);
        return askInSql(question, run, { within, slices: partitionsOf(question, within) });
      }),
    sandboxed: (query, { held, ...how }: Ask): Promise<Rows> =>
      overWindows(lake, held, (windows) => engine.sandboxed({ ...query, ...how, parts: partsOf(lake, windows, query.span) })),
    close: () => engine.close(),
  };
}

/**
 * Does something with the windows of one version of the manifest. Where a part of them can't be read, its window is
 * withdrawn, and it is done with what is left. Throws `views_gone` where that is less than what was found to be held.
 */
async function overWindows<T>(lake: FolderStorage, held: Ask['held'], act: (windows: readonly Segment[]) => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    const manifest = await lake.read();
    const windows = manifest?.windows ?? [];
    checkHeld(windows, held ?? []);
    try {
      return await act(windows);
    } catch (error) {
      if (!(error instanceof UnreadablePartError)) throw error;
      const isWithdrawn = await withdrawUnreadable(lake, windows, error.part);
      if (!isWithdrawn && tries >= MAX_TRIES) throw error;
    }
  }
}

/** False where the part was replaced meanwhile, and no window that still counts is affected. */
async function withdrawUnreadable(lake: FolderStorage, windows: readonly Segment[], path: string): Promise<boolean> {
  const gone = new Set<string>();
  for (const { id, part } of windows) {
    const own = part === undefined ? undefined : lake.partPath(part);
    if (own !== undefined && (own === path || (await isMissing(own)))) gone.add(id);
  }
  return lake.withdraw(({ id }) => gone.has(id));
}

const isMissing = (path: string): Promise<boolean> =>
  stat(path).then(
    () => false,
    (error: unknown) => codeOf(error) === 'ENOENT',
  );

function partsOf(lake: FolderStorage, windows: readonly Segment[], span: Span): string[] {
  return asked(windows, span).flatMap(({ part }) => (part === undefined ? [] : [lake.partPath(part)]));
}

/** The span that all views of those parts lie in, and how many views there are. */
export function extentOf(windows: readonly Segment[], span: Span): Extent {
  const those = asked(windows, span);
  return {
    fromMs: Math.min(...those.map((window) => viewsSpan(window).fromMs)),
    toMs: Math.max(...those.map((window) => viewsSpan(window).toMs)),
    rows: those.reduce((sum, { rows }) => sum + rows, 0),
  };
}

/** Those with a part that may hold views of a span. */
export function asked(windows: readonly Segment[], span: Span): Segment[] {
  return windows.filter((window) => window.part !== undefined && isReadable(window) && overlaps(viewsSpan(window), span));
}

const viewsSpan = ({ fromMs, toMs, minMs, maxMs }: Segment): Span => ({ fromMs: minMs ?? fromMs, toMs: (maxMs ?? toMs) + 1 });

/** What is held of a span by now. */
export async function readCoverage(
  lake: FolderStorage,
  engine: Pick<Engine, 'query'>,
  span: Span,
  { stale, why }: CoverageHow = {},
): Promise<Coverage> {
  return overWindows(lake, undefined, async () => {
    const manifest = await lake.read();
    const count = (windows: readonly Segment[]) => countIn(engine, partsOf(lake, windows, span), span);
    return coverageOf(manifest, span, { count, stale: stale?.(manifest?.windows ?? []) ?? [], why });
  });
}

async function countIn(engine: Pick<Engine, 'query'>, parts: readonly string[], { fromMs, toMs }: Span): Promise<number> {
  if (parts.length === 0) return 0;
  const { rows } = await engine.query({
    parts,
    sql: 'SELECT count(*) FROM views WHERE ts >= make_timestamp($1::BIGINT) AND ts < make_timestamp($2::BIGINT)',
    params: [fromMs * 1_000, toMs * 1_000],
    maxRows: 1,
    timeoutMs: COUNT_TIMEOUT_MS,
    signal: AbortSignal.timeout(COUNT_TIMEOUT_MS),
  });
  return Number(rows[0]?.[0] ?? 0);
}
