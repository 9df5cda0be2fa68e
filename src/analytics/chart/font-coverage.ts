import { Resvg } from '@resvg/resvg-js';
import { cleanText } from '../../service/sanitize-text.ts';
import { FONT_FAMILY, FONT_FILES, isCovered } from './font.ts';

/** Stands for characters that can't be drawn. */
export const STAND_IN = '\u25AF';
/** Enough for what fits into a picture. */
const MAX_PROBED = 300;
/** Not assigned to any character, so it is drawn as one that is missing. */
const UNASSIGNED = 0x0378;
const CELL = 24;
const MAX_TEXT = 300;

const JOINERS = /[\u200D\uFE0E\uFE0F\u20E3]/gu;
const EMOJI = /\p{Extended_Pictographic}|\p{Emoji_Modifier}|\p{Regional_Indicator}/u;

/** How texts of this chart are written with the fonts that are there. */
export interface FontCoverage {
  /** Cleaned, bounded, and without what no font can draw. */
  show(text: string): string;
  /** Whether any text needs more than the shipped fonts. */
  readonly needsSystemFonts: boolean;
}

/**
 * The machine's own fonts are looked at only where a text has letters that the shipped ones lack: reading them takes
 * long, and pictures should be the same everywhere. Emoji are never worth it: they are left out where they aren't shipped.
 */
export function fontCoverageFor(texts: Iterable<string>): FontCoverage {
  const foreign = new Set<number>();
  for (const text of texts)
    for (const codePoint of codePointsOf(cleanText(text, MAX_TEXT))) if (isForeign(codePoint)) foreign.add(codePoint);
  const drawable = drawableOf([...foreign].slice(0, MAX_PROBED));
  const showOne = (character: string): string => {
    const codePoint = character.codePointAt(0) ?? 0;
    if (isCovered(codePoint) || drawable.has(codePoint)) return character;
    return EMOJI.test(character) ? '' : STAND_IN;
  };
  return {
    needsSystemFonts: drawable.size > 0,
    show(text) {
      const cleaned = cleanText(text, MAX_TEXT).replace(JOINERS, '');
      const shown = Array.from(cleaned, showOne)
        .join('')
        .replace(/\u25AF(?: ?\u25AF)+/g, STAND_IN)
        .replace(/ {2,}/g, ' ')
        .trim();
      return shown === '' && cleaned !== '' ? STAND_IN : shown;
    },
  };
}

const codePointsOf = (text: string): number[] => Array.from(text.replace(JOINERS, ''), (character) => character.codePointAt(0) ?? 0);

const isForeign = (codePoint: number): boolean => !isCovered(codePoint) && !EMOJI.test(String.fromCodePoint(codePoint));

/** Which characters some font of this machine has: those that don't look like a character that is missing. */
function drawableOf(codePoints: readonly number[]): ReadonlySet<number> {
  if (codePoints.length === 0) return new Set();
  const cells = [UNASSIGNED, ...codePoints].map(
    (codePoint, index) => `<text x="4" y="${index * CELL + 18}">&#x${codePoint.toString(16)};</text>`,
  );
  const height = cells.length * CELL;
  const image = new Resvg(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${CELL}" height="${height}" font-family="${FONT_FAMILY}" font-size="14">${cells.join('')}</svg>`,
    { font: { loadSystemFonts: true, fontFiles: [...FONT_FILES], defaultFontFamily: FONT_FAMILY }, logLevel: 'off' },
  ).render();
  const pixels = image.pixels;
  const cellBytes = CELL * CELL * 4;
  const cellAt = (index: number): Buffer => pixels.subarray(index * cellBytes, (index + 1) * cellBytes);
  const missing = cellAt(0);
  return new Set(codePoints.filter((_, index) => !cellAt(index + 1).equals(missing) && cellAt(index + 1).some((byte) => byte !== 0)));
}
