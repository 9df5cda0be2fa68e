import { type ApiAddress, readApiAddress } from '../api-address.ts';
import { VideoHostingError } from '../errors.ts';
import { type ProxySettings, proxyUrl } from '../proxy.ts';
import type { ApiPath } from './path.ts';
import type { ProxyRoute } from './pools.ts';
import type { Query } from './request.ts';

/** Reads a base URL. Throws `settings_invalid`, naming the setting only. */
export function parseBase(setting: string, value: string): ApiAddress {
  const read = readApiAddress(value);
  if ('problem' in read) throw refused(`The ${setting} ${read.problem}`);
  return read;
}

/** The proxy to go through. Throws `settings_invalid`, naming its variable only. */
export function parseProxy(proxy: ProxySettings): ProxyRoute {
  const url = proxyUrl(proxy);
  if ('problem' in url) throw refused(url.problem);
  return { url: url.href, noProxy: proxy.noProxy };
}

const refused = (problem: string): VideoHostingError =>
  new VideoHostingError('settings_invalid', problem, { facts: { outcome: 'nothing-sent' } });

/** The request target below a base. */
export function targetOf(base: ApiAddress, path: ApiPath, query: Query = {}): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, String(value));
  return `${base.prefix}${path}${search.size === 0 ? '' : `?${search}`}`;
}
