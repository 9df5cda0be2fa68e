import type { Catalogue } from '../../account/catalogue.ts';
import { asSentence } from '../../text/sentence.ts';
import type { Notice } from './notices.ts';

/** What must be known of a change whose videos no catalogue could tell, or that of another account. */
export const catalogueNotices = (catalogue: Catalogue | undefined): Notice[] =>
  catalogue?.isOfOther === true
    ? [{ kind: 'catalogue_of_other' }]
    : catalogue?.unusable === undefined
      ? []
      : [{ kind: 'catalogue_unusable', problem: asSentence(catalogue.unusable.message) }];
