import type { IdRange } from '../../journal/bulk-state.ts';
import type { MoveFacts } from '../../plan/facts.ts';
import { type IdRows, originNumber } from '../../plan/id-files.ts';
import { MAX_SHOWN_IDS, type Places } from '../../plan/plan.ts';
import { targetNumbers } from './later-moves.ts';

/** Where the first videos of a move that are sent come from or, of an undo, go to; undefined where that is one project for all, or not known. */
export function placesOf(move: MoveFacts, rows: IdRows | undefined, open: readonly IdRange[]): Places | undefined {
  const { targetProjects, fromProjects } = move;
  const isInto = targetProjects.length > 1;
  const projects = isInto ? targetProjects : fromProjects;
  const isByRow = move.rows !== undefined && rows !== undefined;
  if (!isInto && (projects.length === 0 || !isByRow)) return undefined;
  const numberAt = isInto ? targetNumbers(targetProjects) : (index: number) => originNumber(move, rows, index);
  const numbers: number[] = [];
  for (const { from, to } of open)
    for (let index = from; index < to && numbers.length < MAX_SHOWN_IDS; index += 1) numbers.push(numberAt(index));
  if (numbers.every((number) => number === numbers[0])) return undefined;
  return { preposition: isInto ? 'into' : 'from', labels: projects.map(({ label }) => label), numbers };
}
