import * as z from 'zod';
import { CONTENTS } from '../../account/contents.ts';
import { counted } from '../../text/counted.ts';
import { joined, type Sentence, sentence, word } from '../../text/sentence.ts';
import { LIST_WORDS } from '../plan/channel-fields.ts';
import { listed, ours } from '../plan/notice.ts';

// What notices about channels have in common: whose they are, and how several of them are told at once.

export const label = { label: ours };
/** Which list of a channel, and what one of its entries is called. */
export const listName = z.enum(CONTENTS);
export const listWord = z.enum(LIST_WORDS);
/** Names of channels in one sentence; of what weighs less, or is in the lines of the plan too. */
export const MAX_LABELS = 20;
export const MAX_NAMED = 5;
/** In a form, of what weighs most. */
export const MAX_NAMED_IN_SHORT = 3;

export type Labelled = { readonly label: Sentence };

/** `30 channels`, or with the first of them by name. */
export const who = (all: readonly Labelled[], length: 'long' | 'short', max = MAX_NAMED): Sentence =>
  length === 'short' && max <= MAX_NAMED
    ? counted(all.length, 'channel')
    : sentence`${counted(all.length, 'channel')} (${listed(
        all.map(({ label: name }) => name),
        length === 'short' ? MAX_NAMED_IN_SHORT : max,
      )})`;

/** The sum of a number of each. */
export const sumOf = <Facts>(all: readonly Facts[], of: (facts: Facts) => number): number => all.reduce((sum, facts) => sum + of(facts), 0);

/** `"A" 12, "B" 9 and 20 more` */
export const withNumbers = <Facts extends Labelled>(all: readonly Facts[], of: (facts: Facts) => Sentence, max: number): Sentence =>
  listed(
    all.map((facts) => sentence`${facts.label} ${of(facts)}`),
    max,
  );

/** So many channels, and what is said of them all. */
export const channels =
  (words: Sentence, max?: number) =>
  (all: readonly Labelled[], length: 'long' | 'short'): Sentence =>
    sentence`${who(all, length, max)} ${words}`;

/** As `channels`, with the later changes that are the reason. */
export const byLater =
  (words: Sentence, after: Sentence) =>
  (all: readonly (Labelled & { readonly by: string })[], length: 'long' | 'short'): Sentence => {
    const changes = [...new Set(all.map(({ by }) => by))].map((id) => word(id));
    return sentence`${who(all, length)} ${words} ${joined(changes, ', ')}${after}`;
  };
