import { inFull } from '../../text/counted.ts';
import { type Sentence, sentence } from '../../text/sentence.ts';
import { listText, videosText } from '../list-text.ts';
import type { Places, ShownPlan } from '../plan.ts';

// The ids of a bulk change, for previews that name all of them.

/** A preview with a token names so many at once; the pages of `get_change` have more. */
const MAX_NAMED_IDS = 20;

const labelAt = ({ labels }: Places, number: number): Sentence => labels[number - 1] ?? sentence`a project that is not known`;

/** All ids, by project where there are several; undefined where that are too many, or none. */
export function namedIdLines(ids: readonly string[], places?: Places): Sentence[] | undefined {
  if (ids.length === 0 || ids.length > MAX_NAMED_IDS) return undefined;
  if (places === undefined) return [listText(ids, MAX_NAMED_IDS)];
  return [...places.labels.keys(), -1].flatMap((project) => {
    const named = ids.filter((_, index) => places.numbers[index] === project + 1);
    const what = sentence`${videosText(named.length)} ${places.preposition} ${labelAt(places, project + 1)}`;
    return named.length === 0 ? [] : [sentence`${what}: ${listText(named, MAX_NAMED_IDS)}`];
  });
}

/** A line for each id. */
export function idLines(plan: ShownPlan): Sentence[] {
  if (!('ids' in plan)) return [];
  const { ids, places, total } = plan;
  const left = total - ids.length;
  return [
    ...ids.map((id, index) => {
      const place = places === undefined ? '' : sentence` ${places.preposition} ${labelAt(places, places.numbers[index] ?? 0)}`;
      return sentence`${listText([id])}${place}`;
    }),
    ...(left > 0 && ids.length > 0 ? [sentence`… and ${inFull(left)} more, which are listed once the change is made`] : []),
  ];
}

/** The same for pages; empty where the preview names all. */
export const pagedIdLines = (plan: ShownPlan): Sentence[] => (plan.preview.linesWithIds === undefined ? idLines(plan) : []);
