/** The built command over HTTP: its end, and what other processes see of it. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { savedNow } from '../changes/standing/harness.ts';
import { spawnHttp, toolCall } from '../harness/http.ts';
import { hold, startService } from '../harness/service.ts';
import { freshHome } from '../harness/start.ts';

/** A rule by which Bob’s moves go through unasked. */
function approvalsFor(home: string, projectId: string): string {
  const until = new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10);
  const allow = [{ kind: 'move_videos', to: [{ id: projectId }], perDay: 100_000 }];
  const file = join(home, 'approvals.json');
  writeFileSync(file, JSON.stringify({ version: 1, timeZone: 'UTC', approvals: [{ id: 'bobs', for: 'bob', until, allow }] }), {
    mode: 0o600,
  });
  return file;
}

test('SIGTERM ends it with 0; what runs is left as interrupted, and is carried on by the next server', async () => {
  const demo = await startService({ projects: 3, videos: 3_000 });
  const [from = '', to = ''] = demo.world.projects.keys();
  const ids = [...demo.world.videos.keys()].filter((id) => demo.world.videos.get(id)?.projectId === from);
  const home = freshHome();
  const env = { VIDEO_HOSTING_STANDING_APPROVALS: approvalsFor(home, to) };
  const first = await spawnHttp({ demo, home, env });
  savedNow(env.VIDEO_HOSTING_STANDING_APPROVALS);
  const isMove = ({ path }: { readonly path: string }) => path.includes('change-project');
  const moves = () => demo.requests.filter(isMove).length;
  const release = hold(demo, (request) => isMove(request) && moves() > 1);
  const bob = await first.connect(first.people.bob);
  const call = bob.callTool('move_videos', { targetProject: to, fromProject: from, videoIds: ids, waitSeconds: 0 });
  const { data } = await call;
  expect(data?.status).toBe('running');
  await expect.poll(moves).toBeGreaterThan(1);
  first.server.child.kill('SIGTERM');
  expect(await first.server.exit).toEqual({ code: 0, signal: null });
  release();
  expect(first.server.stdout()).toBe('');

  const second = await first.again();
  const later = await second.connect(second.people.bob);
  expect((await later.callTool('get_change', { changeId: data?.changeId })).data?.status).toBe('interrupted');
});

test('while it is ended, nothing new is taken, and what is in flight is answered', async () => {
  const demo = await startService();
  const { server, people, url, connect } = await spawnHttp({ demo });
  const bob = await connect(people.bob);
  const release = hold(demo, ({ path }) => path.endsWith('/channels'));
  const inFlight = bob.callTool('list_channels', { size: 5 });
  await expect.poll(() => demo.requests.length).toBeGreaterThan(0);
  server.child.kill('SIGTERM');
  await expect.poll(() => server.stderr()).toContain('is being ended');
  await expect(fetch(`${url}/healthz`)).rejects.toThrow();
  release();
  expect((await inFlight).isError).toBe(false);
  expect((await server.exit).code).toBe(0);
});

test('while it is ended, whoever waits for a decision, or for what runs, is answered with what is so then', async () => {
  const demo = await startService({ projects: 3, videos: 3_000 });
  const [from = '', to = ''] = demo.world.projects.keys();
  const ids = [...demo.world.videos.keys()].filter((id) => demo.world.videos.get(id)?.projectId === from);
  const home = freshHome();
  const env = { VIDEO_HOSTING_STANDING_APPROVALS: approvalsFor(home, to) };
  const { server, people, connect, post, requests } = await spawnHttp({ demo, home, env });
  savedNow(env.VIDEO_HOSTING_STANDING_APPROVALS);
  const isMove = ({ path }: { readonly path: string }) => path.includes('change-project');
  const release = hold(demo, isMove);
  const bob = await connect(people.bob);
  const { data: asked } = await bob.callTool('create_project', { name: 'Retired', region: 'use-s' });
  const { data: begun } = await bob.callTool('move_videos', { targetProject: to, fromProject: from, videoIds: ids, waitSeconds: 0 });
  await expect.poll(() => demo.requests.some(isMove)).toBe(true);
  const wait = (changeId: unknown, waitSeconds: number) => post(people.ann, toolCall('get_change', { changeId, waitSeconds }));
  const waits = [asked, begun].flatMap((change) => Array.from({ length: WAITS_AT_ONCE / 2 }, () => wait(change?.changeId, 400)));
  // All have arrived.
  await expect.poll(async () => (await wait(begun?.changeId, 1)).status).toBe(429);
  server.child.kill('SIGTERM');
  const answers = await Promise.all(waits.map(async (answer) => (await answer).text()));
  expect(answers.map((text) => /"status":"(\w+)"/.exec(text.replaceAll('\\"', '"'))?.[1])).toEqual(
    ['waiting', 'running'].flatMap((status) => Array.from({ length: WAITS_AT_ONCE / 2 }, () => status)),
  );
  release();
  expect((await server.exit).code).toBe(0);
  expect(requests().filter(({ status }) => status === 499)).toEqual([]);
});

/** Of one person. */
const WAITS_AT_ONCE = 8;
