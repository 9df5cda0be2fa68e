/** Requests to the service through a proxy that is set by the usual environment variables. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { CERTIFICATE, startProxy, startTls, TLS_HOST } from '../harness/proxy.ts';
import { runCommand } from '../harness/run-command.ts';
import { API_KEY, type Environment, pathsOf, startService } from '../harness/service.ts';
import { freshHome, start } from '../harness/start.ts';

const PASSWORD = 'pr0xy:p@ss';
const CREDENTIALS = `someone:${encodeURIComponent(PASSWORD)}`;

/** A service behind TLS, a proxy, and the settings of a server that uses both. */
async function company() {
  const demo = await startService();
  const tls = await startTls(demo.baseUrl);
  const proxy = await startProxy({ to: tls.port });
  const home = freshHome();
  writeFileSync(join(home, 'ca.pem'), CERTIFICATE);
  const env: Environment = {
    HOME: home,
    NODE_EXTRA_CA_CERTS: join(home, 'ca.pem'),
    VIDEO_HOSTING_BASE_URL: `https://${TLS_HOST}:${tls.port}`,
    VIDEO_HOSTING_STATS_URL: `https://${TLS_HOST}:${tls.port}${new URL(demo.statsUrl).pathname}`,
    VIDEO_HOSTING_API_KEY: API_KEY,
    VIDEO_HOSTING_CONFIRM: 'never',
  };
  const address = `http://${CREDENTIALS}@127.0.0.1:${proxy.port}`;
  const serve = (more: Environment) => start({ demo: null, via: 'process', home, env: { ...env, ...more } });
  return { demo, tls, proxy, env, address, serve };
}

/** Expects no credential of the service or of the proxy in a text. */
function expectNoCredential(text: string): void {
  for (const secret of [API_KEY, PASSWORD, CREDENTIALS, Buffer.from(`someone:${PASSWORD}`).toString('base64')])
    expect(text).not.toContain(secret);
}

test.each([
  ['HTTPS_PROXY', (address: string) => ({ HTTPS_PROXY: address })],
  ['https_proxy, which comes first', (address: string) => ({ https_proxy: address, HTTPS_PROXY: 'http://127.0.0.1:1' })],
  ['HTTP_PROXY, where no HTTPS_PROXY is set', (address: string) => ({ HTTP_PROXY: address, HTTPS_PROXY: '' })],
  ['an address without a scheme', (address: string) => ({ HTTPS_PROXY: address.replace('http://', '') })],
])('requests go through an encrypted tunnel of the proxy that is set by %s', async (_name, variables) => {
  const { demo, tls, proxy, address, serve } = await company();
  const { client, output, stop } = await serve(variables(address));
  const project = [...demo.world.projects.values()].at(-1);
  const video = [...demo.world.videos.values()].find(({ projectId }) => projectId !== project?.id);
  const moved = await client.callTool('move_videos', { targetProject: project?.id, videoIds: [video?.id] });

  expect(video?.projectId).toBe(project?.id);
  expect(moved.data).toMatchObject({ status: 'applied', moved: 1 });
  const target = `${TLS_HOST}:${tls.port}`;
  for (const { url, headers } of proxy.heads) {
    expect(url).toBe(target);
    expect(headers['proxy-authorization']).toBe(`Basic ${Buffer.from(`someone:${PASSWORD}`).toString('base64')}`);
    expect(headers).not.toHaveProperty('authorization');
  }
  expect(proxy.heads.length).toBeGreaterThan(0);
  expect(proxy.forwarded).toEqual([]);
  expect(proxy.clear()).not.toContain(API_KEY);
  expect(proxy.clear()).not.toContain('/v1/');
  await stop();
  expectNoCredential(output());
});

test.each(['[::ffff:7f00:1]', '*'])('hosts in NO_PROXY are reached without the proxy: %s', async (noProxy) => {
  const { demo, tls, proxy, address, serve } = await company();
  // An address of this machine that isn't taken for it.
  const url = `https://[::ffff:7f00:1]:${tls.port}`;
  const { client } = await serve({ HTTPS_PROXY: address, NO_PROXY: noProxy, VIDEO_HOSTING_BASE_URL: url, VIDEO_HOSTING_STATS_URL: url });
  expect((await client.callTool('list_plans')).isError).toBe(false);
  expect(pathsOf(demo)).toEqual(['GET /v1/plans']);
  expect(proxy.heads).toEqual([]);
});

test('a service on this machine and the demo account are reached without the proxy', async () => {
  const { demo, proxy, address, serve } = await company();
  const local = { HTTPS_PROXY: address, HTTP_PROXY: address, VIDEO_HOSTING_BASE_URL: demo.baseUrl, VIDEO_HOSTING_STATS_URL: demo.statsUrl };
  const { client } = await serve(local);
  expect((await client.callTool('list_plans')).isError).toBe(false);
  expect(pathsOf(demo)).toEqual(['GET /v1/plans']);
  const itself = await start({ demo: null, via: 'process', argv: ['--demo'], env: { HTTPS_PROXY: address, HTTP_PROXY: address } });
  expect((await itself.client.callTool('list_plans')).isError).toBe(false);
  expect(proxy.heads).toEqual([]);
  expect(proxy.forwarded).toEqual([]);
});

test.each([
  ['socks5://127.0.0.1:1080', 'HTTPS_PROXY must be an address like http://proxy.example.com:8080.'],
  [`http://${CREDENTIALS}@`, 'HTTPS_PROXY must be an address like'],
  ['http://someone:100%@127.0.0.1:1', 'HTTPS_PROXY holds a user name or password that is not percent-encoded.'],
])('a malformed proxy address is reported with its variable: %s', async (address, says) => {
  const { demo, serve } = await company();
  const { client, output } = await serve({ HTTPS_PROXY: address });
  const reply = await client.callTool('list_plans');
  expect(demo.requests).toEqual([]);
  expect(reply.text).toContain(says);
  const problems = expect.arrayContaining([expect.stringContaining(says)]);
  expect((await client.callTool('check_setup')).data).toMatchObject({ ok: false, problems });
  expectNoCredential(output());
});

test('doctor and check_setup say that a proxy is used, without its credentials', async () => {
  const { proxy, env, address, serve } = await company();
  const variables = { https_proxy: address, NO_PROXY: 'intranet.example' };
  const says = `requests go through http://127.0.0.1:${proxy.port} (https_proxy), save those to the hosts in NO_PROXY.`;
  const { client, output } = await serve(variables);
  const setup = await client.callTool('check_setup');
  expect(setup.data).toMatchObject({ mainApi: { ok: true }, proxy: says });
  expect(setup.text).toContain(says);
  expectNoCredential(output());
  const { stdout, stderr } = await runCommand(['doctor', '--json'], { ...env, ...variables });
  expect(JSON.parse(stdout).findings).toContainEqual({ level: 'fine', about: 'Proxy', detail: says });
  expectNoCredential(stdout + stderr);
});
