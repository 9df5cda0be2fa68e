import { CONTENTS } from '../../account/contents.ts';
import { allOf, counted, inFull } from '../../text/counted.ts';
import { inQuotes, joined, type Sentence, sentence } from '../../text/sentence.ts';
import { CHANNEL_FIELDS, type ListWord } from '../plan/channel-fields.ts';
import { changedPart } from '../plan/field-text.ts';
import { listed } from '../plan/notice.ts';
import { MAX_NEW_NAME, partWishes } from '../plan/part-words.ts';
import { itemsOf, type PlannedItem, type ShownPlan } from '../plan/plan.ts';
import { differenceOf, keysLost } from '../plan/record-difference.ts';
import { changedIn } from '../plan/records.ts';
import type { ChangeKind } from '../plan/traits/index.ts';
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

/** Of a plan, or of a change that was begun. */
interface Wished {
  readonly kind: ChangeKind;
  readonly resumes?: string | undefined;
}

/** What becomes of the only channel of a change, as a person would ask for it; undefined of any other change. No full stop. */
export function wishOf({ kind, resumes }: Wished, items: readonly Titled[]): Sentence | undefined {
  const [item, ...others] = items;
  if (item === undefined || others.length > 0 || item.seen === null || resumes !== undefined) return undefined;
  const wish = WISHES[kind]?.(item);
  return wish !== undefined && wish.length < MAX_TITLE ? wish : undefined;
}

/** Of the kinds that may be about one channel. */
const WISHES: Partial<Readonly<Record<ChangeKind, (item: Titled) => Sentence | undefined>>> = {
  state_contents: statementWish,
  update_channels: updateWish,
};

function statementWish({ label, after }: Titled): Sentence {
  const held = CONTENTS.flatMap((list) => (after[list]?.length ? [counted(after[list].length, CHANNEL_FIELDS[list].word)] : []));
  return sentence`Record that ${label} ${held.length === 0 ? 'is empty' : sentence`holds ${joined(held, ' and ')}`}`;
}

function updateWish({ label, before, after }: Titled): Sentence | undefined {
  const fields = changedIn({ before, after });
  const [only, ...more] = fields;
  if (only === undefined) return undefined;
  const { name } = after;
  if (more.length === 0 && only === 'name' && name !== undefined) return sentence`Rename ${label} to ${inQuotes(name, MAX_NEW_NAME)}`;
  const list = more.length === 0 ? CONTENTS.find((one) => one === only) : undefined;
  if (list !== undefined) return listWish(label, CHANNEL_FIELDS[list].word, before[list], after[list] ?? []);
  const whole = sentence`Change ${label}: ${joined(partWishes({ before, after }), ', ')}`;
  if (whole.length < MAX_TITLE) return whole;
  const words = fields.map(changedPart);
  return sentence`Change the ${joined(
    [joined(words.slice(0, -1), ', '), ...words.slice(-1)].filter((text) => text !== ''),
    ' and ',
  )} of ${label}`;
}

function listWish(label: Sentence, what: ListWord, before: readonly string[] | undefined, after: readonly string[]): Sentence {
  if (before === undefined) return sentence`Give ${label} a new list of ${counted(after.length, what)}`;
  const { removed, added, moved, isToFront, isToEnd } = differenceOf({ before, after });
  const [out, into] = [removed.length, added.length];
  if (out > 0 && into > 0) return sentence`Remove ${inFull(out)} and add ${counted(into, what)} in ${label}`;
  if (out > 0 && after.length === 0)
    return sentence`Remove ${out === 1 ? sentence`the only ${what}` : sentence`${allOf(out)} ${what}s`} from ${label}`;
  if (out > 0) return sentence`Remove ${inFull(out)} of ${counted(before.length, what)} from ${label}`;
  if (into > 0) return sentence`Add ${counted(into, what)} to ${label}`;
  const place = isToFront ? 'to the front of' : isToEnd ? 'to the end of' : 'to another place in';
  return sentence`Move ${counted(moved.length, what)} ${place} ${label}`;
}
