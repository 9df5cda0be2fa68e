import { VideoHostingError } from '../../errors.ts';
import { namingFile, removeIfPossible } from '../../platform/files.ts';
import type { Span } from '../contract.ts';
import { BEGINNING_MS } from '../spans.ts';
import type { Lease, ViewWriter } from '../storage/contract.ts';
import { type ReadSpan, type StorageSnapshot, wasForgotten } from '../storage/segments.ts';
import { createRecordCheck } from './check-record.ts';
import type { PageReader } from './page-reader.ts';
import { scan } from './scan.ts';

const ALL: Span = { fromMs: BEGINNING_MS, toMs: Number.MAX_SAFE_INTEGER };

export type IngestionFailure =
  /** The service failed, or the reading was stopped: what was read until then is stored. */
  | { readonly kind: 'unread'; readonly error: VideoHostingError }
  | { readonly kind: 'broken'; readonly error: unknown }
  | { readonly kind: 'forgotten' };

export interface Ingestion {
  readonly spans: readonly Span[];
  readonly ended: Promise<void>;
  readonly failure: IngestionFailure | undefined;
  readonly progress: { readonly records: number; readonly expected: number };
  onProgress(listener: () => void): () => void;
  stop(): void;
}

/** Reads and stores the spans of a lease until all are stored or it is stopped. */
export function startIngestion(lease: Lease, writer: ViewWriter, reader: PageReader, since: StorageSnapshot): Ingestion {
  const stop = new AbortController();
  const listeners = new Set<() => void>();
  const progress = { records: 0, expected: 0 };
  let failure: IngestionFailure | undefined;
  let broken: IngestionFailure | undefined;

  async function write(span: ReadSpan, spool: string | undefined, folder: string): Promise<void> {
    const options = { since, serviceMs: reader.serviceTime(), folder };
    const result = await writer.write(span, spool, options).catch((error: unknown) => {
      broken ??= { kind: 'broken', error };
      throw error;
    });
    // A superseded span is stored too: another process stored a later reading.
    if (result !== 'forgotten') return;
    failure ??= { kind: 'forgotten' };
    stop.abort();
  }

  async function read(folder: string): Promise<void> {
    await scan(lease.spans, {
      reader,
      check: createRecordCheck(await writer.viewerHash(since.epoch)),
      folder,
      stored: since.segments,
      signal: stop.signal,
      write: (span, spool) => write(span, spool, folder),
      progress: (records, expected) => {
        progress.records += records;
        progress.expected = Math.max(expected, progress.records);
        for (const listener of listeners) listener();
      },
    });
  }

  async function failureOf(error: unknown): Promise<IngestionFailure> {
    // Forgetting removes the files of all readings in progress, which then fail.
    const snapshot = await writer.snapshot().catch(() => undefined);
    if (snapshot !== undefined && wasForgotten(snapshot, ALL, since)) return { kind: 'forgotten' };
    return broken ?? (error instanceof VideoHostingError ? { kind: 'unread', error } : { kind: 'broken', error });
  }

  async function run(): Promise<void> {
    let folder: string | undefined;
    try {
      folder = await writer.workFolder();
      await read(folder);
    } catch (error) {
      failure ??= await failureOf(folder === undefined ? error : namingFile(error, folder));
    } finally {
      if (folder !== undefined) await removeIfPossible(folder);
      await lease.end();
    }
  }

  return {
    spans: lease.spans,
    ended: run(),
    get failure() {
      return failure;
    },
    progress,
    onProgress(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    stop: () => stop.abort(),
  };
}
