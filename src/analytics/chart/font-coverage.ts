import { cleanText } from '../../service/sanitize-text.ts';
import { isCovered } from './font.ts';

const MAX_TEXT = 300;
const JOINERS = /[\u200D\uFE0E\uFE0F\u20E3]/gu;
const EMOJI = /\p{Extended_Pictographic}|\p{Emoji_Modifier}|\p{Regional_Indicator}/u;

/** A text as a chart shows it: cleaned, bounded, and without emoji that the shipped fonts lack. */
export function drawableText(text: string): string {
  const cleaned = cleanText(text, MAX_TEXT).replace(JOINERS, '');
  const drawable = Array.from(cleaned, (character) => (EMOJI.test(character) && !isShipped(character) ? '' : character))
    .join('')
    .replace(/ {2,}/g, ' ')
    .trim();
  return drawable === '' ? cleaned : drawable;
}

/** The machine's own fonts take long to load, and differ: they are used only for letters that the shipped fonts lack. */
export const needsSystemFonts = (svg: string): boolean =>
  [...new Set(svg.match(/[^\0-\x7f]/gu))].some((character) => !isShipped(character));

const isShipped = (character: string): boolean => isCovered(character.codePointAt(0) ?? 0);
