import type { ListChange } from '../../changes/plan/record-difference.ts';
import { usable } from '../../files/known-videos.ts';
import { sentence } from '../../text/sentence.ts';
import type { BulkView, ChangedRecord } from '../contract.ts';
import type { PageDeps } from '../deps.ts';

const NAMES_MS = 60_000;

/** Finds the titles of videos and the names of projects. */
export function createTitles({ account, catalogue }: Pick<PageDeps, 'account' | 'catalogue'>) {
  let projects: { readonly at: number; readonly names: Promise<ReadonlyMap<string, string>> } | undefined;

  /** Read again after a minute. An account whose projects can't be read has no names. */
  function projectNames(): Promise<ReadonlyMap<string, string>> {
    if (projects === undefined || performance.now() - projects.at > NAMES_MS) {
      const all = account.allProjects({ signal: new AbortController().signal });
      const names = all.then(
        (found) =>
          new Map(found.flatMap(({ key, name }) => (key === undefined || name === undefined ? [] : [[String(key), name] as const]))),
        () => new Map<string, string>(),
      );
      projects = { at: performance.now(), names };
    }
    return projects.names;
  }

  return async (records: readonly ChangedRecord[], bulk: BulkView | undefined): Promise<Record<string, string>> => {
    const videos = usable(await catalogue());
    const titles: Record<string, string> = Object.create(null);
    const keysOf = (what: ListChange['what']) =>
      new Set(
        records.flatMap(({ lists, stated = [] }) => [
          ...lists.filter((list) => list.what === what).flatMap(({ before, after }) => [...(before ?? []), ...after]),
          ...stated.filter((list) => list.what === what).flatMap(({ keys }) => keys),
        ]),
      );
    if (videos !== undefined) {
      for (const key of keysOf(sentence`video`)) add(titles, key, videos.byKey(key)?.title);
      for (const id of [...(bulk?.ids ?? []), ...(bulk?.source === undefined ? [] : [bulk.source])])
        add(titles, id, videos.byId(id)?.title);
    }
    const projectKeys = keysOf(sentence`project`);
    if (projectKeys.size > 0) {
      const names = await projectNames();
      for (const key of projectKeys) add(titles, key, names.get(key));
    }
    return titles;
  };
}

function add(titles: Record<string, string>, key: string, title: string | undefined): void {
  if (title !== undefined) titles[key] = title;
}
