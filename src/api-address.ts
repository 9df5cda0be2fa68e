/**
 * What the text of a base URL has to be, for the settings and for the client alike (`config/check.ts`,
 * `service/base-url.ts`). The client also looks at which host it is: that takes `service/addresses.ts`, which no start loads.
 */

/** Where an API is: its origin, and what stands before every path, without a slash at its end. */
export interface ApiAddress {
  readonly origin: string;
  readonly prefix: string;
}

/**
 * The hosts for which http is enough, as a parsed URL writes them. Fewer than `isLoopbackHost` in `service/addresses.ts`
 * knows, on purpose: there a host that it knows is held to this machine, here it goes without encryption.
 */
const MAY_GO_BY_HTTP = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** Reads a base URL, which may carry a path; or says what is wrong with it, and repeats none of it: it may hold a password. */
export function readApiAddress(text: string): ApiAddress | { readonly problem: string } {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) return { problem: 'must be an address like https://api.example.com.' };
  if (url.protocol === 'http:' && !MAY_GO_BY_HTTP.test(url.hostname))
    return { problem: 'must start with https:// (http is for loopback only).' };
  if (url.username !== '' || url.password !== '') return { problem: 'must not hold a user name or password.' };
  if (url.port === '0') return { problem: 'must not have the port 0.' };
  // A parsed URL forgets those with nothing behind them.
  if (text.includes('?') || text.includes('#')) return { problem: 'must not hold a query or fragment.' };
  return { origin: url.origin, prefix: url.pathname.replace(/\/+$/, '') };
}
