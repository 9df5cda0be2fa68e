import { cleanText } from '../../text/sanitize-text.ts';
import type { ChangeRecord, ItemState } from '../journal/change-record.ts';
import type { AnswerFacts } from '../journal/facts.ts';
import { KINDS } from '../kinds.ts';
import { isSameList, listDifference } from '../list-difference.ts';
import type { PlannedItem } from '../plan.ts';
import { fieldChanges, type Sides } from './field-changes.ts';
import { CONTENTS, channelValues, LISTS, type ListField, rowOf, type TextField, wordsFor } from './fields.ts';

const MAX_TEXT = 100;
/** Of a text of several lines. */
const MAX_BEGINNING = 60;

/** What the lines of a change will need besides its items: the names of templates, by key, and what files held. */
export function factsForAnswers({ items, files = [], templateOf }: AnswerSource): AnswerFacts {
  const changed = items.filter(({ after }) => after.templateKey !== undefined);
  const keys = new Set(changed.flatMap(({ before, after }) => [before.templateKey, after.templateKey]));
  const templates = [...keys].flatMap((key) => (typeof key === 'string' && key !== '' ? [[key, templateOf(key)] as const] : []));
  return {
    ...(templates.length === 0 ? {} : { templates: Object.fromEntries(templates) }),
    ...(files.length === 0 ? {} : { files: [...files] }),
  };
}

interface AnswerSource {
  readonly items: readonly Pick<PlannedItem, 'before' | 'after'>[];
  readonly files?: readonly string[];
  /** A template's name and key. */
  readonly templateOf: (key: string) => string;
}

/** What a change did to one channel, in numbers: `"A": name "A" → "B"; 300 videos → 300: 3 moved to the front, none added, none removed`. */
export function outcomeLine({ kind, facts }: Pick<ChangeRecord['intent'], 'kind' | 'facts'>, item: ItemState): string | undefined {
  switch (KINDS[kind].channels) {
    case 'updates':
      return `${item.label}: ${updateParts(item, facts).join('; ')}`;
    case 'states':
      return `${item.label}: ${statementParts(item).join(', ')}`;
    case 'no':
      return undefined;
  }
}

const quoted = (text: unknown, max = MAX_TEXT): string => JSON.stringify(cleanText(String(text), max));

/** A template by name and key; the plan wrote the names to the journal. */
export function templateText(key: unknown, { templates = {} }: AnswerFacts): string {
  if (key === undefined) return 'not known';
  if (key === '') return 'default';
  return Object.entries(templates).find(([known]) => known === key)?.[1] ?? quoted(key);
}

function updateParts(item: ItemState, facts: AnswerFacts): string[] {
  const sides = { before: channelValues(item.before), after: channelValues(item.after) };
  const show = (field: TextField, text: string): string => {
    const { isReference, hasLines } = rowOf(field);
    return isReference ? templateText(text, facts) : quoted(text, hasLines ? MAX_BEGINNING : MAX_TEXT);
  };
  const lists = LISTS.flatMap((list) => listParts(list, sides.before[list], sides.after[list]));
  const parts = [...fieldChanges(sides, show), ...lists, ...untouchedParts(sides, item.stated)];
  return parts.length === 0 ? ['as it was'] : parts;
}

const number = (count: number): string => (count === 0 ? 'none' : count.toLocaleString('en-US'));
/** `1,200 videos` */
const counted = (list: ListField, { length }: readonly string[]): string =>
  `${length.toLocaleString('en-US')} ${rowOf(list).word}${length === 1 ? '' : 's'}`;

/** `300 videos → 300: 3 moved to the front, none added, none removed` */
function listParts(list: ListField, before: readonly string[] | undefined, after: readonly string[] | undefined): string[] {
  if (after === undefined) return [];
  if (before === undefined) return [`${wordsFor([list])} not known → ${after.length}`];
  if (isSameList(before, after)) return [];
  const { removed, added, moved, isToFront } = listDifference(before, after);
  const moves = moved.length === 0 ? '' : `${number(moved.length)} moved${isToFront ? ' to the front' : ''}, `;
  const sums = `${moves}${number(added.length)} added, ${number(removed.length)} removed`;
  return [`${counted(list, before)} → ${after.length.toLocaleString('en-US')}: ${sums}`];
}

/** `14 videos as stated, sent as they were`: the lists that were sent as they were. */
function untouchedParts({ before, after }: Sides, stated: ItemState['stated'] = []): string[] {
  return CONTENTS.flatMap((list) => {
    const [had, sent] = [before[list], after[list]];
    if (had === undefined || sent === undefined || sent.length === 0 || !isSameList(had, sent)) return [];
    return [`${counted(list, sent)}${stated.includes(list) ? ' as stated' : ''}, sent as they were`];
  });
}

function statementParts(item: ItemState): string[] {
  const after = channelValues(item.after);
  return CONTENTS.flatMap((list) => {
    const keys = after[list];
    if (keys === undefined) return [];
    return [keys.length === 0 ? `no ${wordsFor([list])}` : counted(list, keys)];
  });
}
