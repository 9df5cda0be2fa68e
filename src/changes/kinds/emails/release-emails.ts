import { sentence } from '../../../text/sentence.ts';
import { recordDifferences } from '../../plan/record-difference.ts';
import type { Kind } from '../kind.ts';
import { REST_OF_LOCAL, RETRY_OF_LOCAL } from '../local.ts';
import { NO_UNDO } from './plan-email-export.ts';

/** Collected emails that are written to a file, or shown. Their tool makes the plan, so that they never wait on disk. */
export const releaseEmails: Kind = {
  rest: () => REST_OF_LOCAL,
  retry: RETRY_OF_LOCAL,
  undo: () => ({ never: NO_UNDO }),
  lookAgain: { never: sentence`The account shows nothing of what was given out: look where it was to go.` },
  shares: () => ({ never: sentence`No standing approval covers personal data.` }),
  differences: (items, facts) => recordDifferences(items, facts),
};
