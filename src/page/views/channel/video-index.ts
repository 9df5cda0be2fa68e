import type { ChannelView } from '../../contract.ts';
import { type Titles, titlesOf } from '../parts/titles.ts';

export type Resolved =
  | { readonly key: string; readonly isUnknown?: boolean }
  /** Why it can't be a video of the list. */
  | { readonly problem: string };

/** Tells which video a text means: by key, id or title. */
export interface VideoIndex {
  readonly titles: Titles;
  /** Without one, no key can be called unknown. */
  readonly hasCatalogue: boolean;
  readonly isKnown: (text: string) => boolean;
  readonly resolve: (text: string) => Resolved;
}

export function createVideoIndex({ titles: record, ids, hasCatalogue, seen }: ChannelView): VideoIndex {
  const titles = titlesOf(record);
  const keysById = titlesOf(ids);
  const inViews = new Set(seen);
  let byTitle: Map<string, string[]> | undefined;
  const keysOfTitle = (title: string): readonly string[] => {
    byTitle ??= keysByTitle(titles);
    return byTitle.get(folded(title)) ?? [];
  };
  const isKnownKey = (text: string): boolean => titles.has(text) || inViews.has(text);

  function resolve(text: string): Resolved {
    if (isKnownKey(text)) return { key: text };
    const byId = keysById.get(text);
    if (byId !== undefined) return { key: byId };
    const [key, ...others] = keysOfTitle(text);
    if (key !== undefined && others.length === 0) return { key };
    if (key !== undefined) return { problem: `is the title of ${others.length + 1} videos: use the key` };
    if (/\s/.test(text))
      return {
        problem: hasCatalogue
          ? 'is no key, id or title in the video catalogue'
          : 'has spaces, so it is no key; titles need a video catalogue',
      };
    return hasCatalogue ? { key: text, isUnknown: true } : { key: text };
  }
  return { titles, hasCatalogue, resolve, isKnown: (text) => isKnownKey(text) || keysById.has(text) || keysOfTitle(text).length > 0 };
}

const folded = (title: string): string => title.trim().toLocaleLowerCase();

function keysByTitle(titles: Titles): Map<string, string[]> {
  const keys = new Map<string, string[]>();
  for (const key of titles.keys()) {
    const name = folded(titles.get(key) ?? '');
    const known = keys.get(name);
    if (known === undefined) keys.set(name, [key]);
    else known.push(key);
  }
  return keys;
}
