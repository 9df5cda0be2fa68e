/** A person’s browser on the page of a server for several people, as far as its requests go. */
import { fieldsIn } from '../../src/platform/is-object.ts';
import type { HttpSession } from './http.ts';

export interface Browser {
  /** What the sign-in was answered. */
  readonly entered: Response;
  /** What the page has from the sign-in, for what changes something. */
  readonly token: string;
  /** What the browser sends with each request. */
  readonly cookie: string;
  get(path: string, headers?: Readonly<Record<string, string>>): Promise<Response>;
  api(path: string): Promise<Readonly<Record<string, unknown>>>;
  post(path: string, body?: object, headers?: Readonly<Record<string, string | undefined>>): Promise<Response>;
  /** As the views do, with what is shown. */
  decide(
    changeId: unknown,
    decision: 'apply' | 'decline',
  ): Promise<{ readonly status: number; readonly body: Readonly<Record<string, unknown>> }>;
}

export const keyForm = (key: string, to = '') => new URLSearchParams({ key, to });

/** A browser that signs in with a page key. */
export async function browse({ url }: Pick<HttpSession, 'url'>, key: string, to = ''): Promise<Browser> {
  const entered = await fetch(`${url}/sign-in`, { method: 'POST', body: keyForm(key, to), headers: { origin: url }, redirect: 'manual' });
  const cookie = (entered.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
  const token = (entered.headers.get('location') ?? '').split('&token=')[1] ?? '';
  const get: Browser['get'] = (path, headers = {}) =>
    fetch(`${url}${path}`, { headers: { cookie, 'x-page-token': token, ...headers }, redirect: 'manual' });
  const api: Browser['api'] = async (path) => fieldsIn(await (await get(`/app/api/${path}`)).json());
  const post: Browser['post'] = async (path, body = {}, headers = {}) => {
    const all = { cookie, origin: url, 'content-type': 'application/json', 'x-page-token': token, ...headers };
    const sent = Object.entries(all).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]));
    return fetch(`${url}/app/api/${path}`, { method: 'POST', body: JSON.stringify(body), headers: Object.fromEntries(sent) });
  };
  return {
    ...{ entered, cookie, token, get, api, post },
    async decide(changeId, decision) {
      const { planDigest } = await api(`changes/${String(changeId)}`);
      const answer = await post(`changes/${String(changeId)}/decision`, { decision, planDigest, note: '' });
      return { status: answer.status, body: fieldsIn(await answer.json()) };
    },
  };
}
