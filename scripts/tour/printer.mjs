import { wrap } from './text-layout.mjs';

const STYLES = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33, cyan: 36 };
const DEFAULT_WIDTH = 100;

/** How lines are printed, `label` columns of each for who speaks. */
export function createPrinter({ print, colours, columns = DEFAULT_WIDTH }, label) {
  const width = Math.max(60, Math.min(columns, 120));
  const paint = (style, text) => (colours && text !== '' ? `\u001b[${STYLES[style]}m${text}\u001b[0m` : text);
  return {
    width,
    room: width - label,
    paint,
    labelled(name, style, body, styled = (line) => line) {
      body.forEach((line, index) => {
        const start = index === 0 ? paint(style, name.padEnd(label)) : ' '.repeat(label);
        print(`${start}${styled(line)}`.trimEnd());
      });
    },
    lines(style, text) {
      for (const line of wrap(text, width)) print(paint(style, line));
    },
  };
}
