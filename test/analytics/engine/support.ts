/** An engine with its own folder, and helpers that create views for it. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { inject } from 'vitest';
import { VIEW_COLUMNS } from '../../../src/analytics/columns.ts';
import type { Scalar } from '../../../src/analytics/contract.ts';
import type { Engine } from '../../../src/analytics/engine/contract.ts';
import { createEngine, type EngineOptions } from '../../../src/analytics/engine/engine.ts';
import { factsOfFile, type PartFile } from '../../../src/analytics/storage/part-file.ts';
import { spoolLine, type ViewCells } from '../../../src/analytics/storage/spool.ts';
import { atEnd } from '../../harness/cleanup.ts';

export const DAY_MS = 86_400_000;
export const START_MS = Date.UTC(2026, 2, 1);
export const SPAN = { fromMs: START_MS, toMs: START_MS + 30 * DAY_MS };

export interface Lab {
  readonly engine: Engine;
  readonly folder: string;
  readonly tempFolder: string;
  readonly log: readonly string[];
  /** Writes these views into a part. */
  part(rows: readonly ViewCells[]): Promise<PartFile>;
  spool(rows: readonly ViewCells[]): string;
  /** A path in the lab's folder that is not yet taken. */
  path(extension: string): string;
}

export function makeLab(options: Partial<EngineOptions> = {}, prefix = 'engine-'): Lab & { close: () => Promise<void> } {
  const folder = mkdtempSync(join(tmpdir(), prefix));
  const tempFolder = join(folder, 'temp');
  const log: string[] = [];
  const file = join(dirname(inject('command')), 'engine.cjs');
  const engine = createEngine({ tempFolder, file, log: (message) => log.push(message), ...options });
  let files = 0;
  const path = (extension: string): string => join(folder, `${++files}.${extension}`);
  const spool = (rows: readonly ViewCells[]): string => {
    const file = path('spool');
    writeFileSync(file, rows.map(spoolLine).join(''));
    return file;
  };
  return {
    engine,
    folder,
    tempFolder,
    log,
    path,
    spool,
    async part(rows) {
      const part = path('parquet');
      await engine.writePart({ spool: spool(rows), part });
      return { path: part, ...(await factsOfFile(part)) };
    },
    async close() {
      await engine.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A lab that is closed and removed after the test. */
export function lab(options: Partial<EngineOptions> = {}, prefix?: string): Lab {
  const made = makeLab(options, prefix);
  atEnd(made.close);
  return made;
}

/** A view with these values; the other columns have a default or null. */
export function view(values: Partial<Record<(typeof VIEW_COLUMNS)[number]['name'], Scalar>> = {}): ViewCells {
  const whole: Record<string, Scalar> = { id: 'a', ts: START_MS * 1_000, video_key: 'v1', ...values };
  // One value for each column of the same table.
  return VIEW_COLUMNS.map(({ name }) => whole[name] ?? null) as unknown as ViewCells;
}

export const patience = (): { timeoutMs: number; signal: AbortSignal } => ({ timeoutMs: 500_000, signal: new AbortController().signal });
