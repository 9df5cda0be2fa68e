import stringWidth from 'string-width';

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

const graphemesOf = (text) => [...graphemes.segment(text)].map(({ segment }) => segment);

/** A text cut to a width, with an ellipsis where something is missing. */
export function cut(text, width) {
  if (stringWidth(text) <= width) return text;
  let kept = '';
  let used = 1;
  for (const grapheme of graphemesOf(text)) {
    used += stringWidth(grapheme);
    if (used > width) break;
    kept += grapheme;
  }
  return `${kept}…`;
}

/** A text in lines of a width, broken at spaces, and inside a word only where it is longer than a line. */
export function wrap(text, width) {
  const lines = [];
  let line = '';
  for (const word of text.split(' ')) {
    const joined = line === '' ? word : `${line} ${word}`;
    if (stringWidth(joined) <= width) {
      line = joined;
      continue;
    }
    if (line !== '') lines.push(line);
    const parts = broken(word, width);
    lines.push(...parts.slice(0, -1));
    line = parts.at(-1);
  }
  return [...lines, line];
}

/** A word longer than a line, in parts: after a comma where there is one, as in JSON. */
function broken(word, width) {
  const parts = [''];
  for (const piece of word.split(/(?<=,)/)) {
    if (parts.at(-1) !== '' && stringWidth(parts.at(-1) + piece) > width) parts.push('');
    for (const grapheme of graphemesOf(piece)) {
      if (stringWidth(parts.at(-1) + grapheme) > width) parts.push('');
      parts[parts.length - 1] += grapheme;
    }
  }
  return parts;
}

const SEPARATOR = ' | ';

/** An answer as a person likes to read it: its tables in columns and cut to the width, everything else wrapped. */
export function laidOut(text, width) {
  const groups = [];
  for (const line of text.split('\n')) {
    const cells = line.split(SEPARATOR).length;
    const group = groups.at(-1);
    if (group?.cells === cells) group.lines.push(line);
    else groups.push({ cells, lines: [line] });
  }
  return groups.flatMap(({ cells, lines }) =>
    cells > 1 && lines.length > 1 ? inColumns(lines, width) : lines.flatMap((line) => wrap(line, width)),
  );
}

const GAP = 2;
/** No column is made narrower than this to let the others be read. */
const LEAST = 12;

/** A table whose columns fit a width: long names in its head are broken first, then the widest column is cut. */
function inColumns(lines, width) {
  const [head, ...body] = lines.map((line) => line.split(SEPARATOR));
  const widthIn = (rows, column) => Math.max(0, ...rows.map((row) => stringWidth(row[column] ?? '')));
  const fits = (widths) => widths.reduce((sum, one) => sum + one + GAP, -GAP) <= width;
  const heads = fits(head.map((_, column) => widthIn([head, ...body], column)))
    ? [head]
    : brokenHead(head, (column) => widthIn(body, column));
  const widths = head.map((_, column) => widthIn([...heads, ...body], column));
  while (!fits(widths) && Math.max(...widths) > LEAST) widths[widths.indexOf(Math.max(...widths))] -= 1;
  const isNumbers = head.map((_, column) => body.length > 0 && body.every((row) => /^([-+]?[\d.,]+%?|–|null)?$/.test(row[column] ?? '')));
  const padded = (cell, column) => {
    const shown = cut(cell, widths[column]);
    const space = ' '.repeat(widths[column] - stringWidth(shown));
    return isNumbers[column] ? space + shown : shown + space;
  };
  return [...heads, ...body].map((row) => cut(row.map(padded).join(' '.repeat(GAP)).trimEnd(), width));
}

/** A table's head in as many lines as its names need to be no wider than what stands below them; broken after `_`. */
function brokenHead(head, widthBelow) {
  const names = head.map((name, column) => {
    const parts = [''];
    for (const piece of name.split(/(?<=_)/)) {
      if (parts.at(-1) !== '' && stringWidth(parts.at(-1) + piece) > widthBelow(column)) parts.push('');
      parts[parts.length - 1] += piece;
    }
    return parts;
  });
  const height = Math.max(...names.map((parts) => parts.length));
  return Array.from({ length: height }, (_, line) => names.map((parts) => parts[line] ?? ''));
}
