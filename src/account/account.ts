import { VideoHostingError } from '../errors.ts';
import type { Channel } from '../service/channels.ts';
import type { Client } from '../service/client.ts';
import type { ListQuery } from '../service/list.ts';
import type { Project, ProjectQuery } from '../service/projects.ts';
import { findReference, type Referable } from './references.ts';

export interface Reading {
  readonly signal?: AbortSignal;
  readonly progress?: (done: number, total?: number, message?: string) => void;
}

/** An account's channels and projects, found by what people call them. Everything is read anew: nothing is cached. */
export function createAccount(client: Pick<Client, 'channels' | 'projects'>) {
  return {
    /** All channels. Throws where the list would not settle while it was read. */
    allChannels: (reading: Reading, query: ListFilter = {}): Promise<readonly Channel[]> =>
      readAll('channels', client.channels, reading, query),
    /** All projects, likewise. */
    allProjects: (reading: Reading, query: ProjectFilter = {}): Promise<readonly Project[]> =>
      readAll('projects', client.projects, reading, query),
    findChannel: (reference: string, reading: Reading): Promise<Channel> => find('channel', client.channels, reference, reading),
    findProject: (reference: string, reading: Reading): Promise<Project> => find('project', client.projects, reference, reading),
  };
}

export type Account = ReturnType<typeof createAccount>;

type ListFilter = Omit<ListQuery, 'page' | 'size'>;
type ProjectFilter = Omit<ProjectQuery, 'page' | 'size'>;

interface Resource<T> {
  all(options: {
    query?: ListFilter;
    signal?: AbortSignal | undefined;
    onPage?: (page: number, totalPages: number | undefined) => void;
  }): Promise<{
    readonly items: readonly T[];
    readonly complete: boolean;
  }>;
  // The ids are branded by kind; a reference becomes an id by being tried as one.
  get(id: never, signal?: AbortSignal): Promise<T>;
}

async function readAll<T>(
  what: string,
  resource: Resource<T>,
  { signal, progress }: Reading,
  query: ListFilter = {},
): Promise<readonly T[]> {
  const { items, complete } = await resource.all({
    query,
    signal,
    onPage: (page, totalPages) => {
      if ((totalPages ?? 1) > 1) progress?.(page, totalPages, `Reading ${what}`);
    },
  });
  if (complete) return items;
  throw new VideoHostingError(
    'service_failed',
    `The list of ${what} kept changing while it was read, so it can’t be told which there are.`,
    {
      hint: 'Try again when fewer changes are being made.',
    },
  );
}

/** Ids that can stand in a path without being another endpoint's: `templates` is one below the channels. */
const TRIED_AS_ID = /^(?!templates$)[\w.:-]*\w[\w.:-]*$/i;

async function find<T extends Referable>(
  kind: 'channel' | 'project',
  resource: Resource<T>,
  reference: string,
  reading: Reading,
): Promise<T> {
  if (TRIED_AS_ID.test(reference)) {
    const record = await resource.get(reference as never, reading.signal).catch(noneIfMissing);
    if (record?.id === reference || record?.key === reference) return record;
  }
  return findReference(kind, kind, reference, await readAll(`${kind}s`, resource, reading));
}

function noneIfMissing(error: unknown): undefined {
  // An id that is none may also be refused as malformed; the list decides.
  if (
    error instanceof VideoHostingError &&
    ['service_not_found', 'service_validation', 'forbidden', 'unexpected_body'].includes(error.code)
  )
    return undefined;
  throw error;
}
