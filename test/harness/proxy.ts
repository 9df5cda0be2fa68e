/** A proxy on loopback that opens tunnels (CONNECT) and records plain requests, and a service behind TLS. */
import { createServer, type IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { createServer as createTlsServer } from 'node:tls';
import { atEnd } from './cleanup.ts';
import { endServer, listenOnLoopback } from './loopback.ts';

/** The name in the certificate. It is never looked up. */
export const TLS_HOST = 'api.example.test';

/** Starts a TLS server that forwards to a service on loopback. */
export async function startTls(serviceUrl: string): Promise<{ readonly port: number }> {
  const { port } = new URL(serviceUrl);
  const server = createTlsServer({ key: KEY, cert: CERTIFICATE }, (socket) => join(socket, connect(Number(port), '127.0.0.1')));
  server.on('tlsClientError', () => {});
  atEnd(() => endServer(server));
  return { port: await listenOnLoopback(server) };
}

export interface ProxyOptions {
  /** The port on loopback that every tunnel leads to. */
  readonly to: number;
  /** The reply to a CONNECT in place of a tunnel: a status, a closed connection, or none. */
  readonly refuse?: number | 'hang-up' | 'silence';
}

export interface TestProxy {
  readonly port: number;
  /** The CONNECT requests. */
  readonly heads: readonly IncomingMessage[];
  /** Plain requests: method and URL. */
  readonly forwarded: readonly string[];
  /** All bytes that it received, as text. */
  clear(): string;
}

export async function startProxy({ to, refuse }: ProxyOptions): Promise<TestProxy> {
  const heads: IncomingMessage[] = [];
  const forwarded: string[] = [];
  const bytes: Buffer[] = [];
  const server = createServer((request, response) => {
    forwarded.push(`${request.method} ${request.url}`);
    response.writeHead(502).end();
  });
  server.on('connection', (socket: Socket) => void socket.on('data', (chunk) => bytes.push(chunk)));
  server.on('connect', (head, socket, first) => {
    heads.push(head);
    socket.on('error', () => {});
    if (refuse === 'silence') return;
    if (refuse === 'hang-up') socket.destroy();
    else if (refuse !== undefined) socket.end(`HTTP/1.1 ${refuse} No\r\ncontent-length: 0\r\n\r\n`);
    else open(socket, first);
  });
  const open = (socket: Duplex, first: Buffer) => {
    const onward = connect(to, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      onward.write(first);
      join(socket, onward);
    });
  };
  const port = await listenOnLoopback(server);
  atEnd(() => endServer(server));
  return { port, heads, forwarded, clear: () => Buffer.concat(bytes).toString('latin1') };
}

function join(one: Duplex, other: Duplex): void {
  for (const [from, to] of [
    [one, other],
    [other, one],
  ] as const) {
    from.on('error', () => to.destroy()).on('close', () => to.destroy());
    from.pipe(to);
  }
}

/** Made for these tests. */
const KEY = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgVyJVjrawJiDtekLt
m5om3THNVozq5GMusMODOgkWL1ihRANCAARD5Vwc4+USHPO3dqIrTXz7bAvMEJsj
YBvgIL6aTlAnqhGxmaUzC+70WXqx5IVk/rAJ5r1FhIHj4U1S8ReAxOPm
-----END PRIVATE KEY-----`;

/** Self-signed, for `api.example.test` and ::ffff:127.0.0.1; for NODE_EXTRA_CA_CERTS. */
export const CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBvjCCAWSgAwIBAgIUZfv8/WcDljpAIv5ewZ5BIpp9PvgwCgYIKoZIzj0EAwIw
GzEZMBcGA1UEAwwQYXBpLmV4YW1wbGUudGVzdDAgFw0yNjExMjIxMDU2MDhaGA8y
MTI2MTAyOTEwNTYwOFowGzEZMBcGA1UEAwwQYXBpLmV4YW1wbGUudGVzdDBZMBMG
ByqGSM49AgEGCCqGSM49AwEHA0IABEPlXBzj5RIc87d2oitNfPtsC8wQmyNgG+Ag
vppOUCeqEbGZpTML7vRZerHkhWT+sAnmvUWEgePhTVLxF4DE4+ajgYMwgYAwHQYD
VR0OBBYEFBcNLKI7VEONg8Ost17oQec/HDyXMB8GA1UdIwQYMBaAFBcNLKI7VEON
g8Ost17oQec/HDyXMC0GA1UdEQQmMCSCEGFwaS5leGFtcGxlLnRlc3SHEAAAAAAA
AAAAAAD//38AAAEwDwYDVR0TAQH/BAUwAwEB/zAKBggqhkjOPQQDAgNIADBFAiEA
6cLF8fRzZFM3tFBYzOzvhxqRrIfVmFZc9BYC0v/dK6QCIGzNQfRzR74KiWQeVMcO
fSAPxjRU4cbbFdO8Uf89PYY0
-----END CERTIFICATE-----`;
