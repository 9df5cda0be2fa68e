/** What the page tells a person of a change is in their words: no tool, no argument and no HTTP, and each thing once. */
import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test, vi } from 'vitest';
import type { ChangeView, PageError } from '../../src/page/contract.ts';
import { jwtUntil, MOVE, manyVideos } from '../changes/kinds/videos/harness.ts';
import { changeIdIn } from '../changes/support/confirm.ts';
import { changeFiles } from '../changes/support/journal-files.ts';
import { channelAt, videoKeysOf, writesOf } from '../changes/support/world.ts';
import type { Values } from '../harness/client.ts';
import { asked, openPage, rename, startWithPage } from './support.ts';

/** Settings, commands and kinds of keys. */
const SETTINGS = /VIDEO_HOSTING_|JWT|\bnode\b|install/;
const TECHNICAL = /\b[a-z]+_[a-z]+\b|[a-z](?:Keys?|Ids?|File)\b|\/v1\/|\b(?:GET|PUT|POST)\b|\bstatus \d{3}\b|\(\[\]/;

/** All that is told of it in sentences. */
const wordsOf = ({ summary, meaning = '', notices, undo, onFailure, notes, steps = [], records, bulk }: ChangeView): string[] => [
  ...[summary, meaning, ...notices.map(({ text }) => text), undo.how, onFailure, ...notes, ...steps],
  ...records.flatMap(({ reason = [] }) => reason),
  ...[...(bulk?.failed ?? []), ...(bulk?.unknown ?? [])].map(({ reason }) => reason),
];

function expectPlain(change: ChangeView): void {
  for (const words of wordsOf(change)) expect(words).not.toMatch(TECHNICAL);
}

/** Two channels, of which nobody knows what they hold. */
async function onPage() {
  const session = await startWithPage();
  const channels = [channelAt(session.demo, 0), channelAt(session.demo, 1)] as const;
  return { ...session, channels, keys: videoKeysOf(session.demo, 2) };
}

type Account = Awaited<ReturnType<typeof onPage>>;
const PLANS: readonly (readonly [string, (account: Account) => readonly [tool: string, args: Values]])[] = [
  ['a rename with a stated list', ({ channels: [one] }) => ['update_channels', rename(one)]],
  [
    'an update of which only a part can be undone',
    ({ channels: [one, two] }) => {
      const [first, second] = [...rename(one).changes, ...rename(two, 'Renamed too').changes];
      return ['update_channels', { changes: [first, { ...second, privateLinkEnabled: true }] }];
    },
  ],
  ['a list for a channel', ({ channels: [{ id }], keys }) => ['update_channels', { changes: [{ channel: id, setVideoKeys: keys }] }]],
  ['a statement of videos', ({ channels: [{ id }], keys }) => ['state_contents', { channels: [{ channel: id, videoKeys: keys }] }]],
  ['two new channels', ({ keys }) => ['create_channels', { channels: ['New', 'Newer'].map((name) => ({ name, videoKeys: keys })) }]],
  [
    'a copy',
    ({ demo }) => {
      const [sourceVideoId, ...targetVideoIds] = [...demo.world.videos.keys()].slice(0, 3);
      return ['copy_cta', { sourceVideoId, targetVideoIds }];
    },
  ],
];

test.each(PLANS)('a change that waits is told in plain words, and once whether it can be undone: %s', async (_, planOf) => {
  const account = await onPage();
  const { call, page, change } = await asked(account, ...planOf(account));
  expectPlain(change);
  const whole = wordsOf(change).filter((words) => /\bthis can’t be undone|its creation can’t be undone/.test(words));
  expect(whole.length).toBeLessThanOrEqual(1);
  await page.decide(change, 'decline');
  await call;
});

test('a move and its undo are told in plain words, before and after them', async () => {
  const { demo, ids, archive, elsewhere } = await manyVideos(30);
  const { client, browser } = await startWithPage({ demo });
  const args = { targetProject: archive, videoIds: ids, fromProject: elsewhere };
  const { call, page, change: move } = await asked({ client, browser }, 'move_videos', args);
  expect(move.undo.how).toMatch(/^An undo moves what was moved/);
  expectPlain(move);
  expectPlain((await page.decide(move, 'apply')).change);
  const undo = client.callTool('undo_change', { changeId: changeIdIn(await call) });
  const back = await page.firstWaiting();
  expectPlain({ ...back, summary: '' });
  await page.decide(back, 'decline');
  await undo;
});

test.each([400, 401, 403, 500])('what the service refuses with status %i is told without it', async (code) => {
  const { demo, channels, ...session } = await onPage();
  demo.faults.always({ match: { method: 'PUT' }, do: { kind: 'status', code, body: { message: 'Not on a Sunday.' } } });
  const { call, page, change } = await asked(session, 'update_channels', rename(channels[0]));
  await page.decide(change, 'apply');
  await call;
  expect(writesOf(demo).length).toBeGreaterThan(0);
  const over = await page.change(change.changeId);
  expect(over.records[0]?.reason).toContain('The service said: "Not on a Sunday."');
  expectPlain(over);
});

test('what the service refuses of a move is told without its status', async () => {
  const { demo, ids, archive, elsewhere } = await manyVideos(3);
  const { client, browser } = await startWithPage({ demo });
  demo.faults.always({ match: MOVE, do: { kind: 'status', code: 400 } });
  const args = { targetProject: archive, videoIds: ids, fromProject: elsewhere };
  const { call, page, change: move } = await asked({ client, browser }, 'move_videos', args);
  await page.decide(move, 'apply');
  await call;
  const over = await page.change(move.changeId);
  expect(over.bulk?.failedCount).toBe(3);
  expectPlain(over);
});

test('what can’t be shown is told in plain words, with whether and when it helps to ask again', async () => {
  const session = await startWithPage();
  const page = await openPage(session);
  const refused = async (path: string): Promise<PageError> => JSON.parse((await page.get(`api/${path}`)).text);
  const path = '/v1/channels';
  session.demo.faults.always({ match: { method: 'GET', path }, do: { kind: 'status', code: 401 } });
  const unauthorized = await refused('channels');
  expect(unauthorized).toEqual({
    title: 'The video service does not accept this server’s key.',
    message: expect.stringMatching(/^No channel can be shown .*Whoever set up this server can give it a key.* what waits is kept/),
    since: expect.any(String),
    setup: expect.stringMatching(/refused its key.*VIDEO_HOSTING_API_KEY/),
  });
  // Since the first of them, until an answer of the service.
  expect((await refused('channels')).since).toBe(unauthorized.since);
  session.demo.faults.clear();
  await page.get('api/channels');
  session.demo.faults.next({ match: { method: 'GET', path }, do: { kind: 'status', code: 401 } });
  expect((await refused('channels')).since).not.toBe(unauthorized.since);
  session.demo.faults.always({ match: { method: 'GET', path }, do: { kind: 'status', code: 429, retryAfter: 3_600 } });
  const busy = [await refused('channels'), await refused('channels')];
  for (const { message, retryAt = '' } of busy) {
    expect(Date.parse(retryAt)).toBeGreaterThan(Date.now() + 3_000_000);
    // The same minute as in the sentence.
    expect(message).toContain(`${retryAt.slice(0, 10)} ${retryAt.slice(11, 16)} UTC`);
  }
  const missing = await refused('changes/chg-000000000-0000');
  expect(missing).toEqual({ message: expect.stringContaining('There is no change'), isFinal: true });
  session.demo.faults.clear();
  const noChannel = await refused('channels/c-none');
  expect(noChannel).toEqual({ message: expect.stringContaining('This account has no such channel'), isFinal: true });
  for (const { message } of [unauthorized, ...busy, missing, noChannel]) expect(message).not.toMatch(TECHNICAL);
  for (const { message } of [unauthorized, ...busy, missing, noChannel]) expect(message).not.toMatch(SETTINGS);
});

test('of a key that may move nothing, settings are told only for whoever set this server up', async () => {
  const { demo, ids } = await manyVideos(4);
  const session = await startWithPage({ demo });
  demo.faults.always({ match: MOVE, do: { kind: 'status', code: 403, body: { message: 'Not yours.' } } });
  const { page, change } = await asked(session, 'move_videos', { targetProject: 'Archive', videoIds: ids });
  await page.decide(change, 'apply');
  await vi.waitFor(async () => expect((await page.change(change.changeId)).status).toBe('failed'), { timeout: 300_000 });
  const over = await page.change(change.changeId);
  for (const words of wordsOf(over)) expect(words).not.toMatch(SETTINGS);
  expect(over.steps?.join(' ')).toMatch(/whoever set up this server can give it one that may/);
  expect(over.setup).toContain('VIDEO_HOSTING_API_KEY');
});

test('a key that has expired is told with its day, and its setting only for whoever set this server up', async () => {
  const key = jwtUntil(1_600_000_000);
  const page = await openPage(await startWithPage({ env: { VIDEO_HOSTING_API_KEY: key } }));
  const expired: PageError = JSON.parse((await page.get('api/channels')).text);
  expect(expired.title).toBe('This server’s key for the video service expired on 2020-09-13.');
  expect(expired.message).not.toMatch(SETTINGS);
  expect(expired.setup).toContain('The JWT that was sent expired on 2020-09-13.');
});

test('a list says which changes are missing from it, since their records are damaged', async () => {
  const session = await startWithPage();
  const first = await asked(session, 'create_project', { name: 'First', region: 'use-s' });
  await first.page.decide(first.change, 'apply');
  await first.call;
  expect((await first.page.changes()).unreadable).toBeUndefined();
  const [file = ''] = changeFiles(session.dataDir);
  writeFileSync(file, readFileSync(file, 'utf8').replace('{"type":"intent"', '{"type":"inte'));
  expect(await first.page.changes()).toMatchObject({ changes: [], unreadable: [first.change.changeId] });
});

test('what a newer version carried out is told as that, and not as damaged', async () => {
  const session = await startWithPage();
  const first = await asked(session, 'create_project', { name: 'First', region: 'use-s' });
  await first.page.decide(first.change, 'apply');
  await first.call;
  const [file = ''] = changeFiles(session.dataDir);
  writeFileSync(file, readFileSync(file, 'utf8').replace('"kind":"create_project"', '"kind":"split_project"'));
  const told = await first.page.changes();
  expect(told).toMatchObject({ changes: [], problems: [expect.stringContaining('written by a newer version of this program')] });
  expect(told.unreadable).toBeUndefined();
});
