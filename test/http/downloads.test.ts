/** What would be a file of the server: a link for people to the page, from which they save it. */
import { expect, test } from 'vitest';
import { manyVideos } from '../changes/kinds/videos/harness.ts';
import { browse } from '../harness/browse.ts';
import { atEnd } from '../harness/cleanup.ts';
import { type HttpSession, startHttp } from '../harness/http.ts';

/** Bob’s assistant asks for a move of which one id is none, and Ann applies it. */
async function movedInPart() {
  const account = await manyVideos(3);
  const session = await startHttp({ demo: account.demo });
  const { people } = session;
  const bob = await session.connect(people.bob);
  const videoIds = [...account.ids, 'no-such-video'];
  const { data } = await bob.callTool('move_videos', { videoIds, targetProject: account.archive, fromProject: account.elsewhere });
  const changeId = String(data?.changeId);
  const ann = await browse(session, people.ann.secrets.pageKey);
  expect((await ann.decide(changeId, 'apply')).status).toBe(200);
  const done = await bob.callTool('get_change', { changeId, waitSeconds: 400 });
  return { ...session, changeId, done, ann };
}

const signedIn = (session: HttpSession, name: keyof HttpSession['people']) => browse(session, session.people[name].secrets.pageKey);

test('the list of what was not done is behind a link, for whoever may read, as a file that is not kept by browsers', async () => {
  const session = await movedInPart();
  const { url, changeId, done, ann, dataDir, requests } = session;
  expect(done.data).toMatchObject({ status: 'partly_applied', notDoneFile: `${url}/changes/${changeId}` });
  expect(done.text).toContain('notDoneFile leads to the change on the page');
  expect(JSON.stringify(done)).not.toContain(dataDir);
  expect((await ann.api(`changes/${changeId}`)).bulk).toMatchObject({ hasOutcomesFile: true });
  const eve = await signedIn(session, 'eve');
  const file = await eve.get(`/app/api/changes/${changeId}/outcomes.csv`, {
    'sec-fetch-site': 'same-origin',
    'sec-fetch-dest': 'document',
  });
  expect([file.status, file.headers.get('content-disposition'), file.headers.get('cache-control')]).toEqual([
    200,
    `attachment; filename="${changeId}-not-done.csv"`,
    'no-store',
  ]);
  const lines = (await file.text()).trim().split('\n');
  expect(lines).toHaveLength(2);
  expect(lines[1]).toContain('no-such-video');
  expect(requests()).toContainEqual(
    expect.objectContaining({ person: 'eve', path: `/app/api/changes/${changeId}/outcomes.csv`, changeId, status: 200 }),
  );
});

test('a file that is saved writes no warning of Node into the log of requests', async () => {
  const warnings: string[] = [];
  const onWarning = ({ message }: Error) => void warnings.push(message);
  process.on('warning', onWarning);
  atEnd(() => void process.off('warning', onWarning));
  const { changeId, ann } = await movedInPart();
  const file = await ann.get(`/app/api/changes/${changeId}/outcomes.csv`, {
    'sec-fetch-site': 'same-origin',
    'sec-fetch-dest': 'document',
  });
  expect((await file.text()).trim().split('\n')).toHaveLength(2);
  expect(warnings).toEqual([]);
});

test('a file takes a sign-in: no client token, nobody, no other site, and no client that reads what views show', async () => {
  const session = await movedInPart();
  const { url, changeId, people, ann, connect } = session;
  const path = `/app/api/changes/${changeId}/outcomes.csv`;
  for (const headers of [{}, { authorization: `Bearer ${people.ann.secrets.clientToken}` }])
    expect((await fetch(`${url}${path}`, { headers })).status).toBe(401);
  expect((await ann.get(path, { 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'document' })).status).toBe(403);
  const client = await connect(people.ann);
  await expect(client.readResource(`ui://video-hosting/data/changes/${changeId}/outcomes.csv`)).rejects.toThrow();
  const none = await ann.get('/app/api/changes/chg_none/outcomes.csv');
  expect([none.status, (await none.json()).message]).toEqual([404, 'There is no file of what was not done of this change.']);
});

test('a link to a view leads there through the sign-in, and a sign-in leads nowhere else', async () => {
  const session = await startHttp();
  const { url, people } = session;
  const link = await fetch(`${url}/app/reports/AAAAAAAAAAAA`, { redirect: 'manual' });
  expect([link.status, link.headers.get('location')]).toEqual([303, `/sign-in?to=${encodeURIComponent('/app/reports/AAAAAAAAAAAA')}`]);
  const ann = await browse(session, people.ann.secrets.pageKey, '/app/reports/AAAAAAAAAAAA');
  expect(ann.entered.headers.get('location')).toBe(`/app/#/reports/AAAAAAAAAAAA&token=${ann.token}`);
  expect((await ann.get('/app/reports/AAAAAAAAAAAA')).headers.get('location')).toBe('/app/#/reports/AAAAAAAAAAAA');
  for (const to of ['/app/elsewhere', '/app/reports/../../mcp', '/app/reports/a/b', '/app/reports/a?b', '/app/api/session'])
    expect((await browse(session, people.ann.secrets.pageKey, to)).entered.headers.get('location')).toMatch(/^\/app\/#&token=/);
});
