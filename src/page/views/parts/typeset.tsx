import type { ComponentChildren } from 'preact';
import { changeAddress } from '../router.ts';
import { dayInWords, timeInShort, timeInWords } from './words.ts';

/**
 * A text in quotation marks, as the server writes it, with the id of what is called so behind it; one that is set already; the id of a change;
 * or a time or a day, as the server writes all of them.
 */
const SET =
  /"((?:[^"\\]|\\.)*)"(?: \(([0-9a-f]{24})\))?|“[^”]*”|\bchg-[0-9a-z]{9}-[0-9a-z]{4}\b|(?<![\w/.-])(\d{4}-\d\d-\d\d)(?: (\d\d:\d\d) UTC)?(?![\w:/-]| \d\d:\d\d)/g;

interface Props {
  readonly text: string;
  /** Where the ids of changes lead to them. */
  readonly hasLinks?: boolean;
  /** Without them in a headline: what has an id is named with it below. */
  readonly hasIds?: boolean;
}

/** The name of a record; told apart from a namesake by its id, it is in quotation marks. What looks like a day is a part of it. */
export const Name = ({ of }: { readonly of: string }) => (of.startsWith('"') ? <Typeset text={of} /> : <bdi>{of}</bdi>);

/**
 * A sentence as it is set: names in typographic quotation marks, ids, which nobody reads, in small type, and times by the clock of whoever
 * reads them. It is a matter of type alone: a text that only looks like that is shown with the same letters, or as the same time.
 */
export function Typeset({ text, hasLinks = false, hasIds = true }: Props) {
  const parts: ComponentChildren[] = [];
  let end = 0;
  for (const match of text.matchAll(SET)) {
    const [whole, name, id, day, hour] = match;
    parts.push(text.slice(end, match.index));
    if (day !== undefined) parts.push(hour === undefined ? timeElement(day, dayInWords) : timeElement(`${day}T${hour}Z`, timeInWords));
    else if (whole.startsWith('“')) parts.push(whole);
    else if (name === undefined) parts.push(hasLinks ? <ChangeLink id={whole} /> : <span class="record-id">{whole}</span>);
    else parts.push(`“${name.replace(/\\(["\\])/g, '$1')}”`);
    if (id !== undefined && hasIds) parts.push(' ', <span class="record-id">{id}</span>);
    end = match.index + whole.length;
    // One full stop is enough for what somebody said and for who says so.
    if (id === undefined && /[.!?]$/.test(name ?? '') && /^\.(?!\S)/.test(text.slice(end))) end += 1;
  }
  return (
    <bdi>
      {parts}
      {text.slice(end)}
    </bdi>
  );
}

const timeElement = (at: string, words: (at: string) => string) => <time dateTime={at}>{words(at)}</time>;

/** A time behind “from” or “until”: of today without its day. */
export const Moment = ({ at }: { readonly at: string }) => timeElement(at, timeInShort);

const ChangeLink = ({ id }: { readonly id: string }) => (
  <a href={changeAddress(id)} class="record-id">
    {id}
  </a>
);
