/** The configurations of `deploy/` go with what the server is. `scripts/try-proxies.mjs` runs the proxies. */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { MCP_PATH } from '../../src/config/http-address.ts';
import { parseConfig } from '../../src/config/parse-config.ts';
import { SETTINGS } from '../../src/config/settings.ts';
import { KEEP_ALIVE_MS } from '../../src/http/http-server.ts';
import { MAX_BODY_BYTES } from '../../src/http/mcp-route.ts';
import { GRACE_MS } from '../../src/http/serve-http.ts';
import { HEARTBEAT_MS } from '../../src/page/server/events.ts';
import { MAX_FILE_BODY_BYTES } from '../../src/page/server/read-body.ts';
import { freshHome } from '../harness/cleanup.ts';
import { textOf } from '../scripts/project.ts';

const [nginx, caddy, unit, example] = ['nginx.conf', 'Caddyfile', 'video-hosting-mcp.service', 'environment.example'].map((name) =>
  textOf(`deploy/${name}`),
) as [string, string, string, string]; // of four names

const withoutComments = (text: string): string => text.replaceAll(/^\s*#.*$/gm, '');
const MIB = 1_024 * 1_024;
const SECOND_MS = 1_000;

/** The body of the block that begins with a text. */
const blockOf = (text: string, begin: string): string => {
  const [, rest = ''] = text.split(`${begin} {\n`);
  return rest.split(/^\s*\}/m)[0] ?? '';
};
const numberIn = (text: string, form: RegExp): number => Number(form.exec(text)?.[1]);

/** `NAME='value'` of each line that is no comment: systemd and a shell read such a one alike. */
const variablesOf = (text: string): Record<string, string> =>
  Object.fromEntries(
    withoutComments(text)
      .split('\n')
      .flatMap((line) =>
        /^\w+=/.test(line) ? [[line.slice(0, line.indexOf('=')), /='([^'$\\]*)'$/.exec(line)?.[1] ?? 'not in quotes']] : [],
      ),
  );

test.each([
  ['nginx', nginx],
  ['Caddy', caddy],
])('%s leads to where the server listens', (_, text) => {
  const addresses = withoutComments(text).match(/127\.0\.0\.1:\d+/g);
  expect(addresses).toEqual([SETTINGS.httpListen.default]);
});

test.each([
  ['nginx, of a client', numberIn(blockOf(nginx, 'location /'), /client_max_body_size (\d+)m;/), MAX_BODY_BYTES],
  ['nginx, of the page', numberIn(blockOf(nginx, 'location /app/'), /client_max_body_size (\d+)m;/), MAX_FILE_BODY_BYTES],
  ['Caddy, of a client', numberIn(blockOf(caddy, `request_body ${MCP_PATH}`), /max_size (\d+)MiB/), MAX_BODY_BYTES],
  ['Caddy, of the page', numberIn(blockOf(caddy, 'request_body /app/*'), /max_size (\d+)MiB/), MAX_FILE_BODY_BYTES],
])('what is too large is refused by the server, in its words, and not before it (%s)', (_, mebibytes, limit) => {
  expect(mebibytes * MIB).toBeGreaterThan(limit);
  expect(mebibytes * MIB).toBeLessThan(2 * limit);
});

test('nothing before the server waits less than a call may take', () => {
  const readMs = numberIn(nginx, /proxy_read_timeout (\d+)s;/) * SECOND_MS;
  expect(readMs).toBeGreaterThan(2 * Number(SETTINGS.callBudgetMs.default));
  expect(readMs).toBeGreaterThan(2 * HEARTBEAT_MS);
  expect(withoutComments(caddy)).not.toMatch(/_timeout/);
});

test('no proxy keeps a connection for longer than the server', () => {
  const [inNginx, inCaddy] = [/keepalive_timeout (\d+)s;/.exec(nginx), /keepalive (\d+)s/.exec(caddy)];
  for (const found of [inNginx, inCaddy]) expect(Number(found?.[1]) * SECOND_MS).toBeLessThan(KEEP_ALIVE_MS);
});

test('the Host goes on as it came, events go on at once, and no forwarded header is sent', () => {
  // One that stands in a location would take the place of all of these.
  expect(nginx.match(/proxy_set_header .*/g)).toEqual(['proxy_set_header Connection "";', 'proxy_set_header Host $http_host;']);
  expect(nginx).toContain('proxy_buffering off;');
  expect(withoutComments(nginx)).not.toMatch(/x-forwarded|real_ip|\$request_uri' |\$request'/i);
  expect(withoutComments(caddy)).not.toMatch(/flush_interval|header_up Host/);
});

test('the unit gives what is in flight its time, and keeps its folder for its own user', () => {
  expect(numberIn(unit, /^TimeoutStopSec=(\d+)$/m) * SECOND_MS).toBeGreaterThan(GRACE_MS);
  expect(unit).toMatch(/^ExecStart=\S+\/video-hosting-mcp serve --http$/m);
  for (const line of ['StateDirectoryMode=0700', 'UMask=0077', 'NoNewPrivileges=yes', 'ProtectSystem=strict', 'ProtectHome=yes'])
    expect(unit).toContain(`\n${line}\n`);
  const [, folder] = /^StateDirectory=(.+)$/m.exec(unit) ?? [];
  expect(variablesOf(example)[SETTINGS.dataDir.variable]).toBe(`/var/lib/${folder}`);
  expect(unit).toMatch(/^EnvironmentFile=\/etc\/video-hosting-mcp\/environment$/m);
});

const HAS_SYSTEMD = spawnSync('systemd-analyze', ['--version']).status === 0;

test.skipIf(!HAS_SYSTEMD)('systemd takes the unit as it is', () => {
  const file = join(freshHome(), 'video-hosting-mcp.service');
  writeFileSync(file, unit.replace(/^ExecStart=\S+/m, 'ExecStart=/bin/true'));
  const { status, stderr } = spawnSync('systemd-analyze', ['verify', file], { encoding: 'utf8' });
  expect({ status, told: stderr.split('\n').filter((line) => line.includes(file)) }).toEqual({ status: 0, told: [] });
});

test('the settings of the example are those of the server, which begins with them once the key is there', () => {
  const set = variablesOf(example);
  const commented = variablesOf(example.replaceAll(/^#(?=\w+=)/gm, ''));
  expect(Object.keys(commented)).toEqual([...Object.keys(set), SETTINGS.secondPerson.variable]);
  const { problems, settings } = parseConfig(['serve', '--http'], { HOME: '/x', ...commented, [SETTINGS.apiKey.variable]: 'key' }, 'linux');
  expect(problems).toEqual([]);
  expect([set[SETTINGS.apiKey.variable], settings.httpListen]).toEqual(['', SETTINGS.httpListen.default]);
  for (const text of [nginx, caddy]) expect(text).toContain(new URL(settings.publicUrl ?? '').hostname);
});
