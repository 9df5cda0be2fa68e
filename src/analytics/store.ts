import type { AnalyticsStore, Ask, Coverage, Groups, Rows, Span } from './contract.ts';
import { coverageOf } from './coverage.ts';
import { type Engine, PartGoneError } from './engine/contract.ts';
import { askInSql } from './question/ask.ts';
import { createLake, type Lake } from './store/lake.ts';
import type { Window } from './store/manifest.ts';
import { overlaps } from './store/spans.ts';
import { isReadable } from './sync/needs.ts';

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
export function createViewStore({ folder, engine, clock = Date.now }: StoreOptions): AnalyticsStore {
  const lake = createLake(folder, clock);
  return {
    ask: (question, how): Promise<Groups> =>
      overParts(lake, question.span, (parts, within) =>
        askInSql(question, ({ sql, params }, maxRows) => engine.query({ parts, ...how, sql, params, maxRows }), { within }),
      ),
    sandboxed: (query, how: Ask): Promise<Rows> => overParts(lake, query.span, (parts) => engine.sandboxed({ ...query, ...how, parts })),
    coverage: (span) => readCoverage(lake, engine, span),
    close: () => engine.close(),
  };
}

/** Does something with the parts that hold views of a span, all of one version of the manifest. */
async function overParts<T>(lake: Lake, span: Span, act: (parts: readonly string[], within: Span) => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    const manifest = await lake.read();
    const windows = manifest?.windows ?? [];
    try {
      return await act(partsOf(lake, windows, span), outlineOf(windows, span));
    } catch (error) {
      if (!(error instanceof PartGoneError) || tries >= MAX_TRIES) throw error;
    }
  }
}

function partsOf(lake: Lake, windows: readonly Window[], span: Span): string[] {
  return asked(windows, span).flatMap(({ part }) => (part === undefined ? [] : [lake.partPath(part)]));
}

/** What all views lie within that those parts hold. */
export function outlineOf(windows: readonly Window[], span: Span): Span {
  const spans = asked(windows, span).map(viewsSpan);
  return { fromMs: Math.min(...spans.map(({ fromMs }) => fromMs)), toMs: Math.max(...spans.map(({ toMs }) => toMs)) };
}

/** Those with a part that may hold views of a span. */
export function asked(windows: readonly Window[], span: Span): Window[] {
  return windows.filter((window) => window.part !== undefined && isReadable(window) && overlaps(viewsSpan(window), span));
}

const viewsSpan = ({ fromMs, toMs, minMs, maxMs }: Window): Span => ({ fromMs: minMs ?? fromMs, toMs: (maxMs ?? toMs) + 1 });

/** What is held of a span by now. */
export async function readCoverage(
  lake: Lake,
  engine: Pick<Engine, 'query'>,
  span: Span,
  facts: { readonly stale?: (windows: readonly Window[]) => readonly Span[]; readonly why?: string | undefined } = {},
): Promise<Coverage> {
  for (let tries = 1; ; tries += 1) {
    const manifest = await lake.read();
    const stale = facts.stale?.(manifest?.windows ?? []) ?? [];
    const count = (windows: readonly Window[]) => countIn(engine, partsOf(lake, windows, span), span);
    try {
      return await coverageOf(manifest, span, { count, stale, why: facts.why });
    } catch (error) {
      if (!(error instanceof PartGoneError) || tries >= MAX_TRIES) throw error;
    }
  }
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
