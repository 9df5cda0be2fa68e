import type { TitleOf } from '../account/video-references.ts';
import { counted } from '../text/counted.ts';
import { cleanText } from '../text/sanitize-text.ts';

const MAX_SHOWN_KEY = 80;

/** Every occurrence of a key but its first. */
export function repeatedIn(keys: readonly string[]): string[] {
  const seen = new Set<string>();
  return keys.filter((key) => seen.has(key) || !seen.add(key));
}

/** `1,200 videos`. */
export const videosText = (videos: number): string => counted(videos, 'video');

/** The first keys, at most `most`, quoted and with their titles where known, and the number of the others. */
export function listText(keys: readonly string[], most = 5, titleOf: TitleOf = () => undefined): string {
  const shown = keys
    .slice(0, most)
    .map((key) => {
      const title = titleOf(key);
      const quoted = JSON.stringify(cleanText(key, MAX_SHOWN_KEY));
      // Beside its title a key of word characters needs no quotes.
      return title === undefined ? quoted : `${/^[\w-]+$/.test(key) ? key : quoted} ${JSON.stringify(title)}`;
    })
    .join(', ');
  return keys.length > most ? `${shown} and ${keys.length - most} more` : shown;
}
