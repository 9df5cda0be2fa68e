import type { Contents } from '../../account/contents.ts';

/** Whose word a channel's contents are, in words, and what to do where they are not known. The lists are left out. */
export function contentsOut({ known, source, stated = [], asOf }: Contents) {
  const day = asOf === undefined ? '' : ` on ${asOf.slice(0, 'YYYY-MM-DD'.length)}`;
  const word = {
    service: 'as the service shows it',
    journal: `as this server last wrote it${day}`,
    stated: `as you stated it${day}`,
    none: NOBODY,
  };
  const lists = stated.map((list) => (list === 'videoKeys' ? 'videos' : 'projects')).join(' and ');
  const others = source === 'stated' || stated.length === 0 ? '' : `; its ${lists} as you stated them`;
  return { known, source: `${word[source]}${others}`, asOf, ...(known ? {} : { next: ASK }) };
}

const NOBODY = 'not known: the service does not tell, and it was neither last written by this server nor stated';
const ASK =
  'If a change needs it, ask the user, projects too, never guess, and give it as currentVideoKeys and currentProjectKeys of update_channels or with state_contents.';
