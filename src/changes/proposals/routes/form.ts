import { toTakeEffect } from '../../../text/own-command.ts';
import { sentence } from '../../../text/sentence.ts';
import type { Route } from './route.ts';

const NO_FORMS = sentence`this client shows no forms`;

export const formRoute = {
  name: 'form',
  words: {
    how: sentence`a form asks the user`,
    needs: { what: 'the client shows forms', with: sentence`this client shows forms`, without: NO_FORMS },
    get ifMissing() {
      return sentence`Use a client that shows forms, or set VIDEO_HOSTING_CONFIRM to "token" and ${toTakeEffect()}.`;
    },
    instructions: 'This server itself asks the user, in a form if this client draws it: make the call at once, without asking first.',
  },
  works: ({ forms }) => forms.areDeclared || NO_FORMS,
  hasFailed: ({ forms }) => forms.unseen !== undefined,
  waits: {
    stores: ['memory'],
    lifetimeMs: 600_000,
    lifetime: sentence`ten minutes`,
    ...{ max: 200, ifFull: 'drop-oldest' },
    ...{ canDecline: true, isOnPage: false, isByAssistant: false, isForLater: false },
    isTheirs: {
      message: sentence`The user is asked about this change in a form, which only they can close.`,
      hint: sentence`Ask them to answer it.`,
    },
    told: () => ({ where: sentence`The user is asked in a form, and has not answered.` }),
  },
  plansAgain: (forms) => forms.kind === 'push',
} as const satisfies Route;
