import { type Sentence, sentence, word } from '../../text/sentence.ts';
import { timeText } from '../../text/time-text.ts';
import type { Notice } from '../notices/notices.ts';
import type { RecordDifference } from './record-difference.ts';

/** What a person is shown before they approve. */
export interface Preview extends ChangeDescription {
  /** Whether and how it can be undone. */
  readonly undo: Undo;
  /** What happens to each record, in the order of the plan. */
  readonly records?: readonly RecordDifference[];
  /** The titles of the videos that are told of the records, by key; of a change of videos those of the first, by id. */
  readonly titles?: Readonly<Record<string, string>>;
  /** Those that tell no video from another. */
  readonly sharedTitles?: readonly string[];
  /** Why no standing approval covers it, where there are any; of what waits, also that one would. */
  readonly standing?: Sentence;
  /** By which argument one would, for an assistant. */
  readonly lacks?: Sentence;
}

/** What a change is, as its plan and its journal have it. */
export interface ChangeDescription {
  /** What is done: words without a full stop. */
  readonly summary: Sentence;
  /** The same for people, who know changes by what they did; absent where the summary names none by its id. */
  readonly title?: Sentence | undefined;
  /** A sentence on what that means, where the summary does not tell. */
  readonly meaning?: Sentence | undefined;
  /** What is lost or not known, the worst first. */
  readonly notices: readonly Notice[];
  /** What happens with the rest when one fails; empty for a single one. */
  readonly onFailure: Sentence;
}

/** What of a preview is kept; the rest is made of the plan again. */
export function descriptionIn({ summary, title, meaning, notices, onFailure }: Preview): Required<ChangeDescription> {
  return { summary, title, meaning, notices, onFailure };
}

export type Undo = { readonly possible: 'yes' | 'partly' | 'no'; readonly how: Sentence };

/** What is done, in sentences. */
export const summaryText = ({ summary, meaning }: Pick<ChangeDescription, 'summary' | 'meaning'>): Sentence =>
  meaning === undefined ? sentence`${summary}.` : sentence`${summary}. ${meaning}`;

type Earlier = Pick<ChangeDescription, 'summary' | 'title'> & { readonly at: string };

/** What an earlier change did and when it was begun, in brackets behind its id. */
export const earlierText = ({ summary, at }: Pick<Earlier, 'summary' | 'at'>): Sentence =>
  sentence`${summary}, of ${timeText(Date.parse(at))}`;

/** What is said of a change that is carried on: for an assistant by its id, and for people. */
export function carryOnTexts(
  { changeId, summary, title = summary, at }: { readonly changeId: string } & Earlier,
  rest: Sentence,
): { readonly summary: Sentence; readonly title: Sentence } {
  return {
    summary: sentence`Carry on ${word(changeId)} (${earlierText({ summary, at })}): ${rest}`,
    title: sentence`Carry on: ${earlierText({ summary: title, at })} (${rest})`,
  };
}
