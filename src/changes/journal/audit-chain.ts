import { VideoHostingError } from '../../errors.ts';
import { processName } from '../../platform/process-liveness.ts';
import { createCatchUp } from './audit-catch-up.ts';
import { chainFiles } from './audit-files.ts';
import { createAuditReader } from './audit-reader.ts';
import { type AuditHead, type UnbegunChange, unbegunKey } from './audit-record.ts';
import { type ChainTrouble, createChainTrouble } from './audit-trouble.ts';
import { type ChainEvent, createAuditWriter } from './audit-writer.ts';
import { journalFailed } from './writer.ts';

/**
 * The records of the changes of an account, each with the hash of the one before, so that whoever noted one of them can tell later whether a
 * change was altered, removed or put elsewhere since. It lies beside the journal, in a file that is appended to, by one process at a time.
 */
export interface AuditChain {
  /** On disk before it resolves: what is added to the change’s file from now on is its writer’s. Throws `journal_failed`. */
  open(changeId: string): Promise<Writing>;
  /** The same for a change that has just begun, and nobody waits for it: if this process is killed first, the next one notes it. */
  begun(changeId: string): Writing;
  /** Notes one that waited and was never begun, unless a record tells of that end already. Nobody need wait for it. */
  unbegun(changeId: string, endedAt: string, change: () => UnbegunChange): void;
  /** Resolves once what has happened here is on disk. Never rejects: what could not be noted is told, and noted later. */
  noted(): Promise<void>;
  /** Notes what no record tells of, of processes that have ended. Never rejects, as above. */
  catchUp(): Promise<void>;
  /** The same when a server begins. A chain that was removed is not made anew for that: nobody could tell any more that it was. */
  catchUpAtStart(): Promise<void>;
  /** What this process saw of it that is not as it should be; what failed is tried once more first. */
  trouble(): Promise<ChainTrouble>;
  /** The last record, once all that has happened is noted durably. Throws `journal_failed`. */
  head(): Promise<AuditHead>;
  /** Waits until all is noted that can be, and begins nothing more. */
  end(): Promise<void>;
}

/** Of one writer, on one change. */
export interface Writing {
  /** It adds nothing more. Nobody need wait for it. */
  close(): void;
}

/** What happens within so long is noted together: that costs a tenth. */
const DELAY_MS = 250;
/** What could not be noted is tried again after so long. */
const RETRY_MS = 5_000;

let writings = 0;

/** `changes`: the folder of the journal. Nothing is written before something is to be noted. `log` is told of trouble at once. */
export function createAuditChain(folder: string, changes: string, log: (message: string) => void = () => undefined): AuditChain {
  const files = chainFiles(folder, changes);
  const trouble = createChainTrouble(log);
  const reader = createAuditReader(trouble, () => {
    toBeNoted.clear();
    catchingUp.forget();
  });
  const writer = createAuditWriter(files, reader, trouble);
  /** The ends of changes that were never begun, of which the chain tells, or is to tell once it was written. */
  const toBeNoted = new Set<string>();
  let pending: ChainEvent[] = [];
  let timer: NodeJS.Timeout | undefined;
  let [isEnding, isEnded] = [false, false];
  const catchingUp = createCatchUp({ ...{ files, reader, writer, trouble, flush }, isEnding: () => isEnding });

  /** Notes what has happened here since the last time. What could not be noted is kept. */
  async function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    if (pending.length === 0 && trouble.now().failing === undefined) return;
    let events: ChainEvent[] = [];
    // Taken once those before are noted, or are back in their place.
    const taken = (): ChainEvent[] => {
      [events, pending] = [pending, []];
      return events;
    };
    await writer.append(taken, false).catch((error: unknown) => {
      pending = [...events, ...pending];
      if (!isEnding) flushIn(RETRY_MS);
      throw error;
    });
  }

  function flushIn(ms: number): void {
    timer ??= setTimeout(() => void flush().catch(ignored), ms).unref();
  }

  function later(event: ChainEvent): void {
    if (isEnded) return;
    writer.lookForFolder();
    pending.push(event);
    flushIn(DELAY_MS);
    if (isEnding) void flush().catch(ignored);
  }

  const newWriter = (): string => {
    writings += 1;
    return `${processName()}~${writings}`;
  };
  const writingOf = (change: string, name: string): Writing => ({ close: () => later({ change, event: 'closed', writer: name }) });

  return {
    async open(change) {
      const name = newWriter();
      await flush().catch(ignored);
      await writer
        .append(() => [{ change, event: 'opened', writer: name }], true)
        .catch((error: unknown) => {
          throw error instanceof VideoHostingError ? error : journalFailed(change, error);
        });
      return writingOf(change, name);
    },
    begun(change) {
      const name = newWriter();
      later({ change, event: 'opened', writer: name });
      // What processes left that were killed.
      if (!catchingUp.isCaughtUp()) void catchingUp.catchUp().catch(ignored);
      return writingOf(change, name);
    },
    unbegun(change, endedAt, told) {
      const key = unbegunKey(change, { endedAt });
      if (reader.hasUnbegun(key) || toBeNoted.has(key)) return;
      toBeNoted.add(key);
      later({ change, event: 'unbegun', unbegun: told() });
    },
    async noted() {
      await flush().catch(ignored);
      await writer.appended();
    },
    catchUp: () => catchingUp.catchUp().catch(ignored),
    catchUpAtStart: () => catchingUp.catchUpAtStart().catch(ignored),
    async trouble() {
      if (trouble.now().failing !== undefined) await flush().catch(ignored);
      return trouble.now();
    },
    async head() {
      await catchingUp.catchUp();
      await writer.append(() => [], true);
      return reader.head();
    },
    async end() {
      isEnding = true;
      await flush().catch(ignored);
      // What is to be noted meanwhile is waited for too.
      for (let last: Promise<unknown> | undefined; last !== writer.appended(); await last) last = writer.appended();
      // What comes later is caught up by the next process: nothing is written in a folder that was given up.
      isEnded = true;
    },
  };
}

/** It was told where it failed, and what could not be noted is tried again, by this process or by the next. */
const ignored = (): undefined => undefined;
