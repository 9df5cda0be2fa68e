import { type Route, routesFor } from '../changes/confirm/routes.ts';
import type { Settings } from '../config/settings.ts';

/** Stands in the recorded instructions for the words that depend on the connection. */
export const CONFIRMATION_MARK = '<how changes are confirmed>';

/** What an assistant has to know of a way to confirm. Where several are tried, each sentence stands on its own. */
const WORDS: Readonly<Record<Route, string>> = {
  form: 'This server itself asks the user, in a form if this client draws it: make the call at once, without asking first.',
  token:
    'A result that says confirmation_required has sent nothing yet: show its preview to the user, and repeat the call with its token only after they agreed. Several previews may be open at once, each with a token of its own.',
  never: 'Nobody is asked (VIDEO_HOSTING_CONFIRM is never): a call is carried out at once, so call only what the user clearly wants.',
};

const REFUSED = 'Refused: VIDEO_HOSTING_CONFIRM is form, and this client shows no forms.';
const READ_ONLY = 'The tools that change the account are not offered (VIDEO_HOSTING_READ_ONLY); state_contents is, and is confirmed.';

/** How changes are confirmed on a connection, for the assistant, by the settings and by whether the client declares forms. */
export function confirmationWords({ readOnly, confirm }: Pick<Settings, 'readOnly' | 'confirm'>, declaresForms: boolean): string {
  const routes = routesFor(confirm, { areDeclared: declaresForms, areUnseen: false });
  const words = routes.length === 0 ? [REFUSED] : routes.map((route) => WORDS[route]);
  return [...(readOnly ? [READ_ONLY] : []), ...words].join(' ');
}

/** A client's capabilities, as far as they tell whether it shows forms. */
export interface DeclaredCapabilities {
  readonly elicitation?: { readonly form?: unknown; readonly url?: unknown } | undefined;
}

/** A client that names no kind of elicitation means forms. */
export function declaresForms({ elicitation }: DeclaredCapabilities = {}): boolean {
  if (!elicitation) return false;
  return elicitation.form !== undefined || elicitation.url === undefined;
}
