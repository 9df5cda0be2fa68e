import { VideoHostingError } from '../../errors.ts';
import { removeIfPossible } from '../../platform/files.ts';
import type { Span } from '../contract.ts';
import type { Lease, ViewWriter } from '../storage/view-writer.ts';
import { createRecordCheck } from './check-record.ts';
import { commitGroup } from './group.ts';
import type { PageReader } from './page-reader.ts';
import { scan } from './scan.ts';

/** How a run ended other than well. */
export type RunFailure =
  /** The service, or its caller who gave up: what was read until then is kept. */
  | { readonly kind: 'unread'; readonly error: VideoHostingError }
  /** This machine: nothing can be kept. */
  | { readonly kind: 'broken'; readonly error: unknown }
  | { readonly kind: 'forgotten' };

/** A reading under way, for however many questions wait for it. */
export interface Run {
  readonly spans: readonly Span[];
  /** Resolves when it has ended, well or not. */
  readonly ended: Promise<void>;
  readonly failure: RunFailure | undefined;
  /** Records read so far, and how many there may be. */
  readonly progress: { readonly records: number; readonly expected: number };
  onProgress(listener: () => void): () => void;
  stop(): void;
}

export interface RunTools {
  readonly keep: ViewWriter;
  readonly reader: PageReader;
  readonly epoch: string;
}

/** Begins to read what a lease is for; goes on until it is all held, or told to stop. */
export function startRun(lease: Lease, { keep, reader, epoch }: RunTools): Run {
  const stop = new AbortController();
  const listeners = new Set<() => void>();
  const progress = { records: 0, expected: 0 };
  const beganMs = keep.clock();
  let failure: RunFailure | undefined;
  let broken: RunFailure | undefined;

  async function work(): Promise<void> {
    let workFolder: string | undefined;
    try {
      const folder = await keep.workFolder();
      workFolder = folder;
      await scan(lease.spans, {
        reader,
        check: createRecordCheck(await keep.viewerHash(epoch)),
        folder,
        signal: stop.signal,
        clock: keep.clock,
        commit: async (group, spool) => {
          const outcome = await commitGroup(group, spool, { keep, epoch, folder }).catch((error: unknown) => {
            broken ??= { kind: 'broken', error };
            throw error;
          });
          // Beaten is as good as done: others hold it, as fresh.
          if (outcome !== 'forgotten') return;
          failure ??= { kind: 'forgotten' };
          stop.abort();
        },
        progress: (records, expected) => {
          progress.records += records;
          progress.expected = Math.max(expected, progress.records);
          for (const listener of listeners) listener();
        },
      });
    } catch (error) {
      // Who removes views takes away what is about to be kept as well.
      const read = lease.spans.map((span) => ({ ...span, fetchedMs: beganMs }));
      if (await keep.isForgotten(read, epoch).catch(() => false)) failure ??= { kind: 'forgotten' };
      failure ??= broken ?? (error instanceof VideoHostingError ? { kind: 'unread', error } : { kind: 'broken', error });
    } finally {
      if (workFolder !== undefined) await removeIfPossible(workFolder);
      await lease.end();
    }
  }

  return {
    spans: lease.spans,
    ended: work(),
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
