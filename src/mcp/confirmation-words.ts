import { routesFor } from '../changes/confirm/routes.ts';
import { CONFIRM_ROUTES, withoutRoute } from '../config/confirm-routes.ts';
import type { Settings } from '../config/settings.ts';
import { findBrowser } from '../platform/find-browser.ts';

/** Stands in the recorded instructions for the words that depend on the connection. */
export const CONFIRMATION_MARK = '<how changes are confirmed>';

const READ_ONLY = 'The tools that change the account are not offered (VIDEO_HOSTING_READ_ONLY); state_contents is, and is confirmed.';

export type WordsSettings = Pick<Settings, 'readOnly' | 'confirm' | 'browser' | 'desktop'>;

/** How changes are confirmed on a connection, for the assistant, by the settings and by whether the client declares forms. */
export function confirmationWords(settings: WordsSettings, declaresForms: boolean): string {
  const { readOnly, confirm, browser, desktop } = settings;
  const hasBrowser = !('missing' in findBrowser(browser, desktop));
  const routes = routesFor(confirm, { forms: { areDeclared: declaresForms, areUnseen: false }, page: { hasBrowser, isMissed: false } });
  const words = routes.length === 0 ? [`Refused: ${withoutRoute(confirm)}`] : routes.map((route) => CONFIRM_ROUTES[route].instructions);
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
