const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
const WIDE =
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}\u3000-\u303f\uff00-\uff60]|\ufe0f|\u200d/u;

const graphemesOf = (text) => [...graphemes.segment(text)].map(({ segment }) => segment);
const cells = (grapheme) => (WIDE.test(grapheme) ? 2 : 1);

/** How many cells of a terminal a text takes. */
export const widthOf = (text) => graphemesOf(text).reduce((sum, grapheme) => sum + cells(grapheme), 0);

/** A text cut to a width, with an ellipsis where something is missing. */
function cut(text, width) {
  if (widthOf(text) <= width) return text;
  let kept = '';
  let used = 1;
  for (const grapheme of graphemesOf(text)) {
    used += cells(grapheme);
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
    if (widthOf(joined) <= width) {
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
    if (parts.at(-1) !== '' && widthOf(parts.at(-1) + piece) > width) parts.push('');
    for (const grapheme of graphemesOf(piece)) {
      if (widthOf(parts.at(-1) + grapheme) > width) parts.push('');
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
    const isRow = line.split(SEPARATOR).length > 2;
    const group = groups.at(-1);
    if (isRow && group?.isTable) group.lines.push(line);
    else groups.push({ isTable: isRow, lines: [line] });
  }
  return groups.flatMap(({ isTable, lines }) => (isTable ? inColumns(lines, width) : lines.flatMap((line) => wrap(line, width))));
}

function inColumns(lines, width) {
  const rows = lines.map((line) => line.split(SEPARATOR));
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => widthOf(row[column] ?? ''))));
  const padded = (cell, column) => cell + ' '.repeat(Math.max(0, widths[column] - widthOf(cell)));
  return rows.map((row) => cut(row.map(padded).join('  ').trimEnd(), width));
}
