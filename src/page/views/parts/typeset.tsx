import type { ComponentChildren } from 'preact';
import { changeAddress } from '../router.ts';

/** A text in quotation marks, as the server writes it, with the id of what is called so behind it; or the id of a change. */
const SET = /"((?:[^"\\]|\\.)*)"(?: \(([0-9a-f]{24})\))?|\bchg-[0-9a-z]{9}-[0-9a-z]{4}\b/g;

interface Props {
  readonly text: string;
  /** Where the ids of changes lead to them. */
  readonly hasLinks?: boolean;
}

/**
 * A sentence as it is set: names in typographic quotation marks, and ids, which nobody reads, in small type. It is a matter of type alone:
 * a text that only looks like that is shown with the same letters.
 */
export function Typeset({ text, hasLinks = false }: Props) {
  const parts: ComponentChildren[] = [];
  let end = 0;
  for (const match of text.matchAll(SET)) {
    const [whole, name, id] = match;
    parts.push(text.slice(end, match.index));
    if (name === undefined) parts.push(hasLinks ? <ChangeLink id={whole} /> : <span class="record-id">{whole}</span>);
    else parts.push(`“${name.replace(/\\(["\\])/g, '$1')}”`);
    if (id !== undefined) parts.push(' ', <span class="record-id">{id}</span>);
    end = match.index + whole.length;
  }
  return (
    <bdi>
      {parts}
      {text.slice(end)}
    </bdi>
  );
}

const ChangeLink = ({ id }: { readonly id: string }) => (
  <a href={changeAddress(id)} class="record-id">
    {id}
  </a>
);
