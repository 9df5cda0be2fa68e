import type { ErrorCode } from '../errors/codes.ts';
import { VideoHostingError } from '../errors.ts';
import type { Records } from '../service/list.ts';
import { asSentence, type Sentence, sentence } from '../text/sentence.ts';
import {
  type FormerNames,
  findFormer,
  findReference,
  formerlyCalled,
  labelOf,
  matchesOf,
  type Named,
  type Referable,
  type Renamed,
} from './references.ts';
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
export type RecordOrRefusal<T> = Named<T> | { readonly refusal: VideoHostingError; readonly label?: Sentence };

/** A record, read by itself; where that failed, the list's record and the service's error. */
export interface FoundRecord<T> extends Named<T> {
  readonly refusal?: VideoHostingError | undefined;
}

/** Records that match a search; where none does, `near` has those with the nearest names. */
export type SearchResult<T> = Records<T> & {
  readonly near: readonly T[];
  readonly searched: number;
  /** Found by a name that they have no more, where nothing else was. */
  readonly former: readonly Renamed<T>[];
};

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

interface FinderOptions<T> {
  readonly notesOn?: (candidates: readonly T[]) => Promise<ReadonlyMap<T, Sentence>>;
  readonly formerNames?: FormerNames;
}

/** Records read at once; the limiter decides how many requests are. */
const MAX_CONCURRENT = 8;
/** After so many errors and no record, the rest is not asked for. */
const MAX_REFUSALS = 10;

/**
 * Finds the records of one kind. `notesOn` tells more of records among which a caller has to choose; `formerNames` are asked where no
 * record has a name.
 */
export function createRecordFinder<T extends Referable, Query extends object>(
  kind: 'channel' | 'project',
  resource: Resource<T, Query>,
  { notesOn, formerNames = async () => [] }: FinderOptions<T> = {},
) {
  /** As `findReference` and `findFormer`. */
  async function findIn(
    records: readonly T[],
    { reference, field }: NamedReference,
    more: Parameters<typeof findReference<T>>[4],
    names: FormerNames = formerNames,
  ): Promise<Named<T>> {
    const matches = matchesOf(reference, records);
    const former = matches.length > 0 ? undefined : findFormer(kind, field, reference, records, await names());
    if (former !== undefined) return former;
    const notes = matches.length < 2 ? undefined : await notesOn?.(matches);
    return { record: findReference(kind, field, reference, records, { ...more, noteOn: (record) => notes?.get(record) }) };
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
    throw new VideoHostingError('service_failed', message, { hint, person: asSentence(hint) });
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
  ): Promise<Named<T> & { readonly read: RecordOrRefusal<T> | undefined }> {
    const read = POSSIBLE_ID.test(reference) ? await readById(reference, options.signal) : undefined;
    if (read !== undefined && 'record' in read) return { record: read.record, read };
    const { items, skipped } = await readAll(options);
    const found = await findIn(items, { reference, field }, { skipped, refusal: read?.refusal });
    return { ...found, read: found.record.id === reference ? read : undefined };
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
    let known: ReturnType<FormerNames> | undefined;
    // Once for all of them.
    const names: FormerNames = () => {
      known ??= formerNames();
      return known;
    };
    const refusals: VideoHostingError[] = [];
    let hasRecord = false;

    async function readListed(record: T): Promise<RecordOrRefusal<T>> {
      if (refusals[0] !== undefined && !hasRecord && refusals.length >= MAX_REFUSALS) throw noneReadable(kind, refusals[0]);
      const read = await readById(record.id, signal);
      if ('record' in read) hasRecord = true;
      else refusals.push(read.refusal);
      return 'record' in read ? read : { refusal: read.refusal, label: labelOf(record) };
    }

    function readOnce(record: T): Promise<RecordOrRefusal<T>> {
      const read = reads.get(record.id) ?? readListed(record);
      reads.set(record.id, read);
      return read;
    }

    async function readOne({ reference, field }: NamedReference): Promise<RecordOrRefusal<T>> {
      const [match, other] = matchesOf(reference, listed);
      if (match !== undefined && other === undefined) return readOnce(match);
      // The list may lack a record that can be read by its id.
      const read = match === undefined && POSSIBLE_ID.test(reference) ? await readById(reference, signal) : undefined;
      if (read !== undefined && 'record' in read) return read;
      try {
        const found = await findIn(listed, { reference, field }, { refusal: read?.refusal }, names);
        return found.former === undefined ? found : { ...(await readOnce(found.record)), former: found.former };
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
    name: (reference: string, options: FindOptions, field: Sentence): Promise<Named<T>> => resolve(reference, options, field),
    all: async (options: FindOptions): Promise<readonly T[]> => (await readAll(options)).items,
    async search(text: string, options: FindOptions, query: Filter<Query>): Promise<SearchResult<T>> {
      const { items, skipped, problems } = await readAll(options, query);
      const { found, near } = searchIn(items, text);
      const former = found.length > 0 ? [] : formerlyCalled(text, items, await formerNames());
      const renamed = former.map(({ record }) => record);
      return { items: former.length > 0 ? renamed : found, near, searched: items.length, former, skipped, problems };
    },
    async find(reference: string, options: FindOptions): Promise<FoundRecord<T>> {
      const { record, former, read: known } = await resolve(reference, options, sentence`${kind}`);
      const read = known ?? (await readById(record.id, options.signal));
      return 'record' in read ? { ...read, former } : { record, refusal: read.refusal, former };
    },
  };
}

function noneReadable(kind: 'channel' | 'project', { code, message, facts, hint }: VideoHostingError): VideoHostingError {
  const text = sentence`None of the first ${MAX_REFUSALS} ${kind}s could be read by itself, so no more were asked for. ${message}`;
  return new VideoHostingError(code, text, { facts, hint });
}
