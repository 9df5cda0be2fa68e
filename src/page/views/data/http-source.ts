import { isObject } from '../../../platform/is-object.ts';
import { type ChangeView, PAGE_USE, type PageError, type PageSession, READ_LIST } from '../../contract.ts';
import { actionsBy } from './actions.ts';
import { createSharedEvents } from './events.ts';
import { PageFailure } from './page-failure.ts';
import { forgetToken, isSignedIn, tokenHeader } from './page-token.ts';
import { type DataSource, readsBy } from './source.ts';
import { onUse } from './use-of-window.ts';

const NOTHING_CHANGED = 'The server of this page was not reached, so nothing was changed by this.';

function goneText({ person, pageCommand }: Partial<Pick<PageSession, 'person' | 'pageCommand'>>): string {
  if (person !== undefined) return `${NOTHING_CHANGED} Load the page anew in a moment: what waits is kept.`;
  const start = pageCommand === undefined ? '' : `, or start ${pageCommand}`;
  return `${NOTHING_CHANGED} If it has ended, ask your assistant to go on, which opens a new page${start}.`;
}
const NO_ANSWER = 'No answer came, so what became of this press is not known: it may have been carried out. Reload the page to see.';

/** A request that has no connection of its own by then waits in the browser. */
const REACHED_MS = 5_000;

const SAVED_MS = 60_000;

const NOT_REACHED = 'The server was not reached, so nothing was sent. If this page is open in many windows, close some; then press again.';

/** So often is asked again where too much is asked at once: by all windows of a person, say, that are told of the same. */
const MAX_TRIES = 20;

/** A read that is refused for the moment is made again, each window at a time of its own; a press is the person’s to repeat. */
async function fetchPatiently(address: string, init: RequestInit): Promise<Response> {
  for (let tries = 1; ; tries += 1) {
    const response = await fetch(address, init);
    if (response.status !== 429 || init.method === 'POST' || tries >= MAX_TRIES || init.signal?.aborted) return response;
    const waitS = Number(response.headers.get('retry-after')) || 1;
    await pause(waitS * 1_000 * (1 + Math.random()), init.signal);
  }
}

/** Until the time is over, or a signal aborts. */
const pause = (ms: number, signal: AbortSignal | null | undefined): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
    signal?.addEventListener('abort', () => resolve(), { once: true });
  });

/** The data of the server that served the page. */
export function createHttpSource(): DataSource {
  const events = createSharedEvents();
  /** As the server told it while it was there. */
  let told: Partial<PageSession> = {};

  async function request<T>(path: string, init: RequestInit = {}): Promise<T> {
    const headers = { ...tokenHeader(), ...init.headers };
    const response = await fetchPatiently(`api/${path}`, { ...init, headers, cache: 'no-store', credentials: 'same-origin' }).catch(() => {
      if (init.signal?.aborted) throw new Error(NOT_REACHED);
      events.suspect();
      throw new Error(init.method === 'POST' && path !== READ_LIST ? NO_ANSWER : goneText(told));
    });
    const body: unknown = await response.json().catch(() => undefined);
    // A plan that moved comes back as the change that it is now.
    // The server's own types: both sides are built from one contract.
    if (response.ok || (response.status === 409 && isChange(body))) return body as T;
    if (response.status === 401) {
      forgetToken();
      events.end('signed-out');
    }
    if (response.status === 403) events.end();
    const unexplained = `The server answered with the status ${response.status}. Reload the page to see what holds now.`;
    throw new PageFailure(isPageError(body) ? body : { message: unexplained });
  }

  async function session(signal?: AbortSignal): Promise<PageSession> {
    const known = await request<PageSession>('session', signal && { signal });
    told = known;
    return known;
  }

  async function post<T>(path: string, body: unknown = {}): Promise<T> {
    // A press must not wait in the browser for a connection, and be carried out whenever there is one.
    const { token } = await session(AbortSignal.timeout(REACHED_MS));
    const headers = { 'content-type': 'application/json', ...(token !== undefined && { 'x-page-token': token }) };
    return request<T>(path, { method: 'POST', headers, body: JSON.stringify(body) });
  }

  /** A file that the server sends to its own page alone. */
  async function file(path: string): Promise<Response> {
    const response = await fetchPatiently(`api/${path}`, { headers: tokenHeader(), cache: 'no-store', credentials: 'same-origin' });
    if (response.ok) return response;
    const body: unknown = await response.json().catch(() => undefined);
    throw new Error(isPageError(body) ? body.message : `The server answered with the status ${response.status}.`);
  }

  // Where people sign in, a window that nobody uses runs out, whatever it asks for by itself.
  if (isSignedIn()) onUse(() => void request('session', { headers: { [PAGE_USE]: 'person' } }).catch(() => undefined));

  return {
    ...readsBy((path, signal) => request(path, signal && { signal })),
    session,
    actions: actionsBy(post),
    chartAddress: async (reportId, size) => dataAddress(await file(`reports/${encodeURIComponent(reportId)}/chart.png?size=${size}`)),
    fileAddress: (path) => `api/${path}`,
    save: async (path) => saveAs(await file(path), path),
    listen: events.listen,
  };
}

async function dataAddress(response: Response): Promise<string> {
  const reader = new FileReader();
  const read = new Promise<string>((resolve, reject) => {
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(new Error('The picture could not be read.'));
  });
  reader.readAsDataURL(await response.blob());
  return read;
}

/** By the name that the server gives it. */
async function saveAs(response: Response, path: string): Promise<void> {
  const [, name = path.split('/').at(-1)] = /filename="([^"]*)"/.exec(response.headers.get('content-disposition') ?? '') ?? [];
  const address = URL.createObjectURL(await response.blob());
  const link = Object.assign(document.createElement('a'), { href: address, download: name });
  link.click();
  // The browser has it by then.
  setTimeout(() => URL.revokeObjectURL(address), SAVED_MS);
}

const isChange = (body: unknown): body is ChangeView => isObject(body) && 'changeId' in body;

const isPageError = (body: unknown): body is PageError => isObject(body) && typeof body.message === 'string';
