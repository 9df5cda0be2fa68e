import { type Sentence, sentence } from '../../text/sentence.ts';
import type { WaitingStatus } from '../proposals/proposal.ts';
import { answerTimeText } from '../proposals/proposal-limits.ts';

interface Row {
  /** In a list of changes. */
  readonly label: string;
  /** What a person is told; without what was sent. */
  readonly person: Sentence;
  /** What an assistant is told. */
  readonly assistant: Sentence;
}

const TIME = answerTimeText('page');
export const ASK_AGAIN = 'If you still want it, ask your assistant again.';

/** What became of a change that waited on the approval page. Shared with its browser code. */
export const WAITED: Readonly<Record<WaitingStatus, Row>> = {
  waiting: { label: 'Waits for you', person: sentence``, assistant: sentence`It waits for the user on the approval page.` },
  started: { label: 'Running', person: sentence`This is being applied.`, assistant: sentence`The user agreed on the approval page.` },
  declined: {
    label: 'Declined',
    person: sentence`It was declined, and the assistant is told so.`,
    assistant: sentence`The user declined on the approval page.`,
  },
  withdrawn: {
    label: 'Withdrawn',
    person: sentence`The assistant gave it up, or asks in another way. ${ASK_AGAIN}`,
    assistant: sentence`It was withdrawn before the user answered on the approval page.`,
  },
  expired: {
    label: 'Expired',
    person: sentence`It expired: nobody decided in ${TIME}. ${ASK_AGAIN}`,
    assistant: sentence`Nobody answered on the approval page in ${TIME}.`,
  },
  answered: {
    label: 'Answered elsewhere',
    person: sentence`The same request was answered in another way.`,
    assistant: sentence`The same request was answered in another way meanwhile.`,
  },
  needless: {
    label: 'Nothing to do',
    person: sentence`When it was looked at again, everything was as wanted already.`,
    assistant: sentence`The user agreed on the approval page, and nothing was left to be done.`,
  },
};

/** What became of it, for a person; `isOwn`: they asked for it on the page themselves. */
export function waitedText(status: WaitingStatus, isOwn = false): Sentence {
  const { person } = WAITED[status];
  if (status === 'waiting' || status === 'started') return person;
  return sentence`${isOwn && status === 'declined' ? 'You cancelled it.' : person} Nothing was sent.`;
}

/** That a change is about records for which older ones wait, before the ids of those. Shared like the rows. */
export const overtakesText = (count: number): Sentence =>
  count === 1
    ? sentence`An older change for some of the same records waits for a person, and this one would overtake it:`
    : sentence`Older changes for some of the same records wait for a person, and this one would overtake them:`;
