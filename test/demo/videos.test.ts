import { expect, test } from 'vitest';
import type { DemoService } from '../harness/demo.ts';
import { ask, firstOf, startSmall } from './harness.ts';

function move(demo: DemoService, videoIds: unknown, projectId: unknown = demo.world.projectNamed('Archive').id) {
  return ask(demo, 'POST /v1/videos/change-project', { body: { projectId, videoIds } });
}

test('a video key is not accepted as a video id', async () => {
  const demo = await startSmall();
  expect((await move(demo, [firstOf(demo.world.videosByKey.keys())])).json).toEqual({ ok: false });
});

test('a move with an invalid body is a 400', async () => {
  const demo = await startSmall();
  const id = firstOf(demo.world.videos.keys());
  const tooMany = Array.from({ length: 1001 }, () => id);
  const invalid = [move(demo, [id], ''), move(demo, []), move(demo, [' ']), move(demo, tooMany), move(demo, [id], 'nope')];
  for (const answer of [...invalid, ask(demo, 'POST /v1/videos/change-project', { raw: '{"projectId":' })])
    expect(await answer).toMatchObject({ status: 400, json: { message: expect.any(String) } });
  expect((await move(demo, tooMany.slice(1))).json).toEqual({ ok: true });
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
  expect(await copy(source, Array(101).fill(source))).toBe(400);
});
