import { VideoHostingError } from '../errors.ts';
import type { Client } from '../service/client.ts';
import type { ListQuery, Records } from '../service/list.ts';
import type { Channel } from '../service/resources/channels.ts';
import type { Project, ProjectQuery } from '../service/resources/projects.ts';
import { type Kind, mayBeId, type Named, type Read, type Readable, readById, readNamed } from './read-record.ts';
import { findReference, type Referable } from './references.ts';
import { type Searchable, searchIn } from './search.ts';

export interface Reading {
  readonly signal?: AbortSignal;
  readonly progress?: (done: number, total?: number, message?: string) => void;
}

/** An account's channels and projects, found by what people call them. Everything is read anew: nothing is cached. */
export function createAccount(client: Pick<Client, 'channels' | 'projects'>) {
  return {
    /** All channels. Throws where the list would not settle while it was read. */
    allChannels: async (reading: Reading): Promise<readonly Channel[]> => (await readAll('channels', client.channels, reading)).items,
    /** All projects, likewise. */
    allProjects: async (reading: Reading): Promise<readonly Project[]> => (await readAll('projects', client.projects, reading)).items,
    /** The channels in which a text stands, over all pages. */
    searchChannels: (search: string, reading: Reading, query: ListFilter): Promise<Found<Channel>> =>
      searchAll('channels', client.channels, search, reading, query),
    searchProjects: (search: string, reading: Reading, query: ProjectFilter): Promise<Found<Project>> =>
      searchAll('projects', client.projects, search, reading, query),
    /** A channel, read by itself where the service lets it be. */
    findChannel: (reference: string, reading: Reading): Promise<Located<Channel>> =>
      locate('channel', client.channels, reference, reading, 'channel'),
    /** A channel or project, as far as naming it goes; `field` names the argument. */
    nameChannel: async (reference: string, reading: Reading, field: string): Promise<Channel> =>
      (await resolve('channel', client.channels, reference, reading, field)).record,
    nameProject: async (reference: string, reading: Reading, field: string): Promise<Project> =>
      (await resolve('project', client.projects, reference, reading, field)).record,
    /** Channels that are named, each read by itself: a single record may show more than a list, and is newer. */
    readChannels: (named: readonly Named[], listed: readonly Channel[], reading: Reading): Promise<readonly Read<Channel>[]> =>
      readNamed('channel', client.channels, named, listed, reading.signal),
    /** With its options: where the project alone comes without them, the list is asked for it, which documents them. */
    async findProject(reference: string, reading: Reading): Promise<Located<Project>> {
      const { record: project, refusal } = await locate('project', client.projects, reference, reading, 'project');
      if (refusal !== undefined) return { record: project, refusal };
      if (project.options !== undefined && project.videoOptions !== undefined) return { record: project };
      const { items } = await client.projects.list({ projectId: project.id }, reading.signal);
      return { record: { ...items.find(({ id }) => id === project.id), ...withoutAbsent(project) } };
    },
  };
}

export type Account = ReturnType<typeof createAccount>;

/** A record, read by itself; where that failed, the list's, with what the service answered. */
export interface Located<T> {
  readonly record: T;
  readonly refusal?: VideoHostingError | undefined;
}

type ListFilter = Omit<ListQuery, 'page' | 'size'>;
type ProjectFilter = Omit<ProjectQuery, 'page' | 'size'>;

interface Whole<T> extends Records<T> {
  readonly complete: boolean;
}

interface Resource<T> extends Readable<T> {
  all(options: {
    query?: ListFilter;
    signal?: AbortSignal | undefined;
    onPage?: (page: number, totalPages: number | undefined) => void;
  }): Promise<Whole<T>>;
}

async function readAll<T>(what: string, resource: Resource<T>, { signal, progress }: Reading, query: ListFilter = {}): Promise<Records<T>> {
  let done = 0;
  const whole = await resource.all({
    query,
    signal,
    onPage: (_page, totalPages) => {
      // Pages may be read anew, so what was asked is counted: progress never goes back.
      done += 1;
      if (done > 1 || (totalPages ?? 1) > 1)
        progress?.(done, totalPages === undefined ? undefined : Math.max(done, totalPages), `Reading ${what}`);
    },
  });
  if (whole.complete) return whole;
  throw new VideoHostingError(
    'service_failed',
    `The list of ${what} kept changing while it was read, so it can’t be told which there are.`,
    {
      hint: 'Try again when fewer changes are being made; a channel or project can be had by its id meanwhile.',
    },
  );
}

/** What a search found, of how many; where that is nothing, what comes nearest. */
export type Found<T> = Records<T> & { readonly near: readonly T[]; readonly searched: number };

async function searchAll<T extends Searchable>(
  what: string,
  resource: Resource<T>,
  search: string,
  reading: Reading,
  query: ListFilter,
): Promise<Found<T>> {
  const { items, skipped, problems } = await readAll(what, resource, reading, query);
  const { found, near } = searchIn(items, search);
  return { items: found, near, searched: items.length, skipped, problems };
}

function withoutAbsent<T extends object>(record: T): T {
  // Only properties without a value are left out, and all of those are optional.
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined)) as T;
}

/** A record as it was resolved; `read`: what came of reading it by itself, where that was tried. */
interface Resolved<T> {
  readonly record: T;
  readonly read: Read<T> | undefined;
}

async function resolve<T extends Referable>(
  kind: Kind,
  resource: Resource<T>,
  reference: string,
  reading: Reading,
  field: string,
): Promise<Resolved<T>> {
  const read = mayBeId(reference) ? await readById(kind, resource, reference, reading.signal) : undefined;
  if (read !== undefined && 'record' in read) return { record: read.record, read };
  const { items, skipped } = await readAll(`${kind}s`, resource, reading);
  const record = findReference(kind, field, reference, items, { skipped, refusal: read?.refusal });
  return { record, read: record.id === reference ? read : undefined };
}

/** The same, read by itself too. */
async function locate<T extends Referable>(
  kind: Kind,
  resource: Resource<T>,
  reference: string,
  reading: Reading,
  field: string,
): Promise<Located<T>> {
  const { record, read: known } = await resolve(kind, resource, reference, reading, field);
  const read = known ?? (await readById(kind, resource, record.id, reading.signal));
  return 'record' in read ? read : { record, refusal: read.refusal };
}
