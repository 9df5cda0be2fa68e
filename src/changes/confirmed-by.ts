import { type Sentence, sentence } from '../text/sentence.ts';

/** How a change was confirmed, as its journal says. */
interface ConfirmedByRow {
  /** A person saw the change, or allowed it in advance. An assistant can send a token back itself. */
  readonly isApproval: boolean;
  /** Who was told beforehand what a person must know of it. A form may have no room for all of that. */
  readonly warned: 'person' | 'person-in-part' | 'assistant' | 'nobody';
  readonly words: Readonly<Record<'assistant' | 'person', Sentence>>;
  /** A receipt says by which rules, and is told in the place of the words. */
  readonly hasReceipt?: true;
}

const ROWS = {
  form: {
    isApproval: true,
    warned: 'person-in-part',
    words: { assistant: sentence`The user agreed in a form.`, person: sentence`You agreed in a form.` },
  },
  page: {
    isApproval: true,
    warned: 'person',
    words: { assistant: sentence`The user agreed on the approval page.`, person: sentence`You agreed on this page.` },
  },
  terminal: {
    isApproval: true,
    warned: 'person',
    words: { assistant: sentence`A person agreed at a terminal, after it had waited.`, person: sentence`You agreed at a terminal.` },
  },
  token: { isApproval: false, warned: 'assistant', words: sameFor(sentence`Confirmed by token.`) },
  never: { isApproval: false, warned: 'nobody', words: sameFor(sentence`Not confirmed: VIDEO_HOSTING_CONFIRM is never.`) },
  standing: { isApproval: true, warned: 'nobody', words: sameFor(sentence`Allowed in advance.`), hasReceipt: true },
} satisfies Record<string, ConfirmedByRow>;

export type ConfirmedBy = keyof typeof ROWS;
export const CONFIRMED_BY: Readonly<Record<ConfirmedBy, ConfirmedByRow>> = ROWS;

function sameFor(words: Sentence) {
  return { assistant: words, person: words };
}
