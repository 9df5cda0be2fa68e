import { DAY_MS } from '../../../platform/time-units.ts';
import { ownCommand } from '../../../text/own-command.ts';
import { sentence } from '../../../text/sentence.ts';
import { KEPT_DAYS, MAX_KEPT } from '../proposal-limits.ts';
import { decidedWhere } from './decided-where.ts';
import type { Route } from './route.ts';

const UNASKED = sentence`It was asked for where no one is asked (VIDEO_HOSTING_CONFIRM is wait), and no standing approvals are set there.`;

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
    stores: ['disk'],
    lifetimeMs: KEPT_DAYS * DAY_MS,
    lifetime: sentence`${KEPT_DAYS} days`,
    ...{ max: MAX_KEPT, ifFull: 'refuse' },
    ...{ canDecline: true, isOnPage: true, isByAssistant: false, isForLater: true },
    onDisk: () => ({ why: UNASKED, where: decidedWhere() }),
  },
  plansAgain: () => false,
} as const satisfies Route;
