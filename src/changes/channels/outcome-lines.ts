import { cleanText } from '../../text/sanitize-text.ts';
import type { ChangeRecord, ItemState } from '../journal/change-record.ts';
import type { AnswerFacts } from '../journal/facts.ts';
import { KINDS } from '../kinds.ts';
import type { PlannedItem } from '../plan.ts';
import { isSameList, type Lists } from './channel-change.ts';
import { movedKeys } from './moved-keys.ts';

/** A name may have 100 characters; a description is told by its beginning. */
const MAX_NAME = 100;
const MAX_DESCRIPTION = 60;

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

const quoted = (text: unknown, max = MAX_NAME): string => JSON.stringify(cleanText(String(text), max));
const textOf = (value: unknown, max = MAX_NAME): string => (value === undefined ? 'not known' : quoted(value, max));

/** A template by name and key; the plan wrote the names to the journal. */
export function templateText(key: unknown, { templates = {} }: AnswerFacts): string {
  if (key === undefined) return 'not known';
  if (key === '') return 'default';
  return Object.entries(templates).find(([known]) => known === key)?.[1] ?? quoted(key);
}

function updateParts(item: ItemState, facts: AnswerFacts): string[] {
  const { before, after } = item;
  const changed = (what: string, field: string, show: (value: unknown) => string) =>
    after[field] === undefined || after[field] === before[field] ? [] : [`${what} ${show(before[field])} → ${show(after[field])}`];
  const parts = [
    ...changed('name', 'name', textOf),
    ...changed('description', 'description', (text) => textOf(text, MAX_DESCRIPTION)),
    ...changed('template', 'templateKey', (key) => templateText(key, facts)),
    ...(after.privateLinkEnabled === undefined ? [] : [`private link → ${after.privateLinkEnabled === true ? 'on' : 'off'}`]),
    ...listParts('video', listIn(before, 'videoKeys'), listIn(after, 'videoKeys')),
    ...listParts('project', listIn(before, 'projectKeys'), listIn(after, 'projectKeys')),
    ...untouchedParts(item),
  ];
  return parts.length === 0 ? ['as it was'] : parts;
}

// Plans write lists of keys to the journal.
const listIn = (fields: ItemState['after'], list: keyof Lists): readonly string[] | undefined =>
  fields[list] as readonly string[] | undefined;

/** `300 videos → 300: 3 moved to the front, none added, none removed` */
function listParts(what: string, before: readonly string[] | undefined, after: readonly string[] | undefined): string[] {
  if (after === undefined) return [];
  if (before === undefined) return [`${what}s not known → ${after.length}`];
  if (isSameList(before, after)) return [];
  const [had, has] = [new Set(before), new Set(after)];
  const [added, removed] = [after.filter((key) => !had.has(key)).length, before.filter((key) => !has.has(key)).length];
  const moved = movedKeys(before, after);
  const isToFront = moved.every((key, index) => key === after[index]);
  const count = (number: number) => (number === 0 ? 'none' : number.toLocaleString('en-US'));
  const moves = moved.length === 0 ? '' : `${count(moved.length)} moved${isToFront ? ' to the front' : ''}, `;
  const held = `${before.length.toLocaleString('en-US')} ${what}${before.length === 1 ? '' : 's'}`;
  return [`${held} → ${after.length.toLocaleString('en-US')}: ${moves}${count(added)} added, ${count(removed)} removed`];
}

/** `14 videos as stated, sent as they were`: the lists that were sent as they were. */
function untouchedParts({ before, after, stated = [] }: ItemState): string[] {
  return (['videoKeys', 'projectKeys'] as const).flatMap((list) => {
    const [had, sent] = [listIn(before, list), listIn(after, list)];
    if (had === undefined || sent === undefined || sent.length === 0 || !isSameList(had, sent)) return [];
    const what = `${list === 'videoKeys' ? 'video' : 'project'}${sent.length === 1 ? '' : 's'}`;
    return [`${sent.length.toLocaleString('en-US')} ${what}${stated.includes(list) ? ' as stated' : ''}, sent as they were`];
  });
}

function statementParts({ after }: ItemState): string[] {
  const part = (keys: readonly string[] | undefined, what: string): string[] =>
    keys === undefined
      ? []
      : [keys.length === 0 ? `no ${what}s` : `${keys.length.toLocaleString('en-US')} ${what}${keys.length === 1 ? '' : 's'}`];
  return [...part(listIn(after, 'videoKeys'), 'video'), ...part(listIn(after, 'projectKeys'), 'project')];
}
