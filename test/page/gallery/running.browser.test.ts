/** Moves while they run, and how they are stopped, carried on and killed. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { MOVE, manyVideos } from '../../changes/kinds/videos/harness.ts';
import { AGENT } from '../../changes/standing/harness.ts';
import { channelAt } from '../../changes/support/world.ts';
import { type DemoService, hold } from '../../harness/service.ts';
import { freshHome, start } from '../../harness/start.ts';
import { type Desk, desk } from './desk.ts';
import { useGallery } from './gallery.ts';

const gallery = useGallery();
const CLOCK = join(import.meta.dirname, '..', '..', 'harness', 'clock.cjs');

/** Holds every move after so many. */
function holdMoves(demo: DemoService, after: number): () => void {
  const isMove = ({ path }: { readonly path: string }): boolean => path === MOVE.path;
  const before = demo.requests.filter(isMove).length;
  return hold(demo, (request) => isMove(request) && demo.requests.filter(isMove).length - before > after);
}

const moved = ({ get }: Desk, changeId: string, count: number) =>
  expect.poll(async () => (await get(`changes/${changeId}`)).progress?.done).toBeGreaterThanOrEqual(count);

test('moves that run, are stopped, undone and interrupted', async () => {
  const account = await manyVideos(24_000);
  const { demo, ids, archive, elsewhere } = account;
  const home = freshHome();
  const at = await desk(gallery, { demo, home });
  const { ask, press, until, post, page, view, shown } = at;
  const from = { targetProject: archive, fromProject: elsewhere };
  const begin = async (videoIds: readonly string[], after: number) => {
    const changeId = await ask('move_videos', { ...from, videoIds });
    const release = holdMoves(demo, after);
    await press(changeId, 'apply');
    return { changeId, release };
  };

  const first = await begin(ids.slice(0, 12_000), 0);
  await shown(first.changeId, '050-move-just-begun', 'no request is answered yet');
  await view('changes', '108-changes-one-runs', 'a move has just begun');
  first.release();
  await until(first.changeId, 'applied');
  await shown(first.changeId, '066-move-of-12000-applied', 'all were moved');
  const back = await post<{ changeId: string }>(`changes/${first.changeId}/undo`);
  await press(back.changeId, 'apply');
  await until(back.changeId);
  await shown(first.changeId, '095-move-undone', 'a move of 12,000, moved back');

  const half = await begin(ids, 8);
  await moved(at, half.changeId, 8_000);
  await page.waitForTimeout(3_500);
  await shown(half.changeId, '051-move-half-done-with-rate', 'eight of 24 requests are answered, ten are held');
  const tab = await page.context().newPage();
  await tab.goto(page.url());
  await gallery.state(tab, '052-move-in-a-second-window', 'the same in a second window');
  await post(`changes/${half.changeId}/stop`);
  await shown(half.changeId, '053-move-stopping', 'Stop was pressed while requests are in flight');
  half.release();
  await until(half.changeId);
  await shown(half.changeId, '096-move-stopped-by-you', 'what was sent is done, the rest is not sent');
  await tab.close();
  const late = await begin(ids.slice(0, 2_000), 1);
  await moved(at, late.changeId, 1_000);
  await post(`changes/${late.changeId}/stop`);
  await shown(late.changeId, '055-move-stopping-all-was-sent', 'Stop was pressed when all was sent');
  late.release();
  await until(late.changeId);
  await shown(late.changeId, '057-stop-came-too-late', 'all was sent when Stop was pressed, and all of it was done');

  const rest = await post<{ changeId: string }>(`changes/${half.changeId}/resume`);
  await shown(rest.changeId, '038-resumption-of-a-stopped-move-waits', 'the person pressed to carry on what they stopped');
  demo.faults.always({ match: MOVE, do: { kind: 'status', code: 503, retryAfter: 300 } });
  await press(rest.changeId, 'apply');
  await expect.poll(async () => (await at.get(`changes/${half.changeId}`)).paused?.status).toBe(503);
  await shown(half.changeId, '054-move-paused-by-503', 'the service answers 503 and asks for 300 seconds');
  await view('changes', '109-changes-one-is-paused', 'the service answers 503 to a move that runs');
  await at.call('stop_change', { changeId: half.changeId });
  demo.faults.clear();
  await until(half.changeId);
  await shown(half.changeId, '097-move-stopped-by-the-assistant', 'stop_change while it was paused');
});

test('a move of 100,000 that runs, and one whose server was killed', async () => {
  const account = await manyVideos(100_000);
  const { demo, ids, archive, elsewhere } = account;
  const home = freshHome();
  const at = await desk(gallery, { demo, home, hasCatalogue: false });
  const changeId = await at.ask('move_videos', { targetProject: archive, fromProject: elsewhere, videoIds: ids });
  await at.shown(changeId, '029-move-of-100000-waits', 'move_videos with 100,000 ids, without a catalogue');
  const release = holdMoves(demo, 30);
  await at.press(changeId, 'apply');
  await moved(at, changeId, 30_000);
  await at.page.waitForTimeout(3_000);
  await at.shown(changeId, '058-move-of-100000-runs', '30 of 100 requests are answered');
  at.server?.child.kill('SIGKILL');
  await at.page.getByText('The server of this page has ended').first().waitFor();
  await gallery.state(at.page, '121-server-of-the-page-was-killed-while-a-move-ran', 'SIGKILL');
  release();
  const next = await desk(gallery, { demo, home, hasCatalogue: false });
  await next.until(changeId);
  await next.shown(changeId, '117-move-interrupted-by-a-kill', 'the server was killed while it ran; another one shows it');
});

test('by another, and in time', async () => {
  const account = await manyVideos(4_000);
  const { demo, ids, archive, elsewhere } = account;
  const home = freshHome();
  const agent = await start({ demo, home, env: { VIDEO_HOSTING_CONFIRM: 'never', VIDEO_HOSTING_AGENT: AGENT } });
  const clock = join(home, 'clock');
  const at = await desk(gallery, { demo, home, env: { NODE_OPTIONS: `--require ${CLOCK}`, CLOCK_FILE: clock } });
  const release = holdMoves(demo, 1);
  const reply = agent.client.callTool('move_videos', { targetProject: archive, fromProject: elsewhere, videoIds: ids });
  reply.catch(() => undefined);
  let running = '';
  await expect
    .poll(async () => {
      const { changes } = await at.get<{ changes: readonly { changeId: string; status: string }[] }>('changes');
      running = changes.find(({ status }) => status === 'running')?.changeId ?? '';
      return running;
    })
    .not.toBe('');
  await moved(at, running, 1_000);
  await at.shown(running, '059-move-of-an-unattended-agent-runs', 'an agent that asks nobody moves; the page is of another server');
  const stopped = agent.client.callTool('stop_change', { changeId: running });
  await new Promise((resolve) => setTimeout(resolve, 500));
  release();
  await stopped;
  await at.until(running);
  await at.shown(running, '118-move-stopped-by-its-agent', 'stop_change of an agent, asked of nobody');

  const { id, videoKeys, projectKeys } = channelAt(demo, 0);
  const rename = { changes: [{ channel: id, name: 'In time', currentVideoKeys: [...videoKeys], currentProjectKeys: [...projectKeys] }] };
  const waits = await at.ask('update_channels', rename);
  writeFileSync(clock, String(26.5 * 60_000));
  await at.page.clock.setSystemTime(Date.now() + 26.5 * 60_000);
  await at.shown(waits, '026-about-to-expire', 'it waits for three minutes more');
  await at.view('changes', '119-changes-one-is-about-to-expire', 'it waits for three minutes more');
  writeFileSync(clock, String(31 * 60_000));
  await at.until(waits, 'expired');
  await at.shown(waits, '099-expired', 'nobody answered for half an hour');
});
