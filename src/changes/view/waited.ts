import type { WaitingStatus } from '../confirm/waiting-change.ts';
import { answerTimeText, KEPT_DAYS } from '../confirm/waiting-limits.ts';

/** Where a change waits for a person: on the approval page, or on disk (VIDEO_HOSTING_CONFIRM is wait). */
export type WaitsOn = 'page' | 'disk';

interface PageRow {
  /** In a list of changes. */
  readonly label: string;
  /** What a person is told; without what was sent. */
  readonly person: (where: WaitsOn) => string;
  /** What an assistant is told, for which a person decides. */
  readonly assistant: { readonly page: string };
}
interface Row extends PageRow {
  readonly assistant: Readonly<Record<WaitsOn, string>>;
}

/** Of what only the approval page knows. */
type OnPage = 'answered' | 'needless';

const TIMES: Readonly<Record<WaitsOn, string>> = { page: answerTimeText('page'), disk: `${KEPT_DAYS} days` };
export const ASK_AGAIN = 'If you still want it, ask your assistant again.';

/** What became of a change that waited for a person. Shared with the approval page’s browser code. */
export const WAITED: Readonly<Record<Exclude<WaitingStatus, OnPage>, Row> & Record<OnPage, PageRow>> = {
  waiting: {
    label: 'Waits for you',
    person: () => '',
    assistant: { page: 'It waits for the user on the approval page.', disk: 'It waits for a person to decide on it.' },
  },
  started: {
    label: 'Running',
    person: () => 'This is being applied.',
    assistant: { page: 'The user agreed on the approval page.', disk: 'A person approved it.' },
  },
  declined: {
    label: 'Declined',
    person: () => 'It was declined, and the assistant is told so.',
    assistant: { page: 'The user declined on the approval page.', disk: 'A person declined it.' },
  },
  withdrawn: {
    label: 'Withdrawn',
    person: (where) =>
      `${where === 'page' ? 'The assistant gave it up, or asks in another way.' : 'Its agent withdrew it, or another call began the same.'} ${ASK_AGAIN}`,
    assistant: {
      page: 'It was withdrawn before the user answered on the approval page.',
      disk: 'Before a person decided on it, it was withdrawn, or another call began the same.',
    },
  },
  expired: {
    label: 'Expired',
    person: (where) => `It expired: nobody decided in ${TIMES[where]}. ${ASK_AGAIN}`,
    assistant: {
      page: `Nobody answered on the approval page in ${TIMES.page}.`,
      disk: `It expired: nobody decided on it in ${TIMES.disk}, which is no refusal. If it is still wanted, make the call again.`,
    },
  },
  answered: {
    label: 'Answered elsewhere',
    person: () => 'The same request was answered in another way.',
    assistant: { page: 'The same request was answered in another way meanwhile.' },
  },
  needless: {
    label: 'Nothing to do',
    person: () => 'When it was looked at again, everything was as wanted already.',
    assistant: { page: 'The user agreed on the approval page, and nothing was left to be done.' },
  },
};

/** What became of it, for a person; `isOwn`: they asked for it on the page themselves. */
export function waitedText(status: WaitingStatus, where: WaitsOn, isOwn = false): string {
  if (status === 'waiting' || status === 'started') return WAITED[status].person(where);
  return `${isOwn && status === 'declined' ? 'You cancelled it.' : WAITED[status].person(where)} ${unsentText(status, where)}`;
}

/** Another call may have sent the same. */
export const unsentText = (status: WaitingStatus, where: WaitsOn): string =>
  status === 'withdrawn' && where === 'disk' ? 'Nothing was sent for this one.' : 'Nothing was sent.';

/** That a change is about records for which older ones wait, before the ids of those. Shared like the rows. */
export const overtakesText = (count: number): string =>
  count === 1
    ? 'An older change for some of the same records waits for a person, and this one would overtake it:'
    : 'Older changes for some of the same records wait for a person, and this one would overtake them:';
