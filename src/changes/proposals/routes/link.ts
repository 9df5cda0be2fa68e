import { sentence } from '../../../text/sentence.ts';
import { FOR_LATER } from './for-later.ts';
import type { Route } from './route.ts';

const SHARED = sentence`Nobody is asked in the call: this server is for several people, and who decides may be somebody else than who asked.`;

/** Of a server for several people: nobody is asked in the call, and whoever decides follows a link and signs in. */
export const linkRoute = {
  name: 'link',
  words: {
    how: sentence`kept until a person decides, on the page behind the link that the answer has, where they sign in`,
    instructions:
      'Nobody is asked in the call. waiting: nothing is sent; give the user the link at once: there they or a colleague sign in and decide, perhaps in days. Never make the call again; wait with get_change for what becomes of it.',
  },
  works: () => true,
  hasFailed: () => false,
  waits: {
    ...FOR_LATER,
    onDisk: () => ({ why: SHARED, where: sentence`Give the user the link: whoever may decide does so there, once signed in` }),
  },
  plansAgain: () => false,
} as const satisfies Route;
