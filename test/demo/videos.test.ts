import { expect, test } from 'vitest';
import type { DemoVideo } from '../../src/demo/records.ts';
import type { DemoService } from '../harness/demo.ts';
import { ask, firstOf, startSmall } from './harness.ts';

function someVideos(demo: DemoService, count: number): DemoVideo[] {
  return [...demo.world.videos.values()].slice(0, count);
}

function move(demo: DemoService, videoIds: unknown, projectId: unknown = demo.world.projectNamed('Archive').id) {
  return ask(demo, 'POST /v1/videos/change-project', { body: { projectId, videoIds } });
}

test('moved videos are in the target project; blanks, duplicates and repeated requests are harmless', async () => {
  const demo = await startSmall();
  const ids = someVideos(demo, 20).map((video) => video.id);
  for (const _round of [1, 2]) expect((await move(demo, [...ids, ids[0], ' ', ''])).json).toEqual({ ok: true });
  expect(someVideos(demo, 20).every((video) => video.projectId === demo.world.projectNamed('Archive').id)).toBe(true);
});

test('a batch with an unknown or a failing id answers ok: false and moves the others, or none', async () => {
  const demo = await startSmall();
  const [good, bad, ...rest] = someVideos(demo, 6);
  if (good === undefined || bad === undefined) throw new Error('too few videos');
  const archive = demo.world.projectNamed('Archive').id;
  const marketing = demo.world.projectNamed('Marketing').id;
  for (const video of [good, bad, ...rest]) video.projectId = marketing;
  demo.world.poisonedVideoIds.add(bad.id);
  expect((await move(demo, [good.id, bad.id])).json).toEqual({ ok: false });
  expect([good.projectId, bad.projectId]).toEqual([archive, marketing]);
  demo.behaviour.moveAppliesGoodOnes = false;
  expect((await move(demo, [...rest.map((video) => video.id), 'nope'])).json).toEqual({ ok: false });
  expect(rest.every((video) => video.projectId === marketing)).toBe(true);
  demo.behaviour.moveUnknownIds = 'ignore';
  expect((await move(demo, [...rest.map((video) => video.id), 'nope'])).json).toEqual({ ok: true });
});

test('a video key is not accepted as a video id', async () => {
  const demo = await startSmall();
  expect((await move(demo, [firstOf(demo.world.videosByKey.keys())])).json).toEqual({ ok: false });
});

test('a move with an invalid body is a 400', async () => {
  const demo = await startSmall();
  const id = firstOf(demo.world.videos.keys());
  const tooMany = Array.from({ length: 1001 }, () => id);
  const answers = [
    await move(demo, [id], ''),
    await move(demo, []),
    await move(demo, [' ']),
    await move(demo, tooMany),
    await move(demo, [id], 'nope'),
  ];
  answers.push(await ask(demo, 'POST /v1/videos/change-project', { raw: '{"projectId":' }));
  expect(answers.map((answer) => answer.status)).toEqual([400, 400, 400, 400, 400, 400]);
  expect(answers.every((answer) => typeof answer.json.message === 'string')).toBe(true);
  expect((await move(demo, tooMany.slice(1))).json).toEqual({ ok: true });
});

test('a manager can’t move videos out of a project that is not on the access list', async () => {
  const demo = await startSmall();
  const [video] = someVideos(demo, 1);
  demo.behaviour.managerProjects = new Set([demo.world.projectNamed('Drafts').id]);
  expect((await move(demo, [video?.id])).status).toBe(video?.projectId === demo.world.projectNamed('Drafts').id ? 200 : 403);
});

test('copying CTAs appends, so a second copy makes duplicates', async () => {
  const demo = await startSmall();
  const source = [...demo.world.videos.values()].find((video) => video.ctas.length > 0);
  const target = [...demo.world.videos.values()].find((video) => video.ctas.length === 0);
  if (source === undefined || target === undefined) throw new Error('no such videos');
  const copy = () => ask(demo, `POST /v1/videos/${source.id}/cta/copy`, { body: { targetVideos: [target.id, target.id] } });
  expect((await copy()).json).toEqual({ ok: true, message: null, data: { copied: 1, failed: 0 } });
  await copy();
  expect(target.ctaCopies.map((entry) => entry.sourceId)).toEqual([source.id, source.id]);
  expect(target.ctas).toHaveLength(2 * source.ctas.length);
  expect(target.ctas[0]).toMatchObject({ copiedFrom: source.id, text: source.ctas[0]?.text });
});

test('a CTA copy with an invalid body is a 400, and from an unknown video a 404', async () => {
  const demo = await startSmall();
  const source = firstOf(demo.world.videos.keys());
  const copy = async (id: string, targetVideos: unknown) =>
    (await ask(demo, `POST /v1/videos/${id}/cta/copy`, { body: { targetVideos } })).status;
  expect(await copy('nope', [source])).toBe(404);
  expect(await copy(source, [])).toBe(400);
  expect(await copy(source, 'x')).toBe(400);
  expect(
    await copy(
      source,
      Array.from({ length: 101 }, () => source),
    ),
  ).toBe(400);
});

test('a CTA copy fails for unknown targets, and can fail after some of the targets', async () => {
  const demo = await startSmall();
  const [source, ...targets] = someVideos(demo, 5);
  const copy = (ids: string[]) => ask(demo, `POST /v1/videos/${source?.id}/cta/copy`, { body: { targetVideos: ids } });
  expect((await copy(['nope'])).json).toMatchObject({ ok: false, message: expect.any(String) });
  demo.behaviour.ctaFailsAfter = 2;
  expect((await copy(targets.map((video) => video.id))).json).toMatchObject({ ok: false, data: { copied: 2, failed: 2 } });
  expect(targets.map((video) => video.ctaCopies.length)).toEqual([1, 1, 0, 0]);
});
