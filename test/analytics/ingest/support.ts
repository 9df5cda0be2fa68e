/** View storage in its own folder, filled from a demo service by the production code. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, inject } from 'vitest';
import type { Coverage, Span } from '../../../src/analytics/contract.ts';
import type { Engine } from '../../../src/analytics/engine/contract.ts';
import { createEngine } from '../../../src/analytics/engine/engine.ts';
import { createViewSync, type ViewSync } from '../../../src/analytics/ingest/view-sync.ts';
import type { ViewReader, ViewWriter } from '../../../src/analytics/storage/contract.ts';
import { createFolderStorage, type FolderStorage } from '../../../src/analytics/storage/folder/folder-storage.ts';
import { createFolderReader } from '../../../src/analytics/storage/folder/reader.ts';
import { createFolderWriter } from '../../../src/analytics/storage/folder/writer.ts';
import { createServiceClient } from '../../../src/service/client.ts';
import { createHttp, type HttpOptions } from '../../../src/service/http.ts';
import { atEnd, freshHome } from '../../harness/cleanup.ts';
import type { DemoOptions, DemoService } from '../../harness/demo.ts';
import { startService } from '../../harness/service.ts';

export const DAY_MS = 86_400_000;
/** The current time of the demo account. */
export const NOW_MS = Date.parse('2026-11-01T00:00:00.000Z');

export const days = (from: string, to: string): Span => ({ fromMs: Date.parse(`${from}T00:00:00Z`), toMs: Date.parse(`${to}T00:00:00Z`) });

export interface Lab {
  readonly demo: DemoService;
  readonly folder: string;
  readonly engine: Engine;
  readonly storage: FolderStorage;
  readonly sync: ViewSync;
  readonly reader: ViewReader;
  readonly writer: ViewWriter;
  readonly log: string[];
  /** The current time. Only tests advance it. */
  readonly clock: { ms: number };
  ensure(span: Span, how?: Partial<Parameters<ViewSync['ensure']>[1]>): Promise<Coverage>;
  /** Another server on the same folder, in this process. */
  another(): ViewSync;
  /** The ids of the stored views of a span, sorted, with duplicates. */
  storedIds(span: Span): Promise<string[]>;
}

export interface LabOptions extends DemoOptions {
  readonly http?: Partial<HttpOptions>;
  readonly demo?: DemoService;
  readonly engine?: Engine;
  /** Of another lab: this one is another process on it. */
  readonly folder?: string;
}

export async function startLab({
  http: overrides,
  demo: given,
  engine: shared,
  folder: sharedFolder,
  ...options
}: LabOptions = {}): Promise<Lab> {
  const demo = given ?? (await startService({ views: 4_000, ...options }));
  const folder = sharedFolder ?? freshHome();
  const log: string[] = [];
  const clock = { ms: NOW_MS };
  const engine = shared ?? startEngine(folder, log);
  const place = { folder, engine, clock: () => clock.ms };
  const [reader, writer] = [createFolderReader(place), createFolderWriter(place)];
  const another = (): ViewSync => {
    const http = createHttp({ baseUrl: demo.baseUrl, statsUrl: demo.statsUrl, apiKey: demo.apiKey, sleep: async () => {}, ...overrides });
    atEnd(() => http.close());
    const made = createViewSync({ client: createServiceClient(http), storage: { reader, writer }, log: (line) => log.push(line) });
    atEnd(() => made.close());
    return made;
  };
  const storage = createFolderStorage(folder, () => clock.ms);
  const sync = another();
  return {
    demo,
    folder,
    engine,
    storage,
    sync,
    reader,
    writer,
    log,
    clock,
    another,
    ensure: (span, how = {}) =>
      sync.ensure(span, { signal: new AbortController().signal, until: Number.POSITIVE_INFINITY, progress: () => {}, ...how }),
    storedIds: (span) => idsIn(storage, engine, span),
  };
}

/** One engine for all tests of a file: starting it takes most of a small test's time. */
export function sharedEngine(): Engine {
  const folder = mkdtempSync(join(tmpdir(), 'views-engine-'));
  const engine = openEngine(folder, []);
  afterAll(async () => {
    await engine.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return engine;
}

function startEngine(folder: string, log: string[]): Engine {
  const engine = openEngine(folder, log);
  atEnd(() => engine.close());
  return engine;
}

function openEngine(folder: string, log: string[]): Engine {
  const file = join(dirname(inject('command')), 'engine.cjs');
  return createEngine({ tempFolder: join(folder, 'engine'), log: (line) => log.push(line), file });
}

export async function idsIn(storage: FolderStorage, engine: Engine, span: Span): Promise<string[]> {
  const rows = await column(storage, engine, 'id', span);
  return inOrder(rows.map(String));
}

/** The values of a column in all stored views of a span. */
export async function column(storage: FolderStorage, engine: Engine, name: string, { fromMs, toMs }: Span): Promise<unknown[]> {
  const parts = storage.partFilesOf((await storage.read())?.segments ?? []);
  if (parts.length === 0) return [];
  const { rows } = await engine.query({
    parts,
    sql: `SELECT ${name} FROM views WHERE epoch_us(ts) >= $1::BIGINT AND epoch_us(ts) < $2::BIGINT`,
    params: [fromMs * 1_000, toMs * 1_000],
    maxRows: 5_000_000,
    timeoutMs: 500_000,
    signal: AbortSignal.timeout(500_000),
  });
  return rows.map(([value]) => value);
}

/** The ids of the demo’s views of a span, sorted. */
export function viewsOf(demo: DemoService, { fromMs, toMs }: Span): string[] {
  const ids: string[] = [];
  for (let index = 0; index < demo.world.views.count; index += 1) {
    const time = demo.world.views.timeAt(index);
    if (time >= fromMs && time < toMs) ids.push(String(demo.world.views.at(index).id));
  }
  return inOrder(ids);
}

export const inOrder = (texts: readonly string[]): string[] => [...texts].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));

/** Enters views of the given times into the log, and returns their ids. */
export function viewEntry({ world }: DemoService) {
  let added = 0;
  return (date: number): string => {
    const id = `busy-${(added++).toString().padStart(6, '0')}`;
    world.addRawView({ id, viewId: id, viewerId: 'vwr-1', date: new Date(date).toISOString(), started: true });
    return id;
  };
}
