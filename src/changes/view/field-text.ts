import { nameOf, PROJECT_PLAN_TYPES } from '../../account/plan-types.ts';
import { cleanText } from '../../text/sanitize-text.ts';
import { asSentence, type Sentence, sentence, word } from '../../text/sentence.ts';
import { rowNamed } from '../channels/fields.ts';

// The fields of a record that are no lists, and their values, in words.

/** All of a description, and all options of a project. */
const MAX_TEXT = 10_000;

const HEADINGS: Readonly<Record<string, string>> = {
  region: 'Region',
  planType: 'Plan type',
  options: 'Encoding',
  videoOptions: 'Player',
  filter: 'Which',
  records: 'How many',
};

/** Above its value on the page. */
export const headingOf = (field: string): string => rowNamed(field)?.heading ?? HEADINGS[field] ?? field;

/** In a line. */
export const wordOf = (field: string): Sentence => rowNamed(field)?.word ?? word(field);

/** A value by itself. What is given by its key is named in the view. */
export function valueText(field: string, value: unknown): string {
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

/** A value in a line: what a caller or a stranger wrote is quoted. */
export function quotedValue(field: string, value: unknown): Sentence {
  if (typeof value === 'boolean') return sentence`${onOrOff(value)}`;
  if (field === 'planType' && typeof value === 'number') return asSentence(planTypeText(value)); // one of our names
  // It was named, and quoted, where the view was made.
  if (rowNamed(field)?.isReference) return asSentence(String(value));
  // Each text is cleaned before JSON escapes what is invisible in it.
  const json = JSON.stringify(value, (_name, inner: unknown) => (typeof inner === 'string' ? cleanText(inner, MAX_TEXT) : inner));
  return asSentence(cleanText(json, MAX_TEXT));
}

const planTypeText = (planType: number): string => String(nameOf(PROJECT_PLAN_TYPES, planType));

const onOrOff = (isOn: boolean) => (isOn ? 'on' : 'off');
