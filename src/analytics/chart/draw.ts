import { type ResvgRenderOptions, renderAsync } from '@resvg/resvg-js';
import { compose } from './compose.ts';
import type { ChartInput } from './contract.ts';
import { FONT_FAMILY, FONT_FILES } from './font.ts';
import type { Picture } from './rendering.ts';

/** Of a page of 800, and of one of 342, so that its letters are sharp on any screen. */
const WIDTHS_PX = { wide: 1_200, narrow: 1_026 } as const;

/** Draws the chart as PNG. Only the renderer's process (`child.ts`) loads this module and its native dependency. */
export async function renderChart(input: ChartInput): Promise<Picture> {
  const { svg, unshipped, drawn } = await composeInLettersAtHand(input);
  const image = await renderAsync(svg, {
    fitTo: { mode: 'width', value: WIDTHS_PX[input.size ?? 'wide'] },
    ...withFonts(unshipped.length > 0),
  });
  return { png: image.asPng(), drawn };
}

const withFonts = (loadSystemFonts: boolean): ResvgRenderOptions => ({
  font: { loadSystemFonts, fontFiles: [...FONT_FILES], defaultFontFamily: FONT_FAMILY },
  logLevel: 'off',
});

/** What stands in the place of missing letters is of another width, so that other names may be cut at other letters: these are asked too. */
async function composeInLettersAtHand(input: ChartInput) {
  const [asked, missing] = [new Set<string>(), new Set<string>()];
  for (;;) {
    const composed = await compose(input, missing);
    const letters = composed.unshipped.filter((letter) => !asked.has(letter));
    const lacking = letters.length === 0 ? [] : await withoutGlyph(letters);
    if (lacking.length === 0) return composed;
    for (const letter of letters) asked.add(letter);
    for (const letter of lacking) missing.add(letter);
  }
}

const CELL = { width: 48, height: 64 };
/** No letter, and so in no font. */
const NONCHARACTER = '\u{1FFFF}';

/**
 * The letters that neither the shipped fonts nor those of the machine have. The renderer tells no such thing, so each is drawn: one
 * that is missing looks like what no font can have, or like nothing.
 */
async function withoutGlyph(letters: readonly string[]): Promise<string[]> {
  const texts = [NONCHARACTER, ...letters].map((letter, index) => `<text x="16" y="${index * CELL.height + 40}">${letter}</text>`);
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${CELL.width}" height="${texts.length * CELL.height}" font-family="${FONT_FAMILY}" font-size="16">${texts.join('')}</svg>`;
  const { pixels } = await renderAsync(svg, withFonts(true));
  const size = CELL.width * CELL.height * 4;
  const cellAt = (index: number): Buffer => pixels.subarray(index * size, (index + 1) * size);
  const [box, nothing] = [cellAt(0), Buffer.alloc(size)];
  return letters.filter((_, index) => [box, nothing].some((other) => other.equals(cellAt(index + 1))));
}
