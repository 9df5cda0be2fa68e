/** The longest list that one call over HTTP has room for. */

import { expect, test } from 'vitest';
import { idsIn, manyVideos } from '../changes/kinds/videos/harness.ts';
import { browse } from '../harness/browse.ts';
import { startHttp, toolCall } from '../harness/http.ts';
import { pathsOf } from '../harness/service.ts';

test('a hundred thousand ids stand in one call, which has room for them; a person approves them as they are', async () => {
  const { demo, ids, archive, elsewhere } = await manyVideos(100_000);
  const { url, people, post, connect } = await startHttp({ demo });
  const call = JSON.stringify(toolCall('move_videos', { videoIds: ids, targetProject: archive, fromProject: elsewhere }));
  expect(call.length).toBeLessThan(4 * 1024 * 1024);
  const answer = await post(people.bob, call);
  expect([answer.status, pathsOf(demo).filter((path) => path.startsWith('POST'))]).toEqual([200, []]);
  const [changeId] = /chg-[\w-]+/.exec(await answer.text()) ?? [];
  const ann = await browse({ url }, people.ann.secrets.pageKey);
  expect((await ann.decide(changeId, 'apply')).status).toBe(200);
  const bob = await connect(people.bob);
  const done = await bob.callTool('get_change', { changeId, waitSeconds: 400 });
  expect(idsIn(demo, archive)).toHaveLength(ids.length);
  expect(done.data).toMatchObject({ status: 'applied', moved: ids.length });
});
