/**
 * A server for several people that is killed at any moment: what waits waits on under its link, what was decided is begun once, and what was
 * interrupted is carried on by whom it belongs to, and approved by somebody who may.
 */

import { join } from 'node:path';
import { expect, test } from 'vitest';
import { idsIn, MOVE, manyVideos } from '../changes/kinds/videos/harness.ts';
import { changeIdIn } from '../changes/support/confirm.ts';
import { writesOf } from '../changes/support/world.ts';
import { type Browser, browse } from '../harness/browse.ts';
import { recordsIn, type TestClient, type Values } from '../harness/client.ts';
import { type SpawnedHttp, spawnHttp } from '../harness/http.ts';
import { runInProcess } from '../harness/run-command.ts';
import { type DemoService, settingsFor, startService } from '../harness/service.ts';

const HOOK = join(import.meta.dirname, '..', 'harness', 'kill-at.cjs');
/** Every how many steps it is killed; 0.5 also kills in the middle of each. */
const EACH = Number(process.env.KILL_EACH ?? 3);
const PROJECT = { name: 'Retired', region: 'use-s' };

const pageOf = ({ url, people }: SpawnedHttp, name: keyof SpawnedHttp['people']) => browse({ url }, people[name].secrets.pageKey);
const get = async (client: TestClient, changeId: unknown) => (await client.callTool('get_change', { changeId })).data;
/** Once what was approved has ended. */
const ended = async (client: TestClient, changeId: unknown) => (await client.callTool('get_change', { changeId, waitSeconds: 60 })).data;

async function applies(page: Browser, changeId: unknown, at: string): Promise<void> {
  const { status, body } = await page.decide(changeId, 'apply');
  expect(status, `${at}: ${JSON.stringify(body)}`).toBe(200);
}

/** Nothing that was sent before the kill is still under way. */
const quiet = (demo: DemoService) => expect.poll(() => demo.requests.every(({ status }) => status !== 'pending')).toBe(true);

async function expectVerified({ demo, home, dataDir }: SpawnedHttp, at: string): Promise<readonly Values[]> {
  const env = { ...settingsFor(demo), HOME: home, VIDEO_HOSTING_DATA_DIR: dataDir };
  await expect.poll(async () => (await runInProcess(['audit', 'head'], env)).code, { message: at }).toBe(0);
  expect(await runInProcess(['audit', 'verify'], env), at).toMatchObject({ code: 0 });
  const { stdout } = await runInProcess(['audit', '--json'], env);
  return stdout
    .trim()
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Values);
}

test('what waits when the server is killed waits on under the same link, once, and is decided on there', async () => {
  const demo = await startService();
  const first = await spawnHttp({ demo });
  const asked = await (await first.connect(first.people.bob)).callTool('create_project', PROJECT);
  const changeId = changeIdIn(asked);
  await first.kill();
  const second = await first.again();
  expect(second.url).toBe(first.url);
  const bob = await second.connect(second.people.bob);
  expect(await get(bob, changeId)).toMatchObject({ status: 'waiting', link: asked.data?.link });
  expect(changeIdIn(await bob.callTool('create_project', PROJECT))).toBe(changeId);
  expect(writesOf(demo)).toEqual([]);
  const ann = await pageOf(second, 'ann');
  expect((await ann.get(new URL(String(asked.data?.link)).pathname)).headers.get('location')).toBe(`/app/#/changes/${changeId}`);
  expect((await ann.decide(changeId, 'apply')).status).toBe(200);
  expect(await ended(bob, changeId)).toMatchObject({ status: 'applied' });
  expect(writesOf(demo)).toHaveLength(1);
  // A browser that was signed in with the server that is gone is asked to sign in.
  const [entry] = await expectVerified(second, 'at the end');
  expect(entry).toMatchObject({ asked: { by: { name: 'bob' } }, decided: { by: { name: 'ann' }, how: 'page' } });
});

/** Bob asks, and Ann presses, on a server that is killed at a step of what it writes; undefined for what the kill came before. */
async function pressedAndKilled(demo: DemoService, step: number, tool: string, args: Values, how: Readonly<Record<string, string>> = {}) {
  const kill = { NODE_OPTIONS: `--require ${HOOK}`, KILL_AT: String(step), KILL_IN: 'kept|decided|changes|audit' };
  const first = await spawnHttp({ demo, env: { ...kill, ...how } });
  const gone = first.server.exit.then(() => undefined);
  const orGone = <T>(act: Promise<T>): Promise<T | undefined> => Promise.race([act.catch(() => gone), gone]);
  const bob = await first.connect(first.people.bob);
  const asked = await orGone(bob.callTool(tool, args));
  const page = asked && (await orGone(pageOf(first, 'ann')));
  const pressed = page && (await orGone(page.decide(asked.data?.changeId, 'apply')));
  const told = pressed && (await orGone(ended(bob, asked.data?.changeId)));
  // The last records are written a moment later.
  const isKilled = first.server.child.exitCode === null && first.server.child.signalCode === null ? 'not yet' : 'killed';
  if (isKilled === 'not yet') await Promise.race([gone, new Promise((resolve) => setTimeout(resolve, 1_000))]);
  const wasKilled = first.server.child.signalCode !== null;
  await first.kill();
  await quiet(demo);
  return { first, asked, pressed, told, wasKilled };
}

interface Case {
  readonly isResumable: boolean;
  readonly tool: string;
  readonly args: Values;
  readonly demo: DemoService;
  /** How often it was done, where it is done whole. */
  done(): number;
}

const MOVE_CASE = {
  async prepare(): Promise<Case> {
    const { demo, ids, archive, elsewhere } = await manyVideos(2_100);
    const args = { videoIds: ids, targetProject: archive, fromProject: elsewhere };
    return { demo, tool: 'move_videos', args, done: () => idsIn(demo, archive).length / ids.length, isResumable: true };
  },
};

const CASES: Readonly<Record<string, { readonly prepare: () => Promise<Case> }>> = {
  'a project, which would be there twice': {
    async prepare() {
      const demo = await startService();
      const done = () => [...demo.world.projects.values()].filter(({ name }) => name === PROJECT.name).length;
      return { demo, tool: 'create_project', args: PROJECT, done, isResumable: false };
    },
  },
  'a move of three batches': MOVE_CASE,
};

test.each(Object.entries(CASES))(
  '%s: killed at any step between asking and the end, it is done once and by somebody’s word',
  async (_, of) => {
    const seen = { unasked: 0, waiting: 0, interrupted: 0, applied: 0 };
    for (let step = 1; ; step += EACH) {
      const at = `at step ${step}`;
      const { demo, tool, args, done, isResumable } = await of.prepare();
      const { first, asked, pressed, told, wasKilled } = await pressedAndKilled(demo, step, tool, args);
      if (!wasKilled) {
        expect([told?.status, done()], at).toEqual(['applied', 1]);
        break;
      }
      const sent = writesOf(demo).length;
      const second = await first.again();
      const bob = await second.connect(second.people.bob);
      const [listed, ...others] = recordsIn((await bob.callTool('list_changes')).data, 'changes');
      expect(others, at).toEqual([]);
      if (asked === undefined) expect(sent, at).toBe(0);
      // Whatever was answered is there.
      else expect(listed?.changeId, at).toBe(asked.data?.changeId);
      if (pressed?.status === 200) expect(listed?.status, at).not.toBe('waiting');
      if (listed === undefined) seen.unasked += 1;
      const ann = await pageOf(second, 'ann');
      let changeId = listed?.changeId;
      if (listed === undefined || listed.status === 'waiting') {
        expect(sent, at).toBe(0);
        const again = await bob.callTool(tool, args);
        expect(again.data, at).toMatchObject({ status: 'waiting', link: `${first.url}/changes/${changeIdIn(again)}` });
        if (listed !== undefined) expect(changeIdIn(again), at).toBe(changeId);
        seen.waiting += listed === undefined ? 0 : 1;
        changeId = changeIdIn(again);
        await applies(ann, changeId, at);
      } else if (listed.status === 'interrupted') {
        seen.interrupted += 1;
        const eve = await second.connect(second.people.eve);
        expect((await eve.callTool('resume_change', { changeId })).isError, at).toBe(true);
        const resumption = await bob.callTool('resume_change', { changeId });
        expect(writesOf(demo), at).toHaveLength(sent);
        if (!isResumable) {
          // Nobody knows whether it was made, so nobody makes it again but by asking anew.
          expect([resumption.isError, done() <= 1], at).toEqual([true, true]);
          await expectVerified(second, at);
          continue;
        }
        expect(resumption.data?.status, `${at}: ${resumption.text}`).toBe('waiting');
        await applies(ann, changeIdIn(resumption), at);
      } else seen.applied += 1;
      expect(await ended(bob, changeId), at).toMatchObject({ status: 'applied' });
      expect(done(), at).toBe(1);
      const entries = await expectVerified(second, at);
      expect(entries, at).toEqual([expect.objectContaining({ change: changeId, asked: expect.anything(), decided: expect.anything() })]);
      await second.kill();
    }
    expect(Math.min(seen.unasked, seen.waiting, seen.applied + seen.interrupted), JSON.stringify(seen)).toBeGreaterThan(0);
  },
);

test.each([
  ['just before', 0],
  ['in the middle of', 0.5],
])(
  'killed once all was done, %s the end of its record, a move is applied for everybody, and leaves nothing to be carried on',
  async (_, step) => {
    const { demo, tool, args, done } = await MOVE_CASE.prepare();
    const { first, asked, wasKilled } = await pressedAndKilled(demo, step, tool, args, { KILL_IN: 'changes', KILL_TEXT: '"type":"end"' });
    expect([wasKilled, done()]).toEqual([true, 1]);
    const changeId = asked?.data?.changeId;
    const second = await first.again();
    const [bob, ann] = [await second.connect(second.people.bob), await pageOf(second, 'ann')];
    expect(recordsIn((await bob.callTool('list_changes')).data, 'changes')).toMatchObject([{ changeId, status: 'applied' }]);
    expect(await get(bob, changeId)).toMatchObject({ status: 'applied', moved: 2_100 });
    expect(await ann.api(`changes/${String(changeId)}`)).toMatchObject({ status: 'applied', canResume: false, canUndo: true });
    expect((await bob.callTool('resume_change', { changeId })).data).toMatchObject({ error: { code: 'not_resumable' } });
    expect(await expectVerified(second, 'at the end')).toMatchObject([{ change: changeId, status: 'applied' }]);
    const undo = changeIdIn(await bob.callTool('undo_change', { changeId }));
    await applies(ann, undo, 'its undo');
    expect(await ended(bob, undo)).toMatchObject({ status: 'applied' });
    expect(done()).toBe(0);
  },
);

test.each(['onRequest', 'onProcessed'] as const)(
  'killed in the middle of a move (%s), it is interrupted; who asked asks to resume it, and somebody else has to agree',
  async (when) => {
    const { demo, ids, archive, elsewhere } = await manyVideos(8_000);
    const first = await spawnHttp({ demo, env: { VIDEO_HOSTING_SECOND_PERSON: 'move_videos>500' } });
    const asked = await (await first.connect(first.people.ann)).callTool('move_videos', {
      videoIds: ids,
      targetProject: archive,
      fromProject: elsewhere,
    });
    const changeId = changeIdIn(asked);
    // Two batches reach the service, and no more, however many are under way when it is killed.
    let [begun, processed] = [0, 0];
    demo.behaviour.onRequest = async ({ path }) => {
      if (path !== MOVE.path) return;
      begun += 1;
      if (begun <= 2) return;
      if (when === 'onRequest') await first.kill();
      throw new Error('The service never got to it.');
    };
    demo.behaviour.onProcessed = async ({ path }) => {
      if (path === MOVE.path) processed += 1;
      if (when === 'onProcessed' && processed === 2) await first.kill();
    };
    await (await pageOf(first, 'dan')).decide(changeId, 'apply').catch(() => undefined);
    await first.server.exit;
    await quiet(demo);
    delete demo.behaviour.onRequest;
    delete demo.behaviour.onProcessed;
    const moved = idsIn(demo, archive).length;
    expect([moved > 0, moved < ids.length]).toEqual([true, true]);

    const second = await first.again();
    const [ann, eve, dan] = await Promise.all([second.people.ann, second.people.eve, second.people.dan].map((who) => second.connect(who)));
    if (ann === undefined || eve === undefined || dan === undefined) throw new Error('Not connected.');
    expect(await get(ann, changeId)).toMatchObject({ status: 'interrupted' });
    // Who only reads, or only decides, resumes nothing, by no way.
    for (const client of [eve, dan])
      expect((await client.callTool('resume_change', { changeId })).text).toContain('it takes the role propose');
    for (const name of ['eve', 'dan'] as const)
      expect((await (await pageOf(second, name)).post(`changes/${changeId}/resume`)).status).toBe(422);
    const resumption = changeIdIn(await ann.callTool('resume_change', { changeId }));
    const own = await pageOf(second, 'ann');
    expect((await own.decide(resumption, 'apply')).status).toBe(409);
    // Nor by resuming it on the page, where she is asked at once.
    const onPage = await own.post(`changes/${changeId}/resume`);
    const { changeId: proposed } = (await onPage.json()) as Values;
    expect((await own.decide(proposed, 'apply')).status).toBe(409);
    expect(idsIn(demo, archive)).toHaveLength(moved);
    await applies(await pageOf(second, 'dan'), resumption, 'by somebody else');
    expect(await ended(ann, changeId)).toMatchObject({ status: 'applied' });
    expect(idsIn(demo, archive)).toHaveLength(ids.length);
    await expectVerified(second, 'at the end');
  },
);

test('of servers that are started at once on one folder, one serves; once it is killed, the next one does', async () => {
  const demo = await startService();
  const first = await spawnHttp({ demo });
  await first.kill();
  const started = await Promise.allSettled([
    first.again(),
    first.again({ VIDEO_HOSTING_HTTP_LISTEN: '127.0.0.1:0' }),
    first.again({ VIDEO_HOSTING_HTTP_LISTEN: '127.0.0.1:0' }),
  ]);
  const serving = started.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  const refused = started.flatMap((one) => (one.status === 'rejected' ? [String(one.reason)] : []));
  expect([serving.length, refused.length]).toEqual([1, 2]);
  for (const reason of refused) expect(reason).toContain('Another server over HTTP works on this data folder');
  const [one] = serving;
  const bob = await one?.connect(first.people.bob);
  expect((await bob?.callTool('create_project', PROJECT))?.data?.status).toBe('waiting');
  await one?.kill();
  const next = await first.again({ VIDEO_HOSTING_HTTP_LISTEN: '127.0.0.1:0' });
  const later = await next.connect(first.people.bob);
  expect(recordsIn((await later.callTool('list_changes')).data, 'changes')).toMatchObject([{ status: 'waiting' }]);
});
