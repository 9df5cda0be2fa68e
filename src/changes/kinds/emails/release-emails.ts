import { sentence } from '../../../text/sentence.ts';
import { recordDifferences } from '../../plan/record-difference.ts';
import type { Kind, PlannedKind } from '../kind.ts';
import { REST_OF_LOCAL, RETRY_OF_LOCAL } from '../local.ts';
import type { EmailFormat } from './email-file.ts';
import { type EmailArgs, findEmailFilter } from './email-filter.ts';
import { NO_UNDO, ontoPage, planEmailExport } from './plan-email-export.ts';

const RELEASE: Kind = {
  rest: () => REST_OF_LOCAL,
  retry: RETRY_OF_LOCAL,
  undo: () => ({ never: NO_UNDO }),
  lookAgain: { never: sentence`The account shows nothing of what was given out: look where it was to go.` },
  shares: () => ({ never: sentence`No standing approval covers personal data.` }),
  differences: (items, facts) => recordDifferences(items, facts),
};

/** Collected emails that are shown. Their tool makes the plan, so that they never wait on disk. */
export const showEmails = RELEASE;

/**
 * Collected emails in a file. For the folder for files, its tool makes the plan, so that it never waits on disk; for a download on the page
 * of a server for several people, it waits there.
 */
export const exportEmails: PlannedKind<EmailArgs & EmailFormat> = {
  ...RELEASE,
  plan:
    ({ as, fields, ...args }, { client, account, catalogue, emailDownloads }) =>
    async (read) => {
      const release = { client, ...(await findEmailFilter(args, { account, catalogue, ...read })) };
      return planEmailExport(release, { as, fields }, () => ontoPage(emailDownloads))(read);
    },
  // Another channel may have its name by then.
  byId: (args, { facts }) => ('channel' in facts && facts.channel !== undefined ? { ...args, channel: facts.channel } : args),
};
