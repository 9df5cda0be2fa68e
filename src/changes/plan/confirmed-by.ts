import { toReaders } from '../../text/own-command.ts';
import { type Sentence, sentence } from '../../text/sentence.ts';

/** Whoever is told something: `people` are those of a server for several, where an act may be anybody’s. */
export type Reader = 'assistant' | 'person' | 'people';

/** How a change was confirmed. */
interface ConfirmedByRow {
  /** A person saw the change, or allowed it in advance. An assistant can send a token back itself. */
  readonly isApproval: boolean;
  /** Who was told beforehand what a person must know of it. A form may have no room for all of that. */
  readonly warned: 'person' | 'person-in-part' | 'assistant' | 'nobody';
  /** Who agreed, where nobody is named; absent where nobody was asked for this change. */
  readonly who?: Readonly<Record<Reader, Sentence>>;
  /** Where they decide; absent where nobody can decline. */
  readonly where?: Sentence;
  /** What they did; what was done, where nobody was asked. */
  readonly did: Sentence;
  /** It is decided once for all changes, so that it has no time of its own. */
  readonly isForAll?: true;
  /** A receipt says by which rules, and is told in the place of the words. */
  readonly hasReceipt?: true;
}

const USER = {
  // Of a client elsewhere it may be anybody.
  get assistant() {
    return toReaders(() => sentence`The user`, sentence`A person`);
  },
  person: sentence`You`,
  people: sentence`Somebody`,
};
const SOMEBODY = { assistant: sentence`A person`, person: sentence`You`, people: sentence`Somebody` };

const ON_PAGE = sentence`on the approval page`;

const ROWS = {
  form: { isApproval: true, warned: 'person-in-part', who: USER, where: sentence`in a form`, did: sentence`agreed in a form` },
  page: { isApproval: true, warned: 'person', who: USER, where: ON_PAGE, did: sentence`agreed ${ON_PAGE}` },
  terminal: { isApproval: true, warned: 'person', who: SOMEBODY, where: sentence`at a terminal`, did: sentence`agreed at a terminal` },
  token: { isApproval: false, warned: 'assistant', did: sentence`Confirmed by token` },
  never: { isApproval: false, warned: 'nobody', did: sentence`Not confirmed: VIDEO_HOSTING_CONFIRM is never`, isForAll: true },
  standing: { isApproval: true, warned: 'nobody', did: sentence`Allowed in advance`, isForAll: true, hasReceipt: true },
} satisfies Record<string, ConfirmedByRow>;

export type ConfirmedBy = keyof typeof ROWS;
export const CONFIRMED_BY: Readonly<Record<ConfirmedBy, ConfirmedByRow>> = ROWS;
