import type { TitleOf } from '../../account/video-references.ts';
import { counted } from '../../text/counted.ts';
import { inQuotes, joined, type Sentence, sentence, word } from '../../text/sentence.ts';

const MAX_SHOWN_KEY = 80;

/** Every occurrence of a key but its first. */
export function repeatedIn(keys: readonly string[]): string[] {
  const seen = new Set<string>();
  return keys.filter((key) => seen.has(key) || !seen.add(key));
}

/** `1,200 videos`. */
export const videosText = (videos: number): Sentence => counted(videos, 'video');

/** The first keys, at most `most`, quoted and with their titles where known, and the number of the others; `total`: of all, where the keys are the first of them. */
export function listText(keys: readonly string[], most = 5, titleOf: TitleOf = () => undefined, total = keys.length): Sentence {
  const shown = joined(
    keys.slice(0, most).map((key) => {
      const title = titleOf(key);
      const quoted = inQuotes(key, MAX_SHOWN_KEY);
      // Beside its title a key of word characters needs no quotes.
      return title === undefined ? quoted : sentence`${/^[\w-]+$/.test(key) ? word(key) : quoted} ${inQuotes(title)}`;
    }),
    ', ',
  );
  return total > most ? sentence`${shown} and ${total - most} more` : shown;
}
