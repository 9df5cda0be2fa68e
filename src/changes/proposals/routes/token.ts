import { sentence } from '../../../text/sentence.ts';
import type { Route } from './route.ts';

const LIFETIME = sentence`ten minutes`;

export const tokenRoute = {
  name: 'token',
  words: {
    how: sentence`the assistant shows a preview and sends a token once the user agreed`,
    instructions:
      'A result that says confirmation_required has sent nothing yet: show its preview to the user, and call confirm_change with its changeId, confirmationToken and summary only after they agreed to that very preview. Several previews may be open at once, each with a token of its own.',
  },
  works: () => true,
  hasFailed: () => false,
  waits: {
    stores: ['memory'],
    lifetimeMs: 600_000,
    lifetime: LIFETIME,
    ...{ max: 200, ifFull: 'drop-oldest' },
    ...{ canDecline: false, isOnPage: false, isByAssistant: true, isForLater: false },
    told: () => ({ where: sentence`Only if they agree, call confirm_change with that summary (once, within ${LIFETIME}).` }),
  },
  plansAgain: () => false,
} as const satisfies Route;
