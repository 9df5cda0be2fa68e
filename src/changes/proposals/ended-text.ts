import { type Sentence, sentence, word } from '../../text/sentence.ts';
import type { Proposal } from './proposal.ts';
import { waitsOf } from './routes/index.ts';
import { wordsOf } from './waited.ts';

/** What became of one that the journal does not have. */
export const proposalEnded = (change: Proposal, reader: 'assistant' | 'person'): Sentence =>
  change.by === undefined ? endedText(change, reader) : begunText(change.by, change.resumes)[reader];

function endedText(change: Proposal, reader: 'assistant' | 'person'): Sentence {
  const { kept, asked } = wordsOf(change);
  return waitsOf(change.route).isForLater ? kept[reader] : sentence`${asked[reader]} Nothing was sent.`;
}

/** Of one whose same was begun before a person decided on it, or whose change was carried on, or undone, by another call. */
function begunText(by: string, resumes: string | undefined): { readonly assistant: Sentence; readonly person: Sentence } {
  const undid = sentence`${word(by)} began to undo ${word(resumes ?? '')}`;
  const what =
    resumes === undefined
      ? sentence`${word(by)} began the same`
      : resumes === by
        ? sentence`${word(by)} was carried on by another call`
        : undid;
  return {
    assistant: sentence`Before a person decided on it, ${what}, so this one was withdrawn: get_change ${word(by)} tells what came of that. Nothing was sent for this one.`,
    person: sentence`${what}, so this one needs no decision. Nothing was sent for this one.`,
  };
}
