/** A picture of a terminal's screen, from the lines that tmux captures. */
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Resvg } from '@resvg/resvg-js';

interface Style {
  readonly colour?: string;
  readonly background?: string;
  readonly isBold?: boolean;
  readonly isDim?: boolean;
  readonly isInverse?: boolean;
}

interface Run extends Style {
  readonly column: number;
  readonly text: string;
}

const FONT = { size: 14, width: 8.43, line: 18 };
const MARGIN = 16;
const PAPER = '#1e1e1e';
const INK = '#d4d4d4';
const BASE = ['#3b3b3b', '#e06c75', '#98c379', '#e5c07b', '#61afef', '#c678dd', '#56b6c2', '#d4d4d4'];
const BRIGHT = ['#7f7f7f', '#ff7b86', '#b5e890', '#ffd68a', '#7cc4ff', '#dd8ff5', '#6fd3df', '#ffffff'];

const hex = (...parts: readonly number[]): string => `#${parts.map((part) => part.toString(16).padStart(2, '0')).join('')}`;

/** A colour of the 256 that terminals number. */
function numbered(index: number): string {
  if (index < 16) return [...BASE, ...BRIGHT][index] ?? INK;
  if (index > 231) return hex(...Array<number>(3).fill(8 + (index - 232) * 10));
  const part = (step: number): number => (step === 0 ? 0 : 55 + step * 40);
  const rest = index - 16;
  return hex(part(Math.floor(rest / 36)), part(Math.floor(rest / 6) % 6), part(rest % 6));
}

/** The colour that follows 38 or 48, and how many numbers it takes. */
function extended([kind, ...numbers]: readonly number[]): { readonly colour: string; readonly taken: number } {
  if (kind === 5) return { colour: numbered(numbers[0] ?? 0), taken: 2 };
  return { colour: hex(...numbers.slice(0, 3)), taken: 4 };
}

const FLAGS: Readonly<Record<number, Style>> = {
  1: { isBold: true },
  2: { isDim: true },
  7: { isInverse: true },
  22: { isBold: false, isDim: false },
  27: { isInverse: false },
};

/** The style after a sequence `ESC [ codes m`. */
function restyled(style: Style, codes: readonly number[]): Style {
  const [code = 0, ...rest] = codes;
  if (code === 38 || code === 48) {
    const { colour, taken } = extended(rest);
    const next = code === 38 ? { ...style, colour } : { ...style, background: colour };
    return continued(next, rest.slice(taken));
  }
  return continued(simple(style, code), rest);
}

const continued = (style: Style, codes: readonly number[]): Style => (codes.length === 0 ? style : restyled(style, codes));

function simple(style: Style, code: number): Style {
  if (code === 0) return {};
  const palette = code >= 90 ? BRIGHT : BASE;
  const colour = palette[code % 10];
  if (colour !== undefined && [3, 9].includes(Math.floor(code / 10))) return { ...style, colour };
  if (colour !== undefined && [4, 10].includes(Math.floor(code / 10))) return { ...style, background: colour };
  if (code === 39) return { ...style, colour: INK };
  if (code === 49) return { ...style, background: PAPER };
  return { ...style, ...FLAGS[code] };
}

/** A line as runs of one style each. */
function runsOf(line: string, start: Style): { readonly runs: readonly Run[]; readonly end: Style } {
  const runs: Run[] = [];
  let style = start;
  let column = 0;
  // The first piece comes before any sequence; tmux writes no sequences but those of colours.
  for (const [index, piece] of line.split('\u001b[').entries()) {
    const [, codes, text = ''] = index === 0 ? ['', undefined, piece] : (/^([\d;:]*)m(.*)$/.exec(piece) ?? []);
    if (codes !== undefined) style = restyled(style, codes.split(/[;:]/).map(Number));
    if (text !== '') runs.push({ ...style, column, text });
    column += [...text].length;
  }
  return { runs, end: style };
}

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

function svgOf({ column, text, colour = INK, background = PAPER, isBold, isDim, isInverse }: Run, row: number): string {
  const [ink, paper] = isInverse ? [background, colour] : [colour, background];
  const [x, y] = [MARGIN + column * FONT.width, MARGIN + row * FONT.line];
  const box =
    paper === PAPER ? '' : `<rect x="${x}" y="${y}" width="${[...text].length * FONT.width}" height="${FONT.line}" fill="${paper}"/>`;
  if (text.trim() === '') return box;
  const weight = isBold ? ' font-weight="bold"' : '';
  const opacity = isDim ? ' opacity="0.6"' : '';
  return `${box}<text x="${x}" y="${y + FONT.size}" fill="${ink}"${weight}${opacity} xml:space="preserve">${escaped(text)}</text>`;
}

/** The picture of these lines, with their escape sequences, as PNG. */
export function pictureOf(lines: readonly string[], columns: number): Buffer {
  let style: Style = {};
  const drawn = lines.map((line, row) => {
    const { runs, end } = runsOf(line, style);
    style = end;
    return runs.map((run) => svgOf(run, row)).join('');
  });
  const [width, height] = [2 * MARGIN + columns * FONT.width, 2 * MARGIN + lines.length * FONT.line];
  const svg = [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" font-family="DejaVu Sans Mono" font-size="${FONT.size}">`,
    `<rect width="${width}" height="${height}" rx="8" fill="${PAPER}"/>${drawn.join('')}</svg>`,
  ].join('');
  const fonts = join(dirname(createRequire(import.meta.url).resolve('dejavu-fonts-ttf/package.json')), 'ttf');
  const fontFiles = ['DejaVuSansMono.ttf', 'DejaVuSansMono-Bold.ttf'].map((name) => join(fonts, name));
  const font = { loadSystemFonts: false, fontFiles, defaultFontFamily: 'DejaVu Sans Mono' };
  return Buffer.from(new Resvg(svg, { font, fitTo: { mode: 'zoom', value: 2 } }).render().asPng());
}
