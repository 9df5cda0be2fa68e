import { useEffect, useState } from 'preact/hooks';
import { PAGE_VIEWS } from '../contract.ts';

type List = 'changes' | 'channels' | 'reports';

export type Route =
  | { readonly view: List | 'approvals' | 'connect' | 'missing' }
  | { readonly view: 'change' | 'channel' | 'report'; readonly id: string };

const ONE_OF = { changes: 'change', channels: 'channel', reports: 'report' } as const;
const isList = (text: string): text is List => Object.hasOwn(ONE_OF, text);

export function routeOf(hash: string): Route {
  const [, list = '', id = ''] = /^#?\/?([a-z]*)\/?(.*)$/.exec(hash) ?? [];
  if (list === '') return { view: 'changes' };
  if ((list === 'approvals' || list === 'connect') && id === '') return { view: list };
  if (!isList(list)) return { view: 'missing' };
  return id === '' ? { view: list } : { view: ONE_OF[list], id: decoded(id) };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

export const changeAddress = (changeId: string): string => PAGE_VIEWS.change + encodeURIComponent(changeId);
export const channelAddress = (id: string): string => PAGE_VIEWS.channel + encodeURIComponent(id);
export const reportAddress = (reportId: string): string => PAGE_VIEWS.report + encodeURIComponent(reportId);
export const listAddress = (list: List | 'approvals' | 'connect'): string => `#/${list}`;

export function goTo(address: string): void {
  location.hash = address;
}

export function useRoute(): Route {
  const [hash, setHash] = useState(location.hash);
  useEffect(() => {
    const follow = (): void => setHash(location.hash);
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, []);
  return routeOf(hash);
}
