import { cleanText } from '../../text/sanitize-text.ts';
import { isCovered } from './font.ts';

const MAX_TEXT = 300;
const JOINERS = /[\u200D\uFE0E\uFE0F\u20E3]/gu;
const EMOJI = /\p{Extended_Pictographic}|\p{Emoji_Modifier}|\p{Regional_Indicator}/u;

export function drawableText(text: string): string {
  const cleaned = cleanText(text, MAX_TEXT).replace(JOINERS, '');
  const drawable = Array.from(cleaned, (character) => (EMOJI.test(character) && !isShipped(character) ? '' : character))
    .join('')
    .replace(/ {2,}/g, ' ')
    .trim();
  return drawable === '' ? cleaned : drawable;
}

/** The letters of a picture that the bundled fonts lack. System fonts are slow to load and differ between machines: only these need them. */
export const unshippedIn = (svg: string): string[] => [...new Set(svg.match(/[^\0-\x7f]/gu))].filter((character) => !isShipped(character));

const isShipped = (character: string): boolean => isCovered(character.codePointAt(0) ?? 0);
