import { type ErrorFacts, VideoHostingError } from '../../errors.ts';
import { cleanText } from '../../service/sanitize-text.ts';

/** The error of an id that no change in the account's journal has. */
export const noSuchChange = (changeId: string, facts: ErrorFacts = {}): VideoHostingError =>
  new VideoHostingError('not_found', `There is no change ${JSON.stringify(cleanText(changeId, 60))} in this account’s journal.`, {
    facts,
    hint: 'See list_changes for the ids.',
  });
