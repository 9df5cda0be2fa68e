import { joined, type Sentence, sentence, word } from '../../text/sentence.ts';
import { timeText } from '../../text/time-text.ts';
import type { Agreed, Asked, Decided } from '../plan/asked-and-decided.ts';
import { CONFIRMED_BY, type Reader } from '../plan/confirmed-by.ts';

/** What somebody did, and when: each layout puts the time and a full stop behind the words in its own way. Without a time they are a sentence. */
export interface Told {
  readonly words: Sentence;
  /** ISO 8601. */
  readonly at?: string;
}

/** `by nightly through Codex`; empty where neither is known. */
export function askedBy({ by, client, onPage }: Asked): Sentence {
  const who = by === undefined ? [] : [sentence`by ${word(by.name)}`];
  const where = onPage ? [sentence`on the approval page`] : client === undefined ? [] : [sentence`through ${word(client)}`];
  return joined([...who, ...where]);
}

/** Who asked, with what and when. */
export const toldAsked = (asked: Asked, start: Sentence = sentence`Asked`): Told => ({
  words: joined([start, askedBy(asked)].filter((text) => text !== '')),
  at: asked.at,
});

/** Who agreed, how and when. */
export function toldDecided({ by, how, at }: Decided, reader: Reader): Told {
  const { who, did, isForAll } = CONFIRMED_BY[how];
  const subject = who && (by === undefined ? who[reader] : word(by.name));
  const words = subject === undefined ? did : sentence`${subject} ${did}`;
  return isForAll || at === undefined ? { words: sentence`${words}.` } : { words, at };
}

export const toldText = ({ words, at }: Told): Sentence => (at === undefined ? words : sentence`${words} on ${timeText(Date.parse(at))}.`);

/** Without the time, for whoever asked just now. */
export const toldNow = ({ words, at }: Told): Sentence => (at === undefined ? words : sentence`${words}.`);

/** Who asked for a change at first and, where it was carried on, for that the last time; of journals that say it. */
export function allAsked(agreed: readonly Agreed[]): readonly Told[] {
  const [first, ...later] = agreed;
  const last = later.at(-1);
  return [
    ...(first?.asked === undefined ? [] : [toldAsked(first.asked)]),
    ...(last?.asked === undefined ? [] : [toldAsked(last.asked, sentence`Carried on as asked`)]),
  ];
}

/** All of that in sentences; undefined where nothing is known. */
export function askedText(agreed: readonly Agreed[], textOf = toldText): Sentence | undefined {
  const told = allAsked(agreed);
  return told.length === 0 ? undefined : joined(told.map(textOf));
}
