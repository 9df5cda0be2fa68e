import { setTimeout as sleep } from 'node:timers/promises';
import { SETTINGS } from '../../config/settings.ts';
import { diskError, diskReason } from '../../errors/disk-error.ts';
import { cancelledError, VideoHostingError } from '../../errors.ts';
import { definedFields } from '../../platform/defined-fields.ts';
import type { ServiceClient } from '../../service/client.ts';
import { type Sentence, sentence } from '../../text/sentence.ts';
import type { AskedSpan, Coverage, FailedSpan, Span } from '../contract.ts';
import { common, overlaps, without } from '../spans.ts';
import type { ViewStorage } from '../storage/contract.ts';
import { CLOCK_TOLERANCE_MS, isFromFuture, type Segment, type StorageSnapshot } from '../storage/segments.ts';
import { createFailedTries } from './failed-tries.ts';
import { type Ingestion, startIngestion } from './ingestion.ts';
import { createPageReader } from './page-reader.ts';
import { type Moments, staleSpans } from './refresh-policy.ts';

export interface SyncOptions {
  readonly client: Pick<ServiceClient, 'viewLogs'>;
  readonly storage: ViewStorage;
  readonly log: (message: string) => void;
}

interface EnsureOptions {
  readonly signal: AbortSignal;
  readonly until: number;
  readonly progress: (done: number, total?: number, message?: string) => void;
}

export interface ViewSync {
  /** Reads missing and outdated views of a span until done or out of time. */
  ensure(span: AskedSpan, options: EnsureOptions): Promise<Coverage>;
  /** What could not be read when it was last tried by this process. */
  failures(): readonly FailedSpan[];
  /** Stops all readings, and stores what was read completely. */
  close(): Promise<void>;
}

const POLL_MS = 250;
/** Readings that one question starts while other processes keep replacing its segments. */
const MAX_ROUNDS = 4;
const GARBAGE_INTERVAL_MS = 10 * 60_000;
const MAX_WAIT_MS = 60_000;
/** A question waits so long for the hours of today that are due again. They are stored, and those of a large account take minutes. */
const MAX_WAIT_FOR_DAY_MS = 5_000;

interface StopReason {
  readonly why: Sentence;
  /** The reading goes on. */
  readonly stillReading?: boolean;
  readonly failure?: VideoHostingError;
  /** What this machine’s disk refused. */
  readonly disk?: unknown;
}

/**
 * Reads the views that questions need. Questions and processes that need the same span share one reading. A reading continues
 * after its question has ended.
 */
export function createViewSync({ client, storage: { reader, writer }, log }: SyncOptions): ViewSync {
  const { clock } = writer;
  const failedTries = createFailedTries();
  const pages = createPageReader(client.viewLogs, clock);
  const ingestions = new Map<Ingestion, { waiting: number; continues: boolean }>();
  let starting: Promise<unknown> = Promise.resolve();
  let closed = false;
  let garbageMs = Number.NEGATIVE_INFINITY;

  function begin(span: Span, moments: () => Moments): Promise<boolean> {
    const begun = starting.then(async () => {
      const taken = () => [...ingestions.keys()].flatMap(({ spans }) => spans);
      const unread = ({ segments }: StorageSnapshot) => without(staleSpans(segments, span, moments()), taken());
      const wanted = closed ? [] : unread(await writer.snapshot());
      if (wanted.length === 0) return false;
      const lease = await writer.lease(wanted);
      let isStarted = false;
      try {
        const since = await writer.open();
        const still = unread(since);
        const spans = lease.spans.flatMap((mine) => still.flatMap((need) => common(mine, need) ?? []));
        isStarted = spans.length > 0;
        if (isStarted) track(startIngestion({ ...lease, spans }, writer, pages, since));
      } finally {
        // Its heartbeat would keep every process from these spans.
        if (!isStarted) await lease.end();
      }
      return isStarted;
    });
    starting = begun.catch(() => undefined);
    return begun;
  }

  function track(ingestion: Ingestion): void {
    ingestions.set(ingestion, { waiting: 0, continues: false });
    const end = async (): Promise<void> => {
      await ingestion.ended;
      ingestions.delete(ingestion);
      if (ingestion.failure?.kind === 'broken') log(`Views could not be stored: ${String(ingestion.failure.error)}`);
      if (clock() - garbageMs < GARBAGE_INTERVAL_MS) return;
      garbageMs = clock();
      await writer.collectGarbage();
    };
    end().catch((error: unknown) => log(`Stored views that were replaced could not be removed: ${String(error)}`));
  }

  /** Waits until the ingestions have ended. Without ingestions another process is reading, and it waits a moment. */
  async function waitFor(needed: readonly Ingestion[], { signal, until, progress }: EnsureOptions): Promise<void> {
    const timer = new AbortController();
    const ms = Math.max(0, Math.min(needed.length === 0 ? POLL_MS : MAX_WAIT_MS, until - clock()));
    const sum = (what: keyof Ingestion['progress']) => needed.reduce((total, ingestion) => total + ingestion.progress[what], 0);
    const unlisten = needed.map((ingestion) => ingestion.onProgress(() => progress(sum('records'), sum('expected'), 'Reading views')));
    try {
      const time = sleep(ms, undefined, { signal: AbortSignal.any([signal, timer.signal]) }).catch(() => undefined);
      await (needed.length === 0 ? time : Promise.race([time, Promise.all(needed.map(({ ended }) => ended))]));
    } finally {
      timer.abort();
      for (const stop of unlisten) stop();
    }
  }

  /** Ends the ingestions that no other question waits for, unless a question was told that the reading continues. */
  function detach(joined: ReadonlySet<Ingestion>, continues: boolean): void {
    for (const ingestion of joined) {
      const state = ingestions.get(ingestion);
      if (state === undefined) continue;
      state.waiting -= 1;
      state.continues ||= continues;
      if (state.waiting === 0 && !state.continues) ingestion.stop();
    }
  }

  /** To a clock that is behind, all that was read lately is from the future: the service’s time tells, before it is read again. */
  async function learnTime(signal: AbortSignal): Promise<void> {
    const { segments } = await writer.snapshot();
    if (client.viewLogs.clockAheadMs() !== undefined || !segments.some((segment) => isFromFuture(segment, clock()))) return;
    // If it fails, reading fails too, and says why.
    await client.viewLogs.page({ from: new Date(clock()).toISOString().slice(0, 10), size: 1 }, signal).catch(() => undefined);
  }

  async function readStale(
    span: Span,
    moments: () => Moments,
    joined: Set<Ingestion>,
    options: EnsureOptions,
  ): Promise<StopReason | undefined> {
    await learnTime(options.signal);
    for (let rounds = 0; ; ) {
      const stale = staleSpans((await writer.snapshot()).segments, span, moments());
      if (stale.length === 0) return undefined;
      if (options.signal.aborted) throw cancelledError({ outcome: 'not-done' });
      if (await begin(span, moments)) rounds += 1;
      const needed = [...ingestions.keys()].filter((ingestion) => ingestion.spans.some((one) => stale.some((need) => overlaps(one, need))));
      for (const ingestion of needed) {
        const state = ingestions.get(ingestion);
        if (state !== undefined && !joined.has(ingestion)) state.waiting += 1;
        joined.add(ingestion);
      }
      await waitFor(needed, options);
      if (options.signal.aborted) throw cancelledError({ outcome: 'not-done' });
      const isOver = closed || clock() >= options.until || rounds > MAX_ROUNDS;
      const end = endOf(needed) ?? (isOver ? { why: sentence`it is being read`, stillReading: true } : undefined);
      if (end !== undefined) return end;
    }
  }

  return {
    async ensure(span, options): Promise<Coverage> {
      const beganMs = clock();
      const moments = (): Moments => {
        const nowMs = pages.serviceTime();
        return { askedMs: beganMs + nowMs - clock(), nowMs };
      };
      const joined = new Set<Ingestion>();
      const read = async (): Promise<StopReason | undefined> => {
        // What is new comes first, because the rest of today is stored.
        const end = await readStale(span, () => ({ ...moments(), keepsDay: true }), joined, options);
        const until = Math.min(options.until, clock() + MAX_WAIT_FOR_DAY_MS);
        return end ?? readStale(span, moments, joined, { ...options, until });
      };
      const end = await read()
        .catch((error: unknown) => ofDisk(error))
        .finally(() => detach(joined, !options.signal.aborted));
      const stale = (segments: readonly Segment[]) => staleSpans(segments, span, moments());
      const presentMs = Math.max(clock(), pages.serviceTime()) + CLOCK_TOLERANCE_MS;
      const coverage = await reader.coverage(span, { stale, why: end?.why, presentMs });
      // What is held is answered.
      if (end?.disk !== undefined && coverage.covered.length === 0) throw end.disk;
      if (coverage.complete) failedTries.clear(span);
      const { failure, stillReading } = end ?? {};
      const tries = failure && failedTries.add(span, stale((await writer.snapshot()).segments), failure, moments().nowMs);
      return { ...coverage, ...definedFields({ clockAheadMs: client.viewLogs.clockAheadMs(), failure, stillReading, tries }) };
    },
    failures: failedTries.all,
    async close() {
      closed = true;
      for (const ingestion of ingestions.keys()) ingestion.stop();
      await starting;
      for (const ingestion of ingestions.keys()) ingestion.stop();
      await Promise.all([...ingestions.keys()].map(({ ended }) => ended));
    },
  };
}

/** Where the disk refused to store what would be read: why, as a reason to end. Throws any other error. */
function ofDisk(error: unknown): StopReason {
  const refused = error instanceof VideoHostingError && error.code === 'data_folder_failed' ? error : diskError(error);
  if (refused === undefined) throw error;
  const reason = refused === error ? refused.message : diskReason(error);
  return {
    why: sentence`nothing can be stored: ${reason}; make room there, or set ${SETTINGS.dataDir.variable} to another folder`,
    disk: error,
  };
}

/** Why ingestions ended early. Throws a failure of this machine. */
function endOf(ingestions: readonly Ingestion[]): StopReason | undefined {
  const failure = ingestions.map((ingestion) => ingestion.failure).find((found) => found !== undefined);
  if (failure?.kind === 'broken') throw failure.error;
  if (failure?.kind === 'forgotten') return { why: sentence`it was removed while it was read` };
  // Other questions start a reading again that its own question cancelled.
  return failure === undefined || failure.error.code === 'cancelled' ? undefined : { why: failure.error.reason, failure: failure.error };
}
