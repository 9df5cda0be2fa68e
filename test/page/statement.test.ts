/** What a person types of a channel's projects, which the page sends as it is. */
import { expect, test } from 'vitest';
import type { ChangeView, ChannelView } from '../../src/page/contract.ts';
import { channelAt, videoKeysOf, writesOf } from '../changes/support/world.ts';
import { startService } from '../harness/service.ts';
import { openPage, startWithPage } from './support.ts';

const NAMES = ['Press releases 2026', 'Sales, EMEA; APAC', '[Old] "Best of"'];

async function opened() {
  const demo = await startService({ channels: 1, projects: NAMES.length });
  const projects = [...demo.world.projects.values()];
  for (const [at, project] of projects.entries()) Object.assign(project, { name: NAMES[at] });
  const page = await openPage(await startWithPage({ demo }));
  const videos = videoKeysOf(demo, 1);
  async function state(said: unknown, videoKeys = videos) {
    const { status, text } = await page.post(`api/channels/${channelAt(demo, 0).id}/statement`, { videoKeys, projects: said });
    // A PageError has the message alone.
    const { records = [], message = '' } = JSON.parse(text) as Partial<ChangeView> & { readonly message?: string };
    return { status, message, projectKeys: records[0]?.lists.find(({ field }) => field === 'projectKeys')?.after };
  }
  return { demo, page, state, keys: projects.map(({ key }) => key) };
}

test('projects are stated by key, id or name, one a line or several', async () => {
  const { demo, state, keys } = await opened();
  const [one, two, three] = keys;
  const ids = [...demo.world.projects.keys()];
  for (const [text, stated] of [
    [`${one}\n${ids[1]}`, [one, two]],
    ['  Press releases 2026 \r\n\r\n[Old] "Best of"\r\n', [one, three]],
    [`Sales, EMEA; APAC\n${one}`, [two, one]],
    [`${one}, ${two},`, [one, two]],
    [`Press releases 2026;${three}`, [one, three]],
    [`${one}; ${two}, ${three}`, keys],
    [`Sales, EMEA; APAC\n${one}\t${three}`, [two, one, three]],
    [`${one}\n${two},${three}`, keys],
    [`${one}\nPress releases 2026`, [one]],
  ] as const)
    expect(await state({ kind: 'these', text }), text).toMatchObject({ status: 200, projectKeys: stated });
});

test('nothing is said of projects by a box without one, and nothing of the channel where no video is named either', async () => {
  const { state, page } = await opened();
  const nothing = [undefined, { kind: 'unsaid' }, { kind: 'these', text: ' \n\t\n' }, { kind: 'these', text: ' ,;\n,' }];
  for (const said of nothing) {
    expect(await state(said)).toMatchObject({ status: 200, message: '', projectKeys: undefined });
    expect(await state(said, [])).toMatchObject({ status: 400, message: 'No video and no project is named. Nothing was recorded.' });
  }
  expect(await state({ kind: 'none' }, [])).toMatchObject({ status: 200, projectKeys: [] });
  expect((await page.waiting()).length).toBe(2);
});

test('the page of a channel tells by whom and when its contents were stated, with the change', async () => {
  const { page, demo, state } = await opened();
  const address = `api/channels/${channelAt(demo, 0).id}`;
  const view = async () => JSON.parse((await page.get(address)).text) as ChannelView;
  expect((await view()).toldIn).toBeUndefined();
  await state({ kind: 'none' });
  const [change] = await page.waiting();
  const { changeId = '', planDigest } = JSON.parse((await page.get(`api/changes/${change?.changeId}`)).text) as ChangeView;
  expect((await page.post(`api/changes/${changeId}/decision`, { decision: 'apply', planDigest })).status).toBe(200);
  await expect.poll(async () => (await view()).isStated).toBe(true);
  const { contents, toldIn } = await view();
  expect(contents).toMatch(/^As it was stated on \d{4}-\d\d-\d\d \d\d:\d\d UTC\.$/);
  expect(toldIn).toEqual({ changeId, asked: expect.any(String), decided: 'You agreed on the approval page' });
});

test('what names no project, and what is too much, is refused with a sentence', async () => {
  const { state, page, demo } = await opened();
  const unknown = await state({ kind: 'these', text: 'Press releases 2026\nPress release 2025' });
  expect(unknown).toMatchObject({
    status: 422,
    message: expect.stringContaining('name "Press release 2025". The nearest: "Press releases 2026"'),
  });
  const limits = 'At most 100,000 projects can be stated, each in at most 300 characters. Nothing was recorded.';
  for (const text of ['p\n'.repeat(100_001), 'p,'.repeat(100_001), 'p'.repeat(301)])
    expect(await state({ kind: 'these', text })).toMatchObject({ status: 400, message: limits });
  for (const said of [{ kind: 'these' }, { kind: 'these', text: ['p'] }, { kind: 'all', text: 'p' }])
    expect(await state(said)).toMatchObject({ status: 400, message: expect.stringContaining('Nothing was recorded.') });
  expect(await page.changes()).toMatchObject({ changes: [] });
  expect(writesOf(demo)).toEqual([]);
});
