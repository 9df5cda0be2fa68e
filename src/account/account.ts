import { VideoHostingError } from '../errors.ts';
import type { Client } from '../service/client.ts';
import type { ListQuery, Records } from '../service/list.ts';
import type { Channel } from '../service/resources/channels.ts';
import type { Project, ProjectQuery } from '../service/resources/projects.ts';
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
    findChannel: (reference: string, reading: Reading): Promise<Channel> => find('channel', client.channels, reference, reading, 'channel'),
    /** A project, as far as naming it goes; `field` names the argument. */
    nameProject: (reference: string, reading: Reading, field: string): Promise<Project> =>
      find('project', client.projects, reference, reading, field),
    /** With its options: where the project alone comes without them, the list is asked for it, which documents them. */
    async findProject(reference: string, reading: Reading): Promise<Project> {
      const project = await find('project', client.projects, reference, reading, 'project');
      if (project.options !== undefined && project.videoOptions !== undefined) return project;
      const { items } = await client.projects.list({ projectId: project.id }, reading.signal);
      return { ...items.find(({ id }) => id === project.id), ...withoutAbsent(project) };
    },
  };
}

export type Account = ReturnType<typeof createAccount>;

type ListFilter = Omit<ListQuery, 'page' | 'size'>;
type ProjectFilter = Omit<ProjectQuery, 'page' | 'size'>;

interface Whole<T> extends Records<T> {
  readonly complete: boolean;
}

interface Resource<T> {
  all(options: {
    query?: ListFilter;
    signal?: AbortSignal | undefined;
    onPage?: (page: number, totalPages: number | undefined) => void;
  }): Promise<Whole<T>>;
  // The ids are branded by kind; a reference becomes an id by being tried as one.
  get(id: never, signal?: AbortSignal): Promise<T>;
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
type Found<T> = Records<T> & { readonly near: readonly T[]; readonly searched: number };

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

/** Ids that can stand in a path without being another endpoint's: `templates` is one below the channels. */
const TRIED_AS_ID = /^(?!templates$)[\w.:-]*\w[\w.:-]*$/i;

async function find<T extends Referable>(
  kind: 'channel' | 'project',
  resource: Resource<T>,
  reference: string,
  reading: Reading,
  field: string,
): Promise<T> {
  if (TRIED_AS_ID.test(reference)) {
    const record = await resource.get(reference as never, reading.signal).catch(noneIfMissing);
    if (record?.id === reference || record?.key === reference) return record;
  }
  const { items, skipped } = await readAll(`${kind}s`, resource, reading);
  return findReference(kind, field, reference, items, skipped);
}

function noneIfMissing(error: unknown): undefined {
  // An id that is none may also be refused as malformed, or break the service; the list decides.
  if (
    error instanceof VideoHostingError &&
    ['service_not_found', 'service_validation', 'forbidden', 'unexpected_body', 'service_failed'].includes(error.code)
  )
    return undefined;
  throw error;
}
