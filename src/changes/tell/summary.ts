import { counted } from '../../text/counted.ts';
import { asSentence, joined, type Sentence, sentence, word } from '../../text/sentence.ts';
import { cutToColumns } from '../../text/text-columns.ts';
import { heaviest } from '../notices/notices.ts';
import { moveIn, undoneIn } from '../plan/facts.ts';
import { changedPart } from '../plan/field-text.ts';
import type { ShownPlan } from '../plan/plan.ts';
import type { RecordDifference } from '../plan/record-difference.ts';
import { TRAITS } from '../plan/traits/index.ts';
import { sizeOf } from '../proposals/size.ts';

/** Clients ask the person with a call’s arguments, and cut long ones; what is longer is also repeated with mistakes. */
const MAX_SUMMARY = 80;
/** A name stands in it without quotation marks, which assistants write in their own way: so only one that is a word. */
const PLAIN_NAME = /^[\w.-]{1,24}$/;

/**
 * What a person agrees to, in at most 80 characters and without quotation marks: what is done in numbers, and what weighs most of what
 * they must know. What has no room is left out from the end of what is done: never what is lost, nor that it can’t be undone.
 */
export function confirmSummary(plan: ShownPlan): Sentence {
  const known = heaviest(plan.preview.notices);
  const heavy = known.map(({ text }) => text);
  const doubt = known.find(({ weight }) => weight === 'contradicted');
  const inShort = known.flatMap((one) => (one.weight !== 'contradicted' ? [one.text] : one === doubt ? [IN_DOUBT] : []));
  const stated = (plan.preview.records ?? []).some(({ is, stated: lists }) => is === 'update' && lists.length > 0) ? [AS_STATED] : [];
  const done = doneText(plan);
  const texts = [
    [...withDetails(plan, done), ...heavy, ...stated],
    [done, ...heavy, ...stated],
    [done, ...heavy],
    [done, ...inShort],
  ].map((parts) => joined(parts, '; '));
  return texts.find(({ length }) => length <= MAX_SUMMARY) ?? cutToColumns(texts.at(-1) ?? done, MAX_SUMMARY);
}

const IN_DOUBT = sentence`in doubt`;
const AS_STATED = sentence`lists as stated`;

/** `Move 2,500 videos` */
function doneText(plan: ShownPlan): Sentence {
  const { record, words } = TRAITS[plan.kind];
  const { records = [] } = plan.preview;
  const number = sizeOf(plan);
  const many = counted(number, sentence`${record}`);
  const start = plan.resumes === undefined ? sentence`` : sentence`Carry on: `;
  if (undoneIn(plan.facts).length > 0)
    return sentence`${start}Undo: ${'ids' in plan ? 'move' : 'set'} ${counted(number, 'ids' in plan ? 'video' : 'channel')} back`;
  if (records.length > 0 && records.every(({ is }) => is === 'statement'))
    return sentence`${start}Record what ${many} ${number === 1 ? 'holds' : 'hold'}`;
  // Words of the kind’s own row.
  return sentence`${start}${asSentence(words.action(many, 'ids' in plan))}`;
}

/** With the one project that videos go into, where its name is a word, or with what of channels changes. */
function withDetails(plan: ShownPlan, done: Sentence): readonly Sentence[] {
  const [target, ...others] = moveIn(plan.facts)?.targetProjects ?? [];
  if (target?.name !== undefined && others.length === 0 && PLAIN_NAME.test(target.name))
    return [sentence`${done} into ${word(target.name)}`];
  const fields = changedFields(plan.preview.records ?? []);
  return fields.length === 0 ? [done] : [sentence`${done} (${joined(fields, ', ')})`];
}

/** `name`, `videos of 3` */
function changedFields(records: readonly RecordDifference[]): Sentence[] {
  if (records.some(({ is }) => is !== 'update')) return [];
  const all = records.map(({ fields, lists }) => [...fields, ...lists].map(({ field }) => changedPart(field)));
  return [...new Set(all.flat())].map((field) => {
    const number = all.filter((fields) => fields.includes(field)).length;
    return number === records.length ? field : sentence`${field} of ${number}`;
  });
}

const QUOTATION_MARKS = /\\?["'`´‘’‚‛“”„‟«»‹›「」＂＇]/g;

/** So much longer may a summary come back, by white space: more could push its end out of sight. */
const MAX_SURPLUS = 16;

/**
 * Whether two summaries are the same but for kinds of white space and quotation marks, which assistants write, and set round names, in their own way.
 * White space that parts words counts: names and numbers differ by it.
 */
export function isSameSummary(given: string, expected: string): boolean {
  const comparable = (text: string): string => text.normalize('NFC').replace(QUOTATION_MARKS, '').replace(/\s+/gu, ' ').trim();
  return given.length <= expected.length + MAX_SURPLUS && comparable(given) === comparable(expected);
}
