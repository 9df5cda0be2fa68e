import { widthOf } from './font.ts';

export interface TextStyle {
  readonly size: number;
  readonly bold?: boolean;
}

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });
const split = (text: string): string[] => Array.from(graphemes.segment(text), ({ segment }) => segment);

const width = (text: string, { size, bold = false }: TextStyle): number => widthOf(text, size, bold);

/** Cuts a text to a width, with `…` for the removed part: at the end, or in the middle for names that differ only at their ends. */
export function shorten(text: string, maxWidth: number, style: TextStyle, where: 'end' | 'middle' = 'end'): string {
  if (width(text, style) <= maxWidth) return text;
  const parts = split(text);
  for (let kept = parts.length - 1; kept > 0; kept -= 1) {
    const head = where === 'end' ? kept : Math.ceil(kept / 2);
    const tail = kept - head;
    const start = parts.slice(0, head).join('').trimEnd();
    const cut = `${start}…${tail === 0 ? '' : parts.slice(-tail).join('').trimStart()}`;
    if (width(cut, style) <= maxWidth) return cut;
  }
  return '…';
}

/** Shortens names so that different names stay different. */
export function shortenAll(names: readonly string[], maxWidth: number, style: TextStyle): string[] {
  const atEnd = names.map((name) => shorten(name, maxWidth, style));
  const clear = atEnd.map((short, index) => (isRepeated(atEnd, index) ? shorten(names[index] ?? '', maxWidth, style, 'middle') : short));
  const seen = new Map<string, number>();
  return clear.map((short, index) => {
    const before = seen.get(short) ?? 0;
    seen.set(short, before + 1);
    if (before === 0) return short;
    const number = ` (${before + 1})`;
    return shorten(names[index] ?? '', maxWidth - width(number, style), style) + number;
  });
}

const isRepeated = (names: readonly string[], index: number): boolean =>
  names.some((name, other) => other !== index && name === names[index]);

/** Breaks a text between words. If it needs more lines, the last one ends with `…`. */
export function wrap(text: string, maxWidth: number, style: TextStyle, maxLines: number): string[] {
  const lines: string[] = [];
  let words = text.split(' ').filter((word) => word !== '');
  while (words.length > 0) {
    if (lines.length === maxLines - 1) return [...lines, shorten(words.join(' '), maxWidth, style)];
    let count = 1;
    while (count < words.length && width(words.slice(0, count + 1).join(' '), style) <= maxWidth) count += 1;
    const line = words.slice(0, count).join(' ');
    words = words.slice(count);
    lines.push(shorten(line, maxWidth, style));
  }
  return lines;
}
