/** Connections that never finish a request: the server closes each of them, and the page still works. */
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { waitingRename } from '../page/support.ts';

const BEGINNINGS: Readonly<Record<string, (host: string, folder: string) => string>> = {
  'sends nothing': () => '',
  'stops within its headers': (host) => `GET / HTTP/1.1\r\nHost: ${host}\r\nX-`,
  'stops within its body': (host, folder) =>
    `POST ${folder}api/changes/x/decision HTTP/1.1\r\nHost: ${host}\r\nOrigin: http://${host}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{`,
};

test.each(Object.entries(BEGINNINGS))('a connection that %s is closed by the server', async (_name, beginning) => {
  const { page } = await waitingRename();
  const { hostname, port, host } = new URL(page.origin);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  socket.on('data', () => undefined);
  socket.write(beginning(host, page.folder));
  // The time is not asserted: if the connection stays open, the test runs into its time limit.
  await new Promise((resolve) => socket.once('close', resolve));
  expect(await page.waiting()).toHaveLength(1);
});
