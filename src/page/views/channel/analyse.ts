import { namedColumn, type ReadList } from './read-list.ts';
import type { VideoIndex } from './video-index.ts';

/** What would come of adding what was read. */
export interface Analysis {
  readonly column: number;
  /** The keys that are new, in order, each once. */
  readonly keys: readonly string[];
  readonly alreadyThere: number;
  readonly repeated: number;
  readonly unknown: readonly string[];
  /** Entries that can't be added, and why. */
  readonly problems: readonly { readonly text: string; readonly problem: string }[];
}

const ROUNDED = /^\d([.,]\d+)?E\+\d{1,3}$/i;

/** The column that holds the videos: by its name, the only one, or the one that the catalogue knows best. Undefined where the person must say. */
export function columnOf({ rows, header }: ReadList, index: VideoIndex): number | undefined {
  const columns = rows[0]?.length ?? 1;
  if (columns === 1) return 0;
  const named = header === undefined ? -1 : namedColumn(header);
  if (named >= 0) return named;
  const sample = rows.slice(0, 200);
  const known = Array.from({ length: columns }, (_, column) => sample.filter((row) => index.isKnown(row[column] ?? '')).length);
  const most = Math.max(...known);
  return most * 2 >= sample.length ? known.indexOf(most) : undefined;
}

export function analyse({ rows }: ReadList, column: number, present: ReadonlySet<string>, index: VideoIndex): Analysis {
  const keys = new Set<string>();
  const unknown: string[] = [];
  const problems: { text: string; problem: string }[] = [];
  let [alreadyThere, repeated] = [0, 0];
  for (const row of rows) {
    const text = row[column] ?? '';
    if (text === '') {
      problems.push({ text: row.filter((cell) => cell !== '').join(', '), problem: 'names no video' });
      continue;
    }
    if (ROUNDED.test(text)) {
      problems.push({ text, problem: 'is a number that a spreadsheet has rounded: import the column as text' });
      continue;
    }
    const resolved = index.resolve(text);
    if ('problem' in resolved) problems.push({ text, problem: resolved.problem });
    else if (keys.has(resolved.key)) repeated += 1;
    else if (present.has(resolved.key)) alreadyThere += 1;
    else {
      keys.add(resolved.key);
      if (resolved.isUnknown === true) unknown.push(resolved.key);
    }
  }
  return { column, keys: [...keys], alreadyThere, repeated, unknown, problems };
}
