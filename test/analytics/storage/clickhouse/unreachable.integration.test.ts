/** Errors for a ClickHouse store that can’t be reached or gives unusable answers. */
import type { RequestListener } from 'node:http';
import { expect, test } from 'vitest';
import { ERRORS, type ErrorCode } from '../../../../src/errors/codes.ts';
import { answerWith } from '../../../harness/loopback.ts';
import { start } from '../../../harness/start.ts';

const PASSWORD = 'k8-Nobody-sees-this';

const versionAnswer = JSON.stringify({ meta: [{ name: 'version()', type: 'String' }], data: [['26.7.1']], rows: 1 });

const announcingTwo = versionAnswer.replace('"rows":1', '"rows":2');
const NO_SHARD =
  'Code: 279. DB::Exception: All connection tries failed. Log: Code: 210. DB::NetException: Connection refused (127.0.0.1:9000)\n';

test.each<[string, RequestListener, ErrorCode, RegExp]>([
  ['closes the connection', (request) => void request.socket.destroy(), 'store_unreachable', /can’t be reached/],
  ['truncates an answer', (_, response) => void response.end(versionAnswer.slice(0, -20)), 'store_unreachable', /can’t be reached/],
  ['sends fewer rows than it announces', (_, response) => void response.end(announcingTwo), 'store_unreachable', /cut off/],
  [
    'has no tables',
    (request, response) => {
      const pieces: Buffer[] = [];
      request
        .on('data', (piece: Buffer) => pieces.push(piece))
        .on('end', () => {
          if (Buffer.concat(pieces).includes('version()')) return void response.end(versionAnswer);
          response.writeHead(404).end('Code: 60. DB::Exception: Table videos.vh_log does not exist. (UNKNOWN_TABLE)\n');
        });
    },
    'store_unready',
    /store init/,
  ],
  [
    'rejects the user',
    (_, response) => void response.writeHead(403).end('Code: 516. DB::Exception: me: Authentication failed. (AUTHENTICATION_FAILED)\n'),
    'store_refused',
    /VIDEO_HOSTING_ANALYTICS_STORE_PASSWORD/,
  ],
  ['can’t reach a shard', (_, response) => void response.writeHead(500).end(NO_SHARD), 'store_unreachable', /no complete answer/],
])('an unusable store that %s is reported', async (_, answer, code, words) => {
  const { port } = new URL(await answerWith(answer));
  const store = `clickhouse://me@127.0.0.1:${port}/videos`;
  const env = { VIDEO_HOSTING_ANALYTICS_STORE: store, VIDEO_HOSTING_ANALYTICS_STORE_PASSWORD: PASSWORD };
  const { client, output } = await start({ env });
  const reply = await client.callTool('query_analytics', { from: '2026-01-01', to: '2026-01-02' });
  expect(reply.isError).toBe(true);
  expect(reply.text).toContain(ERRORS[code].hint);
  expect(reply.text).toMatch(words);
  expect(`${JSON.stringify(reply)}${output()}`).not.toContain(PASSWORD);
});
