/** The page’s API, except decisions: history, undo, stop, channels, statements and reports. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { ChangeView, ChannelList, ChannelView, ReportList, ReportView } from '../../src/page/contract.ts';
import { answerIn } from '../analytics/support/ask.ts';
import { agree, changeIdIn } from '../changes/support/confirm.ts';
import { channelAt, contentOf, videoKeysOf, writesOf } from '../changes/support/world.ts';
import { enterPage, type TestPage } from '../harness/page.ts';
import { startService } from '../harness/service.ts';
import { freshHome, start } from '../harness/start.ts';
import { openPage, rename, startWithPage } from './support.ts';

const read = async <T>(page: TestPage, path: string): Promise<T> => JSON.parse((await page.get(path)).text) as T;
const act = async (page: TestPage, path: string, body: unknown = {}) => {
  const { status, text } = await page.post(path, body);
  return { status, change: JSON.parse(text) as ChangeView & { readonly message?: string } };
};

async function open(options: Parameters<typeof startWithPage>[0] = {}, show: Readonly<Record<string, unknown>> = { what: 'changes' }) {
  const session = await startWithPage(options);
  const shown = await session.client.callTool('show_to_user', show);
  return { ...session, shown, page: await enterPage(await session.browser.opened()) };
}

test('show_to_user opens the history or a channel, and refuses missing, unknown and superfluous ids', async () => {
  const { shown, page, client, demo } = await open();
  expect(shown.data).toEqual({ shown: true, message: 'The approval page was opened in the user’s browser, at the history of changes.' });
  expect(page.view).toBe('#/changes');
  const events = await page.events();
  const { id, name } = channelAt(demo, 0);
  await client.callTool('show_to_user', { what: 'channel', id: name });
  expect(await events.next(({ type }) => type === 'show')).toEqual({ type: 'show', view: `#/channels/${id}` });
  const none = await client.callTool('show_to_user', { what: 'change', id: 'chg-000000000-none' });
  expect(none.isError).toBe(true);
  const nameless = await client.callTool('show_to_user', { what: 'report' });
  expect(nameless.text).toContain('id: says which report: give it.');
  const both = await client.callTool('show_to_user', { what: 'changes', id: name });
  expect(both.text).toContain('use what: "change"');
});

test('without a browser, show_to_user says why and which setting to change', async () => {
  const { client } = await startWithPage({ env: { VIDEO_HOSTING_BROWSER: 'none' } });
  const { data } = await client.callTool('show_to_user', { what: 'changes' });
  const message = expect.stringMatching(/VIDEO_HOSTING_BROWSER is "none".*set VIDEO_HOSTING_BROWSER/);
  expect(data).toMatchObject({ shown: false, message });
});

test('an undo that is proposed on the page waits for a decision like any other change', async () => {
  const { page, client, demo } = await open();
  const { id, name } = channelAt(demo, 0);
  const before = name;
  const call = client.callTool('update_channels', rename(channelAt(demo, 0)));
  await page.decide(await page.firstWaiting(), 'apply');
  const changeId = changeIdIn(await call);
  expect((await page.change(changeId)).canUndo).toBe(true);
  const undo = await act(page, `api/changes/${changeId}/undo`);
  const fields = [{ name: 'Name', before: 'Renamed', after: before }];
  expect(undo).toMatchObject({ status: 200, change: { status: 'waiting', records: [{ id, fields }] } });
  expect(channelAt(demo, 0).name).toBe('Renamed');
  await page.decide(undo.change, 'apply');
  expect(channelAt(demo, 0).name).toBe(before);
  expect(await page.change(changeId)).toMatchObject({ canUndo: false, undoneBy: undo.change.changeId });
  // The history comes from the journal, so the assistant sees the undo too.
  expect((await client.callTool('get_change', { changeId: undo.change.changeId })).data?.status).toBe('applied');
  expect((await page.changes()).changes.map((one) => one.changeId)).toEqual([undo.change.changeId, changeId]);
});

test('an undo that a person proposed stays when the assistant cancels a call for the same undo', async () => {
  const { page, client, demo } = await open();
  const { id } = channelAt(demo, 0);
  const call = client.callTool('update_channels', rename(channelAt(demo, 0)));
  await page.decide(await page.firstWaiting(), 'apply');
  const changeId = changeIdIn(await call);
  const { change: undo } = await act(page, `api/changes/${changeId}/undo`);
  const stop = new AbortController();
  const readings = () => demo.requests.filter(({ method, path }) => method === 'GET' && path === `/v1/channels/${id}`).length;
  const before = readings();
  const joined = client.callTool('undo_change', { changeId }, { signal: stop.signal }).catch(() => undefined);
  // By then the call is planned and waits for the same decision.
  await expect.poll(readings).toBe(before + 1);
  await client.callTool('get_channel', { channel: id });
  stop.abort();
  await joined;
  expect(await page.change(undo.changeId)).toMatchObject({ status: 'waiting' });
  expect((await page.decide(undo, 'apply')).status).toBe(200);
});

test('undoing a change that can’t be undone is refused with the reason', async () => {
  const { page, client } = await open();
  const call = client.callTool('create_project', { name: 'New', region: 'use-s' });
  await page.decide(await page.firstWaiting(), 'apply');
  const undo = await act(page, `api/changes/${changeIdIn(await call)}/undo`);
  expect(undo.status).toBe(409);
  expect(undo.change.message).toContain('can’t be undone');
});

test('what only a token made known can be stated by a person, who makes it count', async () => {
  const demo = await startService({ channels: 2, projects: 1 });
  const { id, videoKeys, projectKeys } = channelAt(demo, 0);
  const home = freshHome();
  const { client } = await start({ demo, home, env: { VIDEO_HOSTING_CONFIRM: 'token' } });
  const stated = { currentVideoKeys: [...videoKeys], currentProjectKeys: [...projectKeys] };
  await agree(client, 'update_channels', { changes: [{ channel: id, name: 'Renamed', ...stated }] });
  const page = await openPage(await startWithPage({ demo, home }));
  expect(await read<ChannelView>(page, `api/channels/${id}`)).toMatchObject({ canState: true, videoKeys });
});

test('a person states the contents of a channel, and later changes start from the statement', async () => {
  const catalogue = join(freshHome(), 'videos.json');
  const demo = await startService({ channels: 2, projects: 1 });
  const keys = videoKeysOf(demo, 3);
  writeFileSync(catalogue, JSON.stringify(keys.map((key, at) => ({ key, title: `Video ${at}` }))));
  const session = await startWithPage({ demo, env: { VIDEO_HOSTING_VIDEO_CATALOGUE: catalogue } });
  demo.behaviour.channelRecordsShowContents = false;
  const page = await openPage(session);
  const { id } = channelAt(demo, 0);
  channelAt(demo, 0).videoKeys = keys;
  channelAt(demo, 0).projectKeys = [];
  const list = await read<ChannelList>(page, `api/channels?search=${encodeURIComponent(channelAt(demo, 0).name)}`);
  expect(list.channels).toEqual([expect.objectContaining({ id, isKnown: false })]);
  const before = await read<ChannelView>(page, `api/channels/${id}`);
  expect(before).toMatchObject({ id, canState: true, hasCatalogue: true, titles: { [keys[0] ?? '']: 'Video 0' } });
  expect(before.videoKeys).toBeUndefined();
  // No views are stored here, so the service was asked for the latest ones.
  expect(before.seen.length).toBeGreaterThan(0);
  const stated = await act(page, `api/channels/${id}/statement`, { videoKeys: [...keys, keys[0]], projects: { kind: 'none' } });
  expect(JSON.stringify(stated.change)).toContain('1 repeated video');
  expect(stated).toMatchObject({ status: 200, change: { status: 'waiting', actionLabel: 'Record it' } });
  expect(stated.change.titles).toMatchObject({ [keys[2] ?? '']: 'Video 2' });
  await page.decide(stated.change, 'apply');
  expect(writesOf(demo)).toEqual([]);
  const after = await read<ChannelView>(page, `api/channels/${id}`);
  expect(after).toMatchObject({ videoKeys: keys, contents: expect.stringContaining('As it was stated') });
  const call = session.client.callTool('update_channels', { changes: [{ channel: id, firstVideoKeys: [keys[2]] }] });
  await page.decide(await page.firstWaiting(), 'apply');
  expect((await call).data?.status).toBe('applied');
  expect(contentOf(demo, id).videoKeys).toEqual([keys[2], keys[0], keys[1]]);
  const differing = await act(page, `api/channels/${id}/statement`, { videoKeys: [keys[0]] });
  expect(differing.status).toBe(422);
});

test('a report can be read as rows, as CSV and as a chart, and contains no IP address', async () => {
  const demo = await startService({ views: 0, now: '2026-11-01T00:00:00.000Z' });
  const days = ['2026-10-01', '2026-10-02', '2026-10-03'];
  const geo = { ip: '192.0.2.9', country: 'DE', continent: 'EU' };
  demo.world.addViews(days.flatMap((day) => [0, 1, 2, 3].map((at) => ({ date: `${day}T10:0${at}:00.000+00:00`, geo }))));
  const { page, client } = await open({ demo });
  const events = await page.events();
  const question = { from: days[0], to: days[2], groupBy: ['day'], metrics: ['views'] };
  const { report } = answerIn(await client.callTool('query_analytics', question));
  const id = /[\w-]{12}$/.exec(String(report).replace(/\.csv$/, ''))?.[0] ?? '';
  await client.callTool('show_to_user', { what: 'report', id: report });
  expect(await events.next(({ type }) => type === 'show')).toEqual({ type: 'show', view: `#/reports/${id}` });
  const { reports } = await read<ReportList>(page, 'api/reports');
  expect(reports).toEqual([{ reportId: id, title: 'Views by day', at: expect.any(String), about: '2026-10-01 to 2026-10-03 (UTC)' }]);
  const view = await read<ReportView>(page, `api/reports/${id}`);
  const rows = days.map((day) => [day, 4]);
  expect(view).toMatchObject({ title: 'Views by day', total: 3, page: 1, pages: 1, hasChart: true, rows });
  const csv = await page.get(`api/reports/${id}/rows.csv`);
  expect(csv.headers['content-disposition']).toBe(`attachment; filename="report-${id}.csv"`);
  expect(csv.text.split('\n')[0]).toBe('day,views');
  expect(csv.text).not.toContain('192.0.2.9');
  const chart = await page.get(`api/reports/${id}/chart.png`);
  expect(chart.headers['content-type']).toBe('image/png');
  // For a phone it is laid out anew: the header of the picture tells its width.
  const narrow = await page.get(`api/reports/${id}/chart.png?size=narrow`);
  expect([...narrow.text.slice(16, 20)].map((byte) => byte.charCodeAt(0))).toEqual([0, 0, 1_026 >> 8, 1_026 & 255]);
  for (const path of ['../../x', 'AAAAAAAAAAAA', 'AAAAAAAAAAAA/rows.csv', 'AAAAAAAAAAAA/chart.png'])
    expect((await page.get(`api/reports/${path}`)).status).toBeGreaterThanOrEqual(400);
});

test('on a read-only server, the page says so and refuses to undo a change', async () => {
  const { page, demo } = await open({ env: { VIDEO_HOSTING_READ_ONLY: '1' } });
  expect(await read(page, 'api/session')).toMatchObject({ isReadOnly: true });
  expect((await act(page, 'api/changes/chg-000000000-none/undo')).status).toBe(409);
  expect(writesOf(demo)).toEqual([]);
});
