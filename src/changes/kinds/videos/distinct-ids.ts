import type { IdList } from '../../../files/id-list.ts';

/** What the file holds besides the ids. */
export interface FileColumns {
  /** Of each id its line or entry, 0 where it was not in the file. */
  readonly positions: Uint32Array<ArrayBuffer>;
  readonly positionUnit: 'line' | 'entry';
  /** The projects that it names, their column, and of each id the number of its project, from 1, or 0. */
  readonly projectNames: readonly string[];
  readonly projectColumn: string;
  readonly projectOf: Uint16Array<ArrayBuffer>;
  /** Repeated ids beside which another project stands. */
  readonly repeats: readonly RepeatedId[];
  /** Where it names no project: its other columns of few values, and how many ids have which. */
  readonly others: readonly ValueCounts[];
}

export interface ValueCounts {
  readonly name: string;
  readonly counts: ReadonlyMap<string, number>;
}

export interface RepeatedId {
  readonly index: number;
  readonly position: number;
  /** The number of the project. */
  readonly project: number;
}

/** Repeated entries of a file whose places are told. */
const MAX_NAMED_REPEATS = 5;

const addTo = (counts: Uint32Array, at = 0): void => {
  counts[at] = (counts[at] ?? 0) + 1;
};

/** The values without repeats, and of each what stands beside it in the file where it comes first. */
export function distinctIds(
  values: readonly string[],
  fromList: number,
  read: IdList | undefined,
): { readonly ids: readonly string[]; readonly columns?: FileColumns; readonly repeatedAt: readonly number[] } {
  if (read === undefined) return { ids: [...new Set(values)], repeatedAt: [] };
  // A million ids are held in a set for a moment, and in a map only where some are repeated.
  const hasRepeats = new Set(values).size < values.length;
  const found = new Map<string, number>();
  const positions = new Uint32Array(values.length);
  const projectOf = new Uint16Array(values.length);
  const repeats: RepeatedId[] = [];
  const repeatedAt: number[] = [];
  const others = read.others.map((column) => ({ column, counts: new Uint32Array(column.values.length + 1) }));
  for (const [at, value] of values.entries()) {
    const row = at - fromList;
    const position = read.positions[row] ?? 0;
    const project = read.projects?.of[row] ?? 0;
    const index = hasRepeats ? (found.get(value) ?? found.size) : at;
    if (hasRepeats && row >= 0 && found.has(value) && repeatedAt.length < MAX_NAMED_REPEATS) repeatedAt.push(position);
    if (hasRepeats) found.set(value, index);
    if (positions[index] === 0) {
      positions[index] = position;
      for (const { column, counts } of others) addTo(counts, column.of[row]);
    }
    if (projectOf[index] === 0) projectOf[index] = project;
    else if (project !== 0 && project !== projectOf[index]) repeats.push({ index, position, project });
  }
  const ids = hasRepeats ? [...found.keys()] : values;
  const columns = {
    positions: hasRepeats ? positions.slice(0, ids.length) : positions,
    positionUnit: read.positionUnit,
    projectNames: read.projects?.values ?? [],
    projectColumn: read.projects?.name ?? '',
    projectOf: hasRepeats ? projectOf.slice(0, ids.length) : projectOf,
    repeats,
    others: others.map(({ column: { name, values: all }, counts }) => ({
      name,
      counts: new Map(all.flatMap((value, at) => (counts[at + 1] ? [[value, counts[at + 1] ?? 0] as const] : []))),
    })),
  };
  return { ids, columns, repeatedAt };
}

/** What stands beside some of the ids, by their indexes in ascending order. */
export function columnsAt(columns: FileColumns, indexes: readonly number[]): FileColumns {
  const now = new Map(indexes.map((index, at) => [index, at]));
  const repeats = columns.repeats.flatMap((one) => {
    const index = now.get(one.index);
    return index === undefined ? [] : [{ ...one, index }];
  });
  return {
    ...columns,
    positions: Uint32Array.from(indexes, (index) => columns.positions[index] ?? 0),
    projectOf: Uint16Array.from(indexes, (index) => columns.projectOf[index] ?? 0),
    repeats,
  };
}
