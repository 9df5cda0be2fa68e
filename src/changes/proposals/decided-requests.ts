import { randomUUID } from 'node:crypto';
import { lstatSync, readFileSync } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { refusal, writtenByNewer } from '../../errors.ts';
import { codeOf, fsyncFolder, makeFolder, moveFile, namesInFolder, removeIfPossible, writeWholeFile } from '../../platform/files.ts';
import { fieldsIn } from '../../platform/is-object.ts';
import { withTimeLimit } from '../../platform/limited-signal.ts';
import { longPiece } from '../../platform/long-work.ts';
import { parseJsonOrUndefined } from '../../platform/parse-json.ts';
import { createSeenSince } from '../../platform/seen-since.ts';
import { digestOf } from '../../platform/stable-json.ts';
import { DAY_MS, HOUR_MS } from '../../platform/time-units.ts';
import { sentence } from '../../text/sentence.ts';
import { withRecordLock } from '../journal/record-lock.ts';
import { type ChangePlan, type ShownPlan, sentIdsOf } from '../plan/plan.ts';
import { doesAll, doesSome, type Effect, EffectSchema, effectOf } from './declined-effect.ts';
import { writeFailed } from './file-errors.ts';
import { DECLINED_DAYS } from './proposal-limits.ts';

/** What a decision is about: a request, by which what waits is found, or what a change would do, however it is asked for. */
const SUBJECTS = {
  /** Longer than anything waits in memory. */
  request: { keptMs: DAY_MS, max: 5_000 },
  action: { keptMs: DECLINED_DAYS * DAY_MS, max: 5_000 },
} as const;
const LOCK_MS = 10_000;
const DECIDED_THERE = sentence`See with that version what became of it.`;
const DECLINED_HINT = 'Make the call again only if the user asks for it.';
type Subject = keyof typeof SUBJECTS;

/** The last decision on a request. */
export interface DecidedRequest {
  /** Another one for each decision. */
  readonly id: string;
  /** `newer`: something that a newer version of this program knows. */
  readonly how: 'begun' | 'declined' | 'newer';
  /** The change that was begun, where that is known. */
  readonly begun?: string | undefined;
}

/** What was declined; without `action`, that says nothing of the same change asked for otherwise, or later. */
export interface DeclinedRequest {
  readonly requestDigest: string;
  readonly action?: string | undefined;
  readonly plan?: ShownPlan | undefined;
  /** The ids of the plan, where it does not have them itself. */
  readonly ids?: readonly string[] | undefined;
}

/** What a person declined, as its file tells it. */
interface Declined {
  readonly name: string;
  /** ISO 8601. */
  readonly at: string;
  /** Undefined where nothing but the same action is known by it. */
  readonly effect: Effect | 'newer' | undefined;
}

/** What keeps a plan from being covered. */
export interface SomeDeclined {
  /** ISO 8601. */
  readonly at: string;
  readonly isNewer: boolean;
}

/** In the place of a request’s: the subject of whatever would carry a change on. */
export const resumptionDigest = (changeId: string): string => digestOf('resumption', changeId);

export type DecidedRequests = ReturnType<typeof createDecidedRequests>;

/**
 * What was decided on requests, for all processes with this folder: a file for each request, with the last decision, and one for each
 * action that a person declined and did not approve since. A plan that waits in memory is ended by what another process wrote after it
 * was issued; no clock tells that, but that the decision is another one than then.
 */
export function createDecidedRequests({ folder, now = () => Date.now() }: { readonly folder: string; readonly now?: () => number }) {
  const self = randomUUID();
  const fileOf = (subject: Subject, digest: string): string => join(folder, `${subject}-${digest}.json`);
  let prunedMs = Number.NEGATIVE_INFINITY;
  /** What is too old, by the clock: one that jumps ahead for a moment must not make a person's no be forgotten. */
  const seenOld = createSeenSince();

  async function write(
    subject: Subject,
    digest: string,
    how: DecidedRequest['how'],
    more: Readonly<{ effect?: Effect | undefined; begun?: string | undefined }> = {},
  ): Promise<void> {
    const temporary = join(folder, `${randomUUID()}.new`);
    await makeFolder(folder);
    // What waits in memory, for which the decision on a request is, outlives no power cut.
    const isDurable = subject === 'action';
    const text = JSON.stringify({ id: randomUUID(), by: self, how, at: new Date(now()).toISOString(), ...more });
    await writeWholeFile(temporary, text, { mode: 0o600, flush: isDurable });
    await moveFile(temporary, fileOf(subject, digest));
    if (isDurable) await fsyncFolder(folder);
    if (now() - prunedMs < HOUR_MS) return;
    prunedMs = now();
    await prune().catch(() => undefined);
  }

  /** Removes what is old, the oldest of what is too much, and what a process that was killed left. */
  async function prune(): Promise<void> {
    const files = await Promise.all(
      (await readdir(folder)).map(async (name) => ({
        name,
        ageMs: now() - (await stat(join(folder, name)).then(({ mtimeMs }) => mtimeMs, now)),
      })),
    );
    const alike = (start: string) => files.filter(({ name }) => name.startsWith(`${start}-`)).toSorted((a, b) => a.ageMs - b.ageMs);
    const old = Object.entries(SUBJECTS).flatMap(([subject, { keptMs, max }]) =>
      alike(subject).filter(({ name, ageMs }, index) => seenOld.isSure(`${name} file`, ageMs > keptMs) || index >= max),
    );
    const left = files.filter(({ name, ageMs }) => seenOld.isSure(`${name} left`, name.endsWith('.new') && ageMs > HOUR_MS));
    for (const { name } of [...old, ...left]) await removeIfPossible(join(folder, name));
  }

  async function actionDeclined({ action, plan, ids }: DeclinedRequest): Promise<void> {
    if (action !== undefined) await write('action', action, 'declined', { effect: plan && effectOf(plan, ids) });
  }

  return {
    /**
     * The last decision on a request, unless it was made by this process. At once, since whatever waits is looked at before each use. What
     * can’t be read is a decision that nobody knows.
     */
    lastOf(requestDigest: string): DecidedRequest | undefined {
      const last = lastIn(requestDigest);
      return last?.by === self ? undefined : last;
    },
    /** The last decision on a request, also of this process. */
    last: (requestDigest: string): DecidedRequest | undefined => lastIn(requestDigest),
    /**
     * A change of a request is about to begin, that was confirmed when `since` was its last decision. Throws where a person declined it
     * since then, and where it can’t be written.
     */
    async begins(requestDigest: string, changeId: string, since?: { readonly last: DecidedRequest | undefined }): Promise<void> {
      const no = await oneByOne(requestDigest, async () => {
        const last = since && lastIn(requestDigest);
        if (last !== undefined && last.how !== 'begun' && last.id !== since?.last?.id) return last.how;
        await write('request', requestDigest, 'begun', { begun: changeId });
        return undefined;
      }).catch((error: unknown) => {
        throw writeFailed(sentence`That this change begins can’t be written`, error);
      });
      if (no === 'newer')
        throw writtenByNewer(sentence`What was decided on the same request before it began`, DECIDED_THERE, 'not_approved');
      if (no !== undefined)
        throw refusal('not_approved', sentence`A person declined the same before it began. Nothing was sent.`, DECLINED_HINT);
    },
    /** A person declined a request. Rejects where other processes can’t be told. */
    async declined(request: DeclinedRequest): Promise<void> {
      const { requestDigest } = request;
      const writeNo = () => write('request', requestDigest, 'declined');
      // A no counts, also where the lock can’t be had.
      await oneByOne(requestDigest, writeNo).catch(writeNo);
      await actionDeclined(request);
    },
    /** The part of that by which no standing approval covers the same, which ends nothing that waits. */
    actionDeclined,
    /** A person approved what was declined before, or more than that. `actionOf` is asked only where anything was declined. */
    async approved(actionOf: () => string | Promise<string>, plan?: ChangePlan): Promise<void> {
      if (!(await hasDeclined())) return;
      await removeIfPossible(fileOf('action', await actionOf()));
      if (plan === undefined) return;
      for await (const { name, effect } of allDeclined()) {
        await longPiece(sentIdsOf(plan).length);
        if (effect !== undefined && effect !== 'newer' && doesAll(plan, effect)) await removeIfPossible(join(folder, name));
      }
    },
    /** When a person declined an action the last time, unless they approved it since: ISO 8601. `actionOf` is asked as above. */
    async declinedAt(actionOf: () => string | Promise<string>): Promise<string | undefined> {
      if (!(await hasDeclined())) return undefined;
      const path = fileOf('action', await actionOf());
      return (await readDeclined(basename(path)))?.at;
    },
    /** When a person declined some of what a plan would do, the last time, or something that only a newer version of this program can compare with it. */
    async someDeclined(plan: ChangePlan): Promise<SomeDeclined | undefined> {
      let last: SomeDeclined | undefined;
      for await (const { at, effect } of allDeclined()) {
        await longPiece(sentIdsOf(plan).length);
        if (effect === undefined || (last !== undefined && at <= last.at)) continue;
        if (effect === 'newer' || doesSome(plan, effect)) last = { at, isNewer: effect === 'newer' };
      }
      return last;
    },
  };

  function lastIn(requestDigest: string): (DecidedRequest & { readonly by: unknown }) | undefined {
    const path = fileOf('request', requestDigest);
    try {
      if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return undefined;
      const text = readFileSync(path, 'utf8');
      const { id, by, how, begun } = fieldsIn(parseJsonOrUndefined(text));
      return {
        id: typeof id === 'string' ? id : text,
        how: how === 'declined' ? how : typeof how === 'string' && how !== 'begun' ? 'newer' : 'begun',
        by,
        begun: typeof begun === 'string' ? begun : undefined,
      };
    } catch (error) {
      return codeOf(error) === 'ENOENT' ? undefined : { id: `unreadable: ${codeOf(error)}`, how: 'begun', by: undefined };
    }
  }

  /** A no that is there before a change begins keeps it from that. */
  async function oneByOne<T>(requestDigest: string, act: () => Promise<T>): Promise<T> {
    await makeFolder(folder);
    return withTimeLimit(LOCK_MS, new AbortController().signal, (limited) => withRecordLock(folder, requestDigest, limited, act));
  }

  /** One after the other: each may have many ids. */
  async function* allDeclined(): AsyncGenerator<Declined> {
    for (const name of await readdir(folder).catch(() => [])) {
      const declined = name.startsWith('action-') ? await readDeclined(name) : undefined;
      if (declined !== undefined) yield declined;
    }
  }

  /** Undefined where it is gone, or too old to count. */
  async function readDeclined(name: string): Promise<Declined | undefined> {
    const text = await readFile(join(folder, name), 'utf8').catch((error: unknown) => (codeOf(error) === 'ENOENT' ? undefined : ''));
    if (text === undefined) return undefined;
    const { at, effect } = fieldsIn(parseJsonOrUndefined(text));
    const time = typeof at === 'string' && !Number.isNaN(Date.parse(at)) ? at : new Date(now()).toISOString();
    if (seenOld.isSure(name, now() - Date.parse(time) > SUBJECTS.action.keptMs)) return undefined;
    return { name, at: time, effect: effect === undefined ? undefined : (EffectSchema.safeParse(effect).data ?? 'newer') };
  }

  /** Whether there is anything that was declined. What can’t be listed may have it. */
  async function hasDeclined(): Promise<boolean> {
    const names = await readdir(folder).catch((error: unknown) => (codeOf(error) === 'ENOENT' ? [] : ['action-']));
    return names.some((name) => name.startsWith('action-'));
  }
}

/**
 * Moves what a person declined to another folder, where the later of two decisions counts. What was decided on requests is of the
 * processes that wait with the first one, and stays.
 */
export async function takeOverDeclined(from: string, to: string): Promise<void> {
  const timeOf = (path: string) =>
    stat(path).then(
      ({ mtimeMs }) => mtimeMs,
      () => 0,
    );
  for (const name of (await namesInFolder(from)).filter((other) => other.startsWith('action-'))) {
    const [here, there] = [join(from, name), join(to, name)];
    await makeFolder(to);
    if ((await timeOf(here)) > (await timeOf(there))) await moveFile(here, there).catch(ignoreMissing);
    else await removeIfPossible(here);
  }
}

/** Another process moves the same. */
function ignoreMissing(error: unknown): void {
  if (codeOf(error) !== 'ENOENT') throw error;
}
