import { sentence } from '../../../text/sentence.ts';
import type { Route } from './route.ts';

export const neverRoute = {
  name: 'never',
  words: {
    how: sentence`not confirmed by anyone; the journal says so`,
    instructions:
      'Nobody is asked (VIDEO_HOSTING_CONFIRM is never): a call is carried out at once, so call only what the user clearly wants.',
  },
  works: () => true,
  hasFailed: () => false,
  plansAgain: () => false,
} as const satisfies Route;
