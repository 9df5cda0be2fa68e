import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { atEnd } from '../harness/cleanup.ts';
import type { Fault } from '../harness/faults.ts';
import { endServer, listenOnLoopback } from '../harness/loopback.ts';
import { API_KEY, startService } from '../harness/service.ts';
import { start } from '../harness/start.ts';
import { readsOf } from '../mcp/tools/calls.ts';

const HOSTILE = `\u001b[31mNo\u001b[0m \u202egnikcatta\u202c\u200b "quoted" ${API_KEY}`;
const body = { message: HOSTILE };

const FAULTS: readonly [name: string, fault: Fault, says: RegExp][] = [
  ['401', { kind: 'status', code: 401, body }, /refused the credential.*, status 401\).*Check VIDEO_HOSTING_API_KEY/s],
  ['403', { kind: 'status', code: 403, body }, /does not allow.*, status 403\)/],
  ['404', { kind: 'status', code: 404, body }, /(?:no such record|does not know this path of the API).*, status 404\)/],
  ['429', { kind: 'status', code: 429, body, retryAfter: 0 }, /fewer requests.*, status 429\).*Wait/s],
  ['500', { kind: 'status', code: 500, body }, /The service failed.*, status 500\).*Try again later/s],
  ['418', { kind: 'status', code: 418, body }, /status 418/],
];

test.concurrent.each(FAULTS)('each read with status %s reports the failure, the message and the next step', async (_name, fault, says) => {
  const demo = await startService();
  const { client, log } = await start({ demo });
  demo.faults.always({ do: fault });
  await Promise.all(
    readsOf(demo).map(async ([tool, args]) => {
      const { isError, text } = await client.callTool(tool, args);
      expect(isError).toBe(true);
      expect(text).toMatch(says);
      expect(text).toContain('Nothing was changed.');
      expect(text).toMatch(
        /^(?:The service|What answers at VIDEO_HOSTING_BASE_URL) .* \(GET \/v1\/(channels|projects|plans).*, status \d+\)\.$/m,
      );
      expect(text).toContain('it said "No gnikcatta \\"quoted\\" [credential]"');
      expect(text).toMatch(/\nNext: ./);
      expect(text).not.toMatch(/\n\s+at |node:|\.ts:|\.cjs:/);
    }),
  );
  expect(log()).toBe('');
  // Beside the reads it is looked at once whether the two addresses are swapped.
  const asked = demo.requests.filter(({ path }) => path !== '/v1/logs/data');
  expect(new Set(asked.map(({ method }) => method))).toEqual(new Set(['GET']));
});

test.concurrent('if collected emails are refused with 401, the error names the key, which was sent, and then the setting of the access token', async () => {
  const demo = await startService();
  demo.faults.always({ match: { path: '/v1/videos/collected-emails' }, do: { kind: 'status', code: 401 } });
  const { client } = await start({ demo });
  expect((await client.callTool('get_collected_emails')).text).toMatch(
    /Next: Check VIDEO_HOSTING_API_KEY.* install`, run again, asks for the new key\. .*VIDEO_HOSTING_ACCESS_TOKEN/,
  );
});

test.concurrent('a call to a service that hangs ends when its budget is spent', async () => {
  const demo = await startService();
  const { client } = await start({ demo, env: { VIDEO_HOSTING_CALL_BUDGET_MS: '1000' } });
  demo.faults.always({ do: { kind: 'hang' } });
  const [channel] = demo.world.channels.keys();
  await Promise.all([
    ...readsOf(demo).map(async ([tool, args]) => {
      const { isError, text } = await client.callTool(tool, args);
      expect(isError).toBe(true);
      expect(text).toMatch(/budget of 1000 ms.*Nothing was changed\.\nNext: .*VIDEO_HOSTING_CALL_BUDGET_MS/s);
    }),
    expect(client.readResource(`video-hosting://channels/${channel}`)).rejects.toThrow(/budget of 1000 ms/),
    expect(client.readResource('video-hosting://templates')).rejects.toThrow(/budget of 1000 ms/),
    expect(client.complete({ prompt: 'bulk-move' }, 'targetProject', 'A')).resolves.toEqual([]),
    expect(client.callTool('check_setup')).resolves.toMatchObject({
      data: {
        ok: false,
        mainApi: { ok: false, detail: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+ did not answer within 800 ms\./) },
      },
    }),
  ]);
});

test.concurrent('a list that grows faster than it can be read is abandoned when the budget is spent', async () => {
  const { client, demo } = await start({ env: { VIDEO_HOSTING_CALL_BUDGET_MS: '1500' } });
  demo.behaviour.onRequest = () => {
    for (let added = 0; added < 150; added += 1) demo.world.addChannel();
  };
  const { isError, text } = await client.callTool('list_channels', { search: 'Onboarding' });
  expect(isError).toBe(true);
  expect(text).toContain('budget of 1500 ms');
  const asked = demo.requests.length;
  demo.behaviour.onRequest = () => {};
  // A slow machine may take longer than the budget of one call.
  await expect.poll(async () => (await client.callTool('list_plans')).isError).toBe(false);
  expect(demo.requests.slice(asked).filter(({ path }) => path === '/v1/channels').length).toBeLessThanOrEqual(1);
});

/** Answers that violate HTTP: an assertion that they cause in the transport fails one request only. */
const NO_ANSWERS: readonly [name: string, bytes: string][] = [
  ['a status of 000', 'HTTP/1.1 000 No\r\ncontent-length: 2\r\n\r\n{}'],
  ['a status of 099', 'HTTP/1.1 099 No\r\ncontent-length: 2\r\n\r\n{}'],
  ['a 101 that was not requested', 'HTTP/1.1 101 Now\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n'],
  ['a 101 without a protocol', 'HTTP/1.1 101 Now\r\ncontent-length: 2\r\n\r\n{}'],
];

test.concurrent.each(NO_ANSWERS)('the built command survives %s', async (_name, bytes) => {
  const service = createServer((socket) => {
    socket.on('error', () => {}).on('data', () => socket.write(bytes));
  });
  const url = `http://127.0.0.1:${await listenOnLoopback(service)}`;
  atEnd(() => endServer(service));
  const env = { VIDEO_HOSTING_BASE_URL: url, VIDEO_HOSTING_STATS_URL: url, VIDEO_HOSTING_API_KEY: API_KEY };
  const { client } = await start({ demo: null, via: 'process', env });
  const { isError, text } = await client.callTool('list_plans');
  expect(isError).toBe(true);
  expect(text).toMatch(/^The connection broke.*\(GET \/v1\/plans\)/);
});

test.concurrent('the bundled undici does not use node:assert, which takes seconds to parse a long line', () => {
  expect(readFileSync(join(dirname(inject('command')), 'undici.cjs'), 'utf8')).not.toContain('node:assert');
});
