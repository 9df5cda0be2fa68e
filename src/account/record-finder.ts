import { type ErrorCode, VideoHostingError } from '../errors.ts';
import type { Records } from '../service/list.ts';
import { type Sentence, sentence } from '../text/sentence.ts';
import { findReference, labelOf, matchesOf, type Referable } from './references.ts';
import { searchIn } from './search.ts';

export interface FindOptions {
  readonly signal?: AbortSignal;
  readonly progress?: (done: number, total?: number, message?: string) => void;
}

/** The part of a resource of the client that finding its records needs. */
interface Resource<T, Query> {
  // Ids are branded by kind; a reference is tried as an id.
  get(id: never, signal?: AbortSignal): Promise<T>;
  all(options: {
    query?: Filter<Query> | undefined;
    signal?: AbortSignal | undefined;
    onPage?: (page: number, totalPages: number | undefined) => void;
  }): Promise<Records<T> & { readonly complete: boolean }>;
}

type Filter<Query> = Omit<Query, 'page' | 'size'>;

/** A record that an argument names; `field` is the argument. */
interface NamedReference {
  readonly reference: string;
  readonly field: Sentence;
}

/** A record, or why there is none. `label` is that of a record that the list shows and that can't be read by itself. */
export type RecordOrRefusal<T> = { readonly record: T } | { readonly refusal: VideoHostingError; readonly label?: Sentence };

/** A record, read by itself; where that failed, the list's record and the service's error. */
export interface FoundRecord<T> {
  readonly record: T;
  readonly refusal?: VideoHostingError | undefined;
}

/** Records that match a search; where none does, `near` has those with the nearest names. */
export type SearchResult<T> = Records<T> & { readonly near: readonly T[]; readonly searched: number };

/** Ids that can stand in a path without being another endpoint's: `templates` is one below the channels. */
const POSSIBLE_ID = /^(?!templates$)[\w.:-]*\w[\w.:-]*$/i;

/** Errors that may concern one record only: a malformed id may be refused, or break the service. */
const RECORD_ERRORS: ReadonlySet<ErrorCode> = new Set([
  'invalid_arguments',
  'service_not_found',
  'service_validation',
  'forbidden',
  'unexpected_status',
  'unexpected_body',
  'service_failed',
]);

/** Records read at once; the limiter decides how many requests are. */
const MAX_CONCURRENT = 8;
/** After so many errors and no record, the rest is not asked for. */
const MAX_REFUSALS = 10;

/** Finds the records of one kind. `notesOn` tells more of records among which a caller has to choose. */
export function createRecordFinder<T extends Referable, Query extends object>(
  kind: 'channel' | 'project',
  resource: Resource<T, Query>,
  notesOn?: (candidates: readonly T[]) => Promise<ReadonlyMap<T, Sentence>>,
) {
  /** As `findReference`. */
  async function findIn(
    records: readonly T[],
    { reference, field }: NamedReference,
    more: Parameters<typeof findReference<T>>[4],
  ): Promise<T> {
    const matches = matchesOf(reference, records);
    const notes = matches.length < 2 ? undefined : await notesOn?.(matches);
    return findReference(kind, field, reference, records, { ...more, noteOn: (record) => notes?.get(record) });
  }

  async function readAll({ signal, progress }: FindOptions, query?: Filter<Query>): Promise<Records<T>> {
    let done = 0;
    const list = await resource.all({
      query,
      signal,
      onPage: (_page, totalPages) => {
        // A page may be read again, so requests are counted: progress never goes back.
        done += 1;
        if (done === 1 && (totalPages ?? 1) === 1) return;
        progress?.(done, totalPages === undefined ? undefined : Math.max(done, totalPages), `Reading ${kind}s`);
      },
    });
    if (list.complete) return list;
    const message = sentence`The list of ${kind}s kept changing while it was read, so it can’t be told which there are.`;
    const hint = 'Try again when fewer changes are being made; a channel or project can be had by its id meanwhile.';
    throw new VideoHostingError('service_failed', message, { hint });
  }

  async function readById(id: string, signal: AbortSignal | undefined): Promise<RecordOrRefusal<T>> {
    try {
      const record = await resource.get(id as never, signal);
      if (record.id === id || record.key === id) return { record };
      return { refusal: new VideoHostingError('unexpected_body', sentence`The service answered with the record of another ${kind}.`) };
    } catch (error) {
      if (error instanceof VideoHostingError && RECORD_ERRORS.has(error.code)) return { refusal: error };
      throw error;
    }
  }

  /** `read` is the result of reading the record by itself, where that was tried. */
  async function resolve(
    reference: string,
    options: FindOptions,
    field: Sentence,
  ): Promise<{ readonly record: T; readonly read: RecordOrRefusal<T> | undefined }> {
    const read = POSSIBLE_ID.test(reference) ? await readById(reference, options.signal) : undefined;
    if (read !== undefined && 'record' in read) return { record: read.record, read };
    const { items, skipped } = await readAll(options);
    const record = await findIn(items, { reference, field }, { skipped, refusal: read?.refusal });
    return { record, read: record.id === reference ? read : undefined };
  }

  /**
   * Reads each named record by itself, since that may show more than the list and is newer; `listed` resolves names. A
   * record is read once, however often it is named. Throws the service's error if it answers nothing else.
   */
  async function readNamed(
    named: readonly NamedReference[],
    listed: readonly T[],
    { signal }: FindOptions,
  ): Promise<readonly RecordOrRefusal<T>[]> {
    const reads = new Map<string, Promise<RecordOrRefusal<T>>>();
    const refusals: VideoHostingError[] = [];
    let hasRecord = false;

    async function readListed(record: T): Promise<RecordOrRefusal<T>> {
      if (refusals[0] !== undefined && !hasRecord && refusals.length >= MAX_REFUSALS) throw noneReadable(kind, refusals[0]);
      const read = await readById(record.id, signal);
      if ('record' in read) hasRecord = true;
      else refusals.push(read.refusal);
      return 'record' in read ? read : { refusal: read.refusal, label: labelOf(record) };
    }

    async function readOne({ reference, field }: NamedReference): Promise<RecordOrRefusal<T>> {
      const [match, other] = matchesOf(reference, listed);
      if (match !== undefined && other === undefined) {
        const read = reads.get(match.id) ?? readListed(match);
        reads.set(match.id, read);
        return read;
      }
      // The list may lack a record that can be read by its id.
      const read = match === undefined && POSSIBLE_ID.test(reference) ? await readById(reference, signal) : undefined;
      if (read !== undefined && 'record' in read) return read;
      try {
        return { record: await findIn(listed, { reference, field }, { refusal: read?.refusal }) };
      } catch (error) {
        if (error instanceof VideoHostingError) return { refusal: error };
        throw error;
      }
    }

    const results: RecordOrRefusal<T>[] = [];
    const queue = named.entries();
    async function work(): Promise<void> {
      for (const [index, name] of queue) results[index] = await readOne(name);
    }
    await Promise.all(Array.from({ length: Math.min(MAX_CONCURRENT, named.length) }, work));
    return results;
  }

  return {
    readNamed,
    /** The record of a reference. `field` names the argument. */
    name: async (reference: string, options: FindOptions, field: Sentence): Promise<T> => (await resolve(reference, options, field)).record,
    all: async (options: FindOptions): Promise<readonly T[]> => (await readAll(options)).items,
    async search(text: string, options: FindOptions, query: Filter<Query>): Promise<SearchResult<T>> {
      const { items, skipped, problems } = await readAll(options, query);
      const { found, near } = searchIn(items, text);
      return { items: found, near, searched: items.length, skipped, problems };
    },
    async find(reference: string, options: FindOptions): Promise<FoundRecord<T>> {
      const { record, read: known } = await resolve(reference, options, sentence`${kind}`);
      const read = known ?? (await readById(record.id, options.signal));
      return 'record' in read ? read : { record, refusal: read.refusal };
    },
  };
}

function noneReadable(kind: 'channel' | 'project', { code, message, facts, hint }: VideoHostingError): VideoHostingError {
  const text = sentence`None of the first ${MAX_REFUSALS} ${kind}s could be read by itself, so no more were asked for. ${message}`;
  return new VideoHostingError(code, text, { facts, hint });
}
