/**
 * A browser in which a person signs in on the page of a server for several people, as plain requests.
 *
 *   const ann = await signIn(url, people.ann.secrets.pageKey);
 *   await ann.decide(changeId, 'apply');
 */
import { fieldsIn, type Values } from '../../src/platform/is-object.ts';

export interface HttpPage {
  /** What the sign-in was answered. */
  readonly entered: Response;
  /** What the browser sends with each request. */
  readonly cookie: string;
  /** What the page has from the sign-in, for what changes something. */
  readonly token: string;
  get(path: string, headers?: Readonly<Record<string, string>>): Promise<Response>;
  api(path: string): Promise<Values>;
  /** With the page’s own token; a header that is undefined is left out. */
  post(path: string, body?: object, headers?: Readonly<Record<string, string | undefined>>): Promise<Response>;
  /** As the views do, with what is shown. */
  decide(changeId: unknown, decision: 'apply' | 'decline', note?: string): Promise<{ readonly status: number; readonly body: Values }>;
}

/** Signs in with a page key. `to`: where the sign-in is to lead. */
export async function signIn(url: string, key: string, to = ''): Promise<HttpPage> {
  const form = { method: 'POST', body: new URLSearchParams({ key, to }), headers: { origin: url }, redirect: 'manual' } as const;
  const entered = await fetch(`${url}/sign-in`, form);
  const cookie = (entered.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
  const token = (entered.headers.get('location') ?? '').split('&token=')[1] ?? '';
  const get: HttpPage['get'] = (path, headers = {}) => fetch(`${url}${path}`, { headers: { cookie, ...headers }, redirect: 'manual' });
  const api: HttpPage['api'] = async (path) => fieldsIn(await (await get(`/app/api/${path}`)).json());
  const post: HttpPage['post'] = async (path, body = {}, headers = {}) => {
    const all = { cookie, origin: url, 'content-type': 'application/json', 'x-page-token': token, ...headers };
    const sent = Object.entries(all).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]));
    return fetch(`${url}/app/api/${path}`, { method: 'POST', body: JSON.stringify(body), headers: Object.fromEntries(sent) });
  };
  return {
    ...{ entered, cookie, token, get, api, post },
    async decide(changeId, decision, note = '') {
      const { planDigest } = await api(`changes/${String(changeId)}`);
      const answer = await post(`changes/${String(changeId)}/decision`, { decision, planDigest, note });
      return { status: answer.status, body: fieldsIn(await answer.json()) };
    },
  };
}
