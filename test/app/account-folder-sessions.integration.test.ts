/** A key is of an account, which is known by what the service tells: a renewed key finds what is kept of it, and another account’s never does. */
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { claimAccount } from '../../src/app/known-accounts.ts';
import { DemoWorld } from '../../src/demo/world.ts';
import { COPY, doubled, ended, manyVideos, requestsOf } from '../changes/kinds/videos/harness.ts';
import { personOf, WAIT, waitingAgent } from '../changes/proposals/harness.ts';
import { AGENT, fileOf, moveRule, nightly } from '../changes/standing/harness.ts';
import { holdLock } from '../changes/support/another-process.ts';
import { agree, changeIdIn } from '../changes/support/confirm.ts';
import { changeFiles } from '../changes/support/journal-files.ts';
import { channelAt, contentOf, videoKeysOf, writesOf } from '../changes/support/world.ts';
import { APPLY, recordsIn, type TestClient } from '../harness/client.ts';
import { gate } from '../harness/gate.ts';
import { answerWith } from '../harness/loopback.ts';
import { runInProcess } from '../harness/run-command.ts';
import { type DemoService, hold, pathsOf, settingsFor, startService } from '../harness/service.ts';
import { freshHome, type ServerOptions, start } from '../harness/start.ts';

const RENEWED = 'sk_renewed-0001';
const LIST = 'GET /v1/channels';
const NEW_HERE = 'This key is new here; the account was known, and has ';

const withKey = (key: string, { env, ...options }: ServerOptions) => start({ ...options, env: { ...env, VIDEO_HOSTING_API_KEY: key } });

/** A further key of the account. */
function renew(demo: DemoService, key = RENEWED): string {
  demo.keys.set(key, { world: demo.world });
  return key;
}

const changesOf = async (client: TestClient) => recordsIn((await client.callTool('list_changes')).data, 'changes');
const knownIn = (dataDir: string) => readdirSync(join(dataDir, 'known-accounts')).filter((name) => name.endsWith('.json'));
const foldersOfChanges = (dataDir: string) => [...new Set(changeFiles(dataDir).map((file) => dirname(file)))];
const rename = (demo: DemoService, name: string, at = 0) => {
  const { id, videoKeys, projectKeys } = channelAt(demo, at);
  return { changes: [{ channel: id, name, currentVideoKeys: videoKeys, currentProjectKeys: projectKeys }] };
};
const listsOf = (demo: DemoService, from: number) =>
  pathsOf(demo)
    .slice(from)
    .filter((path) => path === LIST).length;

/** An account with a change and a statement, made with its first key, which is no longer accepted. */
async function expired() {
  const demo = await startService({ channels: 3, projects: 2, videos: 20 });
  const home = freshHome();
  const first = await start({ demo, home });
  const changed = await agree(first.client, 'update_channels', rename(demo, 'Renamed'));
  const { id, videoKeys, projectKeys } = channelAt(demo, 1);
  await agree(first.client, 'state_contents', { channels: [{ channel: id, videoKeys, projectKeys }] });
  await first.stop();
  demo.keys.delete(demo.apiKey);
  return { demo, home, changeId: changeIdIn(changed), stated: id, dataDir: first.dataDir };
}

test('with a renewed key history, undo and what was stated are there, which is said once, and takes one request once', async () => {
  const { demo, home, changeId, stated } = await expired();
  const { client, stop } = await withKey(renew(demo), { demo, home });
  const before = demo.requests.length;
  const first = await client.callTool('get_channel', { channel: stated });
  expect(first.text).toContain(`${NEW_HERE}2 changes, 1 stated channel.`);
  // Some clients give a model the structured content alone.
  expect(first.data).toMatchObject({ account: `${NEW_HERE}2 changes, 1 stated channel.`, contents: { known: true } });
  expect(listsOf(demo, before)).toBe(1);
  expect((await client.callTool('get_channel', { channel: stated })).text).not.toContain(NEW_HERE);
  expect((await client.callTool('list_changes')).data?.account).toBeUndefined();
  await stop();
  const later = await withKey(RENEWED, { demo, home });
  const asked = demo.requests.length;
  // Whether a change can be undone now is looked up, of which there is none here.
  expect((await later.client.callTool('list_changes', { status: 'running' })).data).toEqual({ changes: [] });
  expect(demo.requests).toHaveLength(asked);
  expect((await changesOf(later.client)).map((change) => change.changeId)).toContain(changeId);
  const undone = await agree(later.client, 'undo_change', { changeId });
  expect(channelAt(demo, 0).name).not.toBe('Renamed');
  expect(undone.data?.status).toBe('applied');
});

test('check_setup and doctor say that a key joined, and how much is kept', async () => {
  const { demo, home, dataDir } = await expired();
  const { client } = await withKey(renew(demo), { demo, home });
  const { data } = await client.callTool('check_setup');
  expect(data).toMatchObject({ ok: true, notes: expect.arrayContaining([`Account: ${NEW_HERE}2 changes, 1 stated channel.`]) });
  const env = { ...settingsFor(demo), HOME: home, VIDEO_HOSTING_DATA_DIR: dataDir };
  const known = await runInProcess(['doctor'], { ...env, VIDEO_HOSTING_API_KEY: RENEWED });
  expect(known.stdout).toMatch(/Account +known here, with 2 changes, 1 stated channel, for 2 keys of it\./);
  const another = await runInProcess(['doctor'], { ...env, VIDEO_HOSTING_API_KEY: renew(demo, 'sk_renewed-2') });
  expect(another.stdout).toMatch(/Account +This key is new here; the account was known, and has 2 changes/);
});

test('that a key joined is told to whoever comes first, person or assistant, and to nobody after that', async () => {
  const { demo, home, dataDir } = await expired();
  const env = { ...settingsFor(demo), HOME: home, VIDEO_HOSTING_DATA_DIR: dataDir };
  const told = `${NEW_HERE}2 changes, 1 stated channel.`;
  const person = { ...env, VIDEO_HOSTING_API_KEY: renew(demo) };
  expect((await runInProcess(['waiting'], person)).stderr).toContain(told);
  expect((await runInProcess(['approvals'], person)).stderr).not.toContain(NEW_HERE);
  const after = await withKey(RENEWED, { demo, home });
  for (const tool of ['list_channels', 'list_changes', 'check_setup'])
    expect((await after.client.callTool(tool)).text).not.toContain(NEW_HERE);
  const assistant = await withKey(renew(demo, 'sk_renewed-2'), { demo, home });
  const listed = await assistant.client.callTool('list_changes');
  expect(listed.data?.account).toBe(told);
  expect((await assistant.client.callTool('list_changes')).data?.account).toBeUndefined();
  expect((await runInProcess(['doctor'], { ...env, VIDEO_HOSTING_API_KEY: 'sk_renewed-2' })).stdout).not.toContain(NEW_HERE);
});

test('of an account of which nothing is kept nothing is told, neither that it is known nor that a key is new', async () => {
  const demo = await startService({ channels: 3, projects: 2, videos: 20 });
  const home = freshHome();
  const { client, dataDir, stop } = await start({ demo, home });
  const { changes } = rename(demo, 'Renamed');
  expect((await client.callTool('update_channels', { changes })).data?.status).toBe('confirmation_required');
  await stop();
  expect(knownIn(dataDir)).toHaveLength(1);
  const env = { ...settingsFor(demo), HOME: home, VIDEO_HOSTING_DATA_DIR: dataDir };
  expect((await runInProcess(['doctor'], env)).stdout).not.toMatch(/^. Account /m);
  const { stdout } = await runInProcess(['doctor'], { ...env, VIDEO_HOSTING_API_KEY: renew(demo) });
  expect(stdout).not.toMatch(/^. Account /m);
});

test('what waits, and who decided on it, is there with a renewed key, and can be approved by a person with either', async () => {
  const agent = await waitingAgent();
  const { demo, home, move, person, archive } = agent;
  const kept = await move(2);
  const changeId = changeIdIn(kept);
  await agent.stop();
  const renewed = await withKey(renew(demo), { demo, home, env: WAIT });
  expect(await changesOf(renewed.client)).toMatchObject([{ changeId, status: 'waiting' }]);
  const again = await renewed.client.callTool('move_videos', {
    ...{ videoIds: agent.ids.slice(0, 2), targetProject: archive, fromProject: agent.elsewhere },
  });
  expect(again.data).toMatchObject({ status: 'waiting', changeId });
  const { decisions } = await personOf({ ...person, VIDEO_HOSTING_API_KEY: RENEWED });
  const [change] = (await decisions.list()).proposals;
  if (change === undefined) throw new Error('Nothing waits.');
  const signal = new AbortController().signal;
  expect(await decisions.approve(await decisions.preview(change, signal), 'terminal', signal)).toBe('started');
  await expect.poll(async () => (await changesOf(renewed.client))[0]?.status).toBe('applied');
  expect([...demo.world.videos.values()].filter(({ projectId }) => projectId === archive)).toHaveLength(2);
});

test('what was used of a standing approval counts for a renewed key', async () => {
  const { demo, home, env, move, ids, archive, elsewhere, stop } = await nightly((account) => fileOf([moveRule(account, { perDay: 3 })]));
  expect((await move(2)).data?.status).toBe('applied');
  await stop();
  const { client } = await withKey(renew(demo), { demo, home, env: { ...env, VIDEO_HOSTING_AGENT: AGENT } });
  const more = await client.callTool('move_videos', { videoIds: ids.slice(2, 4), targetProject: archive, fromProject: elsewhere });
  expect(more.data?.status).toBe('confirmation_required');
  expect(more.text).toContain('3');
});

test('another person of the account finds its history, and sees of the account what their key may see', async () => {
  const { demo, home, changeId } = await expired();
  const hidden = channelAt(demo, 0).id;
  demo.keys.set('sk_member', { world: demo.world, hiddenChannels: new Set([hidden]) });
  const { client } = await withKey('sk_member', { demo, home });
  expect((await changesOf(client)).map((change) => change.changeId)).toContain(changeId);
  const before = writesOf(demo).length;
  expect((await client.callTool('get_channel', { channel: hidden })).isError).toBe(true);
  expect((await agree(client, 'undo_change', { changeId })).data?.status).not.toBe('applied');
  expect(writesOf(demo)).toHaveLength(before);
});

test('a key of another account at the same address joins nothing', async () => {
  const { demo, home, dataDir } = await expired();
  const world = new DemoWorld({ seed: 7, now: '2026-11-01T00:00:00.000Z', views: 0, channels: 2, projects: 1, videos: 5 });
  demo.keys.set('sk_other', { world });
  const { client } = await withKey('sk_other', { demo, home });
  expect(await changesOf(client)).toEqual([]);
  const [channel] = world.channels.values();
  await agree(client, 'update_channels', {
    changes: [{ channel: channel?.id, name: 'Theirs', currentVideoKeys: channel?.videoKeys, currentProjectKeys: channel?.projectKeys }],
  });
  expect(await changesOf(client)).toHaveLength(1);
  expect(readdirSync(join(dataDir, 'accounts'))).toHaveLength(2);
  expect(knownIn(dataDir)).toHaveLength(2);
});

test('under another address, each answer that finds nothing says at which address the account has changes, also before it is known', async () => {
  const { demo, home, changeId, dataDir } = await expired();
  demo.keys.set(demo.apiKey, { world: demo.world });
  const address = demo.baseUrl.replace(/\/$/, '');
  const [localhost, mistyped] = [address.replace('127.0.0.1', 'localhost'), address.replace(/\d+$/, '1')];
  for (const baseUrl of [mistyped, localhost]) {
    const env = { HOME: home, VIDEO_HOSTING_DATA_DIR: dataDir, ...settingsFor(demo), VIDEO_HOSTING_BASE_URL: baseUrl };
    const unknown = `Nothing is known here of an account at "${baseUrl}"; 2 changes are known here at "${address}", and stay with that address.`;
    expect((await runInProcess(['waiting'], env)).stdout).toContain(`Nothing waits. ${unknown}`);
    const { client, stop } = await start({ demo, env });
    for (const [tool, args] of [
      ['list_changes', {}],
      ['get_change', { changeId }],
      ['stop_change', { changeId }],
    ] as const) {
      const { text } = await client.callTool(tool, args);
      expect([tool, text.includes(unknown), text.includes('Renamed')]).toEqual([tool, true, false]);
    }
    if (baseUrl === localhost) {
      // What begins a change learns which account it is.
      await agree(client, 'update_channels', rename(demo, 'Here', 2));
      const { text } = await client.callTool('get_change', { changeId });
      expect(text).toContain(`Of an account with the same id 2 changes are known here at "${address}", and stay with that address`);
    }
    await stop();
  }
  expect(knownIn(dataDir)).toHaveLength(2);
});

test('with a key of another account, each answer that finds nothing says how much is kept of the other, in numbers alone', async () => {
  const agent = await waitingAgent();
  const { demo, home, move } = agent;
  const changeId = changeIdIn(await move(2));
  await agent.stop();
  const own = await start({ demo, home });
  await agree(own.client, 'update_channels', rename(demo, 'Renamed'));
  await own.stop();
  const world = new DemoWorld({ seed: 7, now: '2026-11-01T00:00:00.000Z', views: 0, channels: 2, projects: 1, videos: 5 });
  demo.keys.set('sk_other', { world });
  const { client, dataDir } = await withKey('sk_other', { demo, home });
  const kept = 'Another account of this address has 1 change and 1 that waits here, which its own key shows.';
  for (const [tool, args] of [
    ['list_changes', {}],
    ['get_change', { changeId }],
    ['stop_change', { changeId }],
    ['check_setup', {}],
  ] as const) {
    const { text } = await client.callTool(tool, args);
    expect([tool, text.includes(kept), text.includes('Renamed')]).toEqual([tool, true, false]);
  }
  const env = { HOME: home, VIDEO_HOSTING_DATA_DIR: dataDir, ...settingsFor(demo), VIDEO_HOSTING_API_KEY: 'sk_other' };
  expect((await runInProcess(['waiting'], env)).stdout).toContain(`Nothing waits. ${kept}`);
  expect((await runInProcess(['doctor'], env)).stdout).toMatch(new RegExp(`! Account +${kept}\\n +→ If you miss them`));
  const { client: known } = await start({ demo, home });
  expect((await known.callTool('list_changes')).text).not.toContain('Another account');
});

test('a catalogue that was first used with another account is told as that, until another list is in its place', async () => {
  const { demo, home, dataDir } = await expired();
  demo.keys.set(demo.apiKey, { world: demo.world });
  const file = join(home, 'videos.json');
  const [id = '', videoKey = ''] = [[...demo.world.videos.keys()][0], videoKeysOf(demo, 1)[0]];
  const write = (title: string) => writeFileSync(file, JSON.stringify([{ id, key: videoKey, title }]));
  write('One');
  const env = { VIDEO_HOSTING_VIDEO_CATALOGUE: file };
  const told = 'It was first used with another account';
  const first = await start({ demo, home, env });
  expect((await first.client.callTool('check_setup')).text).not.toContain(told);
  await first.stop();
  const renewed = await withKey(renew(demo), { demo, home, env });
  expect((await renewed.client.callTool('check_setup')).text).not.toContain(told);
  await renewed.stop();
  const world = new DemoWorld({ seed: 7, now: '2026-11-01T00:00:00.000Z', views: 0, channels: 2, projects: 2, videos: 5 });
  demo.keys.set('sk_other', { world });
  const other = await withKey('sk_other', { demo, home, env });
  expect((await other.client.callTool('check_setup')).text).toContain(told);
  const targetProject = [...world.projects.keys()][0];
  const move = await other.client.callTool('move_videos', { videoIds: ['One'], targetProject });
  expect(move.data?.status).toBe('confirmation_required');
  expect(move.text).toContain(told);
  await other.stop();
  const person = { ...settingsFor(demo), ...env, HOME: home, VIDEO_HOSTING_DATA_DIR: dataDir, VIDEO_HOSTING_API_KEY: 'sk_other' };
  expect((await runInProcess(['doctor'], person)).stdout).toMatch(
    /^! Video catalogue .*It was first used with another account.*\n.*Export/m,
  );
  write('Of the other account');
  expect((await runInProcess(['doctor'], person)).stdout).toMatch(/^✓ Video catalogue +1 video\.$/m);
});

test('the same account id at another address is another account', async () => {
  const { demo, home } = await expired();
  const elsewhere = await startService({ channels: 3, projects: 2, videos: 20 });
  expect(elsewhere.world.accountId).toBe(demo.world.accountId);
  const { client } = await start({ demo: elsewhere, home });
  const asked = elsewhere.requests.length;
  expect(await changesOf(client)).toEqual([]);
  expect(elsewhere.requests).toHaveLength(asked);
});

test('another path of the address is another service', async () => {
  const { demo, home } = await expired();
  const { client } = await withKey(renew(demo), { demo, home, env: { VIDEO_HOSTING_BASE_URL: `${demo.baseUrl}/elsewhere` } });
  const asked = demo.requests.length;
  expect(await changesOf(client)).toEqual([]);
  expect(demo.requests).toHaveLength(asked);
});

/** One origin with a service below each of its paths. Resolves to the origin. */
const gateway = (services: Readonly<Record<string, DemoService>>): Promise<string> =>
  answerWith((received, response) => {
    const { url = '', method, headers } = received;
    const [, service = '', path] = /^\/(\w+)(\/.*)$/.exec(url) ?? [];
    const { hostname, port, host } = new URL(services[service]?.baseUrl ?? '');
    const sent = request({ hostname, port, path, method, headers: { ...headers, host } }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(response);
    });
    received.pipe(sent);
  });

test('one key at two services of an origin is of two accounts, which show nothing of each other', async () => {
  const [one, two] = [await startService({ channels: 3 }), await startService({ channels: 3, seed: 77 })];
  const origin = await gateway({ one, two });
  const home = freshHome();
  const at = (demo: DemoService, path: string) => start({ demo, home, env: { VIDEO_HOSTING_BASE_URL: `${origin}/${path}` } });
  const first = await at(one, 'one');
  expect((await agree(first.client, 'update_channels', rename(one, 'Renamed'))).data?.status).toBe('applied');
  const second = await at(two, 'two');
  expect(await changesOf(second.client)).toEqual([]);
  expect((await agree(second.client, 'update_channels', rename(two, 'Other'))).data?.status).toBe('applied');
  expect(channelAt(two, 0).accountId).not.toBe(channelAt(one, 0).accountId);
  for (const { client } of [first, second, await at(one, 'one/'), await at(two, 'two')]) expect(await changesOf(client)).toHaveLength(1);
  expect(readdirSync(join(first.dataDir, 'accounts'))).toHaveLength(2);
});

test('a folder that an account of another address has is nobody else’s, also where it has the name of a key', async () => {
  const { demo, home, dataDir } = await expired();
  demo.keys.set(demo.apiKey, { world: demo.world });
  const [known = ''] = knownIn(dataDir);
  const folder = join(dataDir, 'known-accounts');
  const account = JSON.parse(readFileSync(join(folder, known), 'utf8'));
  rmSync(folder, { recursive: true });
  mkdirSync(folder);
  writeFileSync(join(folder, `${'0'.repeat(24)}.json`), JSON.stringify({ ...account, address: `${account.address}/two` }));
  const { client } = await start({ demo, home });
  expect(await changesOf(client)).toEqual([]);
  expect((await agree(client, 'update_channels', rename(demo, 'Again'))).data?.status).toBe('applied');
  expect(await changesOf(client)).toHaveLength(1);
});

test('a key that the service tells to be of two accounts at once is refused for the one that comes second', async () => {
  const { dataDir } = await expired();
  const wanted = { address: 'https://api.example.com', folder: 'f'.repeat(24) };
  const claims = await Promise.allSettled(['one', 'two'].map((accountId) => claimAccount(dataDir, { ...wanted, accountId })));
  expect(claims.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  for (const address of ['https://api.example.com', 'https://api.example.com/v1'])
    await expect(claimAccount(dataDir, { ...wanted, address, accountId: 'three' })).rejects.toMatchObject({ code: 'data_folder_failed' });
});

test('an account that a newer version made known is left to that', async () => {
  const { dataDir } = await expired();
  const wanted = { address: 'https://api.example.com', folder: 'f'.repeat(24), accountId: 'one' };
  const old = knownIn(dataDir);
  await claimAccount(dataDir, wanted);
  const [name = ''] = knownIn(dataDir).filter((one) => !old.includes(one));
  const text = JSON.stringify({ format: 2, accounts: [] });
  writeFileSync(join(dataDir, 'known-accounts', name), text);
  await expect(claimAccount(dataDir, wanted)).rejects.toMatchObject({
    code: 'data_folder_failed',
    message: expect.stringMatching(/was written by a newer version of this program/),
  });
  expect(readFileSync(join(dataDir, 'known-accounts', name), 'utf8')).toBe(text);
});

test('a server that was not told its account joins it once another server with its key has', async () => {
  const { demo, home } = await expired();
  const channel = channelAt(demo, 0);
  const { accountId } = channel;
  Object.assign(channel, { accountId: '' });
  const one = await withKey(renew(demo), { demo, home });
  expect(await changesOf(one.client)).toEqual([]);
  Object.assign(channel, { accountId });
  const two = await withKey(RENEWED, { demo, home });
  expect(await changesOf(two.client)).toHaveLength(2);
  expect((await agree(one.client, 'update_channels', rename(demo, 'Again'))).data?.status).toBe('applied');
  for (const { client } of [one, two]) expect(await changesOf(client)).toHaveLength(3);
  expect(changeFiles(join(one.dataDir, 'accounts'))).toHaveLength(3);
  expect(readdirSync(join(one.dataDir, 'accounts'))).toHaveLength(1);
});

test.each([
  ['channels of several accounts', (demo: DemoService) => Object.assign(channelAt(demo, 2), { accountId: 'acc0ffffffffffffffffffff' })],
  ['a channel that names no account', (demo: DemoService) => Object.assign(channelAt(demo, 2), { accountId: '' })],
  ['no channels', (demo: DemoService) => demo.world.channels.clear()],
])('a key that sees %s joins nothing, and check_setup says so', async (_what, change) => {
  const { demo, home, dataDir } = await expired();
  change(demo);
  const { client } = await withKey(renew(demo), { demo, home });
  expect(await changesOf(client)).toEqual([]);
  const { data } = await client.callTool('check_setup');
  expect(data).toMatchObject({ ok: true, notes: expect.arrayContaining([expect.stringMatching(/^Account: not known: /)]) });
  expect(readdirSync(join(dataDir, 'accounts'))).toHaveLength(1);
});

test('an unverified claim of a JWT decides nothing', async () => {
  const { demo, home } = await expired();
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const jwt = `${part({ alg: 'none' })}.${part({ accountId: demo.world.accountId, sub: demo.world.accountId })}.c2ln`;
  const world = new DemoWorld({ seed: 7, now: '2026-11-01T00:00:00.000Z', views: 0, channels: 2, projects: 1, videos: 5 });
  demo.keys.set(jwt, { world });
  const { client } = await withKey(jwt, { demo, home });
  expect(await changesOf(client)).toEqual([]);
});

test('while the service does not tell which account a new key is of, nothing is shown or begun', async () => {
  const { demo, home } = await expired();
  demo.behaviour.onExchange = async ({ response }) => void response.destroy();
  const { client } = await withKey(renew(demo), { demo, home });
  for (const [tool, args] of [
    ['list_changes', {}],
    ['update_channels', rename(demo, 'Again')],
  ] as const) {
    const reply = await client.callTool(tool, args);
    expect(reply.isError).toBe(true);
    expect(reply.text).toContain('This key is new here, and the service has to tell which account it is of');
  }
  expect((await client.callTool('check_setup')).data).toMatchObject({ ok: false, mainApi: { ok: false } });
  expect(writesOf(demo)).toHaveLength(1);
});

test('a key that is noted needs no service to show what was changed', async () => {
  const { demo, home, changeId } = await expired();
  demo.behaviour.onExchange = async ({ response }) => void response.destroy();
  const { client } = await start({ demo, home });
  expect((await changesOf(client)).map((change) => change.changeId)).toContain(changeId);
});

test('what was kept for a key alone while its account had no channels goes with it into the account', async () => {
  const demo = await startService({ channels: 0, projects: 2, videos: 20 });
  const home = freshHome();
  renew(demo);
  const [one, two] = [await start({ demo, home }), await withKey(RENEWED, { demo, home })];
  const made = await agree(one.client, 'create_project', { name: 'One', region: 'use-s', planType: 'standard' });
  await agree(two.client, 'create_project', { name: 'Two', region: 'use-s', planType: 'standard' });
  expect(made.data?.status).toBe('applied');
  expect([await changesOf(one.client), await changesOf(two.client)].map(({ length }) => length)).toEqual([1, 1]);
  // With the first channel the service tells the account.
  await agree(one.client, 'create_channels', { channels: [{ name: 'First', videoKeys: videoKeysOf(demo, 1) }] });
  await agree(one.client, 'create_project', { name: 'Three', region: 'use-s', planType: 'standard' });
  expect(await changesOf(one.client)).toHaveLength(3);
  // The second key’s server, which still runs, joins before it begins anything.
  const joined = await agree(two.client, 'create_project', { name: 'Four', region: 'use-s', planType: 'standard' });
  expect(joined.data?.status).toBe('applied');
  for (const { client } of [one, two]) expect(await changesOf(client)).toHaveLength(5);
  expect(writesOf(demo)).toHaveLength(5);
});

test('a server joins only when nothing of it runs that it began before', async () => {
  const account = await manyVideos(2_500);
  const { demo, ids, archive, elsewhere } = account;
  const channels = [...demo.world.channels.values()];
  demo.world.channels.clear();
  const home = freshHome();
  renew(demo);
  const never = { demo, home, env: { VIDEO_HOSTING_CONFIRM: 'never' }, shortCalls: true };
  const [one, two] = [await start(never), await withKey(RENEWED, never)];
  const letGo = hold(demo, ({ path }) => path === '/v1/videos/change-project');
  const move = { videoIds: ids, targetProject: archive, fromProject: elsewhere };
  const changeId = changeIdIn(await two.client.callTool('move_videos', move));
  for (const channel of channels) demo.world.channels.set(channel.id, channel);
  await one.client.callTool('create_project', { name: 'One', region: 'use-s', planType: 'standard' });
  const project = { name: 'Two', region: 'use-s', planType: 'standard' };
  const early = await two.client.callTool('create_project', project);
  expect(early.data).toMatchObject({ status: 'failed', error: { code: 'running_elsewhere' } });
  letGo();
  expect((await ended(two.client, changeId)).data?.status).toBe('applied');
  expect((await two.client.callTool('create_project', project)).data?.status).toBe('applied');
  for (const { client } of [one, two])
    expect((await changesOf(client)).map(({ status }) => status)).toEqual(['applied', 'applied', 'applied']);
});

/** A further key of an account that has no channels yet; `appear` adds them, and has the account known with its first key. */
async function keyAlone() {
  const account = await manyVideos(60);
  const { demo } = account;
  const channels = new Map(demo.world.channels);
  demo.world.channels.clear();
  renew(demo);
  const home = freshHome();
  const appear = async (): Promise<TestClient> => {
    for (const [id, channel] of channels) demo.world.channels.set(id, channel);
    const { client } = await start({ demo, home });
    await agree(client, 'create_project', PROJECT);
    return client;
  };
  return { ...account, home, appear };
}

const PROJECT = { name: 'One', region: 'use-s', planType: 'standard' };

test('what runs under a key is known to each of its servers, and stopped by them, before the key joins its account; nothing begins beside it', async () => {
  const { demo, home, ids, appear } = await keyAlone();
  const one = await withKey(RENEWED, { demo, home, shortCalls: true });
  const { opened, open } = gate();
  demo.behaviour.onRequest = ({ path }) => (COPY.path.test(path) && requestsOf(demo, COPY).length > 1 ? opened : undefined);
  const copies = { sourceVideoId: ids[0], targetVideoIds: ids.slice(1, 51) };
  const changeId = changeIdIn(await agree(one.client, 'copy_cta', copies));
  const other = await appear();
  const two = await withKey(RENEWED, { demo, home, shortCalls: true });
  expect(await changesOf(two.client)).toMatchObject([{ changeId, status: 'running' }]);
  expect((await two.client.callTool('check_setup')).text).toContain('this key joins it once no change runs that was begun before');
  for (const { client } of [one, two])
    expect((await client.callTool('copy_cta', copies)).data).toMatchObject({ error: { code: 'running_elsewhere' } });
  expect((await two.client.callTool('stop_change', { changeId })).isError).toBe(false);
  open();
  await ended(two.client, changeId);
  for (const client of [one.client, two.client, other]) {
    const known = (await changesOf(client)).map((change) => change.changeId);
    expect(known).toHaveLength(2);
    expect(known).toContain(changeId);
  }
  expect(doubled(demo)).toEqual([]);
  // What was copied under the key alone is warned of in the account.
  expect((await one.client.callTool('copy_cta', copies)).text).toContain(changeId);
  expect(foldersOfChanges(one.dataDir)).toHaveLength(1);
});

test('nothing begins beside what an earlier version runs in the folder that a key had, and what it did is known once it ended', async () => {
  const { demo, home, ids, appear } = await keyAlone();
  const elsewhere = freshHome();
  const old = await withKey(RENEWED, { demo, home: elsewhere, shortCalls: true });
  const { opened, open } = gate();
  demo.behaviour.onRequest = ({ path }) => (COPY.path.test(path) && requestsOf(demo, COPY).length > 1 ? opened : undefined);
  const copies = { sourceVideoId: ids[0], targetVideoIds: ids.slice(1, 51) };
  const changeId = changeIdIn(await agree(old.client, 'copy_cta', copies));
  await appear();
  const { client, dataDir } = await withKey(RENEWED, { demo, home });
  expect(await changesOf(client)).toHaveLength(1);
  // An earlier version knows of no account, and goes on in the folder that has the key’s name.
  const [own = ''] = readdirSync(join(old.dataDir, 'accounts'));
  symlinkSync(join(old.dataDir, 'accounts', own), join(dataDir, 'accounts', own), 'junction');
  expect((await client.callTool('copy_cta', copies)).data).toMatchObject({ error: { code: 'running_elsewhere' } });
  open();
  await ended(old.client, changeId);
  expect((await client.callTool('copy_cta', copies)).text).toContain(changeId);
  expect((await changesOf(client)).map((change) => change.changeId)).toContain(changeId);
  expect(doubled(demo)).toEqual([]);
});

test('a server whose key another server noted with its account finds its changes there with each call, and asks nothing for it', async () => {
  const { demo, home, ids, archive, elsewhere, appear } = await keyAlone();
  const one = await withKey(RENEWED, { demo, home });
  const move = { videoIds: ids, targetProject: archive, fromProject: elsewhere };
  const changeId = changeIdIn(await agree(one.client, 'move_videos', move));
  await appear();
  const two = await withKey(RENEWED, { demo, home });
  expect(await changesOf(two.client)).toHaveLength(2);
  const asked = demo.requests.length;
  expect((await one.client.callTool('get_change', { changeId })).data).toMatchObject({ changeId, status: 'applied' });
  expect(await changesOf(one.client)).toHaveLength(2);
  expect((await one.client.callTool('stop_change', { changeId })).text).not.toContain('There is no change');
  expect(demo.requests).toHaveLength(asked);
});

test('what a person agrees to while another server joins their key to its account is asked once more, and begins there', async () => {
  const { demo, home, appear } = await keyAlone();
  const one = await start({
    ...{ demo, home, env: { VIDEO_HOSTING_API_KEY: RENEWED } },
    forms: async () => {
      if (one.client.forms.length === 1) {
        await appear();
        await changesOf((await withKey(RENEWED, { demo, home })).client);
      }
      return APPLY;
    },
  });
  const reply = await one.client.callTool('create_project', { ...PROJECT, name: 'Two' });
  expect(reply.data?.status).toBe('applied');
  expect(one.client.forms).toHaveLength(2);
  expect([...demo.world.projects.values()].filter(({ name }) => name === 'Two')).toHaveLength(1);
  expect(await changesOf(one.client)).toHaveLength(2);
  expect(foldersOfChanges(one.dataDir)).toHaveLength(1);
});

test('a folder of a key that no account was noted for is taken over as it is', async () => {
  const { demo, home, changeId, dataDir } = await expired();
  rmSync(join(dataDir, 'known-accounts'), { recursive: true });
  demo.keys.set(demo.apiKey, { world: demo.world });
  const old = await start({ demo, home });
  expect((await changesOf(old.client)).map((change) => change.changeId)).toContain(changeId);
  await old.stop();
  const { client } = await withKey(renew(demo), { demo, home });
  expect((await changesOf(client)).map((change) => change.changeId)).toContain(changeId);
});

test('two such folders of one account become one, with what waits in both', async () => {
  const [here, there] = [freshHome(), freshHome()];
  const account = await manyVideos(10);
  const { demo, ids, archive, elsewhere } = account;
  renew(demo);
  const move = (client: TestClient, from: number) =>
    client.callTool('move_videos', { videoIds: ids.slice(from, from + 2), targetProject: archive, fromProject: elsewhere });
  const [one, two] = [await start({ demo, home: here, env: WAIT }), await withKey(RENEWED, { demo, home: there, env: WAIT })];
  const [waitsOne, waitsTwo] = [await move(one.client, 0), await move(two.client, 2)].map(changeIdIn);
  await two.stop();
  const done = await withKey(RENEWED, { demo, home: there });
  const changed = changeIdIn(await agree(done.client, 'update_channels', rename(demo, 'Renamed')));
  await Promise.all([one.stop(), done.stop()]);
  // As an earlier version left them: each in a folder of its own, and no account noted.
  for (const { dataDir } of [one, done]) rmSync(join(dataDir, 'known-accounts'), { recursive: true });
  const [own = ''] = readdirSync(join(done.dataDir, 'accounts'));
  renameSync(join(done.dataDir, 'accounts', own), join(one.dataDir, 'accounts', own));
  const first = await start({ demo, home: here, env: WAIT });
  expect(await changesOf(first.client)).toHaveLength(1);
  const second = await withKey(RENEWED, { demo, home: here, env: WAIT });
  const expected = [waitsOne, waitsTwo, changed].toSorted();
  expect((await changesOf(second.client)).map((change) => String(change.changeId)).toSorted()).toEqual(expected);
  expect((await changesOf(first.client)).map((change) => String(change.changeId)).toSorted()).toEqual(expected);
  expect(changeFiles(one.dataDir)).toHaveLength(1);
  expect(changeFiles(join(one.dataDir, 'accounts', own))).toEqual([]);
  // The same that is asked for again is what waits already, also where it was kept for the other key.
  expect((await move(first.client, 2)).data).toMatchObject({ status: 'waiting', changeId: waitsTwo });
  const undone = await start({ demo, home: here });
  expect((await agree(undone.client, 'undo_change', { changeId: changed })).data?.status).toBe('applied');
});

test('a statement of the one key is what the other starts from', async () => {
  const demo = await startService({ channels: 1, projects: 2, videos: 20 });
  const home = freshHome();
  const { id, videoKeys, projectKeys } = channelAt(demo, 0);
  const [one, two] = [await start({ demo, home }), await withKey(renew(demo), { demo, home })];
  await agree(one.client, 'state_contents', { channels: [{ channel: id, videoKeys, projectKeys }] });
  const [key] = videoKeysOf(demo, 20).filter((other) => !videoKeys.includes(other));
  const added = await agree(two.client, 'update_channels', { changes: [{ channel: id, addVideoKeys: [key] }] });
  expect(added.data?.status).toBe('applied');
  expect(contentOf(demo, id).videoKeys).toEqual([...videoKeys, key]);
  expect(existsSync(join(one.dataDir, 'accounts'))).toBe(true);
  expect(readdirSync(join(one.dataDir, 'accounts'))).toHaveLength(1);
});

test.each([
  ['notes which account the key is of', (own: string) => ({ folder: 'known-accounts', key: own })],
  ['takes the changes of the key over', (own: string) => ({ folder: join('accounts', own, 'changes'), key: 'take-over' })],
  ['works on what waits', (own: string) => ({ folder: join('accounts', own, 'changes'), key: 'kept-changes' })],
])('a start waits within a call for another process that %s, says which one, and goes on once it let go', async (_what, lockIn) => {
  const { demo, home, dataDir } = await expired();
  // Made with the renewed key where the account was not known.
  const own = freshHome();
  renew(demo);
  const alone = await withKey(RENEWED, { demo, home: own });
  await agree(alone.client, 'update_channels', rename(demo, 'Alone'));
  await alone.stop();
  const agent = await withKey(RENEWED, { demo, home: own, env: WAIT });
  expect((await agent.client.callTool('update_channels', rename(demo, 'Later'))).data?.status).toBe('waiting');
  await agent.stop();
  const [name = ''] = readdirSync(join(agent.dataDir, 'accounts'));
  renameSync(join(agent.dataDir, 'accounts', name), join(dataDir, 'accounts', name));
  const { folder, key } = lockIn(name);
  const { pid, end } = holdLock(join(dataDir, folder), key);
  const { client } = await withKey(RENEWED, { demo, home, env: { VIDEO_HOSTING_CALL_BUDGET_MS: '2000' } });
  const { isError, text } = await client.callTool('list_changes');
  expect({ isError, text }).toEqual({ isError: true, text: expect.stringContaining(`It waited for another process (${pid} on `) });
  expect(text).toContain('If that process hangs, end it first.');
  await end();
  // A change and a statement of the first key, a change and what waits of this one.
  expect(await changesOf(client)).toHaveLength(4);
});
