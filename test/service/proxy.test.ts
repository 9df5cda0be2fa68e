/** The outcome of a request that a proxy refuses. */
import { expect, test } from 'vitest';
import { startProxy, TLS_HOST } from '../harness/proxy.ts';
import { API_KEY, approval, as, failure, openClient, startService } from './harness.ts';

const proxyAt = (port: number) => ({ variable: 'HTTPS_PROXY', address: `http://someone:secret@127.0.0.1:${port}`, noProxy: '' });

test.each([
  [407, 'settings_invalid', 1, /The proxy wants a user name and password, or others \(status 407\).*HTTPS_PROXY, percent-encoded/s],
  [502, 'unreachable', 4, /The proxy opened no way to the service \(status 502\).*NO_PROXY/s],
  ['hang-up', 'unreachable', 4, /No connection to the service.*HTTPS_PROXY/s],
  ['silence', 'timed_out', 4, /./],
] as const)('if the proxy’s answer is %s, nothing was sent, and each attempt contacts it once', async (refuse, code, asked, says) => {
  const proxy = await startProxy({ to: 1, refuse });
  const url = `https://${TLS_HOST}`;
  const timeouts = { connectMs: 300 };
  const { client, http } = openClient({ baseUrl: url, statsUrl: url, apiKey: API_KEY, proxy: proxyAt(proxy.port), timeouts });
  const error = await failure(client.videos.copyCta(approval(), as('v'), [as('w')]));
  expect(proxy.heads).toHaveLength(asked);
  expect(proxy.clear()).not.toContain(API_KEY);
  expect(error).toMatchObject({ code, facts: { outcome: 'nothing-sent', attempts: 0 } });
  expect(`${error.message} ${error.hint}`).toMatch(says);
  expect(`${error.message} ${error.hint} ${error.cause}`).not.toContain('secret');
  expect(http.limiter.main).toMatchObject({ active: 0 });
});

test('a malformed proxy address is refused, except if the service is on this machine', async () => {
  const proxy = { variable: 'HTTPS_PROXY', address: 'ftp://x:secret@y', noProxy: '' };
  const { client } = await startService({}, { proxy });
  expect((await client.templates.list()).items).not.toEqual([]);
  const url = `https://${TLS_HOST}`;
  expect(() => openClient({ baseUrl: url, statsUrl: url, apiKey: API_KEY, proxy })).toThrow(
    expect.objectContaining({ code: 'settings_invalid', message: expect.not.stringContaining('secret') }),
  );
});
