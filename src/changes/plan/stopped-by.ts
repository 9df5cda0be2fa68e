import { type Sentence, sentence } from '../../text/sentence.ts';
import type { Reader } from './confirmed-by.ts';

/** A way in which a running change is stopped. */
interface StoppedByRow {
  /** Who does it, where nobody is named; absent where nobody does. */
  readonly who?: Readonly<Record<Reader, Sentence>>;
  /** What they do; what happened, where nobody does it. */
  readonly did: Sentence;
}

const ROWS = {
  page: { who: { assistant: sentence`The user`, person: sentence`You` }, did: sentence`stopped it on the approval page` },
  terminal: { who: { assistant: sentence`A person`, person: sentence`You` }, did: sentence`stopped it at a terminal` },
  assistant: {
    who: { assistant: sentence`An assistant`, person: sentence`Your assistant` },
    did: sentence`stopped it with stop_change`,
  },
  undo: {
    who: { assistant: sentence`An assistant`, person: sentence`Your assistant` },
    did: sentence`stopped it to have it undone, with undo_change`,
  },
  call: { did: sentence`It was stopped, since its call was given up or its client ended` },
  server: { did: sentence`It was stopped, since its server ended` },
} satisfies Record<string, StoppedByRow>;

export type StoppedBy = keyof typeof ROWS;
export const STOPPED_BY: Readonly<Record<StoppedBy, StoppedByRow>> = ROWS;
