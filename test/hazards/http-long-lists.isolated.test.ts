/** What has very many entries is done in pieces, one person’s at a time, wherever it comes in and whoever looks at it. */
import { expect, test, vi } from 'vitest';
import { SERVER } from '../../src/platform/whose-work.ts';
import { browse } from '../harness/browse.ts';
import { startHttp, toolCall } from '../harness/http.ts';
import { startService } from '../harness/service.ts';

/** Of the pieces that were waited for: whose they were. */
const pieces = vi.hoisted((): (string | undefined)[] => []);
vi.mock('../../src/platform/long-work.ts', async (original) => {
  const actual = await original<typeof import('../../src/platform/long-work.ts')>();
  const { whoseWork } = await import('../../src/platform/whose-work.ts');
  const longPiece: typeof actual.longPiece = (entries, signal) => {
    if (entries >= 5_000) pieces.push(whoseWork());
    return actual.longPiece(entries, signal);
  };
  return { ...actual, longPiece };
});

const keys = (count: number) => Array.from({ length: count }, (_, index) => `key${String(index).padStart(21, '0')}`);

/** In how many pieces something was done as the work of one person, and all else as the server’s, which looks by the clock. */
async function piecesOf(personId: string, act: () => Promise<unknown>): Promise<number> {
  pieces.splice(0);
  await act();
  expect(pieces.filter((who) => who !== personId && who !== SERVER)).toEqual([]);
  return pieces.filter((who) => who === personId).length;
}

async function team(more: { readonly videos?: number; readonly views?: number } = {}) {
  const demo = await startService({ channels: 3, videos: 5, views: 0, ...more });
  const session = await startHttp({ demo });
  const { people, url } = session;
  const ann = await browse({ url }, people.ann.secrets.pageKey);
  const [first = '', second = ''] = demo.world.channels.keys();
  return { ...session, ann, annId: people.ann.person.id, bobId: people.bob.person.id, first, second };
}

test('a list that a person states on the page, and the change that it makes', async () => {
  const { ann, annId, first } = await team();
  let changeId = '';
  const state = async () => {
    const answer = await ann.post(`channels/${first}/statement`, { videoKeys: keys(6_000), projects: { kind: 'none' } });
    expect(answer.status).toBe(200);
    ({ changeId } = (await answer.json()) as { changeId: string });
  };
  // It is read, checked, planned, compared, digested, kept, planned for the view and answered.
  expect(await piecesOf(annId, state)).toBeGreaterThan(20);
  expect(await piecesOf(annId, () => ann.api(`changes/${changeId}`))).toBeGreaterThan(5);
  expect(await piecesOf(annId, () => ann.api('changes'))).toBeGreaterThan(2);
  expect(await piecesOf(annId, () => ann.decide(changeId, 'apply'))).toBeGreaterThan(20);
  expect(await piecesOf(annId, () => ann.api(`channels/${first}`))).toBeGreaterThan(3);
  expect(await piecesOf(annId, () => ann.api(`changes/${changeId}`))).toBeGreaterThan(3);
});

test('a list within a list of a call', async () => {
  const { people, post, bobId, first } = await team();
  const call = (name: string, args: object) => async () => {
    expect(await (await post(people.bob, toolCall(name, args))).text()).toContain('waiting');
  };
  const setVideoKeys = keys(6_000);
  const changes = [{ channel: first, setVideoKeys, currentVideoKeys: ['key'], currentProjectKeys: [] }];
  expect(await piecesOf(bobId, call('update_channels', { changes }))).toBeGreaterThan(10);
  const channels = [{ channel: first, videoKeys: setVideoKeys, projectKeys: [] }];
  expect(await piecesOf(bobId, call('state_contents', { channels }))).toBeGreaterThan(10);
});

test('a list that the server looks at by itself', async () => {
  const { demo, home, people, ann, first, stop } = await team();
  await ann.post(`channels/${first}/statement`, { videoKeys: keys(6_000), projects: { kind: 'none' } });
  await stop();
  pieces.splice(0);
  await startHttp({ demo, home, people });
  // A moment after its start it looks whether something expired meanwhile.
  await vi.waitFor(() => expect(pieces).not.toEqual([]), 30_000);
  expect(new Set(pieces)).toEqual(new Set([SERVER]));
});

test('an answer of very many rows', async () => {
  const { people, post, bobId } = await team({ videos: 300, views: 6_000 });
  const ask = (more: object) => async () => {
    const args = { from: '2026-08-01', to: '2026-11-01', metrics: ['views', 'unique_viewers'], ...more };
    for (let answer = 'PARTIAL'; answer.includes('PARTIAL'); )
      answer = await (await post(people.bob, toolCall('query_analytics', args))).text();
  };
  await ask({ groupBy: ['month'] })();
  // It is put together, and kept in two files.
  expect(await piecesOf(bobId, ask({ groupBy: ['hour', 'video'] }))).toBeGreaterThan(2);
  expect(await piecesOf(bobId, ask({ groupBy: ['month'] }))).toBe(0);
});

test('a list that is pasted', async () => {
  const { ann, annId } = await team();
  const read = (text: string) => async () => {
    expect((await ann.post('videos/read', { text })).status).toBe(200);
  };
  expect(await piecesOf(annId, read(keys(20_000).join('\n')))).toBeGreaterThan(7);
  expect(await piecesOf(annId, read(keys(10).join('\n')))).toBe(0);
});
