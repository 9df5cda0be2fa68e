/** What happened to a change, and what can be done with it now, as the page is given it. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { expect, test, vi } from 'vitest';
import type { ChangeView } from '../../src/page/contract.ts';
import { whyOf } from '../../src/page/views/change/reasons.ts';
import { COPY, copiedIds, idsIn, MOVE, manyVideos, onceStopping, requestsOf } from '../changes/kinds/videos/harness.ts';
import { changeIdIn } from '../changes/support/confirm.ts';
import { changeFiles } from '../changes/support/journal-files.ts';
import { channelAt, writesOf } from '../changes/support/world.ts';
import { recordsIn } from '../harness/client.ts';
import { type DemoService, hold, startService } from '../harness/service.ts';
import { freshHome, start } from '../harness/start.ts';
import { asked, openPage, rename, startWithPage, type TestPage } from './support.ts';

const UNASKED = { VIDEO_HOSTING_CONFIRM: 'never' };
const NO_MATTER = { timeout: 300_000 };
const viewIn = ({ text }: { readonly text: string }): ChangeView => JSON.parse(text);

/** A server that asks nobody, for an agent, and a person’s page on the same data folder. */
async function withPage(demo: DemoService) {
  const home = freshHome();
  const named = { VIDEO_HOSTING_AGENT: 'nightly' };
  const agent = await start({ demo, home, env: { ...UNASKED, ...named } });
  const session = await startWithPage({ demo, home, env: named });
  return { home, client: agent.client, other: session.client, page: await openPage(session) };
}

/** A move whose second request is held until it is released. */
async function halfMoved(videos = 12_000) {
  const account = await manyVideos(videos);
  const { demo, ids, archive, elsewhere } = account;
  const isMove = ({ method, path }: { method: string; path: string }) => method === MOVE.method && path === MOVE.path;
  const release = hold(demo, (request) => isMove(request) && demo.requests.filter(isMove).length > 1);
  const session = await withPage(demo);
  const call = session.client.callTool('move_videos', { targetProject: archive, fromProject: elsewhere, videoIds: ids });
  call.catch(() => undefined);
  const running = async () => (await session.page.changes()).changes.find(({ status }) => status === 'running');
  await vi.waitFor(async () => expect((await running())?.progress?.done).toBe(1_000), NO_MATTER);
  return { ...account, ...session, call, release, changeId: (await running())?.changeId ?? '' };
}

/** The stop of a change that another server carries out, once it is asked for. */
async function askedToStop(home: string, changeId: string): Promise<void> {
  const isAsked = () => readdirSync(home, { recursive: true }).some((file) => String(file).endsWith(`${changeId}.stop`));
  await vi.waitFor(() => expect(isAsked()).toBe(true), NO_MATTER);
}

const until = (page: TestPage, changeId: string, status: string) =>
  vi.waitFor(async () => {
    const change = await page.change(changeId);
    expect(change.status).toBe(status);
    return change;
  }, NO_MATTER);

test('a press of Stop that comes too late is told as that, also when it is read again', async () => {
  const demo = await startService({ channels: 2, projects: 2 });
  const { client, page } = await withPage(demo);
  const changeId = changeIdIn(await client.callTool('update_channels', rename(channelAt(demo, 0))));
  const press = 'Stop came too late: it had ended already, so nothing was stopped.';
  expect((await page.change(changeId)).press).toBeUndefined();
  expect(viewIn(await page.post(`api/changes/${changeId}/stop`))).toMatchObject({ status: 'applied', press });
  expect(await page.change(changeId)).toMatchObject({ status: 'applied', press });
  expect(channelAt(demo, 0).name).toBe('Renamed');
});

test('a change that was asked to stop says so until its end, also when it is read again', async () => {
  const { page, call, release, changeId } = await halfMoved();
  expect((await page.change(changeId)).isStopping).toBeUndefined();
  expect(viewIn(await page.post(`api/changes/${changeId}/stop`))).toMatchObject({ status: 'running', isStopping: true });
  expect(await page.change(changeId)).toMatchObject({ status: 'running', isStopping: true });
  release();
  await call;
  const change = await until(page, changeId, 'stopped');
  expect(change).toMatchObject({ wasStopped: true, outcome: 'You stopped it.' });
  expect(change.isStopping).toBeUndefined();
  expect((await page.changes()).changes[0]).toMatchObject({ changeId, wasStopped: true });
});

test('a press of Stop after everything had been sent says that, and not that the change had ended', async () => {
  const { client, page, call, release, changeId, demo, archive, ids } = await halfMoved(2_000);
  await vi.waitFor(() => expect(demo.requests.filter(({ path }) => path === MOVE.path)).toHaveLength(2), NO_MATTER);
  // Each of the tiles while it runs, and what held only until something was moved.
  const told = await page.change(changeId);
  expect(told.progress).toMatchObject({ done: 1_000, total: 2_000, ofMany: { sent: 1_000, failed: 0, unknown: 0 } });
  expect(told.notices.filter(({ text }) => text.includes('shows only with the first move'))).toEqual([]);
  await page.post(`api/changes/${changeId}/stop`);
  await onceStopping(client, changeId, release);
  await call;
  const change = await until(page, changeId, 'applied');
  expect(idsIn(demo, archive)).toHaveLength(ids.length);
  expect(change.press).toBe('Stop came too late: everything that was left had been sent when you pressed Stop, so all of it was done.');
});

test('what was carried out unasked says in the list and in full that nobody was asked, and in full why and where that is set', async () => {
  const demo = await startService({ channels: 2, projects: 2 });
  const { client, page } = await withPage(demo);
  const changeId = changeIdIn(await client.callTool('update_channels', rename(channelAt(demo, 0))));
  expect((await page.change(changeId)).agreed).toContainEqual({
    words: 'Nobody was asked to agree: the server of nightly is set up to act without asking, which whoever runs it can change.',
    isUnasked: true,
  });
  expect((await page.changes()).changes[0]).toMatchObject({ decided: 'nobody was asked' });
});

/** What the page says of a copy. */
const lookAtEach = (videos: number) =>
  `Look at each of the ${videos} that are not known, also where several were sent together: some may have the CTAs and others not. Ask for a new copy of those alone that have none of them: the others would have them twice.`;
const ALSO_WITHIN_A_REQUEST =
  'so look at each in the dashboard (those with the same request, too: some may have the CTAs and others not), then name those alone that have none in a new copy_cta.';

test('a copy in doubt says what to do once somebody has looked', async () => {
  const { demo, ids } = await manyVideos(4);
  const { client, page } = await withPage(demo);
  demo.faults.always({ match: COPY, do: { kind: 'reset-after' } });
  const [sourceVideoId, ...targetVideoIds] = ids;
  const changeId = changeIdIn(await client.callTool('copy_cta', { sourceVideoId, targetVideoIds }));
  const change = await page.change(changeId);
  expect(change.counts).toMatchObject({ done: 0, unknown: 3 });
  expect(change.steps).toContain(lookAtEach(3));
});

test('a copy whose requests are in doubt names each request with its videos, and has each video looked at, by a person and the assistant', async () => {
  const { demo, ids } = await manyVideos(41);
  const { client, page } = await withPage(demo);
  demo.faults.always({ match: COPY, skip: 1, do: { kind: 'reset-after' } });
  const [sourceVideoId, ...targetVideoIds] = ids;
  const answer = await client.callTool('copy_cta', { sourceVideoId, targetVideoIds });
  const sent = requestsOf(demo, COPY).map(({ body }) => (body as { targetVideos: string[] }).targetVideos); // as copy sends it
  const { bulk, steps } = await page.change(changeIdIn(answer));
  expect(bulk?.unknownRequests?.map(({ count }) => count)).toEqual([24, 15]);
  for (const { request } of bulk?.unknownRequests ?? [])
    expect(sent).toContainEqual(bulk?.unknown.filter((one) => one.request === request).map(({ id }) => id));
  expect(steps).toContain(lookAtEach(39));
  expect(answer.data?.next).toContain(ALSO_WITHIN_A_REQUEST);
  expect((await client.callTool('get_change', { changeId: changeIdIn(answer) })).data?.next).toContain(ALSO_WITHIN_A_REQUEST);
});

test('a copy of which the service did a part of each request, and answered that it failed, has each video looked at', async () => {
  const { demo, ids } = await manyVideos(41);
  const { client, page } = await withPage(demo);
  demo.behaviour.ctaFailsAfter = 10;
  const [sourceVideoId, ...targetVideoIds] = ids;
  const answer = await client.callTool('copy_cta', { sourceVideoId, targetVideoIds });
  expect(copiedIds(demo)).toHaveLength(1 + 20);
  const { bulk, steps } = await page.change(changeIdIn(answer));
  expect(bulk?.unknownRequests?.map(({ count }) => count)).toEqual([24, 15]);
  expect(steps).toContain(lookAtEach(39));
  expect(answer.data?.next).toContain(ALSO_WITHIN_A_REQUEST);
  expect(`${JSON.stringify(bulk)} ${answer.text}`).not.toMatch(/one of each|or one that was sent/);
});

test('a copy in doubt whose journal lost the line of a request has each video looked at, and says of none with which others it was sent', async () => {
  const { demo, ids } = await manyVideos(41);
  const { client, page, home } = await withPage(demo);
  demo.faults.always({ match: COPY, skip: 1, do: { kind: 'reset-after' } });
  const [sourceVideoId, ...targetVideoIds] = ids;
  const changeId = changeIdIn(await client.callTool('copy_cta', { sourceVideoId, targetVideoIds }));
  const [file = ''] = changeFiles(home);
  writeFileSync(file, readFileSync(file, 'utf8').replaceAll(/^\{"type":"range.*"from":25,.*$/gm, '{"type":"ran'));
  const { bulk, steps } = await page.change(changeId);
  expect(bulk).toMatchObject({ unknownCount: 39, unknownRequests: [{ count: 24 }] });
  expect(bulk?.unknown.filter(({ request }) => request === undefined)).toHaveLength(15);
  expect(steps).toContain(lookAtEach(39));
  const { data, text } = await client.callTool('get_change', { changeId });
  expect(data?.next).toContain(ALSO_WITHIN_A_REQUEST);
  expect(`${steps?.join(' ')} ${text}`).not.toMatch(/in one request|one of each|or one that was sent/);
});

test('who stopped a change is told first and in plain words, and once it was carried on by whom it was stopped before that', async () => {
  const { other, page, call, release, changeId, demo, archive, ids, home } = await halfMoved();
  const stopped = other.callTool('stop_change', { changeId });
  await askedToStop(home, changeId);
  release();
  await Promise.all([stopped, call]);
  const change = await until(page, changeId, 'stopped');
  expect(change).toMatchObject({
    outcome: 'nightly stopped it.',
    agreed: expect.arrayContaining([{ words: 'nightly stopped it', at: expect.any(String) }]),
  });
  const proposed = viewIn(await page.post(`api/changes/${changeId}/resume`));
  expect((await page.decide(proposed, 'apply')).status).toBe(200);
  const whole = await until(page, changeId, 'applied');
  expect(idsIn(demo, archive)).toHaveLength(ids.length);
  expect(whole.outcome).toBeUndefined();
  expect(whole.agreed?.map(({ words }) => words)).toEqual([
    expect.stringMatching(/^Asked by nightly/),
    'nightly stopped it',
    'Carried on as asked on the approval page',
    'You agreed on the approval page',
  ]);
});

test('the undo of a change that runs stops it first, and is shown before anything is set back', async () => {
  const { page, call, release, changeId, demo, archive, elsewhere, home } = await halfMoved();
  expect(await page.change(changeId)).toMatchObject({ status: 'running', canStop: true, canUndo: true });
  const pressed = page.post(`api/changes/${changeId}/undo`);
  await askedToStop(home, changeId);
  release();
  const proposed = viewIn(await pressed);
  await call;
  expect(proposed).toMatchObject({ status: 'waiting', isOwn: true, summary: expect.stringContaining('Undo') });
  expect(await page.change(changeId)).toMatchObject({ status: 'stopped', outcome: 'You stopped it.' });
  const moved = idsIn(demo, archive).length;
  expect(moved).toBeGreaterThan(0);
  await page.decide(proposed, 'apply');
  await until(page, proposed.changeId, 'applied');
  expect(idsIn(demo, archive)).toEqual([]);
  expect(idsIn(demo, elsewhere).length).toBeGreaterThan(moved);
});

test('what a busy service did not take says why and from when it can be carried on', async () => {
  const demo = await startService({ channels: 2, projects: 2 });
  const { client, page } = await withPage(demo);
  demo.faults.always({
    match: { method: 'GET', path: new RegExp(channelAt(demo, 0).id) },
    skip: 1,
    do: { kind: 'status', code: 503, retryAfter: 3_600 },
  });
  const changeId = changeIdIn(await client.callTool('update_channels', rename(channelAt(demo, 0))));
  const change = await page.change(changeId);
  expect(writesOf(demo)).toEqual([]);
  expect(change).toMatchObject({ status: 'failed', canResume: true, counts: { what: 'channel', total: 1, done: 0, notSent: 1 } });
  // With the very same words, so that the page can tell them once.
  expect(change.notes).toContain(change.records[0]?.reason);
  expect(whyOf(change).join(' ')).toContain(change.records[0]?.reason);
  // As data, so that nothing is offered before, and it is told once.
  expect(change.steps).toEqual([]);
  expect(Date.parse(change.resumeFrom ?? '')).toBeGreaterThan(Date.parse(change.at) + 3_500_000);
});

const REFUSALS = [
  [
    400,
    false,
    /^The same would be refused again, so there is nothing to try again: go by what the service said, and ask your assistant for another name than "Renamed"\.$/,
  ],
  [
    403,
    true,
    /^This server’s key may not change it\. Once an admin of the account has given it the right to, .* try again: before, it would be refused once more\.$/,
  ],
] as const;

test.each(REFUSALS)(
  'what the service refuses with %i says what can be done, and is tried again only where that can help',
  async (code, canRetry, step) => {
    const demo = await startService({ channels: 2, projects: 2 });
    const { client, page } = await withPage(demo);
    demo.faults.always({ match: { method: 'PUT' }, do: { kind: 'status', code, body: { message: 'No.' } } });
    const changeId = changeIdIn(await client.callTool('update_channels', rename(channelAt(demo, 0))));
    expect(channelAt(demo, 0).name).not.toBe('Renamed');
    expect(await page.change(changeId)).toMatchObject({ status: 'failed', canRetry, steps: [expect.stringMatching(step)] });
    const [row] = (await page.changes()).changes;
    expect(row?.why).toMatch(/\. The service said: "No\."/);
  },
);

test('of videos that failed, it is said how to find out why, and that to send them again is of no help once that was tried', async () => {
  const { demo, ids, archive, elsewhere } = await manyVideos(3);
  const { client, page } = await withPage(demo);
  for (const id of ids) demo.world.poisonedVideoIds.add(id);
  const changeId = changeIdIn(await client.callTool('move_videos', { targetProject: archive, fromProject: elsewhere, videoIds: ids }));
  const look = expect.stringMatching(/^Open one of them in the dashboard to see what is wrong, then try again/);
  expect(await page.change(changeId)).toMatchObject({ status: 'failed', canRetry: true, steps: [look] });
  await client.callTool('resume_change', { changeId, retryFailed: true });
  expect(idsIn(demo, archive)).toEqual([]);
  const again = expect.stringMatching(/^3 videos failed again/);
  expect(await page.change(changeId)).toMatchObject({ status: 'failed', canRetry: false, steps: [again] });
});

test('the history tells how many there are, what became of them, and who asked and agreed', async () => {
  const demo = await startService({ channels: 3, projects: 2 });
  const { client, page } = await withPage(demo);
  demo.faults.always({ match: { method: 'PUT', path: new RegExp(channelAt(demo, 1).id) }, do: { kind: 'status', code: 400 } });
  const changes = [0, 1, 2].flatMap((index) => rename(channelAt(demo, index), `Renamed ${index}`).changes);
  await client.callTool('update_channels', { changes });
  const [listed] = (await page.changes()).changes;
  expect(listed).toMatchObject({
    status: 'partly_applied',
    counts: { what: 'channel', total: 3, done: 2, failed: 1, unknown: 0, notSent: 0 },
    asked: 'by nightly through test-client',
    decided: 'nobody was asked',
  });
  // What is not done comes first.
  const [first] = (await page.change(listed?.changeId ?? '')).records;
  expect(first).toMatchObject({ name: channelAt(demo, 1).name, outcome: 'failed' });
});

test('a change that somebody changed since says that an undo leaves it alone, and offers none', async () => {
  const demo = await startService({ channels: 2, projects: 2 });
  const { client, page } = await withPage(demo);
  const changeId = changeIdIn(await client.callTool('update_channels', rename(channelAt(demo, 0))));
  expect(await page.change(changeId)).toMatchObject({ canUndo: true, undo: { possible: 'yes' } });
  demo.world.editChannel(channelAt(demo, 0).id, { description: 'By somebody else' });
  expect(await page.change(changeId)).toMatchObject({
    canUndo: false,
    undo: { possible: 'no', how: expect.stringContaining('was changed since, so an undo leaves it alone') },
    steps: [
      expect.stringMatching(
        /^To have ".*" as before all the same, ask your assistant for a new change of it, which replaces what somebody else wrote: /,
      ),
    ],
  });
});

test('of one whose record can’t be read, it is said what a person can do, and nothing is offered', async () => {
  const demo = await startService({ channels: 2, projects: 2 });
  const { client, page, home } = await withPage(demo);
  const changeId = changeIdIn(await client.callTool('update_channels', rename(channelAt(demo, 0))));
  const [file = ''] = changeFiles(home);
  writeFileSync(file, `{"broken${readFileSync(file, 'utf8').slice(20)}`);
  const { status, text } = await page.get(`api/changes/${changeId}`);
  expect(status).toBe(404);
  const { message, isDamaged } = JSON.parse(text);
  expect(isDamaged).toBe(true);
  expect(message).toMatch(/^Whether it was done is not known here any more, and it can’t be undone or carried on from here\. /);
  expect(message).toContain('See in the dashboard whether it was done; if not, ask your assistant for it again.');
});

test('what waits and sends a list that was stated before tells whose word that is, and what it states itself is told as that alone', async () => {
  const demo = await startService({ channels: 2, projects: 2 });
  const { client, page, home } = await withPage(demo);
  const { id, videoKeys, projectKeys } = channelAt(demo, 0);
  await client.callTool('state_contents', { channels: [{ channel: id, videoKeys, projectKeys }] });
  const night = await start({ demo, home, env: { VIDEO_HOSTING_CONFIRM: 'wait' } });
  const waits = async (changes: unknown) => page.change(changeIdIn(await night.client.callTool('update_channels', { changes })));
  const { statedEarlier, records } = await waits([{ channel: id, name: 'By an earlier list' }]);
  expect(statedEarlier).toMatchObject({ what: ['video'], records: 1 });
  expect(statedEarlier?.told[0]).toMatchObject({ words: expect.stringMatching(/^Asked by nightly/), at: expect.any(String) });
  expect(records[0]?.stated).toBeUndefined();
  expect(await waits(rename(channelAt(demo, 1)).changes)).not.toHaveProperty('statedEarlier');
});

test('a channel that an undo leaves alone is told as that, before the undo and after it, and counts nowhere', async () => {
  const demo = await startService({ channels: 2, projects: 2 });
  const { client, page } = await withPage(demo);
  const changes = [0, 1].flatMap((index) => rename(channelAt(demo, index), `Renamed ${index}`).changes);
  const changeId = changeIdIn(await client.callTool('update_channels', { changes }));
  // As somebody else calls it now, also where their clock is behind ours.
  const name = 'Named by a colleague';
  demo.world.editChannel(channelAt(demo, 1).id, { name });
  expect((await page.change(changeId)).undo.possible).toBe('partly');
  const sinceThen = (await page.change(changeId)).records.map(({ newName, since, nowName }) => [newName, since, nowName]);
  expect(sinceThen).toEqual([
    ['Renamed 0', undefined, undefined],
    ['Renamed 1', 'changed', name],
  ]);
  const proposed = viewIn(await page.post(`api/changes/${changeId}/undo`));
  const left = {
    isLeftAlone: true,
    text: expect.stringMatching(/^"Named by a colleague": It was changed since \(name "Renamed 1" → /),
  };
  expect(proposed.notices).toContainEqual(expect.objectContaining(left));
  // The title begins with what is done, as its button says.
  expect(proposed).toMatchObject({
    summary: expect.stringMatching(/^Undo: set 1 of 2 channels back: /),
    actionLabel: 'Set 1 channel back',
  });
  expect(proposed.counts).toEqual({ what: 'channel', total: 1 });
  const { change } = await page.decide(proposed, 'apply');
  expect(channelAt(demo, 0).name).not.toBe('Renamed 0');
  expect(channelAt(demo, 1).name).toBe(name);
  expect(change).toMatchObject({ status: 'applied', counts: { total: 1, done: 1 } });
  expect(change.notices).toContainEqual(expect.objectContaining(left));
  const step = expect.stringMatching(
    /^To have ".*" as before all the same, ask your assistant for a new change of it, which replaces what somebody else wrote: /,
  );
  expect(change.steps).toContainEqual(step);
  // Nothing of it is left to be sent.
  expect(change.canResume).toBe(false);
  expect(change.records.find(({ isLeftAlone }) => isLeftAlone)).toMatchObject({ name, outcome: 'not_done' });
  // The page and the tools say alike of the first one that nothing else of it can be undone.
  const first = await page.change(changeId);
  const partlyUndoneBy = change.changeId;
  expect(first).toMatchObject({ status: 'applied', partlyUndoneBy, canUndo: false, undo: { possible: 'no' } });
  expect(first.undo.how).toContain('was changed since, so an undo leaves it alone');
  expect(first.steps).toContainEqual(step);
  expect(first.records.map(({ id, since }) => [id, since])).toEqual([
    [channelAt(demo, 0).id, 'undone'],
    [channelAt(demo, 1).id, 'changed'],
  ]);
  expect((await page.changes()).changes.find((one) => one.changeId === changeId)).toMatchObject({ partlyUndoneBy });
  const listed = recordsIn((await client.callTool('list_changes', {})).data, 'changes').find((one) => one.changeId === changeId);
  expect(listed).toMatchObject({ partlyUndoneBy, undo: 'no' });
  const { data } = await client.callTool('get_change', { changeId });
  expect(data).toMatchObject({ partlyUndoneBy, undo: { possible: 'no' } });
});

test('what a person asked for on the page, and somebody else began meanwhile, says which change that is', async () => {
  const demo = await startService({ channels: 2, projects: 2 });
  const { client, page } = await withPage(demo);
  const changeId = changeIdIn(await client.callTool('update_channels', rename(channelAt(demo, 0))));
  const own = viewIn(await page.post(`api/changes/${changeId}/undo`));
  const by = changeIdIn(await client.callTool('undo_change', { changeId }));
  const over = await until(page, own.changeId, 'withdrawn');
  expect(over.outcome).toContain(by);
  expect(over.outcome).toContain('needs no decision. Nothing was sent for this one.');
});

test('a copy is told by the video whose calls to action they are, and the title before the id', async () => {
  const { demo, ids } = await manyVideos(4);
  const [source = '', ...targets] = ids;
  const session = await startWithPage({ demo });
  const { call, page, change } = await asked(session, 'copy_cta', { sourceVideoId: source, targetVideoIds: targets });
  expect(change.bulk).toMatchObject({ source, facts: [] });
  await page.decide(change, 'decline');
  await call;
});
