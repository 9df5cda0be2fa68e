import { joined, type Sentence, sentence, word } from '../../text/sentence.ts';
import type { Notice } from '../notices/notices.ts';
import type { ListWord } from './channel-fields.ts';
import type { RecordDifference } from './record-difference.ts';

/** What a person is shown before they approve. */
export interface Preview extends ChangeDescription {
  /** Whether and how it can be undone. */
  readonly undo: Undo;
  /** What happens to each record, in the order of the plan. */
  readonly records?: readonly RecordDifference[];
  /** The titles of the videos that are told of the records, by key. */
  readonly titles?: Readonly<Record<string, string>>;
  /** Why no standing approval covers it, where there are any. */
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

/** What a change states that one record holds now: it is sent, whatever the record really holds. */
export interface StatedContents {
  /** The record, as in `PlannedItem`. */
  readonly label: Sentence;
  /** `which`: the keys, and titles. */
  readonly lists: readonly { readonly what: ListWord; readonly count: number; readonly which: Sentence; readonly isChanged?: boolean }[];
  /** Whether the change makes another list of it. */
  readonly isChanged: boolean;
}

export type Undo = { readonly possible: 'yes' | 'partly' | 'no'; readonly how: Sentence };

/** What is done, in sentences. */
export const summaryText = ({ summary, meaning }: Pick<ChangeDescription, 'summary' | 'meaning'>): Sentence =>
  meaning === undefined ? sentence`${summary}.` : sentence`${summary}. ${meaning}`;

export const statedIn = (lines: readonly { readonly stated?: StatedContents }[]): readonly StatedContents[] =>
  lines.flatMap(({ stated }) => stated ?? []);

/** `"A": name "A" → "B"; private link → on`. */
export const lineText = ({ label, changes }: { readonly label?: Sentence | undefined; readonly changes: readonly Sentence[] }): Sentence =>
  joined(
    [label ?? sentence``, joined(changes, '; ')].filter((part) => part !== ''),
    ': ',
  );

/** What is said of a change that is carried on: for an assistant by its id, and for people. */
export function carryOnTexts(
  { changeId, summary, title = summary }: { readonly changeId: string } & Pick<ChangeDescription, 'summary' | 'title'>,
  rest: Sentence,
): { readonly summary: Sentence; readonly title: Sentence } {
  return { summary: sentence`Carry on ${word(changeId)} (${summary}): ${rest}`, title: sentence`Carry on (${title}): ${rest}` };
}
