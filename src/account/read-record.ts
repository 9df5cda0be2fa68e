import { type ErrorCode, VideoHostingError } from '../errors.ts';
import { findReference, labelOf, matchesOf, type Referable } from './references.ts';

export type Kind = 'channel' | 'project';

/** Records that can be read one by one. */
export interface Readable<T> {
  // The ids are branded by kind; a reference becomes an id by being tried as one.
  get(id: never, signal?: AbortSignal): Promise<T>;
}

/** A record that an argument names. */
export interface Named {
  readonly reference: string;
  /** The argument. */
  readonly field: string;
}

/** A record, or why there is none. `label`: of one that a list shows and that can't be read by itself. */
export type Read<T> = { readonly record: T } | { readonly refusal: VideoHostingError; readonly label?: string };

/** Ids that can stand in a path without being another endpoint's: `templates` is one below the channels. */
const MAY_BE_ID = /^(?!templates$)[\w.:-]*\w[\w.:-]*$/i;

/** Whether what somebody called a record could be its id. */
export const mayBeId = (reference: string): boolean => MAY_BE_ID.test(reference);

/** What may be the matter with one record alone: an id that is none may be refused as malformed, or break the service. */
const OF_ONE_RECORD: ReadonlySet<ErrorCode> = new Set([
  'invalid_arguments',
  'service_not_found',
  'service_validation',
  'forbidden',
  'unexpected_status',
  'unexpected_body',
  'service_failed',
]);

/** The record with this id or key, read by itself, or what the service answered instead. */
export async function readById<T extends Referable>(
  kind: Kind,
  resource: Readable<T>,
  id: string,
  signal: AbortSignal | undefined,
): Promise<Read<T>> {
  try {
    const record = await resource.get(id as never, signal);
    if (record.id === id || record.key === id) return { record };
    return { refusal: new VideoHostingError('unexpected_body', `The service answered with the record of another ${kind}.`) };
  } catch (error) {
    if (error instanceof VideoHostingError && OF_ONE_RECORD.has(error.code)) return { refusal: error };
    throw error;
  }
}

/** Records under way at once; how many requests are, the limiter decides. */
const MAX_AT_ONCE = 8;
/** A service that answers so many with errors, and none with a record, is not asked for the rest. */
const MAX_REFUSALS = 10;

/**
 * Reads each named record by itself, each once however often it is named; the list serves to resolve names. Throws the
 * service's error where it answers nothing else.
 */
export async function readNamed<T extends Referable>(
  kind: Kind,
  resource: Readable<T>,
  named: readonly Named[],
  listed: readonly T[],
  signal: AbortSignal | undefined,
): Promise<readonly Read<T>[]> {
  const reads = new Map<string, Promise<Read<T>>>();
  const refusals: VideoHostingError[] = [];
  let hasRead = false;

  async function readListed(record: T): Promise<Read<T>> {
    const [first] = refusals;
    if (first !== undefined && !hasRead && refusals.length >= MAX_REFUSALS) throw noneReadable(kind, first);
    const read = await readById(kind, resource, record.id, signal);
    if ('record' in read) hasRead = true;
    else refusals.push(read.refusal);
    return 'record' in read ? read : { refusal: read.refusal, label: labelOf(record) };
  }

  async function readOne({ reference, field }: Named): Promise<Read<T>> {
    const [match, other] = matchesOf(reference, listed);
    if (match !== undefined && other === undefined) {
      const read = reads.get(match.id) ?? readListed(match);
      reads.set(match.id, read);
      return read;
    }
    // A list may lack what can be had by its id.
    const asId = match === undefined && mayBeId(reference) ? await readById(kind, resource, reference, signal) : undefined;
    if (asId !== undefined && 'record' in asId) return asId;
    return findOrRefusal(() => findReference(kind, field, reference, listed, { refusal: asId?.refusal }));
  }

  const results: Read<T>[] = [];
  const queue = named.entries();
  async function work(): Promise<void> {
    for (const [index, name] of queue) results[index] = await readOne(name);
  }
  await Promise.all(Array.from({ length: Math.min(MAX_AT_ONCE, named.length) }, work));
  return results;
}

function noneReadable(kind: Kind, { code, message, facts, hint }: VideoHostingError): VideoHostingError {
  return new VideoHostingError(
    code,
    `None of the first ${MAX_REFUSALS} ${kind}s could be read by itself, so no more were asked for. ${message}`,
    {
      facts,
      hint,
    },
  );
}

function findOrRefusal<T>(find: () => T): Read<T> {
  try {
    return { record: find() };
  } catch (error) {
    if (error instanceof VideoHostingError) return { refusal: error };
    throw error;
  }
}
