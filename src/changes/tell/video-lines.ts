import type { TitleOf } from '../../account/video-references.ts';
import { inFull } from '../../text/counted.ts';
import { inQuotes, joined, type Sentence, sentence } from '../../text/sentence.ts';
import { moveIn, type ProjectShare } from '../plan/facts.ts';
import { listText, videosText } from '../plan/list-text.ts';
import type { Places, ShownPlan } from '../plan/plan.ts';

// What a plan does to many videos, in lines: where they come from or go to, and which they are.

const MAX_PROJECT_LINES = 20;
const MAX_FIRST_IDS = 3;
/** A preview in an answer names so many at once; the pages of `get_change` have more. */
const MAX_NAMED_IDS = 20;

type ShownBulk = Extract<ShownPlan, { readonly total: number }>;

/** How many come from which project, or go into which, where that are several. What is left of a change has numbers of its own in its summary. */
export function placeLines({ facts, resumes }: ShownBulk): Sentence[] {
  const move = moveIn(facts);
  if (move === undefined || resumes !== undefined) return [];
  const { fromProjects, targetProjects } = move;
  if (targetProjects.length > 1) return projectLines(targetProjects, 'into');
  const total = sumOf(targetProjects);
  const unnamed = total - sumOf(fromProjects);
  if (fromProjects.length === 0 || (fromProjects.length === 1 && unnamed === 0)) return [];
  return [
    ...projectLines(fromProjects, 'from'),
    ...(unnamed === 0 ? [] : [sentence`${videosText(unnamed)} from a project that is not known`]),
  ];
}

const sumOf = (projects: readonly ProjectShare[]): number => projects.reduce((sum, { count }) => sum + count, 0);

function projectLines(all: readonly ProjectShare[], preposition: Places['preposition']): Sentence[] {
  const projects = all.filter(({ count }) => count > 0);
  const more = projects.length - MAX_PROJECT_LINES;
  return [
    ...projects.slice(0, MAX_PROJECT_LINES).map(({ label, count }) => sentence`${videosText(count)} ${preposition} ${label}`),
    ...(more > 0 ? [sentence`… and ${more} projects more`] : []),
  ];
}

/** The first ids with their titles, and how many there are besides. */
export const firstIdsLine = (plan: ShownBulk): Sentence[] =>
  plan.ids.length === 0 ? [] : [listText(plan.ids, MAX_FIRST_IDS, titlesIn(plan), plan.total)];

/** The same for people, who know videos by their titles: the id only where it has none, or another video has the same. */
export function firstVideosLine(plan: ShownBulk): Sentence[] {
  const { ids, total, preview } = plan;
  if (ids.length === 0) return [];
  const titleOf = titlesIn(plan);
  const named = ids.slice(0, MAX_FIRST_IDS).map((id) => {
    const title = titleOf(id);
    return title === undefined || preview.sharedTitles?.includes(title) === true ? listText([id], 1, titleOf) : inQuotes(title);
  });
  return [sentence`${joined(named, ', ')}${total > named.length ? sentence` and ${total - named.length} more` : ''}`];
}

const titlesIn =
  ({ preview: { titles = {} } }: ShownBulk): TitleOf =>
  (id) =>
    Object.hasOwn(titles, id) ? titles[id] : undefined;

const labelAt = ({ labels }: Places, number: number): Sentence => labels[number - 1] ?? sentence`a project that is not known`;

/** All ids, by project where there are several; undefined where that are too many, or none is known. */
export function namedIdLines(plan: ShownBulk): Sentence[] | undefined {
  const { ids, places, total } = plan;
  const titleOf = titlesIn(plan);
  if (ids.length === 0 || total > MAX_NAMED_IDS) return undefined;
  if (places === undefined) return [listText(ids, MAX_NAMED_IDS, titleOf)];
  return [...places.labels.keys(), -1].flatMap((project) => {
    const named = ids.filter((_, index) => places.numbers[index] === project + 1);
    const what = sentence`${videosText(named.length)} ${places.preposition} ${labelAt(places, project + 1)}`;
    return named.length === 0 ? [] : [sentence`${what}: ${listText(named, MAX_NAMED_IDS, titleOf)}`];
  });
}

/** A line for each id. */
export function idLines({ ids, places, total }: ShownBulk): Sentence[] {
  const left = total - ids.length;
  return [
    ...ids.map((id, index) => {
      const place = places === undefined ? '' : sentence` ${places.preposition} ${labelAt(places, places.numbers[index] ?? 0)}`;
      return sentence`${listText([id])}${place}`;
    }),
    ...(left > 0 && ids.length > 0 ? [sentence`… and ${inFull(left)} more, which are listed once the change is made`] : []),
  ];
}
