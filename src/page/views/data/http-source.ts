import type { ChangeView, PageError, PageEvent, PageSession } from '../../contract.ts';
import type { Connection, DataSource, SourceEvent } from './source.ts';

/** How long a lost connection may take to come back before the server counts as gone. */
const GRACE_MS = 4_000;

const GONE = 'The server of this page has ended, so nothing was changed by this. Ask your assistant to go on: it opens a new page.';

/** The data of the server that served the page. */
export function createHttpSource(): DataSource {
  let session: Promise<PageSession> | undefined;
  const events = createEvents();
  const readSession = (): Promise<PageSession> => {
    session ??= request<PageSession>('session');
    session.catch(() => {
      session = undefined;
    });
    return session;
  };

  async function request<T>(path: string, init: RequestInit = {}): Promise<T> {
    const response = await fetch(`api/${path}`, { ...init, cache: 'no-store', credentials: 'same-origin' }).catch(() => {
      events.suspect();
      throw new Error(GONE);
    });
    const body: unknown = await response.json().catch(() => undefined);
    // A plan that moved comes back as the change that it is now.
    // The server's own types: both sides are built from one contract.
    if (response.ok || (response.status === 409 && isChange(body))) return body as T;
    if (response.status === 401 || response.status === 403) events.end();
    const unexplained = `The server answered with the status ${response.status}. Reload the page to see what holds now.`;
    throw new Error(isPageError(body) ? body.message : unexplained);
  }

  async function post<T>(path: string, body: unknown = {}): Promise<T> {
    const { token } = await readSession();
    const headers = { 'content-type': 'application/json', 'x-page-token': token };
    return request<T>(path, { method: 'POST', headers, body: JSON.stringify(body) });
  }

  const changePath = (changeId: string) => `changes/${encodeURIComponent(changeId)}`;
  const channelPath = (id: string) => `channels/${encodeURIComponent(id)}`;
  const reportPath = (reportId: string) => `reports/${encodeURIComponent(reportId)}`;
  return {
    mayAct: true,
    session: readSession,
    changes: (page) => request(`changes?page=${page}`),
    change: (changeId) => request(changePath(changeId)),
    decide: (changeId, decision) => post(`${changePath(changeId)}/decision`, decision),
    stop: (changeId) => post(`${changePath(changeId)}/stop`),
    undo: (changeId) => post(`${changePath(changeId)}/undo`),
    channels: (search, page) => request(`channels?search=${encodeURIComponent(search)}&page=${page}`),
    channel: (id) => request(channelPath(id)),
    state: (id, statement) => post(`${channelPath(id)}/statement`, statement),
    reports: () => request('reports'),
    report: (reportId, page) => request(`${reportPath(reportId)}?page=${page}`),
    chartAddress: async (reportId) => `api/${reportPath(reportId)}/chart.png`,
    csvAddress: (reportId) => `api/${reportPath(reportId)}/rows.csv`,
    listen: events.listen,
  };
}

const isChange = (body: unknown): body is ChangeView => typeof body === 'object' && body !== null && 'changeId' in body;

const isPageError = (body: unknown): body is PageError =>
  typeof body === 'object' && body !== null && 'message' in body && typeof body.message === 'string';

/** Server-sent events, and what their connection tells of the server. */
function createEvents() {
  const listeners = new Set<(event: SourceEvent) => void>();
  let stream: EventSource | undefined;
  let connection: Connection = 'open';
  let grace: ReturnType<typeof setTimeout> | undefined;

  const tell = (event: SourceEvent): void => {
    for (const listener of listeners) listener(event);
  };
  function become(next: Connection): void {
    if (connection === next || connection === 'ended') return;
    connection = next;
    tell({ type: 'connection', connection });
  }
  function end(): void {
    clearTimeout(grace);
    stream?.close();
    become('ended');
  }
  function suspect(): void {
    if (connection !== 'open') return;
    become('lost');
    grace = setTimeout(end, GRACE_MS);
  }
  function open(): void {
    stream = new EventSource('api/events');
    stream.onopen = () => {
      clearTimeout(grace);
      become('open');
    };
    // A browser connects again by itself, except where it was refused.
    stream.onerror = () => (stream?.readyState === EventSource.CLOSED ? end() : suspect());
    stream.onmessage = ({ data }) => {
      // What the server of the same build sends.
      const event = JSON.parse(data) as PageEvent;
      tell(event);
      if (event.type === 'ended') end();
    };
  }
  return {
    suspect,
    end,
    listen(listener: (event: SourceEvent) => void) {
      listeners.add(listener);
      if (stream === undefined) open();
      return () => void listeners.delete(listener);
    },
  };
}
