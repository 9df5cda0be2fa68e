import { stat } from 'node:fs/promises';
import { codeOf } from '../../../platform/files.ts';
import type { Ask, Question, Rows, Span } from '../../contract.ts';
import { DamagedPartsError, type Engine } from '../../engine/contract.ts';
import { answerWithSql } from '../../sql/ask.ts';
import type { CompiledQuery } from '../../sql/compile.ts';
import { partitionsOf } from '../../sql/partitions.ts';
import type { ViewReader } from '../contract.ts';
import { assertCovered, coverageOf } from '../coverage.ts';
import { type Segment, segmentsOf, viewExtent } from '../segments.ts';
import { createFolderStorage, type FolderStorage } from './folder-storage.ts';

export interface FolderOptions {
  readonly folder: string;
  readonly engine: Engine;
  readonly clock?: () => number;
}

/** Attempts while other processes replace the parts that are being read. */
const MAX_TRIES = 5;
const COUNT: Omit<Question, 'span'> = { metrics: ['views'], groupBy: [], filters: [], offsets: [] };
const COUNT_TIMEOUT_MS = 30_000;

export function createFolderReader({ folder, engine, clock = Date.now }: FolderOptions): ViewReader {
  const storage = createFolderStorage(folder, clock);
  const partsIn = (segments: readonly Segment[], span: Span) => storage.partFilesOf(segmentsOf(segments, span));

  function askIn(segments: readonly Segment[], question: Question, { signal, timeoutMs }: Omit<Ask, 'signal'> & Partial<Ask>) {
    const deadline = performance.now() + timeoutMs;
    const within = viewExtent(segments, question.span);
    const slices = partitionsOf(question, within);
    const run = ({ span, sql, params }: CompiledQuery, maxRows: number): Promise<Rows> => {
      const leftMs = Math.max(1, Math.round(deadline - performance.now()));
      const parts = partsIn(segments, span);
      return engine.query({ parts, signal, timeoutMs: leftMs, sql, params, maxRows, oneThread: slices.length > 1 });
    };
    return answerWithSql(question, run, { within, slices });
  }

  async function countIn(segments: readonly Segment[], span: Span): Promise<number> {
    if (segmentsOf(segments, span).length === 0) return 0;
    return Number((await askIn(segments, { span, ...COUNT }, { timeoutMs: COUNT_TIMEOUT_MS })).total[0]);
  }

  return {
    ask: (question, options) => withSegments(storage, options.covered, (segments) => askIn(segments, question, options)),
    sandboxed: (query, { covered, ...options }) =>
      withSegments(storage, covered, (segments) => engine.sandboxed({ ...query, ...options, parts: partsIn(segments, query.span) })),
    coverage: (span, options = {}) => withSegments(storage, [], (segments) => coverageOf(segments, span, options, countIn)),
    close: () => engine.close(),
  };
}

/**
 * Uses the segments of one version of the manifest. Segments whose part is damaged are withdrawn, and the others are used.
 * Throws `views_gone` if they no longer cover `covered`.
 */
async function withSegments<T>(
  storage: FolderStorage,
  covered: Ask['covered'],
  act: (segments: readonly Segment[]) => Promise<T>,
): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    const segments = (await storage.read())?.segments ?? [];
    assertCovered(segments, covered ?? []);
    try {
      return await act(segments);
    } catch (error) {
      if (!(error instanceof DamagedPartsError)) throw error;
      const isWithdrawn = await withdrawDamaged(storage, segments, error.parts);
      if (!isWithdrawn && tries >= MAX_TRIES) throw error;
    }
  }
}

/** Withdraws all missing parts with them. False if the parts were replaced meanwhile and no current segment is affected. */
async function withdrawDamaged(storage: FolderStorage, segments: readonly Segment[], damaged: readonly string[]): Promise<boolean> {
  const gone = new Set<string>();
  for (const segment of segments)
    for (const { path } of storage.partFilesOf([segment])) if (damaged.includes(path) || (await isMissing(path))) gone.add(segment.id);
  return storage.withdraw(({ id }) => gone.has(id));
}

const isMissing = (path: string): Promise<boolean> =>
  stat(path).then(
    () => false,
    (error: unknown) => codeOf(error) === 'ENOENT',
  );
