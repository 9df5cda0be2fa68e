/**
 * A host that draws MCP Apps as the extension specifies it: a page on one loopback origin, a sandbox proxy on another,
 * and within it the view, sandboxed, under the policy for a view that declares no domains. A mood is a way in which real hosts limit a view.
 */
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Values } from '../../harness/client.ts';

export interface Mood {
  /** The capabilities that the host declares for the view. */
  readonly offers: readonly ('serverTools' | 'serverResources')[];
  /** Refuses the requests that it declares to support. */
  readonly refuses?: boolean;
  /** Removes the structured content and `_meta` from every result. */
  readonly strips?: boolean;
  /** Does not pass the arguments, or the result, to the view. */
  readonly withholds?: readonly ('input' | 'result')[];
  /** Notifies the view that the call was cancelled. */
  readonly cancels?: boolean;
  readonly context?: Values;
}

export interface Shown {
  readonly mood: Mood;
  /** The arguments of the call, and what the server answered. */
  readonly input: Values;
  readonly result: Values;
}

export interface ChatHost {
  /** The address of a page of the host that shows the view of a call. */
  show(shown: Shown): string;
  /** The requests and notifications that the view sent. */
  readonly sent: Values[];
  close(): Promise<void>;
}

const POLICY =
  "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; media-src 'self' data:; connect-src 'none'; frame-src 'none'; object-src 'none'; base-uri 'self'";

export async function startChatHost(html: string, request: (method: string, params: Values) => Promise<Values>): Promise<ChatHost> {
  const pages: Shown[] = [];
  const sent: Values[] = [];
  const sandbox = await listen((_, response) => {
    response.writeHead(200, { 'content-type': 'text/html', 'content-security-policy': POLICY });
    response.end(document(SANDBOX));
  });
  const host = await listen((incoming, response) => {
    const url = new URL(incoming.url ?? '/', 'http://host');
    const page = pages[Number(url.searchParams.get('page'))];
    if (page === undefined) {
      response.writeHead(204).end();
    } else if (url.pathname === '/rpc') {
      let text = '';
      incoming.on('data', (chunk) => {
        text += chunk;
      });
      incoming.on('end', () => void answer(JSON.parse(text), page.mood).then((body) => response.end(JSON.stringify(body))));
    } else {
      response.writeHead(200, { 'content-type': 'text/html' });
      const result = page.mood.strips === true ? stripped(page.result) : page.result;
      const config = JSON.stringify({ ...page, result, html, sandbox: sandbox.address, page: pages.indexOf(page) });
      response.end(document(`const config = ${config.replaceAll('<', '\\u003c')};\n${HOST}`));
    }
  });

  async function answer({ method, params }: { method: string; params: Values }, { refuses, strips }: Mood): Promise<Values> {
    sent.push({ method, params });
    if (method !== 'tools/call' && method !== 'resources/read') return {};
    // Some hosts let a view read this scheme only.
    const isForeign = method === 'resources/read' && !String(params.uri).startsWith('ui://');
    if (refuses === true || isForeign) return { error: { code: -32_000, message: 'The host does not allow this' } };
    return request(method, params).then(
      (result) => ({ result: strips === true ? stripped(result) : result }),
      (error: Error) => ({ error: { code: -32_000, message: error.message } }),
    );
  }

  return {
    show: (shown) => `${host.address}?page=${pages.push(shown) - 1}`,
    sent,
    close: async () => {
      await Promise.all([host, sandbox].map(({ close }) => close()));
    },
  };
}

const stripped = ({ structuredContent: _, _meta, ...rest }: Values): Values => rest;

async function listen(listener: RequestListener) {
  const server: Server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // It listens on a port.
  const { port } = server.address() as AddressInfo;
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { address: `http://127.0.0.1:${port}/`, close };
}

const document = (script: string): string =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><link rel="icon" href="data:,"><title>Host</title><style>body{margin:0}iframe{width:100%;height:300px;border:0}</style><body><script>${script}</script></body></html>`;

/** Forwards all messages between the host and the view, except its own. */
const SANDBOX = `
const view = document.createElement('iframe');
view.title = 'View';
view.sandbox = 'allow-scripts';
view.style.height = '100vh';
addEventListener('message', ({ source, data }) => {
  if (source === view.contentWindow) return parent.postMessage(data, '*');
  if (source !== parent) return;
  if (data.method !== 'ui/notifications/sandbox-resource-ready') return view.contentWindow.postMessage(data, '*');
  view.srcdoc = data.params.html;
  document.body.append(view);
});
parent.postMessage({ jsonrpc: '2.0', method: 'ui/notifications/sandbox-proxy-ready', params: {} }, '*');
`;

const HOST = `
const { mood, input, result, html, sandbox, page } = config;
const withholds = mood.withholds ?? [];
const proxy = document.createElement('iframe');
proxy.title = 'Sandbox';
proxy.sandbox = 'allow-scripts allow-same-origin';
proxy.src = sandbox;
document.body.append(proxy);
const post = (message) => proxy.contentWindow.postMessage({ jsonrpc: '2.0', ...message }, new URL(sandbox).origin);
const notify = (method, params) => post({ method, params });
const rpc = (message) => fetch('/rpc?page=' + page, { method: 'POST', body: JSON.stringify(message) }).then((answer) => answer.json());
let context = { theme: 'light', displayMode: 'inline', availableDisplayModes: ['inline', 'fullscreen'], locale: 'en-GB', timeZone: 'UTC', ...mood.context };
window.changeContext = (changed) => {
  context = { ...context, ...changed };
  notify('ui/notifications/host-context-changed', changed);
};
let answered;
window.teardown = () => {
  post({ id: 'end', method: 'ui/resource-teardown', params: { reason: 'the end' } });
  return new Promise((resolve) => (answered = resolve));
};
const HANDLERS = {
  'ui/initialize': () => ({
    result: {
      protocolVersion: '2026-01-26',
      hostInfo: { name: 'test-host', version: '1' },
      hostCapabilities: Object.fromEntries(mood.offers.map((name) => [name, {}])),
      hostContext: context,
    },
  }),
  'ui/request-display-mode': ({ mode }) => {
    changeContext({ displayMode: mode });
    return { result: { mode } };
  },
};
const ON = {
  'ui/notifications/sandbox-proxy-ready': () => notify('ui/notifications/sandbox-resource-ready', { html }),
  'ui/notifications/initialized': () => {
    if (!withholds.includes('input')) notify('ui/notifications/tool-input', { arguments: input });
    if (!withholds.includes('result')) notify('ui/notifications/tool-result', result);
    if (mood.cancels) notify('ui/notifications/tool-cancelled', { reason: 'by the user' });
  },
  'ui/notifications/size-changed': ({ height }) => {
    proxy.style.height = height + 'px';
  },
};
addEventListener('message', async ({ source, data }) => {
  if (source !== proxy.contentWindow) return;
  if (data.id === undefined) {
    ON[data.method]?.(data.params);
    if (data.method !== 'ui/notifications/sandbox-proxy-ready') await rpc({ method: data.method, params: data.params });
    return;
  }
  if (data.method === undefined) return data.id === 'end' ? answered(data.result) : undefined;
  const answer = HANDLERS[data.method]?.(data.params);
  const passed = await rpc({ method: data.method, params: data.params });
  post({ id: data.id, ...(answer ?? passed) });
});
`;
