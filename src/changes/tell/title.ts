import { CONTENTS } from '../../account/contents.ts';
import { inQuotes, joined, type Sentence, sentence } from '../../text/sentence.ts';
import { changedPart } from '../plan/field-text.ts';
import { listed } from '../plan/notice.ts';
import { itemsOf, type PlannedItem, type ShownPlan } from '../plan/plan.ts';
import { keysLost } from '../plan/record-difference.ts';
import { changedIn } from '../plan/records.ts';
import type { Proposal } from '../proposals/proposal.ts';
import { changesIn, numbersIn, planLines } from './plan-lines.ts';

/** Names of channels in a title. */
const MAX_LABELS = 3;
/** Of what is new, whose names are all that there is to tell. */
const MAX_NEW = 10;

type Titled = Pick<PlannedItem, 'label' | 'seen' | 'before' | 'after'>;

/**
 * The title of a change in a list: what is done, its channels and what of them changes, since most of what is done is alike. Where these are
 * too many, those that end up empty are named, then those that lose most. `names`: `new` tells what each is called then, `only` leaves out what
 * changes of each. No full stop.
 */
export function titleOf(summary: Sentence, items: readonly Titled[], names?: 'new' | 'only'): Sentence {
  const changed = items.filter(({ seen }) => seen !== null);
  if (changed.length === 0) return titleOfNew(summary, items);
  const more = changed.length - MAX_LABELS;
  const named = more > 0 ? emptiedFirst(changed).slice(0, MAX_LABELS) : changed;
  const labels = named.map((item) => joined([item.label, ...fieldWords(item, names)]));
  return sentence`${summary}: ${joined(labels, ', ')}${more > 0 ? sentence` and ${more} more` : ''}`;
}

/** A single one is named in its summary. */
function titleOfNew(summary: Sentence, items: readonly Titled[]): Sentence {
  const named = items.filter(({ after }) => after.name !== undefined);
  if (named.length < 2) return summary;
  return sentence`${summary}: ${listed(
    named.map(({ label }) => label),
    MAX_NEW,
  )}`;
}

const emptiedFirst = (items: readonly Titled[]): Titled[] =>
  items
    .map((item) => ({ item, ...lossIn(item) }))
    .sort((one, other) => Number(other.isEmptied) - Number(one.isEmptied) || other.lost - one.lost)
    .map(({ item }) => item);

function lossIn({ before, after }: Titled): { readonly lost: number; readonly isEmptied: boolean } {
  const lists = CONTENTS.flatMap((list) => (after[list] === undefined ? [] : [{ before: before[list] ?? null, after: after[list] }]));
  const lost = keysLost(lists);
  return { lost, isEmptied: lost > 0 && lists.every((list) => list.after.length === 0) };
}

/** Of a new name in a title. */
const MAX_NEW_NAME = 40;

function fieldWords(item: Titled, names: 'new' | 'only' | undefined): Sentence[] {
  if (names === 'only') return [];
  const { name } = item.after;
  const parts = changedIn(item).map((field) =>
    field === 'name' && names === 'new' && typeof name === 'string'
      ? sentence`${changedPart(field)} → ${inQuotes(name, MAX_NEW_NAME)}`
      : changedPart(field),
  );
  return parts.length === 0 ? [] : [sentence`(${joined(parts, ', ')})`];
}

/** Of a title with what becomes of its one channel. */
const MAX_TITLE = 160;

/** What it would do, with the names of its first channels; of one channel, what becomes of it where that is short. */
export function proposalTitle({ plan }: Pick<Proposal, 'plan'>): Sentence {
  const { summary } = plan.preview;
  const items = itemsOf(plan);
  return sentence`${titleOfOne(plan) ?? titleOf(summary, items)}.`;
}

/** What becomes of the only record, where that is an update without lists that is told in few words. */
export function titleOfOne(plan: ShownPlan): Sentence | undefined {
  const [record, ...others] = planLines(plan);
  if (record?.label === undefined || others.length + numbersIn(record).length > 0) return undefined;
  if (record.phrases.length === 0 || record.phrases.some(({ inParts }) => inParts === undefined)) return undefined;
  const title = sentence`${plan.preview.summary}: ${record.label} (${joined(changesIn(record), ', ')})`;
  return title.length < MAX_TITLE ? title : undefined;
}
