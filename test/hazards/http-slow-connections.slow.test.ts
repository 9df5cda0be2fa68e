/** Connections to a server for several people that never finish a request: each is closed, and everybody else is answered. */
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { startHttp, toolCall } from '../harness/http.ts';

const BEGINNINGS: Readonly<Record<string, (host: string, token: string) => string>> = {
  'sends nothing': () => '',
  'stops within its first line': () => 'POST /mc',
  'stops within its headers': (host) => `POST /mcp HTTP/1.1\r\nHost: ${host}\r\nX-`,
  'stops within a body without a credential': (host) => `POST /mcp HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 100\r\n\r\n{`,
  'stops within a body': (host, token) =>
    `POST /mcp HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{`,
  'stops within a page key': (host) =>
    `POST /sign-in HTTP/1.1\r\nHost: ${host}\r\nOrigin: http://${host}\r\nContent-Length: 100\r\n\r\nkey=`,
};

test.concurrent.each(Object.entries(BEGINNINGS))('one that %s', async (_, beginning) => {
  const { url, people, post } = await startHttp();
  const { hostname, port, host } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  socket.on('data', () => undefined);
  socket.write(beginning(host, people.bob.secrets.clientToken));
  expect((await post(people.bob, toolCall('list_channels', { size: 1 }))).status).toBe(200);
  // The time is not asserted: if the connection stays open, the test runs into its time limit.
  await new Promise((resolve) => socket.once('close', resolve));
  expect((await post(people.bob, toolCall('list_channels', { size: 1 }))).status).toBe(200);
});

test('headers that come a byte at a time are given up in the time that all headers have', async () => {
  const { url } = await startHttp();
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  socket.on('data', () => undefined);
  socket.write('GET /healthz HTTP/1.1\r\nX-Slow: ');
  const drip = setInterval(() => socket.write('x'), 200);
  await new Promise((resolve) => socket.once('close', resolve));
  clearInterval(drip);
});
