import { toReaders } from '../../text/own-command.ts';
import { type Sentence, sentence, word } from '../../text/sentence.ts';
import { timeText } from '../../text/time-text.ts';
import { type Asked, type Decided, personIn } from '../plan/asked-and-decided.ts';
import { CONFIRMED_BY } from '../plan/confirmed-by.ts';
import { TRAITS } from '../plan/traits/index.ts';
import { type Proposal, type ShownStatus, shownStatus } from './proposal.ts';
import { KEPT_DAYS } from './proposal-limits.ts';
import { FOR_LATER } from './routes/for-later.ts';
import { pageRoute } from './routes/page.ts';
import { BEING_APPLIED } from './waited-labels.ts';

interface Words {
  readonly person: Sentence;
  readonly assistant: Sentence;
}

interface Row {
  /** Where a person is asked at once. A person is told without what was sent. */
  readonly asked: Words;
  /** Where it waits on disk until a person decides. */
  readonly kept: Words;
  /** What a person can do then; absent where that is nothing. */
  readonly next?: Sentence;
}

const ASK_AGAIN = sentence`If it is still wanted, ask an assistant again.`;

const ASK_HERE = sentence`If it is still wanted, ask for it here again.`;

function expiredText(time: Sentence): Sentence {
  return sentence`It expired: nobody decided on it in ${time}, which is no refusal. If it is still wanted, make the call again. Nothing was sent.`;
}

const UNTOLD: Words = { person: sentence``, assistant: sentence`` };

/** Whoever answers, as an assistant is told. */
interface Answerer {
  /** Who agreed. */
  readonly who: Sentence;
  /** For what it waits. */
  readonly waitsFor: Sentence;
  /** Who did not answer, and in which time. */
  readonly whoever: Sentence;
  readonly time: Sentence;
}

/** Where several people answer, or somebody elsewhere reads of it, “the user” would be whoever reads. */
function answererOf({ asked, decided }: Ended): Answerer {
  const several = { who: sentence`A person`, waitsFor: sentence`a decision`, whoever: sentence`anybody`, time: FOR_LATER.lifetime };
  const words =
    personIn(asked.by) !== undefined
      ? several
      : {
          who: toReaders(() => sentence`The user`, several.who),
          waitsFor: toReaders(() => sentence`the user`, several.waitsFor),
          whoever: toReaders(() => sentence`the user`, several.whoever),
          time: pageRoute.waits.lifetime,
        };
  return decided?.by === undefined ? words : { ...words, who: word(decided.by.name) };
}

/** What became of what was asked for. */
const waitedRows = ({ who, waitsFor, whoever, time }: Answerer): Readonly<Record<ShownStatus, Row>> => ({
  waiting: {
    asked: { person: sentence``, assistant: sentence`It waits for ${waitsFor} on the approval page.` },
    kept: UNTOLD,
  },
  running: {
    asked: { person: BEING_APPLIED, assistant: sentence`${who} agreed on the approval page.` },
    kept: {
      assistant: sentence`A person approved it, and it is about to begin. Look again with get_change.`,
      person: sentence`It was approved, and is about to begin.`,
    },
  },
  failed: {
    asked: {
      person: sentence`It was approved, and never begun.`,
      assistant: sentence`${who} agreed, and it was never begun.`,
    },
    kept: {
      assistant: sentence`A person approved it, and the process ended before it was begun. If it is still wanted, make the call again. Nothing was sent.`,
      person: sentence`It was approved, and the process ended before it was begun. Nothing was sent.`,
    },
    next: ASK_AGAIN,
  },
  declined: {
    asked: {
      person: sentence`It was declined, and the assistant is told so.`,
      assistant: sentence`${who} declined on the approval page.`,
    },
    kept: {
      assistant: sentence`A person declined it. Nothing was sent.`,
      person: sentence`It was declined, and the agent is told so. Nothing was sent.`,
    },
    next: ASK_AGAIN,
  },
  withdrawn: {
    asked: {
      person: sentence`The assistant gave it up, or asks in another way.`,
      assistant: sentence`It was withdrawn before ${whoever} answered on the approval page.`,
    },
    kept: {
      assistant: sentence`Before a person decided on it, it was withdrawn. Nothing was sent for this one.`,
      person: sentence`Its agent withdrew it. Nothing was sent for this one.`,
    },
    next: ASK_AGAIN,
  },
  expired: {
    asked: {
      person: sentence`It expired: nobody decided in ${time}.`,
      assistant: sentence`Nobody answered on the approval page in ${time}.`,
    },
    kept: {
      assistant: expiredText(sentence`${KEPT_DAYS} days`),
      person: sentence`It expired: nobody decided in ${KEPT_DAYS} days. Nothing was sent.`,
    },
    next: ASK_AGAIN,
  },
  needless: {
    asked: {
      person: sentence`Nothing was left to be done: all is as it was to be already. Nothing was sent.`,
      assistant: sentence`${who} agreed on the approval page, and nothing was left to be done.`,
    },
    kept: {
      assistant: sentence`When it was looked at again, nothing was left to be done. Nothing was sent.`,
      person: sentence`Nothing was left to be done: all is as it was to be already. Nothing was sent.`,
    },
    next: sentence`There is nothing to be done.`,
  },
});

/** Of one that was withdrawn since the same was begun or refused in another way. */
const ANSWERED: Row = {
  asked: {
    person: sentence`The same request was answered in another way.`,
    assistant: sentence`The same request was answered in another way meanwhile.`,
  },
  kept: {
    assistant: sentence`Before a person decided on it, the same was answered in another way. Nothing was sent for this one.`,
    person: sentence`The same was answered in another way, so there is nothing to decide here any more. Nothing was sent for this one.`,
  },
};

/** Of one that may wait for less long than others in its way. */
const EXPIRED_SOON: Words = {
  assistant: expiredText(sentence`an hour`),
  person: sentence`It expired: nobody decided in an hour. Nothing was sent.`,
};

type Ended = Pick<Proposal, 'status' | 'decidedAt' | 'decided' | 'isAnswered' | 'plan' | 'asked'>;

/** What became of one. */
export function wordsOf(proposal: Ended): Row {
  if (proposal.isAnswered) return ANSWERED;
  const { status, decided, plan, asked } = proposal;
  const row = waitedRows(answererOf(proposal))[shownStatus(proposal)];
  if (status === 'expired' && TRAITS[plan.kind].waitsAtMostMs !== undefined) return { ...row, kept: EXPIRED_SOON };
  return status === 'declined' && decided !== undefined ? { ...row, ...declinedWords(decided, asked) } : row;
}

/** With who declined it, how and when, where that was kept. */
function declinedWords({ by, how, at }: Decided, asked: Asked): Pick<Row, 'asked' | 'kept'> {
  const { who, where = sentence`` } = CONFIRMED_BY[how];
  const subject = by === undefined ? (who?.assistant ?? sentence`A person`) : word(by.name);
  const when = at === undefined ? where : sentence`${where} on ${timeText(Date.parse(at))}`;
  const person = sentence`It was declined ${by === undefined ? '' : sentence`by ${word(by.name)} `}${when}`;
  // No assistant asked for what a person did on the page.
  const told = (who: 'assistant' | 'agent') => (asked.onPage ? sentence`${person}.` : sentence`${person}, and the ${who} is told so.`);
  return {
    asked: { person: told('assistant'), assistant: sentence`${subject} declined ${where}.` },
    kept: {
      person: sentence`${told('agent')} Nothing was sent.`,
      assistant: sentence`${subject} declined it ${when}. Nothing was sent.`,
    },
  };
}

/** What became of one that is asked about at once, for a person; `isOwn`: they asked for it on the page themselves. */
export function waitedText(proposal: Ended, isOwn = false): Sentence {
  const { person } = wordsOf(proposal).asked;
  const { status } = proposal;
  if (status === 'waiting' || status === 'started') return person;
  return sentence`${isOwn && status === 'declined' ? 'You cancelled it.' : person} Nothing was sent.`;
}

/** What a person can do about one that waits no more, in sentences. */
export function stepsAfterWait(proposal: Ended): readonly Sentence[] {
  const { next } = wordsOf(proposal);
  if (next === undefined) return [];
  // No assistant asked for what a person did on the page.
  return [next === ASK_AGAIN && proposal.asked.onPage === true ? ASK_HERE : next];
}

/** What waits to carry a change on. */
export const resumptionText = ({ changeId }: Pick<Proposal, 'changeId'>): Sentence =>
  sentence`It is asked for as ${word(changeId)} to carry it on, which waits for a decision.`;
