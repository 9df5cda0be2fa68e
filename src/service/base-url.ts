import { type ApiAddress, readApiAddress } from '../api-address.ts';
import { VideoHostingError } from '../errors.ts';
import { hostProblem, isLoopbackHost } from './addresses.ts';
import type { ApiPath } from './path.ts';
import type { Query } from './request.ts';

/** Reads a base URL whose host may be sent to. Throws `settings_invalid`, naming the setting only. */
export function parseBase(setting: string, value: string): ApiAddress {
  const read = readApiAddress(value);
  if ('problem' in read) throw refused(setting, read.problem);
  const problem = hostProblem(new URL(read.origin).hostname);
  if (problem !== undefined) throw refused(setting, `${problem}.`);
  return read;
}

function refused(setting: string, problem: string): VideoHostingError {
  return new VideoHostingError('settings_invalid', `The ${setting} ${problem}`, { facts: { outcome: 'nothing-sent' } });
}

/** Whether the connections to an origin are to lead to this machine. */
export const isLoopbackOrigin = (origin: string): boolean => isLoopbackHost(new URL(origin).hostname);

/** The request target below a base. */
export function targetOf(base: ApiAddress, path: ApiPath, query: Query = {}): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, String(value));
  return `${base.prefix}${path}${search.size === 0 ? '' : `?${search}`}`;
}
