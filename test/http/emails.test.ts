/** An export of collected emails over HTTP: it waits for somebody to approve it, and is a file for the two of them, for a day. */
import { readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { openWorkspace } from '../../src/app/workspace.ts';
import { parseConfig } from '../../src/config/parse-config.ts';
import { setRoles } from '../../src/people/change-people.ts';
import { peopleFileIn } from '../../src/people/people.ts';
import { DAY_MS, HOUR_MS } from '../../src/platform/time-units.ts';
import { browse } from '../harness/browse.ts';
import { atEnd } from '../harness/cleanup.ts';
import { recordsIn, type Values } from '../harness/client.ts';
import { type HttpServerOptions, type HttpSession, startHttp } from '../harness/http.ts';
import { settingsFor } from '../harness/service.ts';
import { emailsOf, tracesOf } from '../hazards/emails-support.ts';

const TOOL = 'get_collected_emails';
const never = new AbortController().signal;

/** All files below a folder. */
const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
const exportsIn = ({ dataDir }: HttpSession): string[] => filesIn(dataDir).filter((path) => path.includes('collected-emails'));
const signedIn = (session: HttpSession, name: keyof HttpSession['people']) => browse(session, session.people[name].secrets.pageKey);

/** Bob’s assistant asks for a file. */
async function asked(options: HttpServerOptions = {}, args: Values = { exportAs: 'csv' }) {
  const session = await startHttp(options);
  const bob = await session.connect(session.people.bob);
  const reply = await bob.callTool(TOOL, args);
  return { session, bob, reply, changeId: String(reply.data?.changeId) };
}

/** Ann approved it. */
async function approved(args?: Values) {
  const all = await asked({}, args);
  const ann = await signedIn(all.session, 'ann');
  expect((await ann.decide(all.changeId, 'apply')).status).toBe(200);
  const done = await all.bob.callTool('get_change', { changeId: all.changeId, waitSeconds: 400 });
  return { ...all, ann, done };
}

test('it waits for an hour behind a link, and nothing is written before somebody approves it', async () => {
  const { session, reply, changeId, bob } = await asked();
  expect(exportsIn(session)).toEqual([]);
  expect(reply.data).toMatchObject({ status: 'waiting', link: `${session.url}/changes/${changeId}` });
  // Nothing covers personal data.
  expect(reply.text).not.toContain('standing approval');
  const eve = await signedIn(session, 'eve');
  const view = await eve.api(`changes/${changeId}`);
  expect(Date.parse(String(view.expiresAt)) - Date.parse(String(view.at))).toBe(HOUR_MS);
  expect(JSON.stringify(view.notices)).toContain('personal data');
  expect(JSON.stringify(view.notices)).toContain('for 24 hours');
  // The same of the same person waits once.
  expect((await bob.callTool(TOOL, { exportAs: 'csv' })).data?.changeId).toBe(changeId);
});

test('who asked and who approved download it, nobody else, and no answer, log or journal has any of it', async () => {
  const { session, changeId, ann, done, reply } = await approved();
  const { url, demo, dataDir, requests, log } = session;
  const emails = emailsOf(demo);
  const [file = '', ...others] = exportsIn(session);
  expect(others).toEqual([]);
  if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(done.data).toMatchObject({ status: 'applied', link: `${url}/changes/${changeId}` });
  expect(done.text).toContain('bob, who asked, and ann, who approved');
  const path = `/app/api/changes/${changeId}/emails`;
  const [bob, eve, dan] = [await signedIn(session, 'bob'), await signedIn(session, 'eve'), await signedIn(session, 'dan')];
  for (const browser of [ann, bob]) {
    const got = await browser.get(path);
    expect([got.status, got.headers.get('content-disposition'), got.headers.get('cache-control')]).toEqual([
      200,
      `attachment; filename="collected-emails-${changeId}.csv"`,
      'no-store',
    ]);
    expect(await got.text()).toBe(readFileSync(file, 'utf8').replace(/^\uFEFF/, ''));
  }
  for (const browser of [eve, dan]) {
    const got = await browser.get(path);
    expect([got.status, (await got.json()).message]).toEqual([
      422,
      expect.stringMatching(/^Refused: .*bob, who asked, and ann, who approved/),
    ]);
    expect((await browser.api(`changes/${changeId}`)).file).toEqual({ words: expect.stringContaining('bob, who asked') });
  }
  expect((await bob.api(`changes/${changeId}`)).file).toMatchObject({ format: 'CSV' });
  const annsClient = await session.connect(session.people.ann);
  await expect(annsClient.readResource(`ui://video-hosting/data/changes/${changeId}/emails`)).rejects.toThrow();
  for (const headers of [{}, { authorization: `Bearer ${session.people.ann.secrets.clientToken}` }])
    expect((await fetch(`${url}${path}`, { headers })).status).toBe(401);
  expect(requests()).toContainEqual(expect.objectContaining({ person: 'ann', path, changeId, outcome: 'downloaded', status: 200 }));
  const told = JSON.stringify([reply, done, requests(), log(), await annsClient.readResource(`video-hosting://changes/${changeId}`)]);
  const kept = filesIn(dataDir)
    .filter((one) => one !== file)
    .map((one) => readFileSync(one, 'utf8'));
  for (const trace of tracesOf(emails)) for (const text of [told, ...kept]) expect(text.includes(trace)).toBe(false);
  expect(told).not.toContain(dataDir);
});

test('a role that was taken away takes the file away', async () => {
  const { session, changeId, ann } = await approved();
  await setRoles(peopleFileIn(session.dataDir), 'ann', ['read'], never);
  expect((await ann.get(`/app/api/changes/${changeId}/emails`)).status).toBe(422);
});

test('after a day it is removed, by time and with the next look, also after a restart', async () => {
  const { session, changeId, ann, bob } = await approved({ exportAs: 'json', fields: ['email'] });
  const [file = ''] = exportsIn(session);
  expect(Object.keys(JSON.parse(readFileSync(file, 'utf8'))[0])).toEqual(['email']);
  const old = new Date(Date.now() - DAY_MS);
  utimesSync(file, old, old);
  const gone = await ann.get(`/app/api/changes/${changeId}/emails`);
  expect([gone.status, (await gone.json()).message]).toEqual([404, expect.stringContaining('was removed 24 hours after')]);
  expect(exportsIn(session)).toEqual([]);
  const told = await bob.callTool('get_change', { changeId });
  expect([told.data?.link, told.text]).toEqual([undefined, expect.stringContaining('was removed')]);
});

test('a file whose time ended while no server ran is removed at the next start', async () => {
  const { session } = await approved();
  const [file = ''] = exportsIn(session);
  await session.stop();
  const old = new Date(Date.now() - DAY_MS);
  utimesSync(file, old, old);
  const { home, demo, people } = session;
  const later = await startHttp({ home, demo, people });
  await expect.poll(() => exportsIn(later)).toEqual([]);
});

test('what somebody approves at a terminal of the server’s machine is for who asked, and goes likewise', async () => {
  const { session, changeId, bob } = await asked();
  const { home, dataDir, demo } = session;
  const env = { ...settingsFor(demo), HOME: home, VIDEO_HOSTING_DATA_DIR: dataDir };
  const workspace = await openWorkspace({ config: parseConfig([], env), version: '0.0.0-test', log: () => undefined });
  atEnd(() => workspace.close());
  const { decisions } = workspace;
  const change = await decisions.get(changeId);
  if (change === undefined) throw new Error(`${changeId} does not wait.`);
  expect(await decisions.approve(await decisions.preview(change, never), 'terminal', never)).toBe('started');
  const done = await bob.callTool('get_change', { changeId, waitSeconds: 400 });
  expect(exportsIn(session)).toHaveLength(1);
  expect(done.text).toMatch(/The file is on the page for bob, who asked, until/);
  const [bobs, ann] = [await signedIn(session, 'bob'), await signedIn(session, 'ann')];
  expect((await bobs.get(`/app/api/changes/${changeId}/emails`)).status).toBe(200);
  expect((await ann.get(`/app/api/changes/${changeId}/emails`)).status).toBe(422);
});

test('what a server that was killed left half written goes at the next start, once it is an hour old', async () => {
  const { session } = await approved();
  const [file = ''] = exportsIn(session);
  await session.stop();
  const half = join(dirname(file), 'collected-emails-2026-01-01-00.csv.unfinished');
  writeFileSync(half, 'half');
  const old = new Date(Date.now() - HOUR_MS);
  utimesSync(half, old, old);
  const { home, demo, people } = session;
  const later = await startHttp({ home, demo, people });
  await expect.poll(() => exportsIn(later)).toEqual([file]);
});

test('whoever may only read is offered no export, and refused one in words', async () => {
  const session = await startHttp();
  const eve = await session.connect(session.people.eve);
  const tool = (await eve.listTools()).find(({ name }) => name === TOOL);
  expect(JSON.stringify(tool?.inputSchema)).not.toMatch(/exportAs|"fields"/);
  const reply = await eve.callTool(TOOL, { exportAs: 'csv' });
  expect([reply.isError, reply.text]).toEqual([
    true,
    expect.stringMatching(/exportAs is refused: it takes the role propose, which eve does not have/),
  ]);
  expect(exportsIn(session)).toEqual([]);
});

test('where exports take a second person, whoever asked is refused, and a restart between changes nothing', async () => {
  const { session, changeId } = await asked({ env: { VIDEO_HOSTING_SECOND_PERSON: 'export_emails' } });
  const { people, home, demo } = session;
  await session.stop();
  const later = await startHttp({ home, demo, people, env: { VIDEO_HOSTING_SECOND_PERSON: 'export_emails' } });
  const annsClient = await later.connect(people.ann);
  const own = String((await annsClient.callTool(TOOL, { exportAs: 'csv' })).data?.changeId);
  const ann = await signedIn(later, 'ann');
  expect((await ann.decide(own, 'apply')).status).toBe(409);
  expect(exportsIn(later)).toEqual([]);
  expect((await ann.decide(changeId, 'apply')).status).toBe(200);
  expect(exportsIn(later)).toHaveLength(1);
});

test('words for days and names of channels are pinned when it is asked for', async () => {
  const session = await startHttp();
  const bob = await session.connect(session.people.bob);
  const [channel] = recordsIn((await bob.callTool(TOOL, { groupBy: 'channel' })).data, 'groups').filter(({ key }) => key !== null);
  const [found] = [...session.demo.world.channels.values()].filter(({ key }) => key === channel?.key);
  const { data } = await bob.callTool(TOOL, { exportAs: 'csv', channel: found?.name, from: '90d' });
  const other = [...session.demo.world.channels.values()].find((one) => one !== found);
  if (found === undefined || other === undefined) throw new Error('The account has too few channels.');
  const name = found.name;
  Object.assign(found, { name: 'Renamed' });
  Object.assign(other, { name });
  const ann = await signedIn(session, 'ann');
  const view = await ann.api(`changes/${String(data?.changeId)}`);
  expect(JSON.stringify(view)).toContain('Renamed');
});
