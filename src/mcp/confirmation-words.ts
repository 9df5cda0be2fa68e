import { type Route, routesFor } from '../changes/confirm/routes.ts';
import type { Settings } from '../config/settings.ts';
import { findBrowser } from '../platform/find-browser.ts';

/** What an assistant has to know of a way to confirm. Where several are tried, each sentence stands on its own. */
const WORDS: Readonly<Record<Route, string>> = {
  form: 'This server itself asks the user, in a form if this client draws it: make the call at once, without asking first.',
  page: 'This server itself asks the user, on a page that it opens in their browser: make the call at once. waiting: nothing is sent yet; ask the user to look there, and wait with get_change.',
  token:
    'A result that says confirmation_required has sent nothing yet: show its preview to the user, and repeat the call with its token only after they agreed to that very preview. Several previews may be open at once, each with a token of its own.',
  never: 'Nobody is asked (VIDEO_HOSTING_CONFIRM is never): a call is carried out at once, so call only what the user clearly wants.',
};

/** Why nothing can be confirmed, by the setting. */
const REFUSED: Readonly<Record<string, string>> = {
  form: 'Refused: VIDEO_HOSTING_CONFIRM is form, and this client shows no forms.',
  page: 'Refused: VIDEO_HOSTING_CONFIRM is page, and no browser can be opened here.',
};
const READ_ONLY = 'The tools that change the account are not offered (VIDEO_HOSTING_READ_ONLY); state_contents is, and is confirmed.';

export type WordsSettings = Pick<Settings, 'readOnly' | 'confirm' | 'browser' | 'desktop'>;

/** How changes are confirmed on a connection, for the assistant, by the settings and by what the client declares. */
export function confirmationWords(
  { readOnly, confirm, browser, desktop }: WordsSettings,
  client: DeclaredCapabilities | undefined,
): string {
  const forms = { areDeclared: declaresForms(client), areUnseen: false };
  const routes = routesFor(confirm, { forms, page: { hasBrowser: !('missing' in findBrowser(browser, desktop)), isMissed: false } });
  const words = routes.length === 0 ? [REFUSED[confirm]] : routes.map((route) => WORDS[route]);
  return [...(readOnly ? [READ_ONLY] : []), ...words].join(' ');
}

/** What a client declares in the parameters of `initialize`, or of any request of the newer era. */
export function declaredIn(params: unknown): DeclaredCapabilities | undefined {
  // Everything in it may be missing; what is there has the protocol's types.
  const { capabilities, _meta } = (params ?? {}) as { capabilities?: DeclaredCapabilities; _meta?: Readonly<Record<string, unknown>> };
  return capabilities ?? (_meta?.[CAPABILITIES] as DeclaredCapabilities | undefined);
}

/** Where a request of the newer era has them, in its `_meta`. */
export const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities';

/** A client's capabilities, as far as they tell whether it shows forms. */
export interface DeclaredCapabilities {
  readonly elicitation?: { readonly form?: unknown; readonly url?: unknown } | undefined;
}

/** A client that names no kind of elicitation means forms. */
export function declaresForms({ elicitation }: DeclaredCapabilities = {}): boolean {
  if (!elicitation) return false;
  return elicitation.form !== undefined || elicitation.url === undefined;
}
