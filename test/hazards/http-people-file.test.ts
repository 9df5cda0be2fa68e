/** While a server runs, its file of people becomes one that can’t be trusted: nobody gets in by any door, and everybody does again once it is put right. */

import { chmodSync, copyFileSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { setRoles } from '../../src/people/change-people.ts';
import { peopleFileIn } from '../../src/people/people.ts';
import { browse } from '../harness/browse.ts';
import { startHttp, toolCall } from '../harness/http.ts';
import { pathsOf } from '../harness/service.ts';

const DAMAGE: Readonly<Record<string, { readonly damage: (path: string, elsewhere: string) => void; readonly says: string }>> = {
  'is a link to the same': {
    damage(path, elsewhere) {
      renameSync(path, elsewhere);
      symlinkSync(elsewhere, path);
    },
    says: 'is a link',
  },
  'can be read by its group': { damage: (path) => chmodSync(path, 0o640), says: 'chmod 600' },
  'can be written by everybody': { damage: (path) => chmodSync(path, 0o602), says: 'chmod 600' },
  'is cut': { damage: (path) => writeFileSync(path, readFileSync(path).subarray(0, 300)), says: 'is damaged' },
  'is empty': { damage: (path) => writeFileSync(path, ''), says: 'is damaged' },
  'is a folder': {
    damage(path) {
      rmSync(path);
      mkdirSync(path);
    },
    says: 'is no regular file',
  },
  'gives somebody what is no role': {
    damage: (path) => writeFileSync(path, readFileSync(path, 'utf8').replace('"approve"', '{}')),
    says: 'is damaged: people.0.roles.2',
  },
};

test.skipIf(process.platform === 'win32').each(Object.entries(DAMAGE))('a file that %s', async (_, { damage, says }) => {
  const { url, people, post, connect, dataDir, demo, log, home } = await startHttp();
  const bob = await connect(people.bob);
  const { data } = await bob.callTool('create_project', { name: 'Archive', region: 'use-s' });
  const ann = await browse({ url }, people.ann.secrets.pageKey);
  const { planDigest } = await ann.api(`changes/${String(data?.changeId)}`);
  const { token } = ann;
  const path = peopleFileIn(dataDir);
  const right = join(home, 'right.json');
  copyFileSync(path, right);
  damage(path, join(home, 'elsewhere.json'));
  const asked = demo.requests.length;

  const press = () =>
    fetch(`${url}/app/api/changes/${String(data?.changeId)}/decision`, {
      method: 'POST',
      headers: { cookie: ann.cookie, origin: url, 'content-type': 'application/json', 'x-page-token': token },
      body: JSON.stringify({ decision: 'apply', planDigest, note: '' }),
    });
  const answers = [
    await post(people.bob, toolCall('list_channels')),
    await post(people.ann, { jsonrpc: '2.0', id: 1, method: 'tools/list' }),
    await ann.get('/app/'),
    await ann.get('/app/api/session'),
    await ann.get(`/changes/${String(data?.changeId)}`),
    await press(),
    (await browse({ url }, people.ann.secrets.pageKey)).entered,
  ];
  for (const answer of answers) {
    expect([answer.status, answer.headers.get('retry-after'), answer.headers.get('set-cookie')]).toEqual([503, '10', null]);
    expect(await answer.text()).not.toContain(home);
  }
  expect(demo.requests).toHaveLength(asked);
  expect(log()).toContain(says);
  // What looks after the server sees a process that runs.
  expect((await fetch(`${url}/healthz`)).status).toBe(200);

  rmSync(path, { recursive: true });
  copyFileSync(right, path);
  chmodSync(path, 0o600);
  expect((await bob.callTool('get_change', { changeId: data?.changeId })).data?.status).toBe('waiting');
  expect((await press()).status).toBe(200);
});

test('an entry whose roles don’t count keeps that person out of everything with words, and everybody else goes on', async () => {
  const { url, people, post, connect, dataDir, log, demo } = await startHttp();
  const bobs = await connect(people.bob);
  const { data } = await bobs.callTool('create_project', { name: 'Archive', region: 'use-s' });
  const dan = await browse({ url }, people.dan.secrets.pageKey);
  const stream = await dan.get('/app/api/events');
  const path = peopleFileIn(dataDir);
  writeFileSync(path, readFileSync(path, 'utf8').replace(/("name": "dan",\s+"roles": \[)\s+"read",/, '$1'), { mode: 0o600 });

  const refused = 'the roles of dan in the file of people count for nothing; whoever runs this server sets them anew (people roles)';
  for (const [tool, args] of [
    ['list_channels', {}],
    ['check_setup', {}],
    ['stop_change', { changeId: data?.changeId }],
    ['get_change', { changeId: data?.changeId }],
  ] as const)
    expect([tool, await (await post(people.dan, toolCall(tool, args))).text()]).toEqual([tool, expect.stringContaining(refused)]);
  for (const read of ['session', 'changes', 'channels', 'client', 'events'])
    expect([read, (await dan.get(`/app/api/${read}`)).status]).toEqual([read, 401]);
  expect((await dan.decide(data?.changeId, 'apply')).status).toBe(401);
  const { entered } = await browse({ url }, people.dan.secrets.pageKey);
  expect([entered.status, entered.headers.get('set-cookie'), await entered.text()]).toEqual([
    403,
    null,
    expect.stringContaining('ask whoever runs this server'),
  ]);
  expect(pathsOf(demo).filter((asked) => asked.startsWith('POST'))).toEqual([]);
  // What was open ends, too.
  await stream.text();

  expect((await bobs.callTool('list_channels', { size: 1 })).isError).toBe(false);
  const told = (await (await connect(people.ann)).callTool('check_setup', {})).text;
  expect(told).toContain(
    'dan lacks the role read, without which the others are of no use, so they may do nothing; everybody else goes on.',
  );
  expect(told).not.toContain(dataDir);
  expect(log().match(/dan lacks the role read/g)).toHaveLength(1);
  const ann = await browse({ url }, people.ann.secrets.pageKey);
  expect((await ann.decide(data?.changeId, 'apply')).status).toBe(200);

  await setRoles(path, 'dan', ['read', 'approve'], new AbortController().signal);
  expect((await (await browse({ url }, people.dan.secrets.pageKey)).get('/app/api/session')).status).toBe(200);
});

test('once it is gone, nobody is known; once it is back, each token is its person’s again, and who was signed in signs in anew', async () => {
  const { url, people, post, dataDir, home } = await startHttp();
  const ann = await browse({ url }, people.ann.secrets.pageKey);
  const path = peopleFileIn(dataDir);
  renameSync(path, join(home, 'kept.json'));
  expect((await post(people.bob, toolCall('list_channels'))).status).toBe(401);
  expect((await ann.get('/app/api/session')).status).toBe(401);
  renameSync(join(home, 'kept.json'), path);
  expect((await post(people.bob, { jsonrpc: '2.0', id: 1, method: 'ping' })).status).toBe(200);
  expect((await ann.get('/app/api/session')).status).toBe(401);
  expect((await browse({ url }, people.ann.secrets.pageKey)).entered.status).toBe(303);
});
