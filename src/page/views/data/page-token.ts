import { PAGE_TOKEN, PAGE_VIEWS } from '../../contract.ts';

const NAME = 'page-token';
/** Where people sign in; a page of one person has an address of its own, and its token from the server. */
const SHARED = '/app/';

/**
 * Of the sign-in whose page this window shows. Somebody else who signs in in another window has another token there, and this window
 * one that counts no more: nobody presses for somebody else.
 */
let own = '';

/**
 * Takes the token to which a sign-in led, and that is kept for this origin, out of the address and the history. A link from elsewhere
 * replaces none that there is.
 */
export function takeToken(): void {
  if (location.pathname !== SHARED) return;
  own = kept((storage) => storage.getItem(NAME)) ?? '';
  const at = location.hash.lastIndexOf(PAGE_TOKEN);
  if (at !== -1) {
    const token = location.hash.slice(at + PAGE_TOKEN.length);
    const rest = location.hash.slice(0, at);
    history.replaceState(undefined, '', `${location.pathname}${rest === '#' ? '' : rest}`);
    if (own === '' || document.referrer.startsWith(`${location.origin}/sign-in`)) own = token;
    kept((storage) => storage.setItem(NAME, own));
  }
  if (own === '') location.replace(signInAddress());
}

/** What goes with each request to a server that people sign in to. */
export const tokenHeader = (): Readonly<Record<string, string>> => (own === '' ? {} : { 'x-page-token': own });

/** Whether this window shows the page of a sign-in. */
export const isSignedIn = (): boolean => own !== '';

/** Forgets it, where it is still that of this window. */
export function forgetToken(): void {
  if (kept((storage) => storage.getItem(NAME)) === own) kept((storage) => storage.removeItem(NAME));
  own = '';
}

/** Of a sign-in that leads back to this view. */
export function signInAddress(): string {
  const { hash } = location;
  const view = hash.startsWith(PAGE_VIEWS.change) ? hash.slice(1) : `${SHARED}${hash.slice('#/'.length)}`;
  return `/sign-in?to=${encodeURIComponent(view)}`;
}

/** Undefined where a browser keeps nothing. */
function kept<T>(use: (storage: Storage) => T): T | undefined {
  try {
    return use(localStorage);
  } catch {
    return undefined;
  }
}
