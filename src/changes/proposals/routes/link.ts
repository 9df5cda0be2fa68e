import { DAY_MS } from '../../../platform/time-units.ts';
import { ownCommand } from '../../../text/own-command.ts';
import { sentence } from '../../../text/sentence.ts';
import { KEPT_DAYS, MAX_KEPT } from '../proposal-limits.ts';
import { decidedWhere } from './decided-where.ts';
import type { Route } from './route.ts';

const SHARED = sentence`This server is for several people, and who decides may be somebody else than who asked.`;

/** Of a server for several people: nobody is asked in the call, and whoever decides does so by themselves. */
export const linkRoute = {
  name: 'link',
  words: {
    get how() {
      return sentence`kept until a person decides, on the server’s machine at a terminal (${ownCommand('waiting')}) or on the page (${ownCommand('page')})`;
    },
    instructions:
      'Nobody is asked in the call. waiting: nothing is sent, and a person decides later, perhaps a colleague of the user’s: tell the user what waits and why, never make the call again, and wait with get_change for what becomes of it.',
  },
  works: () => true,
  hasFailed: () => false,
  waits: {
    stores: ['disk'],
    lifetimeMs: KEPT_DAYS * DAY_MS,
    lifetime: sentence`${KEPT_DAYS} days`,
    ...{ max: MAX_KEPT, ifFull: 'refuse' },
    ...{ canDecline: true, isOnPage: true, isByAssistant: false, isForLater: true },
    onDisk: () => ({ why: SHARED, where: decidedWhere() }),
  },
  plansAgain: () => false,
} as const satisfies Route;
