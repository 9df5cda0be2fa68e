import { VideoHostingError } from '../../errors.ts';
import { definedFields } from '../../platform/defined-fields.ts';
import { toReaders } from '../../text/own-command.ts';
import { joined, type Sentence, sentence, word } from '../../text/sentence.ts';
import type { Reader } from './confirmed-by.ts';

/** A way in which a running change is stopped. */
interface StoppedByRow {
  /** Who does it, where nobody is named; absent where nobody does. */
  readonly who?: Readonly<Record<Reader, Sentence>>;
  /** What they did, for an assistant with its tool; what happened, where nobody does it. */
  readonly did: Readonly<Record<Reader, Sentence>>;
}

const forAll = (did: Sentence) => ({ assistant: did, person: did, people: did });
const BY_A_PERSON = sentence`Somebody`;
const BY_AN_ASSISTANT = sentence`An assistant`;

const ROWS = {
  page: {
    who: {
      // Of a client elsewhere it may be anybody.
      get assistant() {
        return toReaders(() => sentence`The user`, sentence`A person`);
      },
      person: sentence`You`,
      people: BY_A_PERSON,
    },
    did: { assistant: sentence`stopped it on the approval page`, person: sentence`stopped it`, people: sentence`stopped it` },
  },
  terminal: {
    who: { assistant: sentence`A person`, person: sentence`You`, people: BY_A_PERSON },
    did: forAll(sentence`stopped it at a terminal`),
  },
  assistant: {
    who: { assistant: BY_AN_ASSISTANT, person: sentence`Your assistant`, people: BY_AN_ASSISTANT },
    did: { assistant: sentence`stopped it with stop_change`, person: sentence`stopped it`, people: sentence`stopped it` },
  },
  undo: {
    who: { assistant: BY_AN_ASSISTANT, person: sentence`Your assistant`, people: BY_AN_ASSISTANT },
    did: {
      assistant: sentence`stopped it to have it undone, with undo_change`,
      person: sentence`stopped it to have it undone`,
      people: sentence`stopped it to have it undone`,
    },
  },
  call: {
    did: {
      assistant: sentence`It was stopped, since its call was given up or its client ended`,
      person: sentence`It was stopped, since your assistant gave it up or was closed`,
      people: sentence`It was stopped, since the assistant that asked for it gave it up or was closed`,
    },
  },
  server: { did: forAll(sentence`It was stopped, since its server ended`) },
} satisfies Record<string, StoppedByRow>;

export type StoppedBy = keyof typeof ROWS;
export const STOPPED_BY: Readonly<Record<StoppedBy, StoppedByRow>> = ROWS;

/** What went wrong once changes were stopped for an undo, with that: they stay so, and it is not that nothing was changed. */
export function withStopped(error: unknown, changeIds: readonly string[]): unknown {
  if (!(error instanceof VideoHostingError) || changeIds.length === 0) return error;
  const { outcome: _, isChange: __, words, ...facts } = error.facts;
  const told = changeIds.map(
    (id) => sentence`${word(id)} was stopped for its undo, and nothing of it was set back: resume_change carries it on.`,
  );
  return new VideoHostingError(error.code, joined([error.message, ...told]), {
    facts: { ...facts, ...definedFields({ words: words && joined([words, ...told]) }) },
    hint: error.hint,
    person: error.person,
    cause: error,
  });
}
