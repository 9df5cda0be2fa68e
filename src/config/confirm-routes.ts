import { ownCommand } from '../text/own-command.ts';
import { type Sentence, sentence } from '../text/sentence.ts';

interface RouteWords {
  /** How a change is confirmed, for people. */
  readonly how: string;
  /** What the way needs, and what is said where it is not there. */
  readonly needs?: { readonly what: string; readonly without: Sentence };
  /** What an assistant has to know. Where several ways are tried, each sentence stands on its own. */
  readonly instructions: string;
}

/** The ways to confirm a change, in words for everybody who is told. */
export const CONFIRM_ROUTES = {
  form: {
    how: 'a form asks the user',
    needs: { what: 'the client shows forms', without: sentence`this client shows no forms` },
    instructions: 'This server itself asks the user, in a form if this client draws it: make the call at once, without asking first.',
  },
  page: {
    how: 'the approval page asks the user, in a browser that is opened on this machine',
    needs: { what: 'a browser can be opened', without: sentence`no browser can be opened here` },
    instructions:
      'This server itself asks the user, on a page that it opens in their browser: make the call at once. waiting: nothing is sent yet; ask the user to look there, and wait with get_change.',
  },
  token: {
    how: 'the assistant shows a preview and sends a token once the user agreed',
    instructions:
      'A result that says confirmation_required has sent nothing yet: show its preview to the user, and call confirm_change with its changeId, confirmationToken and summary only after they agreed to that very preview. Several previews may be open at once, each with a token of its own.',
  },
  wait: {
    get how() {
      return sentence`kept on disk until a person decides, at a terminal (${ownCommand('waiting')}) or on the page (${ownCommand('page')})`;
    },
    instructions:
      'Nobody is asked now. waiting: nothing is sent, and a person decides later, perhaps in days: tell what waits and why, never make the call again, and see get_change for what became of it.',
  },
  never: {
    how: 'not confirmed by anyone; the journal says so',
    instructions:
      'Nobody is asked (VIDEO_HOSTING_CONFIRM is never): a call is carried out at once, so call only what the user clearly wants.',
  },
} as const satisfies Record<string, RouteWords>;

export type ConfirmRoute = keyof typeof CONFIRM_ROUTES;

/** The ways that each value of the setting allows, in the order in which they are tried. */
export const CONFIRM_MODES = {
  ask: ['form', 'page', 'token'],
  form: ['form'],
  page: ['page'],
  token: ['token'],
  wait: ['wait'],
  never: ['never'],
} as const satisfies Record<string, readonly ConfirmRoute[]>;

export type ConfirmMode = keyof typeof CONFIRM_MODES;
export const CONFIRM_MODE_NAMES = Object.keys(CONFIRM_MODES) as readonly ConfirmMode[]; // Object.keys widens

/** Whether a change may be confirmed by token with a value of the setting. */
export const givesTokens = (mode: ConfirmMode): boolean => (CONFIRM_MODES[mode] as readonly ConfirmRoute[]).includes('token');

export const CONFIRM_DESCRIPTION =
  'How a change is confirmed: `ask` takes the first that works of a form, the approval page and a token; `form`, `page` and `token` allow that way alone; `wait` keeps it until a person decides; `never` asks nobody.';

const wordsOf = (route: ConfirmRoute): RouteWords => CONFIRM_ROUTES[route];

/** How changes are confirmed with a value of the setting, whatever the client and the machine. */
export function confirmationText(mode: ConfirmMode): string {
  const words = CONFIRM_MODES[mode].map(wordsOf);
  const texts = words.map(({ how, needs }) => (needs === undefined ? how : `${how} (if ${needs.what})`));
  return [...texts, ...(words.at(-1)?.needs === undefined ? [] : ['refused'])].join('; else ');
}

/** Why a change is refused where the only way that the setting allows is not there. */
export function withoutRoute(mode: ConfirmMode): Sentence {
  const { needs } = wordsOf(CONFIRM_MODES[mode][0]);
  return sentence`VIDEO_HOSTING_CONFIRM is ${mode}${needs === undefined ? '' : sentence`, and ${needs.without}`}.`;
}
