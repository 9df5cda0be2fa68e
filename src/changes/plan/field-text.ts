import { nameOf, PROJECT_PLAN_TYPES } from '../../account/plan-types.ts';
import { cleanText } from '../../text/sanitize-text.ts';
import { asSentence, type Sentence, sentence, word } from '../../text/sentence.ts';
import { CHANNEL_FIELDS, type ChannelField, type FieldRow, rowNamed } from './channel-fields.ts';
import type { FieldChange } from './record-difference.ts';
import type { Fields } from './records.ts';

// The fields of a record that are no lists, and their values, in words.

/** All of a description, and all options of a project. */
const MAX_TEXT = 10_000;

/** The fields that a channel lacks. */
const OTHER_FIELDS: Readonly<Record<Exclude<keyof Fields, ChannelField>, Pick<FieldRow, 'word' | 'heading'>>> = {
  region: { word: sentence`region`, heading: 'Region' },
  planType: { word: sentence`plan type`, heading: 'Plan type' },
  options: { word: sentence`encoding options`, heading: 'Encoding' },
  videoOptions: { word: sentence`player options`, heading: 'Player' },
  filter: { word: sentence`which`, heading: 'Which' },
  records: { word: sentence`how many`, heading: 'How many' },
};
const ALL_FIELDS = { ...CHANNEL_FIELDS, ...OTHER_FIELDS };

/** Above its value on the page. */
export const headingOf = (field: keyof Fields): string => ALL_FIELDS[field].heading;

/** In a line; of a list one of its entries. */
export const wordOf = (field: keyof Fields): Sentence => ALL_FIELDS[field].word;

/** What of a record changes: `name`, `videos`. */
export const changedPart = (field: keyof Fields): Sentence =>
  rowNamed(field)?.kind === 'list' ? sentence`${wordOf(field)}s` : wordOf(field);

/** A value by itself. What is given by its key is named in the difference. */
export function valueText(field: keyof Fields, value: unknown): string {
  return field === 'planType' && typeof value === 'number' ? planTypeText(value) : plainText(value);
}

function plainText(value: unknown): string {
  if (typeof value === 'boolean') return onOrOff(value);
  if (typeof value === 'object' && value !== null)
    return Object.entries(value)
      .map(([name, inner]) => `${name}: ${plainText(inner)}`)
      .join(', ');
  return String(value ?? '');
}

/** `name "A" → "B"`. */
export function fieldText({ field, before, after }: FieldChange): Sentence {
  const was = before !== undefined ? sentence` ${quotedValue(field, before)}` : typeof after === 'boolean' ? '' : ' not known';
  return sentence`${wordOf(field)}${was} → ${quotedValue(field, after)}`;
}

/** `name "A"`. */
export const valuePhrase = (field: keyof Fields, value: unknown): Sentence =>
  sentence`${wordOf(field)} ${value === undefined ? 'not known' : quotedValue(field, value)}`;

/** A value in a line: what a caller or a stranger wrote is quoted. */
export function quotedValue(field: keyof Fields, value: unknown): Sentence {
  if (typeof value === 'boolean') return sentence`${onOrOff(value)}`;
  if (field === 'planType' && typeof value === 'number') return word(planTypeText(value));
  // It was named, and quoted, where the difference was made.
  if (rowNamed(field)?.isReference) return asSentence(String(value));
  // Each text is cleaned before JSON escapes what is invisible in it.
  const json = JSON.stringify(value, (_name, inner: unknown) => (typeof inner === 'string' ? cleanText(inner, MAX_TEXT) : inner));
  return asSentence(cleanText(json, MAX_TEXT));
}

const planTypeText = (planType: number): string => String(nameOf(PROJECT_PLAN_TYPES, planType));

const onOrOff = (isOn: boolean) => (isOn ? 'on' : 'off');
