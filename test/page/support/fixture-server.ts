/** Serves the page without an account, for huge plans and for states that are hard to reach with an account. */
import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createVideoLists } from '../../../src/page/api/video-lists.ts';
import type {
  ChangeList,
  ChangeSummary,
  ChangeView,
  ChannelList,
  ChannelView,
  DecisionRequest,
  PageEvent,
  PageSession,
  ReportList,
  ReportView,
} from '../../../src/page/contract.ts';
import { catalogueOf } from '../../account/catalogue-of.ts';
import { CATALOGUE_TITLES } from './fixtures.ts';

export interface FixtureData {
  session: PageSession;
  changes: ChangeView[];
  channels: ChannelView[];
  reports: ReportView[];
  chart?: Buffer;
  /** The response to a decision on a change. */
  onDecision?: (change: ChangeView, request: DecisionRequest) => { status: number; change: ChangeView };
}

export interface FixtureServer {
  readonly address: string;
  /** The requests that change something, with their bodies. */
  readonly posted: { path: string; body: unknown }[];
  send(event: PageEvent): void;
  close(): Promise<void>;
}

interface Answer {
  readonly status?: number;
  readonly body: unknown;
}

const MISSING: Answer = { status: 404, body: { message: 'There is nothing of this name. Nothing was changed.' } };

export async function startFixtureServer(html: string, data: FixtureData): Promise<FixtureServer> {
  const posted: { path: string; body: unknown }[] = [];
  const streams = new Set<ServerResponse>();
  const catalogue = catalogueOf(JSON.stringify(Object.entries(CATALOGUE_TITLES).map(([key, title]) => ({ key, title }))));
  const videos = createVideoLists({ catalogue: () => catalogue });
  const hashes = (tag: string): string =>
    [...html.matchAll(new RegExp(`<${tag}>([\\s\\S]*?)</${tag}>`, 'g'))]
      .map(([, text = '']) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`)
      .join(' ');
  const csp = `default-src 'none'; script-src ${hashes('script')}; style-src ${hashes('style')}; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'`;

  async function post(path: string, request: IncomingMessage): Promise<Answer> {
    let text = '';
    for await (const chunk of request) text += chunk;
    const body = JSON.parse(text);
    if (path === '/videos/read') return { body: await videos.read(body) };
    posted.push({ path, body });
    const [, , id = '', action] = path.split('/').map(decodeURIComponent);
    const change = data.changes.find(({ changeId }) => changeId === id);
    if (action === 'decision' && change !== undefined) return decide(change, body);
    if (action === 'stop' && change !== undefined) return { body: change };
    const waiting = data.changes.find(({ status }) => status === 'waiting');
    return (action === 'undo' || action === 'statement') && waiting !== undefined ? { body: waiting } : MISSING;
  }

  function decide(change: ChangeView, request: DecisionRequest): Answer {
    const status = request.decision === 'apply' ? 'applied' : 'declined';
    const decided = data.onDecision?.(change, request) ?? { status: 200, change: { ...change, status } };
    data.changes = data.changes.map((one) => (one === change ? decided.change : one));
    return { status: decided.status, body: decided.change };
  }

  async function get(path: string, url: URL): Promise<Answer> {
    if (path === '/videos') return { body: await videos.find(url.searchParams.get('search') ?? '') };
    const [, list = '', id] = path.split('/').map(decodeURIComponent);
    const one: Readonly<Record<string, () => unknown>> = {
      changes: () => data.changes.find(({ changeId }) => changeId === id),
      channels: () => data.channels.find((channel) => channel.id === id),
      reports: () => data.reports.find(({ reportId }) => reportId === id),
    };
    const all: Readonly<Record<string, () => unknown>> = {
      session: () => data.session,
      changes: () => ({ changes: data.changes.map(summaryOf), page: 1, pages: 1 }) satisfies ChangeList,
      channels: () => channelList(data.channels, url),
      reports: () => ({ reports: data.reports }) satisfies ReportList,
    };
    const body = (id === undefined ? all : one)[list]?.();
    return body === undefined ? MISSING : { body };
  }

  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://page');
    const path = url.pathname.replace(/^\/api/, '');
    const reply = ({ status = 200, body }: Answer): void => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(body));
    };
    if (url.pathname === '/') {
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': csp });
      response.end(html);
    } else if (path === '/events') {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('retry: 300\n\n');
      streams.add(response);
    } else if (path.endsWith('/chart.png') && data.chart !== undefined) {
      response.writeHead(200, { 'content-type': 'image/png' });
      response.end(data.chart);
    } else void (request.method === 'POST' ? post(path, request) : get(path, url)).then(reply);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // It listens on a port.
  const { port } = server.address() as AddressInfo;
  return {
    address: `http://127.0.0.1:${port}/`,
    posted,
    send: (event) => {
      for (const stream of streams) stream.write(`data: ${JSON.stringify(event)}\n\n`);
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const summaryOf = ({ changeId, status, summary, at, undoneBy }: ChangeView): ChangeSummary => ({
  ...{ changeId, status, summary, at },
  ...(undoneBy === undefined ? {} : { undoneBy }),
});

function channelList(channels: readonly ChannelView[], url: URL): ChannelList {
  const search = url.searchParams.get('search') ?? '';
  const found = channels.filter(({ name }) => name.toLowerCase().includes(search.toLowerCase()));
  return {
    channels: found.map(({ id, name, contents, videoKeys }) => ({ id, name, contents, isKnown: videoKeys !== undefined })),
    page: 1,
    pages: 1,
  };
}
