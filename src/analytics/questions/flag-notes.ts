import { counted } from '../../text/counted.ts';
import { joined, type Sentence, sentence } from '../../text/sentence.ts';
import type { AnswerInput, Part } from '../assemble/answer.ts';
import { FLAGS, type Flags, type Question } from '../contract.ts';
import { sumsReader } from '../sql/sums.ts';

/** How a view without a value is counted: by a sum that knows it, or in a group of its own. */
const COUNTED_BY = {
  started: { metrics: ['plays'], groupBy: [], known: 'known_plays', words: sentence`whether playback started` },
  ended: { metrics: ['completions'], groupBy: [], known: 'known_completions', words: sentence`whether playback ended` },
  muted: { metrics: ['views'], groupBy: ['muted'], known: undefined, words: sentence`whether they were muted` },
} as const;

type Asked = Pick<Question, 'metrics' | 'groupBy'>;
type AskParts = (flags: Flags, asked: Asked) => Promise<Pick<AnswerInput, 'now' | 'earlier'>>;

/** Of each flag that a question filters by, how many views are left out as they have no value: nobody may take them for the others. */
export async function flagNotes(flags: Flags, ask: AskParts): Promise<Sentence[]> {
  const notes: Sentence[] = [];
  for (const flag of FLAGS.filter((name) => flags[name] !== undefined)) {
    const { words, known, ...asked } = COUNTED_BY[flag];
    const { now, earlier } = await ask({ ...flags, [flag]: undefined }, asked);
    const unknown = { now: unknownIn(now, known), before: earlier === undefined ? 0 : unknownIn(earlier, known) };
    if (unknown.now + unknown.before === 0) continue;
    const parts = [
      sentence`${counted(unknown.now, 'view')}`,
      ...(earlier === undefined ? [] : [sentence`${unknown.before} of the time before`]),
    ];
    notes.push(sentence`Not counted, as they don’t say ${words}: ${joined(parts, ' and ')}.`);
  }
  return notes;
}

function unknownIn({ groups }: Part, known: 'known_plays' | 'known_completions' | undefined): number {
  const read = sumsReader(groups.columns);
  if (known === undefined) return groups.rows.filter(([value]) => value === null).reduce((sum, row) => sum + read(row).views, 0);
  const sums = read(groups.total);
  return sums.views - sums[known];
}
