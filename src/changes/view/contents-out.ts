import type { Contents } from '../../account/contents.ts';
import { wordsFor } from '../channels/fields.ts';

/** Whose word a channel's contents are, in words, and what to do where they are not known. The lists are left out. */
export function contentsOut(contents: Contents) {
  const { known, asOf } = contents;
  return { known, source: `${known ? 'as' : 'not known:'} ${sourceText(contents)}`, asOf, ...(known ? {} : { next: ASK }) };
}

/** The same as a sentence, for people. */
export const contentsText = (contents: Contents): string => `${contents.known ? 'As' : 'Not known:'} ${sourceText(contents)}.`;

function sourceText({ source, stated = [], asOf }: Contents): string {
  const day = asOf === undefined ? '' : ` on ${asOf.slice(0, 'YYYY-MM-DD'.length)}`;
  const word = {
    service: 'the service shows it',
    journal: `this server last wrote it${day}`,
    stated: `it was stated${day}`,
    none: 'the service does not tell, and it was neither last written by this server nor stated',
  };
  const lists = wordsFor(stated);
  return `${word[source]}${source === 'stated' || stated.length === 0 ? '' : `; its ${lists} as stated`}`;
}

const ASK =
  'If a change needs it, ask the user, projects too, never guess, and give it as currentVideoKeys and currentProjectKeys of update_channels or with state_contents.';
