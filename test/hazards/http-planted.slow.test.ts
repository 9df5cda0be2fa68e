/**
 * Nobody’s secret is where it does not belong. Several people use a server that runs as a process: every tool, resource, prompt, page and
 * command, as each role, with success and with all that may fail. Then every answer to everybody, the log, what commands printed and every file
 * below the home folder is searched for each planted value.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { listing } from '../../src/mcp/listing/listing.ts';
import { newSecrets } from '../../src/people/secrets.ts';
import { fieldsIn, type Values } from '../../src/platform/is-object.ts';
import { keyForm } from '../harness/browse.ts';
import { freshHome } from '../harness/cleanup.ts';
import type { Fault } from '../harness/faults.ts';
import { type PersonName, spawnHttp } from '../harness/http.ts';
import { plantPersonalTokens } from '../harness/planting.ts';
import { runCommand } from '../harness/run-command.ts';
import { API_KEY, type DemoService, settingsFor, startService } from '../harness/service.ts';
import { everyCallOf } from '../mcp/tools/calls.ts';
import { type Place, type Planted, placesBelow, strays } from './planted-support.ts';
import { TOKEN } from './secrets-support.ts';

const NAMES = ['ann', 'bob', 'eve', 'dan'] as const satisfies readonly PersonName[];
const CATALOGUE_REMARK = 'remark-of-the-catalogue-4711';
const PASTED_REMARK = 'remark-of-the-pasted-list-4712';
const LIMITS = 429;

/** What a service may answer with: each repeats the credentials. */
const ECHO = `The key ${API_KEY}, or Bearer ${TOKEN}, base64 ${Buffer.from(API_KEY).toString('base64')}, is not welcome.`;
const BODY = { message: ECHO, title: ECHO, detail: ECHO, error: { [API_KEY]: TOKEN }, traceId: TOKEN, invalidVideoKeys: [API_KEY, TOKEN] };
const statusOf = (code: number): Fault => ({
  ...{ kind: 'status', code, retryAfter: 0, body: BODY },
  headers: { 'x-echo': API_KEY, 'www-authenticate': `Bearer error="${TOKEN}"`, 'set-cookie': `key=${encodeURIComponent(API_KEY)}` },
});
const TROUBLES: Readonly<Record<string, Fault>> = {
  ...Object.fromEntries([400, 401, 403, 404, LIMITS, 500].map((code) => [`status ${code}`, statusOf(code)])),
  'a page': { kind: 'status', code: 200, body: `<html><title>${API_KEY}</title>${ECHO}` },
  'another shape': { kind: 'status', code: 200, body: { [API_KEY]: TOKEN, channels: [TOKEN], projects: [{ id: API_KEY, name: TOKEN }] } },
  'a redirect': { kind: 'redirect', location: `https://elsewhere.example/?key=${encodeURIComponent(API_KEY)}` },
  'a reset': { kind: 'reset-after' },
};

async function startPlanted() {
  const demo = await startService({ channels: 8, projects: 4, videos: 40, views: 200, accessToken: TOKEN });
  const [channel] = demo.world.channels.values();
  const personal = plantPersonalTokens(demo.world, channel);
  const home = freshHome();
  const tmp = join(home, 'tmp');
  mkdirSync(tmp);
  const catalogue = join(home, 'catalogue.csv');
  const rows = [...demo.world.videos.values()].map(({ id, key, title }) => `${id},${key},"${title}",${CATALOGUE_REMARK}`);
  writeFileSync(catalogue, ['id,key,title,remark', ...rows].join('\n'), { mode: 0o600 });
  const env = {
    TMPDIR: tmp,
    VIDEO_HOSTING_ACCESS_TOKEN: TOKEN,
    VIDEO_HOSTING_STATS_AUTH: 'bearer',
    VIDEO_HOSTING_VIDEO_CATALOGUE: catalogue,
    VIDEO_HOSTING_CALL_BUDGET_MS: '8000',
  };
  const served = await spawnHttp({ demo, home, env });
  const { people } = served;
  const planted: Planted[] = [
    { name: 'the key', value: API_KEY },
    { name: 'the access token', value: TOKEN },
    { name: 'a remark of the catalogue', value: CATALOGUE_REMARK, may: ({ what }) => what === 'catalogue.csv' },
    { name: 'a remark of a list that was read', value: PASTED_REMARK },
    ...NAMES.flatMap((name) => [
      { name: `the client token of ${name}`, value: people[name].secrets.clientToken },
      { name: `the page key of ${name}`, value: people[name].secrets.pageKey },
    ]),
    ...personal.map(({ field, token }) =>
      // They are in the file that was approved, for who asked and who approved.
      ['fullName', 'email', 'mobileNumber'].includes(field)
        ? {
            ...{ name: field, value: token },
            may: ({ kind, who, what }: Place) =>
              kind === 'file' ? /[\\/]emails[\\/]/.test(what) : /\/emails$/.test(what) && ['ann', 'bob'].includes(who),
          }
        : { name: field, value: token },
    ),
  ];
  return { ...served, planted, commandEnv: { ...settingsFor(demo), ...env, HOME: home, VIDEO_HOSTING_DATA_DIR: served.dataDir } };
}

type Session = Awaited<ReturnType<typeof startPlanted>>;

/** Sends requests and notes each answer whole, with its headers. */
function createRecorder({ url, planted }: Session) {
  const places: Place[] = [];
  /** One that came too soon is sent again. */
  async function send(who: string, what: string, path: string, init: RequestInit = {}): Promise<Response & { readonly body_: string }> {
    for (;;) {
      // A connection that was kept for too long is closed under a request.
      const ask = () => fetch(`${url}${path}`, { redirect: 'manual', ...init });
      const response = await ask().catch(ask);
      const text = Buffer.from(await response.arrayBuffer()).toString('latin1');
      places.push({ kind: 'answer', who, what, text: `${response.status}\n${JSON.stringify([...response.headers])}\n${text}` });
      const wait = Number(response.headers.get('retry-after'));
      if (response.status !== LIMITS || who === 'nobody' || !(wait > 0)) return Object.assign(response, { body_: text });
      await sleep(wait * 1_000);
    }
  }

  async function signIn(who: string, key: string) {
    const what = 'POST /sign-in';
    const entered = await send(who, what, '/sign-in', { method: 'POST', body: keyForm(key), headers: { origin: url } });
    const cookie = (entered.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
    const token = (entered.headers.get('location') ?? '').split('&token=')[1] ?? '';
    expect([entered.status, cookie.length, token.length]).toEqual([303, expect.any(Number), expect.any(Number)]);
    const may = ({ what: at, who: to }: Place) => at === what && to === who;
    planted.push({ name: `the sign-in of ${who}`, value: cookie.split('=')[1] ?? '', may });
    planted.push({ name: `the page’s token of ${who}`, value: token, may });
    const headers = { cookie, 'x-page-token': token };
    const api = (path: string, body?: object, more: Readonly<Record<string, string>> = {}) => {
      const init = body && {
        method: 'POST',
        body: JSON.stringify(body),
        headers: { ...headers, origin: url, 'content-type': 'application/json', ...more },
      };
      return send(who, `${body ? 'POST' : 'GET'} ${path}`, `/app/api/${path}`, init ?? { headers: { ...headers, ...more } });
    };
    return { who, headers, api, get: (path: string) => send(who, `GET ${path}`, path, { headers }) };
  }

  let id = 0;
  const clientOf = (who: string, token: string) => {
    const rpc = async (method: string, params: object, more: Readonly<Record<string, string>> = {}): Promise<Values> => {
      id += 1;
      const headers = {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        authorization: `Bearer ${token}`,
        ...more,
      };
      const body = JSON.stringify({ jsonrpc: '2.0', id, method, params });
      const { body_ } = await send(who, `${method} ${JSON.stringify(params).slice(0, 200)}`, '/mcp', { method: 'POST', headers, body });
      const last = body_.split('\n').findLast((line) => line.startsWith('data: ') && line.length > 8) ?? body_;
      try {
        return fieldsIn(JSON.parse(last.replace(/^data: /, '')));
      } catch {
        return {};
      }
    };
    const call = async (name: string, args: object): Promise<Values> => {
      const { result } = await rpc('tools/call', { name, arguments: args, _meta: { progressToken: id } });
      return fieldsIn(fieldsIn(result).structuredContent);
    };
    return { who, rpc, call };
  };
  return { places, send, signIn, clientOf };
}

type Recorder = ReturnType<typeof createRecorder>;
type Client = ReturnType<Recorder['clientOf']>;
type Page = Awaited<ReturnType<Recorder['signIn']>>;

/** Every tool with every call of it, and all that a client may read. */
async function useClient({ rpc, call }: Client, demo: DemoService, changeIds: readonly string[], most?: number): Promise<void> {
  await rpc('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'planted', version: '1' } });
  for (const list of ['tools/list', 'resources/list', 'resources/templates/list', 'prompts/list', 'no/such']) await rpc(list, {});
  const calls = listing().tools.flatMap(({ name }) => {
    const all = changeIds.flatMap((changeId, at) => everyCallOf(name, demo, changeId).filter((args) => at === 0 || 'changeId' in args));
    return [...all.slice(0, most), { nonsense: [1] }].map((args) => [name, args] as const);
  });
  // As many as one person may have in flight, with room.
  const callInTurn = async (): Promise<void> => {
    for (let next = calls.shift(); next !== undefined; next = calls.shift()) await call(...next);
  };
  await Promise.all(Array.from({ length: 6 }, callInTurn));
  const { report } = await call('query_analytics', { from: '90d', groupBy: ['video'], limit: 3, chart: 'bar' });
  if (typeof report === 'string') await call('draw_chart', { report });
  const [channel = ''] = demo.world.channels.keys();
  const [project = ''] = demo.world.projects.keys();
  const own = [
    'plan-types',
    'templates',
    'analytics/schema',
    `channels/${channel}`,
    `projects/${project}`,
    ...changeIds.map((id) => `changes/${id}`),
  ];
  const shown = changeIds.flatMap((id) => [`changes/${id}`, `changes/${id}/emails`, `changes/${id}/outcomes.csv`]);
  const uris = [
    ...own.map((at) => `video-hosting://${at}`),
    ...shown.map((at) => `ui://video-hosting/data/${at}`),
    'ui://video-hosting/data/session',
  ];
  for (const uri of [...uris, String(report)]) await rpc('resources/read', { uri });
  for (const { name, arguments: args } of listing().prompts) {
    await rpc('prompts/get', { name, arguments: Object.fromEntries(args.map((one) => [one.name, 'Something'])) });
    for (const one of args)
      await rpc('completion/complete', { ref: { type: 'ref/prompt', name }, argument: { name: one.name, value: '' } });
  }
  for (const what of ['channels/{id}', 'changes/{changeId}'])
    await rpc('completion/complete', {
      ref: { type: 'ref/resource', uri: `video-hosting://${what}` },
      argument: { name: 'id', value: '' },
    });
}

/** Every address of the page, and of its data, with what is there and what is not. */
async function usePage(page: Page, demo: DemoService, changeIds: readonly string[], reportIds: readonly string[]): Promise<void> {
  const [channel = ''] = demo.world.channels.keys();
  for (const path of [
    '/',
    '/app',
    '/app/',
    '/app/channels',
    '/app/connect',
    '/app/reports/none',
    '/sign-in',
    '/nowhere',
    '/healthz',
    '/readyz',
  ])
    await page.get(path);
  const parts = ['', '/emails', '/outcomes.csv', '/nothing'];
  const ofChanges = [...changeIds, 'chg-000000000-none', '..%2f..%2fpeople.json', '%00'].flatMap((id) =>
    parts.map((part) => `changes/${id}${part}`),
  );
  const ofReports = [...reportIds, 'none'].flatMap((id) => ['', '/rows.csv', '/chart.png'].map((part) => `reports/${id}${part}`));
  const rest = [
    'session',
    'client',
    'changes',
    'changes?page=2',
    'approvals',
    'channels',
    'channels?search=e',
    `channels/${channel}`,
    'channels/none',
  ];
  const more = ['videos?search=a', 'reports', 'people', 'settings', '../../people.json', '__proto__'];
  for (const path of [...ofChanges, ...ofReports, ...rest, ...more]) await page.api(path);
  const text = `key,remark\n${[...demo.world.videosByKey.keys()]
    .slice(0, 3)
    .map((key) => `${key},${PASTED_REMARK}`)
    .join('\n')}\n`;
  await page.api('videos/read', { text, fileName: 'list.csv' });
  await page.api('videos/read', { text: `one,two\n${PASTED_REMARK},${PASTED_REMARK.length}\n`, column: 7 });
  for (const id of ['chg-000000000-none', ...changeIds.slice(-1)])
    for (const press of ['decision', 'stop', 'undo', 'resume'])
      await page.api(`changes/${id}/${press}`, { decision: 'decline', planDigest: 'none' });
  for (const press of ['approvals/stop', 'approvals/none/revoke', 'channels/none/statement', 'client/token', 'session', 'nothing'])
    await page.api(press, { tokenId: 'none', videoKeys: [] });
}

/** What is refused before it is known who asks, or because it is known. */
async function intrude({ send }: Recorder, { people, url }: Session, pages: readonly Page[]): Promise<void> {
  const [ann, bob] = pages;
  const { clientToken, pageKey } = people.ann.secrets;
  const made = newSecrets();
  const call = { method: 'POST', body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }) };
  const types = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  const bearers = [pageKey, made.clientToken, `${clientToken}x`, clientToken.toUpperCase(), `${clientToken} ${pageKey}`, API_KEY, TOKEN];
  for (const bearer of bearers)
    await send('nobody', 'a wrong bearer', '/mcp', { ...call, headers: { ...types, authorization: `Bearer ${bearer}` } });
  for (const scheme of ['Basic', 'bearer', 'Token', ''])
    await send('nobody', 'another scheme', '/mcp', { ...call, headers: { ...types, authorization: `${scheme} ${pageKey}` } });
  for (const [name, value] of [
    ['access_token', clientToken],
    ['key', pageKey],
    [clientToken, '1'],
    ['x', encodeURIComponent(pageKey)],
  ] as const)
    for (const path of ['/mcp', '/app/', '/sign-in', '/healthz', '/changes/chg_x', '/nowhere'])
      await send(
        'nobody',
        `a credential in the query of ${path}`,
        `${path}?${name}=${value}`,
        path === '/mcp' ? { ...call, headers: types } : {},
      );
  for (const path of ['/app/', '/changes/', '/', '/app/api/changes/', '/app/reports/'])
    await send('nobody', 'a credential in the path', `${path}${pageKey}`, { headers: ann?.headers ?? {} });
  for (const key of [clientToken, made.pageKey, `${pageKey}x`, API_KEY, ''])
    await send('nobody', 'a wrong key', '/sign-in', {
      method: 'POST',
      body: keyForm(key, '/changes/chg_x'),
      headers: { origin: url },
    });
  await send('nobody', 'a sign-in from elsewhere', '/sign-in', {
    method: 'POST',
    body: keyForm(pageKey),
    headers: { origin: 'https://elsewhere.example' },
  });
  // A sign-in with another’s token of the page, or none; then one that was signed out.
  const mixed = { cookie: ann?.headers.cookie ?? '', 'x-page-token': bob?.headers['x-page-token'] ?? '' };
  for (const path of ['session', 'client', 'changes']) await send('nobody', 'a mixed sign-in', `/app/api/${path}`, { headers: mixed });
  for (const path of ['session', 'client'])
    await send('nobody', 'no token of the page', `/app/api/${path}`, { headers: { cookie: mixed.cookie } });
  for (const path of ['/app/', '/app/api/session', '/app/api/client', '/changes/chg_x']) await send('nobody', 'nobody', path);
  for (const body of ['{', 'null', '[]', `{"jsonrpc":"2.0","id":1,"method":"${clientToken}"}`, `{"${pageKey}":1}`, 'x'.repeat(100)])
    await send('ann', `a body that is none: ${body.slice(0, 12)}`, '/mcp', {
      ...call,
      body,
      headers: { ...types, authorization: `Bearer ${clientToken}` },
    });
  // A request whose Host and first line are not as they should be.
  for (const [host, path] of [
    ['elsewhere.example', `/mcp?k=${pageKey}`],
    [`${clientToken}.example`, '/app/'],
    [new URL(url).host, `http://x/${pageKey}`],
  ] as const)
    await new Promise<void>((resolve) => {
      const asked = httpRequest({ ...{ host: '127.0.0.1', port: new URL(url).port, path, headers: { host } } }, (answer) => {
        answer.resume().once('close', resolve);
      });
      asked.once('error', () => resolve()).end();
    });
}

/** Changes of every kind, each decided by Ann: applied, declined, failed, undone, carried on. */
async function change(client: Client, page: Page, demo: DemoService, waitSeconds = 60): Promise<string[]> {
  const ids: string[] = [];
  for (const tool of Object.keys(listing().effects)) {
    if (!['change', 'statement', 'export'].includes(listing().effects[tool] ?? '') || /resume|undo/.test(tool)) continue;
    for (const args of everyCallOf(tool, demo, 'chg-000000000-none')) {
      const { changeId, status } = await client.call(tool, args);
      if (typeof changeId !== 'string' || status !== 'waiting') continue;
      ids.push(changeId);
      const { planDigest } = fieldsIn(JSON.parse((await page.api(`changes/${changeId}`)).body_));
      await page.api(`changes/${changeId}/decision`, {
        decision: tool === 'copy_cta' && waitSeconds > 3 ? 'decline' : 'apply',
        planDigest,
        note: 'As asked.',
      });
      await client.call('get_change', { changeId, waitSeconds });
      if (waitSeconds <= 3) await client.call('stop_change', { changeId });
    }
  }
  return ids;
}

test('no planted value is in an answer, a log, a printed text or a file but where it has to be', async () => {
  const session = await startPlanted();
  const { people, demo, home, server, planted, commandEnv, url } = session;
  const recorder = createRecorder(session);
  const { places, signIn, clientOf } = recorder;
  const pages: Page[] = [];
  for (const name of NAMES) pages.push(await signIn(name, people[name].secrets.pageKey));
  const clients = NAMES.map((name) => clientOf(name, people[name].secrets.clientToken));
  const [ann, bob, eve, dan] = pages;
  const [, bobs] = clients;
  if (ann === undefined || bob === undefined || eve === undefined || dan === undefined || bobs === undefined) throw new Error('Nobody.');
  // What happens is told to a window that is open all the time.
  let events = '';
  const stream = fetch(`${url}/app/api/events`, { headers: eve.headers }).then(async ({ body }) => {
    for await (const chunk of body ?? []) events += Buffer.from(chunk).toString();
  });
  stream.catch(() => undefined);

  const ids = await change(bobs, ann, demo);
  expect(ids.length).toBeGreaterThan(5);
  const moved = await bobs.call('move_videos', {
    videoIds: [...[...demo.world.videos.keys()].slice(0, 3), 'no-such-video'],
    targetProject: [...demo.world.projects.keys()][2],
  });
  const part = String(moved.changeId);
  const { planDigest } = fieldsIn(JSON.parse((await ann.api(`changes/${part}`)).body_));
  await ann.api(`changes/${part}/decision`, { decision: 'apply', planDigest, note: '' });
  await bobs.call('get_change', { changeId: part, waitSeconds: 20 });
  const changeIds = [...ids, part];
  await Promise.all(clients.map((client) => useClient(client, demo, changeIds)));
  const reports = fieldsIn(JSON.parse((await ann.api('reports')).body_)).reports;
  const reportIds = (Array.isArray(reports) ? reports : []).slice(0, 3).map((report) => String(fieldsIn(report).reportId));
  expect(reportIds.length).toBeGreaterThan(1);
  await Promise.all(pages.map((page) => usePage(page, demo, changeIds, reportIds)));
  await intrude(recorder, session, pages);

  for (const fault of Object.values(TROUBLES)) {
    // What was sent fails, then everything.
    demo.faults.always({ match: { method: 'POST' }, do: fault });
    const failed = await change(bobs, ann, demo, 3);
    demo.faults.clear();
    demo.faults.always({ do: fault });
    await Promise.all([useClient(bobs, demo, failed.slice(0, 2), 2), usePage(eve, demo, failed.slice(0, 2), reportIds.slice(0, 1))]);
    demo.faults.clear();
    for (const changeId of failed.slice(0, 2)) await dan.api(`changes/${changeId}`);
  }

  // New secrets: of Ann on the page, and of Eve at a terminal.
  const { tokenId } = fieldsIn(JSON.parse((await ann.api('client')).body_));
  const renewed = fieldsIn(JSON.parse((await ann.api('client/token', { tokenId })).body_));
  expect(renewed.token).toMatch(/^vhm_/);
  planted.push({
    name: 'the new token of ann',
    value: String(renewed.token),
    may: ({ who, what }) => who === 'ann' && what === 'POST client/token',
  });
  const run = async (...argv: readonly string[]) => {
    const { code, stdout, stderr } = await runCommand(argv, commandEnv);
    places.push({ kind: 'output', who: 'a terminal', what: argv.join(' '), text: `${stdout}\n${stderr}` });
    return { code, stdout };
  };
  const rotated = await run('people', 'rotate', 'eve');
  for (const [secret] of rotated.stdout.matchAll(/vh[mp]_[\w-]{43}/g))
    planted.push({ name: 'a new secret of eve', value: secret, may: ({ what }) => what === 'people rotate eve' });
  expect(planted.filter(({ name }) => name === 'a new secret of eve')).toHaveLength(2);
  // What was signed in or had a token until then.
  for (const path of ['session', 'changes']) await eve.api(path);
  await clientOf('eve', people.eve.secrets.clientToken).rpc('tools/list', {});
  await clientOf('ann', people.ann.secrets.clientToken).rpc('tools/list', {});
  await bob.get('/sign-out');
  await recorder.send('bob', 'POST /sign-out', '/sign-out', { method: 'POST', headers: { ...bob.headers, origin: url } });
  await bob.api('session');
  await run('people', 'roles', 'dan', '--roles', 'read');
  await dan.api('approvals/stop', {});

  for (const argv of [
    'people list',
    'audit',
    'audit --json',
    'audit head',
    'audit verify',
    'doctor',
    'doctor --json',
    'waiting',
    'approvals',
    'sync --from 2026-10-01',
  ])
    await run(...argv.split(' '));
  for (const id of changeIds.slice(0, 2)) await run('waiting', 'show', id);
  const asClient = await runCommand(['doctor', '--url', url], { HOME: home, VIDEO_HOSTING_CLIENT_TOKEN: people.bob.secrets.clientToken });
  places.push({ kind: 'output', who: 'a terminal', what: 'doctor --url', text: `${asClient.stdout}\n${asClient.stderr}` });
  await run('people', 'remove', 'dan');
  server.child.kill('SIGTERM');
  await server.exit;
  await stream.catch(() => undefined);
  places.push({ kind: 'answer', who: 'eve', what: 'events', text: events });
  places.push({ kind: 'output', who: 'the server', what: 'log', text: server.stderr() });
  places.push(...placesBelow(home));

  expect(places.length).toBeGreaterThan(1_000);
  expect(events).toContain('"type":"change"');
  expect(strays(planted, places)).toEqual([]);
  // Where each may be, it is: the search finds what there is.
  const isFound = (value: string, place: (place: Place) => boolean): boolean =>
    places.some((one) => place(one) && strays([{ name: '', value }], [one]).length > 0);
  for (const { name, value, may } of planted)
    if (may !== undefined && value !== '') expect([name, isFound(value, may)]).toEqual([name, true]);
});
