import type { ListColumns } from './columns.ts';
import type { KnownVideos } from './known-videos.ts';
import { createValuesReader, videoLines } from './list-values.ts';
import type { ListFormat } from './read-list.ts';

/** What stands in a row of a list: its value, and its cells below a header, or the fields of an entry. */
export interface FoundRow {
  readonly value: string;
  readonly names: readonly string[];
  readonly cells: readonly string[];
}

/** The rows of a list by their positions, all or some of them; of a list without a header or fields there are none. */
export const rowsAt = (
  videos: KnownVideos | undefined,
  asked: ListColumns,
  positions?: ReadonlySet<number>,
): ListFormat<ReadonlyMap<number, FoundRow>> => ({
  ...videoLines(videos),
  rows(table, name) {
    const found = new Map<number, FoundRow>();
    const reader = createValuesReader(table, { name, videos, asked }, (value, { position, row }) => {
      if (row !== undefined && value !== undefined && positions?.has(position) !== false)
        found.set(position, { value: value.trim(), ...row });
    });
    return {
      ...reader,
      end() {
        reader.end();
        return found;
      },
    };
  },
});
