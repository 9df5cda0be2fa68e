import { CONTENTS, type Contents } from '../../account/contents.ts';
import { joined, type Sentence, sentence, word } from '../../text/sentence.ts';
import { CHANNEL_FIELDS, wordsFor } from '../kinds/channels/fields.ts';

/** Whose word a channel's contents are, in words, and what to do where they are not known. The lists are left out. */
export function contentsOut(contents: Contents) {
  const { known, asOf } = contents;
  return { known, source: sentence`${known ? 'as' : 'not known:'} ${sourceText(contents)}`, asOf, ...(known ? {} : { next: ASK }) };
}

/** The same as a sentence, for people. */
export const contentsText = (contents: Contents): string => `${contents.known ? 'As' : 'Not known:'} ${sourceText(contents)}.`;

function sourceText({ source, stated = [], asOf }: Contents): Sentence {
  const day = asOf === undefined ? sentence`` : sentence` on ${word(asOf.slice(0, 'YYYY-MM-DD'.length))}`;
  const sources = {
    service: 'the service shows it',
    journal: sentence`this server last wrote it${day}`,
    stated: sentence`it was stated${day}`,
    none: 'the service does not tell, and it was neither last written by this server nor stated',
  } as const;
  const lists = wordsFor(stated);
  return sentence`${sources[source]}${source === 'stated' || stated.length === 0 ? '' : sentence`; its ${lists} as stated`}`;
}

const STATED_BY = joined(
  CONTENTS.map((list) => CHANNEL_FIELDS[list].statedBy),
  ' and ',
);
const ASK = sentence`If a change needs it, ask the user, projects too, never guess, and give it as ${STATED_BY} of update_channels or with state_contents.`;
