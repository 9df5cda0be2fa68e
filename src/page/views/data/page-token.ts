import { PAGE_TOKEN, type PageSession } from '../../contract.ts';

const NAME = 'page-token';
/** For a browser that keeps nothing. */
let taken = '';

/** Keeps the token to which a sign-in led, for this origin, and takes it out of the address and the history. A link from elsewhere brings none. */
export function takeToken(): void {
  const at = location.hash.lastIndexOf(PAGE_TOKEN);
  if (at === -1) return;
  const token = location.hash.slice(at + PAGE_TOKEN.length);
  const rest = location.hash.slice(0, at);
  history.replaceState(undefined, '', `${location.pathname}${rest === '#' ? '' : rest}`);
  if (!document.referrer.startsWith(`${location.origin}/sign-in`)) return;
  taken = token;
  keep((storage) => storage.setItem(NAME, token));
}

/** What goes with requests that change something. */
export const tokenOf = ({ token }: PageSession): string => token ?? keep((storage) => storage.getItem(NAME)) ?? taken;

export function forgetToken(): void {
  taken = '';
  keep((storage) => storage.removeItem(NAME));
}

/** Undefined where a browser keeps nothing. */
function keep<T>(use: (storage: Storage) => T): T | undefined {
  try {
    return use(localStorage);
  } catch {
    return undefined;
  }
}
