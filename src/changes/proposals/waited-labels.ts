import { type Sentence, sentence } from '../../text/sentence.ts';
import type { ShownStatus } from './proposal.ts';

// Shared with the browser code of the page, which carries none of the words for assistants that are in `waited.ts`.

/** In a list of changes. */
export const WAITED_LABELS: Readonly<Record<ShownStatus, string>> = {
  waiting: 'Waits for you',
  running: 'Running',
  failed: 'Failed',
  declined: 'Declined',
  withdrawn: 'Withdrawn',
  expired: 'Expired',
  needless: 'Nothing to do',
};

/** Of a read-only server. */
export const CHANGES_OFF = sentence`Changes of the account are switched off on this server. Whoever runs it can switch them on.`;

export const BEING_APPLIED = sentence`This is being applied.`;

/** That a change is about records for which older ones wait, before the ids of those. */
export const overtakesText = (count: number): Sentence =>
  count === 1
    ? sentence`An older change for some of the same records waits for a person, and this one would overtake it:`
    : sentence`Older changes for some of the same records wait for a person, and this one would overtake them:`;
