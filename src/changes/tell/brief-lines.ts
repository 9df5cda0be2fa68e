import { counted } from '../../text/counted.ts';
import { joined, type Sentence, sentence } from '../../text/sentence.ts';
import { LIST_WORDS, type ListWord } from '../plan/channel-fields.ts';
import { lineText, type StatedContents, statedIn } from '../plan/preview.ts';
import type { PlanLine } from './plan-lines.ts';

// The lines of a plan for an assistant, which has the lists that it states, or the file that they are in: they are numbers here.

/** One for all records to which the same happens, each with its own numbers; undefined where there are none. */
export function briefLines(lines: readonly PlanLine[]): Sentence[] | undefined {
  if (lines.every(({ brief }) => brief === undefined)) return undefined;
  const stated = statedIn(lines);
  const groups = new Map<unknown, { readonly heads: Sentence[]; readonly changes: readonly Sentence[] }>();
  for (const line of lines) {
    const changes = line.brief?.changes ?? line.changes;
    const key = line.label === undefined ? line : JSON.stringify(changes);
    const group = groups.get(key) ?? { heads: [], changes };
    group.heads.push(...headOf(line));
    groups.set(key, group);
  }
  const shown = [...groups.values()].map(({ heads, changes }) => lineText({ label: joined(heads, ', '), changes }));
  return stated.length === 0 ? shown : [statedLine(stated), ...shown];
}

function statedLine(stated: readonly StatedContents[]): Sentence {
  const lists = stated.flatMap((one) => one.lists);
  const none = LIST_WORDS.filter((what) => lists.some((list) => list.what === what && list.count === 0));
  const isNowhere = (what: ListWord): boolean => lists.every((list) => list.what !== what || list.count === 0);
  const without = joined(
    none.map((what) => sentence`, with no ${what}s${isNowhere(what) ? '' : ' where none are counted'}`),
    '',
  );
  return sentence`The lists as stated replace what is there, whole and in order${without} (keys, if asked for: get_change with page 1).`;
}

/** `"News" (5 videos)`, `"News" (videos 5 → 6, 1 project)`. */
function headOf({ label, brief, stated }: PlanLine): Sentence[] {
  if (label === undefined) return [];
  // Of a list of which the change makes another, the change has the number.
  const kept = stated?.lists.filter(({ count, isChanged }) => count > 0 && isChanged !== true) ?? [];
  const numbers: Sentence[] = [...(brief?.counts ?? []), ...kept.map(({ what, count }) => counted(count, what))];
  return [numbers.length === 0 ? label : sentence`${label} (${joined(numbers, ', ')})`];
}
