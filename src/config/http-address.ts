import { asSentence, type Sentence, sentence } from '../text/sentence.ts';
import { isLoopbackHost } from './api-address.ts';

export interface ListenAddress {
  /** Without the brackets of IPv6. */
  readonly host: string;
  /** 0: one that is free. */
  readonly port: number;
}

const MAX_PORT = 65_535;

/** Reads `127.0.0.1:8765`, `localhost:8765` or `[::1]:8765`; undefined where it is no such address. */
export function readListenAddress(text: string): ListenAddress | undefined {
  const [, ipv6, name, port = ''] = /^(?:\[([\da-f:.]+)\]|([\w.-]+)):(\d{1,5})$/i.exec(text) ?? [];
  const host = ipv6 ?? name;
  if (host === undefined || Number(port) > MAX_PORT) return undefined;
  return { host, port: Number(port) };
}

/** Whether only programs of this machine reach what listens on an address. */
export const isLoopback = ({ host }: ListenAddress): boolean => isLoopbackHost(host.includes(':') ? `[${host}]` : host);

/** Reads the root under which people reach a server, or returns its problem. The text is not repeated: it may hold a password. */
export function readPublicUrl(text: string): { readonly origin: string } | { readonly problem: Sentence } {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol))
    return { problem: sentence`must be an address like https://videos.example.com.` };
  if (url.username !== '' || url.password !== '') return { problem: sentence`must not hold a user name or password.` };
  if (url.protocol === 'http:' && !isLoopbackHost(url.hostname))
    return { problem: sentence`must start with https:// (http is for loopback only). A proxy before this server ends TLS.` };
  if (url.pathname !== '/' || text.includes('?') || text.includes('#'))
    return { problem: sentence`must be a root, without a path, query or fragment. Here that is ${asSentence(url.origin)}` };
  return { origin: url.origin };
}

/** Where the protocol is spoken, below the root. */
export const MCP_PATH = '/mcp';
/** Below it the page is answered, in JSON. */
export const PAGE_API_PATH = '/app/api/';

/** The same of what people copy, which may end with the path that clients are given. */
export const readServerUrl = (text: string): ReturnType<typeof readPublicUrl> => readPublicUrl(text.trim().replace(/\/mcp\/?$/, ''));
