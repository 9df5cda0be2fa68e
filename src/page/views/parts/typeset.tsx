import type { ComponentChildren } from 'preact';

/** A text in quotation marks, as the server writes it, with the id of what is called so behind it. */
const QUOTED = /"((?:[^"\\]|\\.)*)"(?: \(([0-9a-f]{24})\))?/g;

/**
 * A sentence as it is set: names in typographic quotation marks, and ids, which nobody reads, in small type. It is a matter of type alone:
 * a text that only looks like that is shown with the same letters.
 */
export function Typeset({ text }: { readonly text: string }) {
  const parts: ComponentChildren[] = [];
  let end = 0;
  for (const match of text.matchAll(QUOTED)) {
    const [whole, name = '', id] = match;
    parts.push(text.slice(end, match.index), `“${name.replace(/\\(["\\])/g, '$1')}”`);
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
