import { isDeepStrictEqual } from 'node:util';
import { counted } from '../../text/counted.ts';
import { joined, type Sentence, sentence } from '../../text/sentence.ts';
import { cutQuoted, cutToColumns } from '../../text/text-columns.ts';
import { isNotice } from '../notices/notices.ts';
import { itemsOf, type ShownPlan } from '../plan.ts';
import { titleOf } from './change-title.ts';
import { quotedValue, wordOf } from './field-text.ts';
import { totalTexts } from './form-text.ts';
import type { FieldChange, RecordView } from './record-view.ts';

/** Clients ask the person with a call’s arguments, and cut long ones. */
export const MAX_SUMMARY = 160;
/** Names are cut to the first of these with which a text fits. */
const NAME_COLUMNS = [80, 40, 20];
/** Longer texts than this can’t be cut to a summary by their names alone. */
const MAX_TEXT = 800;
/** Of so many records a title names each. */
const MAX_TITLED = 3;

/**
 * What a person agrees to, in at most 160 characters: what will be done, with as much of each record as there is room for, and
 * what is lost, or replaced by what the assistant states. Quoted names are cut, and stay quoted.
 */
export function confirmSummary(plan: ShownPlan): Sentence {
  const { summary, notices, records = [] } = plan.preview;
  const items = itemsOf(plan);
  const cannotBeUndone = notices.some(isNotice('no_undo'));
  const lasts = [{}, { stated: true }, { stated: true, losses: true }].map((brevity) =>
    joined(
      totalTexts(plan, cannotBeUndone, brevity).map((text) => sentence` ${text}.`),
      '',
    ),
  );
  // What is done needs room as well.
  const [shared, fields] = withSharedFields(summary, records);
  const least = cutQuoted(fields, 20).length;
  const last = lasts.find(({ length }) => MAX_SUMMARY - length - 1 >= least) ?? lasts.at(-1) ?? sentence``;
  const room = MAX_SUMMARY - last.length - 1;
  // Of more records, the first few say less than what changes of all.
  const ofSome = records.length > MAX_TITLED ? [shared, fields] : [titleOf(summary, items), fields];
  const texts = [withRecords(summary, records), ...ofSome, summary]
    .filter((text) => text.length <= MAX_TEXT)
    .flatMap((text) => NAME_COLUMNS.map((columns) => cutQuoted(text, columns)));
  const done = texts.find((text) => text.length <= room) ?? cutToColumns(cutQuoted(summary, 20), room);
  return sentence`${done}.${last}`;
}

/** With each record that is there, or is one of several new ones, and what of it changes. */
function withRecords(summary: Sentence, views: readonly RecordView[]): Sentence {
  const named = views.filter(({ is }) => is !== 'creation' || views.length > 1);
  const records = named.map((view) => {
    const parts = view.is === 'creation' ? [] : changeTexts(view);
    return parts.length === 0 ? view.label : sentence`${view.label} (${joined(parts, ', ')})`;
  });
  return records.length === 0 ? summary : sentence`${summary}: ${joined(records, ', ')}`;
}

/** With what changes of records that are there, in all: with the new values that are the same for all, and without. */
function withSharedFields(summary: Sentence, views: readonly RecordView[]): readonly [Sentence, Sentence] {
  if (views.length < 2 || views.some(({ is }) => is !== 'update')) return [summary, summary];
  const words = [...new Set(views.flatMap((view) => changesOf(view).map(({ word }) => word)))];
  const parts = words.map((word) => {
    const values = views.flatMap((view) => changesOf(view).filter((change) => change.word === word));
    const [first] = values;
    const isAll = values.length === views.length;
    const isSame =
      isAll && first?.change !== undefined && values.every(({ change }) => isDeepStrictEqual(change?.after, first.change?.after));
    return {
      plain: isAll ? word : sentence`${word} of ${values.length}`,
      value: isSame ? sentence` → ${quotedValue(first.change.field, first.change.after)}` : sentence``,
    };
  });
  if (parts.length === 0) return [summary, summary];
  const told = (texts: readonly Sentence[]) => sentence`${summary} (${joined(texts, ', ')})`;
  return [told(parts.map(({ plain, value }) => sentence`${plain}${value}`)), told(parts.map(({ plain }) => plain))];
}

const changesOf = ({ fields, lists }: RecordView): { readonly word: Sentence; readonly change?: FieldChange }[] => [
  ...fields.map((change) => ({ word: wordOf(change.field), change })),
  ...lists.map(({ what }) => ({ word: sentence`${what}s` })),
];

/** `name → "Spring"`, `videos 5 → 4`, `5 videos`, `template`. */
const changeTexts = ({ fields, lists }: RecordView): Sentence[] => [
  ...fields.map(({ field, after }) => (field === 'name' ? sentence`${wordOf(field)} → ${quotedValue(field, after)}` : wordOf(field))),
  ...lists.map(({ what, before, after }) =>
    before?.length === after.length ? counted(after.length, what) : sentence`${what}s ${before?.length ?? '?'} → ${after.length}`,
  ),
];

const QUOTATION_MARKS = /\\?["'`´‘’‚‛“”„‟«»‹›「」＂＇]/g;

/** So much longer may a summary come back, by white space and escaped quotation marks: more could push its end out of sight. */
const MAX_SURPLUS = 16;

/**
 * Whether two summaries are the same but for kinds of white space and of quotation marks, which assistants write in their own way.
 * White space that parts words counts: names and numbers differ by it.
 */
export function isSameSummary(given: string, expected: string): boolean {
  const comparable = (text: string): string =>
    text
      .normalize('NFC')
      .trim()
      .replace(/\s*→\s*/gu, '→')
      .replace(/\s+/gu, ' ')
      .replace(QUOTATION_MARKS, '"');
  return given.length <= expected.length + MAX_SURPLUS && comparable(given) === comparable(expected);
}
