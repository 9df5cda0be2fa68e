/** Whose change is meant where a name was another person’s, or is an agent’s too. */
import { writeFileSync } from 'node:fs';
import { expect, test, vi } from 'vitest';
import { addPerson, removePerson, type WithSecrets } from '../../src/people/change-people.ts';
import { peopleFileIn } from '../../src/people/people.ts';
import type { Values } from '../../src/platform/is-object.ts';
import { idsIn, MOVE, manyVideos, onceStopping, requestsOf } from '../changes/kinds/videos/harness.ts';
import { daysAhead, moveRule, savedNow, writeApprovals } from '../changes/standing/harness.ts';
import { changeIdIn } from '../changes/support/confirm.ts';
import { browse } from '../harness/browse.ts';
import { recordsIn } from '../harness/client.ts';
import { startHttp } from '../harness/http.ts';
import { hold } from '../harness/service.ts';
import { start } from '../harness/start.ts';

const never = new AbortController().signal;

/** People for whom moves are allowed in advance, both ways, and their undo. */
async function team(names: readonly string[], { videos = 10, env = {} }: { readonly videos?: number; readonly env?: Values } = {}) {
  const account = await manyVideos(videos);
  const { demo, ids, archive, elsewhere } = account;
  const allow = [moveRule(account, { to: [{ id: archive }, { id: elsewhere }], perDay: 100_000 }), { kind: 'undo_own', perDay: 9 }];
  const approvals = names.map((name) => ({ id: `of-${name}`, for: name, until: daysAhead(30), allow }));
  const path = writeApprovals({ version: 1, timeZone: 'UTC', approvals });
  const session = await startHttp({ demo, env: { VIDEO_HOSTING_STANDING_APPROVALS: path, ...env } });
  const save = () => savedNow(path);
  save();
  const file = peopleFileIn(session.dataDir);
  return {
    ...{ ...session, account, path, save },
    moved: () => idsIn(demo, archive).length,
    async move(who: WithSecrets, count: number, { from = 0, ...more }: Values & { readonly from?: number } = {}) {
      const client = await session.connect(who);
      return client.callTool('move_videos', {
        videoIds: ids.slice(from, from + count),
        targetProject: archive,
        fromProject: elsewhere,
        ...more,
      });
    },
    call: async (who: WithSecrets, name: string, args: Values = {}) => (await session.connect(who)).callTool(name, args),
    /** Another person, under the name of one who was removed. */
    async another(name: string) {
      await removePerson(file, name, never);
      return addPerson(file, name, ['read', 'propose'], never);
    },
  };
}

test('what somebody did whose name another person has now is undone by that one only where it is named', async () => {
  const session = await team([]);
  const { people, move, moved, call, another } = session;
  const changeId = changeIdIn(await move(people.bob, 3));
  const page = await browse(session, people.ann.secrets.pageKey);
  expect((await page.decide(changeId, 'apply')).status).toBe(200);
  await expect.poll(moved).toBe(3);
  const bob = await another('bob');
  const unnamed = await call(bob, 'undo_change');
  expect([moved(), unnamed.data]).toMatchObject([3, { error: { code: 'not_found' } }]);
  expect((await call(bob, 'undo_change', { changeId })).data).toMatchObject({ status: 'waiting' });
});

test('the undo of what another person of the name did is covered by no standing approval', async () => {
  const { people, move, moved, call, another, save } = await team(['bob'], { env: { VIDEO_HOSTING_SECOND_PERSON: 'always' } });
  const changeId = changeIdIn(await move(people.bob, 3));
  expect(moved()).toBe(3);
  const bob = await another('bob');
  save();
  const undo = await call(bob, 'undo_change', { changeId });
  expect([moved(), undo.data?.status]).toEqual([3, 'waiting']);
  expect(undo.text).toContain('No standing approval covers the undo of what a person or another agent did.');
  expect((await move(bob, 2, { from: 3 })).data).toMatchObject({ status: 'applied' });
});

test('what a standing approval allows a name counts for nobody who was added after the file was saved, until it is saved again', async () => {
  const { people, move, moved, another, save } = await team(['bob'], { env: { VIDEO_HOSTING_SECOND_PERSON: 'always' } });
  expect((await move(people.bob, 1)).data).toMatchObject({ status: 'applied' });
  const bob = await another('bob');
  const asked = await move(bob, 2, { from: 1 });
  expect([moved(), asked.data?.status]).toEqual([1, 'waiting']);
  expect(asked.text).toMatch(
    /was saved before bob was added, on .* UTC, so what it allows somebody of that name counts for them only once/,
  );
  save();
  expect((await move(bob, 2, { from: 5 })).data).toMatchObject({ status: 'applied' });
  expect(moved()).toBe(3);
});

test('a person and an agent of one name are two: neither undoes what the other did', async () => {
  const { people, move, moved, call, home, account, path } = await team(['bob']);
  const changeId = changeIdIn(await move(people.bob, 3));
  const env = { VIDEO_HOSTING_CONFIRM: 'wait', VIDEO_HOSTING_STANDING_APPROVALS: path, VIDEO_HOSTING_AGENT: 'bob' };
  const { client } = await start({ demo: account.demo, home, env });
  expect((await client.callTool('undo_change', { changeId })).data).toMatchObject({ status: 'waiting' });
  expect(moved()).toBe(3);
  const agents = await client.callTool('move_videos', {
    ...{ videoIds: account.ids.slice(3, 5), targetProject: account.archive, fromProject: account.elsewhere },
  });
  expect((await call(people.bob, 'undo_change', { changeId: changeIdIn(agents) })).data).toMatchObject({ status: 'waiting' });
  expect(moved()).toBe(5);
  expect((await call(people.bob, 'undo_change', { changeId })).data).toMatchObject({ status: 'applied' });
  expect(moved()).toBe(2);
});

test('what runs for somebody else is stopped only where it is named', async () => {
  const { people, move, call, connect, account } = await team(['ann', 'bob'], { videos: 30_000 });
  const { demo } = account;
  const letGo = hold(demo, ({ path }) => path === MOVE.path && requestsOf(demo, MOVE).length > 3);
  const anns = changeIdIn(await move(people.ann, 15_000, { waitSeconds: 0 }));
  const refused = await call(people.bob, 'stop_change');
  expect((await call(people.ann, 'get_change', { changeId: anns })).data).toMatchObject({ status: 'running' });
  expect(refused.text).toContain(`changeId: has to be given, since what runs was asked for by somebody else: ${anns} (Move 15,000 videos`);
  const bobs = changeIdIn(await move(people.bob, 15_000, { from: 15_000, waitSeconds: 0 }));
  const stopping = call(people.bob, 'stop_change');
  await onceStopping(await connect(people.bob), bobs, letGo);
  expect((await stopping).data).toMatchObject({ changeId: bobs, status: 'stopped' });
  expect((await call(people.bob, 'get_change', { changeId: anns })).data?.status).not.toBe('stopped');
});

test('of what waits, one’s own is listed first, and what is left out is said', async () => {
  const { people, call, connect } = await team([]);
  const anns = changeIdIn(await call(people.ann, 'create_project', { name: 'Ann’s', region: 'use-s' }));
  const bob = await connect(people.bob);
  for (let one = 0; one < 22; one += 1) await bob.callTool('create_project', { name: `Bob’s ${one}`, region: 'use-s' });
  const { data } = await call(people.ann, 'list_changes');
  const listed = recordsIn(data, 'changes');
  expect(listed).toHaveLength(20);
  expect(listed[0]).toMatchObject({ changeId: anns, asked: 'by ann through test-client' });
  expect(data?.more).toBe('Not listed: 3 more changes wait. With a higher limit (up to 200) or a status they are.');
  expect((await call(people.ann, 'list_changes', { limit: 23 })).data).not.toHaveProperty('more');
  await call(people.ann, 'stop_change', { changeId: anns });
  expect((await call(people.bob, 'list_changes', { limit: 22 })).data?.more).toContain('there are more that ran or ended');
});

test('what a person asked for on the page is told with their name to the others and to their clients, and no assistant is said to have asked', async () => {
  const session = await team(['bob']);
  const { people, call, move, url } = session;
  const { data } = await move(people.bob, 3);
  expect([data?.status, session.moved()]).toEqual(['applied', 3]);
  const ann = await browse({ url }, people.ann.secrets.pageKey);
  const undo = async () => String((await (await ann.post(`changes/${String(data?.changeId)}/undo`)).json()).changeId);
  const first = await undo();
  for (const who of [people.bob, people.ann]) {
    const { text } = await call(who, 'get_change', { changeId: first });
    expect(text).toContain('ann asked for it on the approval page, and nobody has answered there.');
    expect(text).not.toMatch(/\bthe user\b|\btheir browser\b/i);
    const stop = await call(who, 'stop_change', { changeId: first });
    expect([stop.isError, stop.text]).toEqual([true, expect.stringContaining('ann asked for this change on the approval page')]);
    expect(stop.text).not.toMatch(/\bthe user\b/i);
  }
  await ann.decide(first, 'decline');
  expect(session.moved()).toBe(3);
  expect((await call(people.bob, 'get_change', { changeId: first })).text).toContain(
    'ann declined on the approval page. Nothing was sent.',
  );
  const dan = await browse({ url }, people.dan.secrets.pageKey);
  expect((await dan.api(`changes/${first}`)).outcome).toMatch(
    /^It was declined by ann on the approval page on [\d: -]+ UTC\. Nothing was sent\.$/,
  );
  expect((await ann.api(`changes/${first}`)).outcome).toBe('You cancelled it. Nothing was sent.');
  const second = await undo();
  await call(people.ann, 'undo_change', { changeId: data?.changeId });
  expect((await dan.decide(second, 'apply')).status).toBe(200);
  expect((await call(people.bob, 'get_change', { changeId: second, waitSeconds: 60 })).text).toContain(
    'dan approved on the approval page what ann asked for there',
  );
  expect(session.moved()).toBe(0);
});

test('what a person asks for on the page waits for others as long as what their client asks for', async () => {
  const session = await team(['bob'], { env: { VIDEO_HOSTING_SECOND_PERSON: 'always' } });
  const { people, call, move, url } = session;
  const { data } = await move(people.bob, 3);
  const ann = await browse({ url }, people.ann.secrets.pageKey);
  const undo = await (await ann.post(`changes/${String(data?.changeId)}/undo`)).json();
  expect(Date.parse(undo.expiresAt) - Date.parse(undo.at)).toBe(7 * 86_400_000);
  const waits = await call(people.bob, 'get_change', { changeId: undo.changeId });
  expect(waits.text).toContain(`and expires on ${undo.expiresAt.slice(0, 10)}`);
  vi.useFakeTimers({ toFake: ['Date'] });
  try {
    vi.setSystemTime(Date.now() + 8 * 86_400_000);
    const { text } = await call(people.bob, 'get_change', { changeId: undo.changeId });
    expect(text).toContain('Nobody answered on the approval page in 7 days.');
  } finally {
    vi.useRealTimers();
  }
});

test('a file of standing approvals that can’t be used is put right by whoever runs the server, not by the command of its terminal', async () => {
  const { people, path, url } = await team(['bob']);
  writeFileSync(path, 'no longer JSON', { mode: 0o600 });
  const ann = await browse({ url }, people.ann.secrets.pageKey);
  const answer = await ann.post('approvals/stop', {});
  const { message } = await answer.json();
  expect([answer.status, message]).toEqual([409, expect.stringContaining('Whoever runs this server can correct the file')]);
  expect(message).not.toMatch(/terminal|video-hosting-mcp|main\.cjs/);
});

test('what whoever approved wrote is not told as the words of the user whose assistant asked', async () => {
  const { people, connect, url } = await startHttp();
  const bob = await connect(people.bob);
  const { data } = await bob.callTool('create_project', { name: 'Archive', region: 'use-s' });
  const changeId = String(data?.changeId);
  const ann = await browse({ url }, people.ann.secrets.pageKey);
  const { planDigest } = await ann.api(`changes/${changeId}`);
  await ann.post(`changes/${changeId}/decision`, { decision: 'apply', planDigest, note: 'Fine this once.' });
  const done = await bob.callTool('get_change', { changeId, waitSeconds: 60 });
  expect(done.data).toMatchObject({ status: 'applied', approverNote: 'Fine this once.' });
  expect(done.data).not.toHaveProperty('userNote');
  expect(done.text).toContain('approverNote: "Fine this once."');
});
