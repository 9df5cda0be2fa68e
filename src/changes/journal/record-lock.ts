import { createHash, randomUUID } from 'node:crypto';
import { readdir, readFile, stat, utimes } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { diskReason } from '../../errors/disk-error.ts';
import { VideoHostingError } from '../../errors.ts';
import { exists, isSharingViolation, linkExclusive, removeIfPossible } from '../../platform/files.ts';
import { isOverTime } from '../../platform/limited-signal.ts';
import { parseJsonOrUndefined } from '../../platform/parse-json.ts';
import { HEARTBEAT_MS, holdsLock, ProcessSchema, thisProcess } from '../../platform/process-liveness.ts';
import { type Sentence, sentence, word } from '../../text/sentence.ts';
import { OFFER } from './file-names.ts';

const POLL_MS = 20;
const LOCK = '.lock';

/**
 * Runs `act` while no other process with this folder works on the same record: the API has no conditional writes, so two that
 * read before either wrote would overwrite each other. The lock is a file that only one process can create, and that is there
 * whole or not at all; one that its process abandoned is removed.
 * Throws `cancelled` where `stop` aborts while it waits, and `journal_failed` where the folder can't be written.
 */
export async function withRecordLock<T>(folder: string, key: string, stop: AbortSignal, act: () => Promise<T>): Promise<T> {
  const file = join(folder, `${digestOf(key)}${LOCK}`);
  const content = JSON.stringify({ ...thisProcess(), nonce: randomUUID() });
  while (!(await createLock(file, content))) {
    const abandoned = await abandonedContent(file);
    if (abandoned !== undefined) {
      await removeAbandoned(file, abandoned);
      // On a machine that is busy the time to wait may be over by now; there is nobody to wait for.
      if ((!stop.aborted || isOverTime(stop)) && !(await exists(file))) continue;
    }
    if (await exists(file)) await sleep(POLL_MS, undefined, { signal: stop }).catch(() => {});
    if (stop.aborted) {
      const holder = await holderOf(file);
      const words = isOverTime(stop)
        ? sentence`It waited for ${holder}, which did not let go in time.`
        : sentence`It was stopped while it waited for ${holder}.`;
      throw new VideoHostingError('cancelled', words, { facts: { outcome: 'nothing-sent' } });
    }
  }
  if (!swept.has(folder)) await removeOffers(folder).catch(() => undefined);
  swept.add(folder);
  const beat = setInterval(() => void utimes(file, new Date(), new Date()).catch(() => undefined), HEARTBEAT_MS).unref();
  try {
    return await act();
  } finally {
    clearInterval(beat);
    await release(file, content);
  }
}

/** The folders in which this process looked for what others left. */
const swept = new Set<string>();

/** Who has a lock. */
async function holderOf(file: string): Promise<Sentence> {
  const owner = ProcessSchema.safeParse(parseJsonOrUndefined(await textOf(file))).data;
  return owner === undefined ? sentence`another process` : sentence`another process (${word(String(owner.pid))} on ${word(owner.host)})`;
}

/** Returns false while another process has the lock. */
async function createLock(file: string, content: string): Promise<boolean> {
  // Whoever waits looks often.
  if (await exists(file)) return false;
  try {
    // A lock is for as long as its process runs, so that the disk need not keep it.
    return await linkExclusive(`${file}.${randomUUID()}${OFFER}`, content, file, { isDurable: false });
  } catch (error) {
    // Windows refuses the name of a file that is being removed.
    if (isSharingViolation(error)) return false;
    throw new VideoHostingError(
      'journal_failed',
      sentence`The folder of the journal can’t be written (${diskReason(named(error, file))}); nothing is sent without it.`,
      {
        cause: error,
        facts: { outcome: 'nothing-sent' },
      },
    );
  }
}

/** By the lock, not by the name that it was to lose. */
const named = (error: unknown, file: string): unknown => (error instanceof Error ? Object.assign(error, { path: file }) : error);

const RELEASE_RETRY_MS = 1_000;

/** Removes the file, unless another process has it by now. A sharing violation, on Windows, is retried until it is over. */
async function release(file: string, content: string): Promise<void> {
  const text = await textOf(file);
  if (text === content) await removeIfPossible(file);
  if ((text === content || text === '') && (await exists(file))) setTimeout(() => void release(file, content), RELEASE_RETRY_MS).unref();
}

/** The content of a lock whose process is gone; undefined where it is held, or gone itself. */
async function abandonedContent(file: string): Promise<string | undefined> {
  const info = await stat(file).catch(() => undefined);
  if (info === undefined) return undefined;
  const content = await textOf(file);
  return holdsLock(ProcessSchema.safeParse(parseJsonOrUndefined(content)).data, info.mtimeMs) ? undefined : content;
}

/**
 * Removes an abandoned lock. Only the process that creates the claim file, named after the lock's content, may remove it, and
 * checks it again first: so nobody removes the new lock that another process put in its place.
 */
async function removeAbandoned(file: string, content: string): Promise<void> {
  const claim = `${file}.${digestOf(content)}`;
  if (!(await createLock(claim, JSON.stringify(thisProcess())))) {
    // The process that claimed it may be gone as well.
    if ((await abandonedContent(claim)) !== undefined) await removeIfPossible(claim);
    return;
  }
  if ((await abandonedContent(file)) === content) await removeIfPossible(file);
  await removeOffers(dirname(file));
  await removeIfPossible(claim);
}

/** Removes what processes left of any lock of a folder that were killed before it had its name. */
async function removeOffers(folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  for (const offer of names.filter((name) => name.includes(`${LOCK}.`) && name.endsWith(OFFER)).map((name) => join(folder, name)))
    if ((await abandonedContent(offer)) !== undefined) await removeIfPossible(offer);
}

const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 32);

const textOf = (file: string): Promise<string> => readFile(file, 'utf8').catch(() => '');
