import { toReaders, toTakeEffect } from '../../../text/own-command.ts';
import { sentence } from '../../../text/sentence.ts';
import { decidedElsewhere, decidedWhere } from './decided-where.ts';
import type { Route } from './route.ts';

const LEFT = sentence`The client in which it was asked for has ended, and with it the page that showed it.`;
const ASKED = () =>
  toReaders(
    () => sentence`The client in which it was asked for runs, and its page shows it to the user.`,
    sentence`The client in which it was asked for runs, and its page shows it there.`,
  );
const THEY = () => toReaders(() => sentence`They decide there`, sentence`Whoever asked for it decides there`);
const NO_BROWSER = sentence`no browser can be opened here`;

export const pageRoute = {
  name: 'page',
  words: {
    how: sentence`the approval page asks the user, in a browser that is opened on this machine`,
    needs: { what: 'a browser can be opened', without: NO_BROWSER },
    get ifMissing() {
      return sentence`Set VIDEO_HOSTING_BROWSER to a program that opens the user’s browser, or VIDEO_HOSTING_CONFIRM to "ask", and ${toTakeEffect()}.`;
    },
    instructions:
      'This server itself asks the user, on a page that it opens in their browser: make the call at once. waiting: nothing is sent yet; ask the user to look there, and wait with get_change.',
  },
  works: ({ page }) => page.unavailable() ?? true,
  hasFailed: ({ page }) => page.isMissed(),
  waits: {
    stores: ['disk', 'memory'],
    lifetimeMs: 1_800_000,
    lifetime: sentence`half an hour`,
    ...{ max: 50, ifFull: 'refuse' },
    ...{ canDecline: true, isOnPage: true, isByAssistant: false, isForLater: false },
    onDisk: (_, isAsked = false) =>
      isAsked ? { why: ASKED(), where: sentence`${THEY()}, ${decidedElsewhere()}` } : { why: LEFT, where: decidedWhere() },
    told: ({ changeId, lapses, isLoaded, by }) =>
      by === undefined
        ? {
            where: isLoaded
              ? sentence`The user sees it on the approval page in their browser, and has not answered.`
              : sentence`The approval page was opened in the user’s browser, which has not loaded it yet.`,
            next: sentence`Ask them to look there, and wait with get_change ${changeId}: it is carried out once they press Apply, and ${lapses}.`,
          }
        : {
            where: sentence`${by} asked for it on the approval page, and nobody has answered there.`,
            next: sentence`Wait with get_change ${changeId}: it is carried out once somebody who may presses Apply, and ${lapses}.`,
          },
  },
  plansAgain: () => true,
} as const satisfies Route;
