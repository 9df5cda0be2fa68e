import { ownCommand } from '../../../text/own-command.ts';
import { sentence } from '../../../text/sentence.ts';
import { decidedWhere } from './decided-where.ts';
import { FOR_LATER } from './for-later.ts';
import type { Route } from './route.ts';

const UNASKED = sentence`It was asked for where no one is asked, and no standing approvals are set there.`;

export const waitRoute = {
  name: 'wait',
  words: {
    get how() {
      return sentence`kept on disk until a person decides, at a terminal (${ownCommand('waiting')}) or on the page (${ownCommand('page')})`;
    },
    instructions:
      'Nobody is asked now. waiting: nothing is sent, and a person decides later, perhaps in days: tell what waits and why, never make the call again, and see get_change for what became of it.',
  },
  works: () => true,
  hasFailed: () => false,
  waits: {
    ...FOR_LATER,
    onDisk: () => ({ why: UNASKED, where: decidedWhere() }),
  },
  plansAgain: () => false,
} as const satisfies Route;
