import { VideoHostingError } from '../errors.ts';
import { hostProblem, isLoopbackHost } from './addresses.ts';
import type { ApiPath } from './path.ts';
import type { Query } from './request.ts';

/** Where an API is: its origin, and what stands before every path. */
export interface Base {
  readonly origin: string;
  readonly prefix: string;
}

/** The ways of writing loopback for which http is enough. */
const PLAIN_LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** Reads a base URL, which may carry a path and a trailing slash. Throws `settings_invalid`, naming the setting only. */
export function parseBase(setting: string, value: string): Base {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  const problem = url === undefined ? 'is not a URL' : baseProblem(url);
  if (url === undefined || problem !== undefined) {
    throw new VideoHostingError('settings_invalid', `The ${setting} ${problem}.`, { facts: { outcome: 'nothing-sent' } });
  }
  return { origin: url.origin, prefix: url.pathname.replace(/\/+$/, '') };
}

function baseProblem(url: URL): string | undefined {
  const secure = url.protocol === 'https:' || (url.protocol === 'http:' && PLAIN_LOOPBACK.test(url.hostname));
  if (!secure) return 'must be an https address (http on loopback only)';
  if (url.username !== '' || url.password !== '') return 'must not hold a user name or password';
  if (url.port === '0') return 'must not have the port 0';
  if (url.search !== '' || url.hash !== '') return 'must have no query and no fragment';
  return hostProblem(url.hostname);
}

/** Whether the connections to an origin are to lead to this machine. */
export const isLoopbackOrigin = (origin: string): boolean => isLoopbackHost(new URL(origin).hostname);

/** The request target below a base. */
export function targetOf(base: Base, path: ApiPath, query: Query = {}): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, String(value));
  return `${base.prefix}${path}${search.size === 0 ? '' : `?${search}`}`;
}
