import { type Sentence, sentence } from '../../text/sentence.ts';
/** That a change is about records for which others wait, before the ids of those. Shared with the approval page’s browser code. */
export function overtakesText(changes: number, isApproved: boolean): Sentence {
  const overtakes = isApproved ? 'overtakes' : 'would overtake';
  return changes === 1
    ? sentence`An older change for some of the same records waits for a person, and this one ${overtakes} it:`
    : sentence`Older changes for some of the same records wait for a person, and this one ${overtakes} them:`;
}
