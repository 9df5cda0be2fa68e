import { CONTENTS, type Contents, type FormerContents } from '../../../account/contents.ts';
import type { Channel } from '../../../service/resources/channels.ts';
import { joined, type Sentence, sentence, word } from '../../../text/sentence.ts';
import { timeText } from '../../../text/time-text.ts';
import { CHANNEL_FIELDS, wordsFor } from '../../plan/channel-fields.ts';

/** Whose word a channel's contents are, in words, and what to do where they are not known. The lists are left out. */
export function contentsOut(contents: Contents, channel: Channel) {
  const { known, asOf } = contents;
  return {
    known,
    source: sentence`${known ? 'as' : 'not known:'} ${sourceText(contents, channel, (at) => word(at.slice(0, 'YYYY-MM-DD'.length)))}`,
    asOf,
    ...(known ? {} : { next: ASK }),
  };
}

/** The same as a sentence, for people, with the time as all times are told them. */
export const contentsText = (contents: Contents, channel: Channel): string =>
  `${contents.known ? 'As' : 'Not known:'} ${sourceText(contents, channel, (at) => timeText(Date.parse(at)))}.`;

function sourceText(
  { source, stated = [], asOf, former, ...lists }: Contents,
  { updated }: Channel,
  timeOf: (at: string) => Sentence,
): Sentence {
  const day = asOf === undefined ? sentence`` : sentence` on ${timeOf(asOf)}`;
  const sources = {
    service: 'the service shows it',
    journal: sentence`this server last wrote it${day}`,
    stated: sentence`it was stated${day}`,
    none: former === undefined ? NOBODY_TOLD : overtakenText(former, updated),
  } as const;
  const asStated = stated.map((list) =>
    lists[list]?.length === 0 ? sentence`no ${wordsFor([list])} (as stated)` : sentence`its ${wordsFor([list])} as stated`,
  );
  return sentence`${sources[source]}${source === 'stated' || stated.length === 0 ? '' : sentence`; ${joined(asStated, ', ')}`}`;
}

const NOBODY_TOLD = sentence`the service does not tell, and it was neither last written by this server nor stated`;

/** Of a channel that somebody else changed since what this server knows of it. */
export function overtakenText({ at, isStated }: FormerContents, updated: string | undefined): Sentence {
  const known = isStated ? sentence`it was stated` : sentence`this server wrote it`;
  // By another clock it may seem to be earlier.
  const isLater = updated !== undefined && Date.parse(updated) > Date.parse(at);
  const changed = isLater ? sentence` (last on ${timeText(Date.parse(updated))})` : '';
  return sentence`${known} on ${timeText(Date.parse(at))}, and somebody else changed the channel since${changed}`;
}

const STATED_BY = joined(
  CONTENTS.map((list) => CHANNEL_FIELDS[list].statedBy),
  ' and ',
);
const ASK = sentence`If a change needs it, ask the user, projects too, never guess, and give it as ${STATED_BY} of update_channels or with state_contents.`;
