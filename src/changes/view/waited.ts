import { type Sentence, sentence } from '../../text/sentence.ts';
import type { WaitingStatus } from '../confirm/waiting-change.ts';
import { answerTimeText, WAITING_DAYS } from '../confirm/waiting-limits.ts';

/** Where a change waits for a person: on the approval page, or on disk (VIDEO_HOSTING_CONFIRM is wait). */
export type WaitsOn = 'page' | 'disk';

interface Row {
  /** In a list of changes. */
  readonly label: string;
  /** What a person is told; without what was sent. */
  readonly person: (where: WaitsOn) => Sentence;
  /** What an assistant is told, for which a person decides. */
  readonly assistant: Readonly<Record<WaitsOn, Sentence>>;
}

const TIMES: Readonly<Record<WaitsOn, Sentence>> = { page: answerTimeText('page'), disk: sentence`${WAITING_DAYS} days` };
export const ASK_AGAIN = 'If you still want it, ask your assistant again.';

/** What became of a change that waited for a person. Shared with the approval page’s browser code. */
export const WAITED: Readonly<Record<WaitingStatus, Row>> = {
  waiting: {
    label: 'Waits for you',
    person: () => sentence``,
    assistant: { page: sentence`It waits for the user on the approval page.`, disk: sentence`It waits for a person to decide on it.` },
  },
  started: {
    label: 'Running',
    person: () => sentence`This is being applied.`,
    assistant: { page: sentence`The user agreed on the approval page.`, disk: sentence`A person approved it.` },
  },
  declined: {
    label: 'Declined',
    person: () => sentence`It was declined, and the assistant is told so.`,
    assistant: { page: sentence`The user declined on the approval page.`, disk: sentence`A person declined it.` },
  },
  withdrawn: {
    label: 'Withdrawn',
    person: () => sentence`The assistant gave it up, or asks in another way. ${ASK_AGAIN}`,
    assistant: {
      page: sentence`It was withdrawn before the user answered on the approval page.`,
      disk: sentence`It was withdrawn before a person decided on it.`,
    },
  },
  expired: {
    label: 'Expired',
    person: (where) => sentence`It expired: nobody decided in ${TIMES[where]}. ${ASK_AGAIN}`,
    assistant: {
      page: sentence`Nobody answered on the approval page in ${TIMES.page}.`,
      disk: sentence`It expired: nobody decided on it in ${TIMES.disk}, which is no refusal. If it is still wanted, make the call again.`,
    },
  },
  answered: {
    label: 'Answered elsewhere',
    person: () => sentence`The same request was answered in another way.`,
    assistant: {
      page: sentence`The same request was answered in another way meanwhile.`,
      disk: sentence`The same request was begun otherwise meanwhile.`,
    },
  },
  needless: {
    label: 'Nothing to do',
    person: () => sentence`When it was looked at again, everything was as wanted already.`,
    assistant: {
      page: sentence`The user agreed on the approval page, and nothing was left to be done.`,
      disk: sentence`When a person looked at it, nothing was left to be done.`,
    },
  },
};

/** What became of it, for a person; `isOwn`: they asked for it on the page themselves. */
export function waitedText(status: WaitingStatus, where: WaitsOn, isOwn = false): Sentence {
  if (status === 'waiting' || status === 'started') return WAITED[status].person(where);
  return sentence`${isOwn && status === 'declined' ? 'You cancelled it.' : WAITED[status].person(where)} Nothing was sent.`;
}
