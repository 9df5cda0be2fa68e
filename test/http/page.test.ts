/** The page for several people: who gets in, what they may press, and who is named. */
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createSignIns } from '../../src/http/sign-ins.ts';
import { removePerson, rotateSecrets, setRoles, type WithSecrets } from '../../src/people/change-people.ts';
import { peopleFileIn } from '../../src/people/people.ts';
import { type Browser, browse, keyForm } from '../harness/browse.ts';
import { recordsIn } from '../harness/client.ts';
import { type HttpServerOptions, type PersonName, startHttp } from '../harness/http.ts';
import { pathsOf } from '../harness/service.ts';

const never = new AbortController().signal;

/** Bob’s assistant asks for a project. */
async function asked(options: HttpServerOptions = {}) {
  const session = await startHttp(options);
  const { people, connect } = session;
  const bob = await connect(people.bob);
  const { data, text } = await bob.callTool('create_project', { name: 'Archive', region: 'use-s' });
  const changeId = String(data?.changeId);
  const browserOf = (person: WithSecrets) => browse(session, person.secrets.pageKey);
  const sent = () => pathsOf(session.demo).filter((path) => path.startsWith('POST'));
  return { ...session, bob, data, text, changeId, browserOf, sent };
}

test('the answer has the link, one person asks, another applies, and both are named', async () => {
  const { url, data, text, changeId, people, bob, browserOf, sent, connect } = await asked();
  expect([data?.status, data?.link]).toEqual(['waiting', `${url}/changes/${changeId}`]);
  expect(text).toContain(`${url}/changes/${changeId}`);
  expect(sent()).toEqual([]);
  const waiting = bob.callTool('get_change', { changeId, waitSeconds: 400 });
  const ann = await browserOf(people.ann);
  const { status } = await ann.decide(changeId, 'apply');
  expect(sent()).toEqual(['POST /v1/projects']);
  expect(status).toBe(200);
  const done = await waiting;
  expect(done.data).toMatchObject({ status: 'applied' });
  for (const name of ['ann', 'bob', 'test-client']) expect(done.text).toContain(name);
  const eve = await connect(people.eve);
  expect((await eve.callTool('get_change', { changeId })).text).toContain('ann');
});

test('whoever asked applies it themselves where that is allowed, and is refused where it takes a second person', async () => {
  const free = await startHttp();
  const own = await (await free.connect(free.people.ann)).callTool('create_project', { name: 'Archive', region: 'use-s' });
  expect((await (await browse(free, free.people.ann.secrets.pageKey)).decide(own.data?.changeId, 'apply')).status).toBe(200);

  const strict = await startHttp({ env: { VIDEO_HOSTING_SECOND_PERSON: 'create_project' } });
  const { data } = await (await strict.connect(strict.people.ann)).callTool('create_project', { name: 'Archive', region: 'use-s' });
  const ann = await browse(strict, strict.people.ann.secrets.pageKey);
  expect((await ann.api(`changes/${String(data?.changeId)}`)).problem).toContain('needs a second person');
  const refused = await ann.decide(data?.changeId, 'apply');
  expect(pathsOf(strict.demo).filter((path) => path.startsWith('POST'))).toEqual([]);
  expect(refused.status).toBe(409);
  const dan = await browse(strict, strict.people.dan.secrets.pageKey);
  expect((await dan.decide(data?.changeId, 'apply')).status).toBe(200);
  expect(pathsOf(strict.demo).filter((path) => path.startsWith('POST'))).toEqual(['POST /v1/projects']);
});

test('a bystander is offered nothing, and what they press all the same is refused; the change waits on', async () => {
  const { changeId, people, browserOf, sent, bob } = await asked();
  const eve = await browserOf(people.eve);
  expect(await eve.api(`changes/${changeId}`)).toMatchObject({
    mayDecide: false,
    problem: expect.stringContaining('Only somebody who may approve'),
  });
  expect(await eve.api('session')).toMatchObject({ person: { name: 'eve', mayPropose: false, mayApprove: false } });
  for (const decision of ['apply', 'decline'] as const) expect((await eve.decide(changeId, decision)).status).toBe(409);
  for (const press of [
    `changes/${changeId}/stop`,
    `changes/${changeId}/undo`,
    `changes/${changeId}/resume`,
    'channels/x/statement',
    'approvals/stop',
  ])
    expect([press, (await eve.post(press)).status]).toEqual([press, 422]);
  expect(sent()).toEqual([]);
  expect((await bob.callTool('get_change', { changeId })).data?.status).toBe('waiting');
});

const PRESSES: readonly (readonly [press: string, role: string, who: readonly PersonName[]])[] = [
  ['changes/ID/undo', 'propose', ['eve', 'dan']],
  ['changes/ID/resume', 'propose', ['eve', 'dan']],
  ['channels/ID/statement', 'propose', ['eve', 'dan']],
  ['changes/ID/stop', 'propose or approve', ['eve']],
  ['approvals/stop', 'approve', ['eve', 'bob']],
  ['approvals/ID/revoke', 'approve', ['eve', 'bob']],
];

test.each(PRESSES)('%s takes the role %s: whoever lacks it is refused by the server, in words', async (press, role, who) => {
  const { changeId, people, browserOf, bob, sent } = await asked();
  for (const name of who) {
    const answer = await (await browserOf(people[name])).post(press.replace('ID', changeId));
    const words = `It takes the role ${role}, which ${name} does not have. Nothing was changed.`;
    expect([name, answer.status, (await answer.json()).message]).toEqual([name, 422, words]);
  }
  expect(sent()).toEqual([]);
  expect((await bob.callTool('get_change', { changeId })).data?.status).toBe('waiting');
});

test('whoever lacks the role approve applies nothing, also not what they asked for themselves', async () => {
  const { changeId, people, browserOf, sent } = await asked();
  for (const name of ['bob', 'eve'] as const) {
    const browser = await browserOf(people[name]);
    const shown = await browser.api(`changes/${changeId}`);
    expect(shown.needsOther).toContain('Only somebody who may approve');
    // Whom to turn to is told by name.
    expect(shown.approvers).toEqual(['ann', 'dan']);
    expect((await browser.decide(changeId, 'apply')).status).toBe(409);
  }
  expect(sent()).toEqual([]);
});

test('what waits is listed with one’s own first, and with why somebody else has to apply it', async () => {
  const { people, connect, browserOf, changeId } = await asked({ env: { VIDEO_HOSTING_SECOND_PERSON: 'always' } });
  const own = (await (await connect(people.ann)).callTool('create_project', { name: 'Own', region: 'use-s' })).data?.changeId;
  const later = await (await connect(people.dan)).callTool('get_change', { changeId });
  expect(later.data?.status).toBe('waiting');
  const listed = async (name: PersonName) => recordsIn(await (await browserOf(people[name])).api('changes'), 'changes');
  const [anns, bobs] = [await listed('ann'), await listed('bob')];
  expect(anns.map(({ changeId: id, isMine }) => [id, isMine])).toEqual([
    [own, true],
    [changeId, undefined],
  ]);
  expect(bobs.map(({ changeId: id, isMine }) => [id, isMine])).toEqual([
    [changeId, true],
    [own, undefined],
  ]);
  expect(anns.map(({ needsOther }) => needsOther)).toEqual([expect.stringContaining('ann asked for it, so somebody else'), undefined]);
  expect(anns[1]).toMatchObject({ asked: 'by bob through test-client' });
});

test('no word of the page takes one person for another', async () => {
  const { people, connect, browserOf, changeId } = await asked();
  const [ann, eve] = [await browserOf(people.ann), await browserOf(people.eve)];
  expect((await ann.decide(changeId, 'apply')).status).toBe(200);
  // What ann asks for on the page herself is hers to cancel, and nobody else’s.
  const [{ id = '' } = {}] = recordsIn((await (await connect(people.ann)).callTool('list_channels', { size: 1 })).data, 'channels');
  const statement = await ann.post(`channels/${String(id)}/statement`, { videoKeys: ['key1'], projects: { kind: 'none' } });
  const own = String((await statement.json()).changeId);
  expect(await ann.api(`changes/${own}`)).toMatchObject({ isOwn: true, isMine: true });
  const seen = await eve.api(`changes/${own}`);
  expect(seen).toMatchObject({ isOwn: false, asked: 'by ann on the approval page' });
  expect((await ann.decide(own, 'decline')).status).toBe(200);
  const told = [await eve.api(`changes/${changeId}`), await eve.api(`changes/${own}`), await eve.api('changes'), await eve.api('session')];
  expect(JSON.stringify(told)).not.toMatch(/\b[Yy]ou\b|\b[Yy]our\b|this machine|main\.cjs/);
  expect(JSON.stringify(told)).toContain('ann');
  // Nor is what somebody else declined told to who asked as their own doing.
  const second = await ann.post(`channels/${String(id)}/statement`, { videoKeys: ['key2'], projects: { kind: 'none' } });
  const declined = String((await second.json()).changeId);
  expect((await (await browserOf(people.dan)).decide(declined, 'decline')).status).toBe(200);
  expect((await ann.api(`changes/${declined}`)).outcome).toMatch(/^It was declined by dan /);
  expect((await ann.api(`changes/${own}`)).outcome).toBe('You cancelled it. Nothing was sent.');
});

test('whoever asked withdraws it without the role to decide; others’ words come with a no', async () => {
  const { changeId, people, browserOf, bob, sent } = await asked();
  expect((await (await browserOf(people.bob)).decide(changeId, 'decline')).status).toBe(200);
  expect((await bob.callTool('get_change', { changeId })).data?.status).toBe('withdrawn');
  const { data } = await bob.callTool('create_project', { name: 'Other', region: 'use-s' });
  expect((await (await browserOf(people.dan)).decide(data?.changeId, 'decline')).status).toBe(200);
  const declined = await bob.callTool('get_change', { changeId: data?.changeId });
  expect([declined.data?.status, declined.text]).toEqual(['declined', expect.stringContaining('dan declined')]);
  expect(sent()).toEqual([]);
});

describe('who gets in', () => {
  test('only a page key does, and a client token is told what it is for', async () => {
    const session = await startHttp();
    const { people, url, connect } = session;
    const wrong = await browse(session, `vhp_${'A'.repeat(43)}`);
    expect([wrong.entered.status, await wrong.entered.text()]).toEqual([401, expect.stringContaining('nobody’s page key')]);
    const token = await browse(session, people.ann.secrets.clientToken);
    expect([token.entered.status, await token.entered.text()]).toEqual([401, expect.stringContaining('client token')]);
    const bearer = { authorization: `Bearer ${people.ann.secrets.clientToken}` };
    expect((await fetch(`${url}/app/api/changes`, { headers: bearer })).status).toBe(401);
    // Nor does a sign-in open what clients use.
    const ann = await browse(session, people.ann.secrets.pageKey);
    expect((await ann.get('/mcp')).status).toBe(401);
    await connect(people.ann);
  });

  test('a link to a change leads there through the sign-in, and a sign-in leads nowhere else', async () => {
    const session = await asked();
    const { url, changeId, people } = session;
    const link = await fetch(`${url}/changes/${changeId}`, { redirect: 'manual' });
    expect([link.status, link.headers.get('location')]).toEqual([303, `/sign-in?to=${encodeURIComponent(`/changes/${changeId}`)}`]);
    expect(await (await fetch(`${url}${link.headers.get('location')}`)).text()).toContain(`value="/changes/${changeId}"`);
    const ann = await browse(session, people.ann.secrets.pageKey, `/changes/${changeId}`);
    expect([ann.entered.status, ann.entered.headers.get('location')]).toEqual([303, `/app/#/changes/${changeId}&token=${ann.token}`]);
    expect((await ann.get(`/changes/${changeId}`)).headers.get('location')).toBe(`/app/#/changes/${changeId}`);
    // A link in a chat is followed from another site.
    expect((await ann.get('/app/', { 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'document' })).status).toBe(200);
    for (const to of ['https://evil.example.com/', '//evil.example.com', '/changes/../mcp', '/changes/a"><script>'])
      expect((await browse(session, people.ann.secrets.pageKey, to)).entered.headers.get('location')).toMatch(/^\/app\/#&token=[\w-]{43}$/);
  });

  test('the cookie is for this host, not for scripts, and over https alone where that is the public URL', async () => {
    const session = await startHttp();
    const { entered } = await browse(session, session.people.ann.secrets.pageKey);
    expect(entered.headers.get('set-cookie')).toMatch(/^session-\d+=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax$/);
  });

  test('what acts needs the page’s token, its own origin and JSON', async () => {
    const { changeId, people, browserOf, bob, sent } = await asked();
    const ann = await browserOf(people.ann);
    const { planDigest } = await ann.api(`changes/${changeId}`);
    const press = async (headers: Record<string, string | undefined>) =>
      (await ann.post(`changes/${changeId}/decision`, { decision: 'apply', planDigest, note: '' }, headers)).status;
    expect(await press({ 'x-page-token': 'x' })).toBe(401);
    expect(await press({ 'x-page-token': undefined })).toBe(401);
    expect(await press({ origin: 'https://evil.example.com' })).toBe(403);
    expect(await press({ origin: undefined })).toBe(403);
    expect(await press({ 'content-type': 'text/plain' })).toBe(415);
    expect(await press({ 'sec-fetch-site': 'cross-site' })).toBe(403);
    expect(sent()).toEqual([]);
    expect((await bob.callTool('get_change', { changeId })).data?.status).toBe('waiting');
  });

  test('the cookie alone, which whoever listens on another port of its host gets too, reads and changes nothing', async () => {
    const { changeId, people, browserOf, sent } = await asked();
    const ann = await browserOf(people.ann);
    const none = { 'x-page-token': '' };
    for (const path of ['session', 'changes', `changes/${changeId}`, `changes/${changeId}/emails`, 'channels', 'reports', 'client'])
      expect([path, (await ann.get(`/app/api/${path}`, none)).status]).toEqual([path, 401]);
    expect(await (await ann.get('/app/', none)).text()).not.toContain(ann.token);
    expect(JSON.stringify(await ann.api('session'))).not.toContain(ann.token);
    expect(ann.token).toMatch(/^[\w-]{43}$/);
    expect(sent()).toEqual([]);
  });

  test('nobody is signed in by a form of another site', async () => {
    const { url, people } = await startHttp();
    const body = keyForm(people.ann.secrets.pageKey);
    for (const headers of [
      {},
      { origin: 'https://evil.example.com' },
      { origin: 'null' },
      { origin: url, 'sec-fetch-site': 'same-site' },
    ] as const)
      expect((await fetch(`${url}/sign-in`, { method: 'POST', body, headers, redirect: 'manual' })).status).toBe(403);
  });

  test('a sign-out, new secrets and a removal end it with the next request; roles are those of now', async () => {
    const session = await startHttp();
    const { people, dataDir } = session;
    const [ann, bob, dan] = await Promise.all([people.ann, people.bob, people.dan].map(({ secrets }) => browse(session, secrets.pageKey)));
    const statusOf = async (browser: Browser | undefined) => (await browser?.get('/app/api/session'))?.status;
    const token = ann?.token ?? '';
    const cookie = (ann?.entered.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
    const out = (headers: Record<string, string>) => fetch(`${session.url}/sign-out`, { method: 'POST', headers: { cookie, ...headers } });
    expect((await out({})).status).toBe(403);
    expect(await statusOf(ann)).toBe(200);
    expect((await out({ 'x-page-token': token })).status).toBe(403);
    expect((await out({ 'x-page-token': token, origin: session.url })).status).toBe(200);
    expect(await statusOf(ann)).toBe(401);
    await rotateSecrets(peopleFileIn(dataDir), 'bob', never);
    expect(await statusOf(bob)).toBe(401);
    await setRoles(peopleFileIn(dataDir), 'dan', ['read'], never);
    expect(await dan?.api('session')).toMatchObject({ person: { mayApprove: false } });
    await removePerson(peopleFileIn(dataDir), 'dan', never);
    expect(await statusOf(dan)).toBe(401);
    expect((await dan?.get('/app/'))?.headers.get('location')).toBe('/sign-in?before=ended');
  });

  test('after twenty wrong keys of an address a minute has to pass, and a right one is taken all the same', async () => {
    const session = await startHttp();
    for (let index = 0; index < 20; index += 1) await browse(session, `vhp_${index}`);
    const refused = await browse(session, 'vhp_wrong');
    expect([refused.entered.status, refused.entered.headers.get('retry-after')]).toEqual([429, expect.stringMatching(/^\d+$/)]);
    expect((await browse(session, session.people.ann.secrets.pageKey)).entered.status).toBe(303);
  });
});

test('a sign-in lasts eight hours, and half an hour without use', () => {
  const ann = { id: 'person-1', name: 'ann', roles: ['read'], tokenId: 't', keyId: 'k' } as const;
  let ms = 0;
  const minutes = (count: number) => {
    ms += count * 60_000;
  };
  const signIns = createSignIns({ byPageKey: (key) => (key === 'k' ? ann : undefined), current: () => ann }, () => ms);
  const entered = () => {
    const one = signIns.enter('k');
    return typeof one === 'string' ? undefined : one.secret;
  };
  const secret = entered();
  expect(signIns.enter('other')).toBe('wrong');
  for (let passed = 0; passed < 8 * 60 - 29; passed += 29) {
    minutes(29);
    expect(signIns.find(secret)?.person.name).toBe('ann');
    signIns.use(secret);
  }
  minutes(29);
  expect(signIns.find(secret)).toBeUndefined();
  const again = entered();
  minutes(29);
  // To find it is no use of it.
  expect(signIns.find(again)?.person.name).toBe('ann');
  minutes(1);
  expect(signIns.find(again)).toBeUndefined();
  signIns.use(again);
  expect([signIns.find(again), signIns.find(undefined)]).toEqual([undefined, undefined]);
});

test('what a person does keeps a sign-in, and what an open window asks for by itself does not', async () => {
  const { url, people, changeId, browserOf } = await asked();
  const clock = performance.now.bind(performance);
  let passed = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => clock() + passed);
  const minutes = (count: number) => {
    passed += count * 60_000;
  };
  onTestFinished(() => void vi.restoreAllMocks());
  const lasts = async (ask: (ann: Browser) => Promise<Response>): Promise<boolean> => {
    const ann = await browserOf(people.ann);
    minutes(20);
    await (await ask(ann)).body?.cancel();
    minutes(20);
    return (await ann.get('/app/api/session')).status === 200;
  };
  const byItself: Readonly<Record<string, (ann: Browser) => Promise<Response>>> = {
    'a list': (ann) => ann.get('/app/api/changes'),
    'a change': (ann) => ann.get(`/app/api/changes/${changeId}`),
    session: (ann) => ann.get('/app/api/session'),
    events: (ann) => ann.get('/app/api/events'),
    'a press without the page’s token': (ann) => ann.post('changes/chg-1/stop', {}, { 'x-page-token': undefined }),
    'a word of another page': (ann) => ann.get('/app/api/session', { 'x-page-use': 'person', 'x-page-token': 'x' }),
  };
  for (const [what, ask] of Object.entries(byItself)) expect([what, await lasts(ask)]).toEqual([what, false]);
  const byPerson: Readonly<Record<string, (ann: Browser) => Promise<Response>>> = {
    'opens the page': (ann) => ann.get('/app/'),
    'follows a link': (ann) => ann.get(`/changes/${changeId}`),
    'opens a view': (ann) => ann.get('/app/changes'),
    presses: (ann) => ann.post(`changes/${changeId}/decision`, { decision: 'other' }),
    'uses the window': (ann) => ann.get('/app/api/session', { 'x-page-use': 'person' }),
  };
  for (const [what, ask] of Object.entries(byPerson)) expect([what, await lasts(ask)]).toEqual([what, true]);
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
});

test('what waits outlives the server, and is decided on after a restart', async () => {
  const { changeId, people, stop, home, demo } = await asked();
  await stop();
  const later = await startHttp({ home, demo, people });
  const ann = await browse(later, people.ann.secrets.pageKey);
  expect(await ann.api(`changes/${changeId}`)).toMatchObject({ status: 'waiting', asked: expect.stringContaining('bob') });
  expect((await ann.decide(changeId, 'apply')).status).toBe(200);
  expect(pathsOf(demo).filter((path) => path.startsWith('POST'))).toEqual(['POST /v1/projects']);
});

test('at most fifty of one person wait, and another’s do all the same', async () => {
  const { connect, people } = await startHttp();
  const [bob, ann] = [await connect(people.bob), await connect(people.ann)];
  const ask = (client: typeof bob, index: number) => client.callTool('create_project', { name: `P${index}`, region: 'use-s' });
  for (let index = 0; index < 50; index += 1) expect((await ask(bob, index)).data?.status).toBe('waiting');
  expect((await ask(bob, 50)).isError).toBe(true);
  expect((await ask(ann, 51)).data?.status).toBe('waiting');
});

test('show_to_user answers a link to what is to be shown', async () => {
  const { url, bob, changeId } = await asked();
  const shown = async (args: object) => (await bob.callTool('show_to_user', { ...args, inBrowser: true })).data?.link;
  expect(await shown({ what: 'change', id: changeId })).toBe(`${url}/changes/${changeId}`);
  expect(await shown({ what: 'changes' })).toBe(`${url}/app/changes`);
});

test('the server’s address alone leads to the page, for whoever asks for its own host', async () => {
  const { url } = await startHttp();
  for (const path of ['/', '/app']) {
    const { status, headers } = await fetch(`${url}${path}`, { redirect: 'manual' });
    expect([path, status, headers.get('location')]).toEqual([path, 303, '/app/']);
  }
  expect((await fetch(url)).url).toBe(`${url}/sign-in`);
  expect((await fetch(url, { method: 'POST' })).status).toBe(405);
});
