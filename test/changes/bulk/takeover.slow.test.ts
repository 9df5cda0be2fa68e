/** One change, several processes: at most one of them sends at a time. */
import { existsSync, readdirSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { recordsIn } from '../../harness/client.ts';
import { freshHome, type Session, start } from '../../harness/start.ts';
import { COPY, changesFolder, copiedIds, doubled, ended, idsIn, MOVE, manyVideos, outcomesOf, requestsOf, UNASKED } from './harness.ts';

const CAP = { timeout: 120_000 };

/** As if the process of the change had shown no sign of life for a long time. */
function silence(session: Session, changeId: unknown): void {
  const folder = changesFolder(session);
  const long = new Date(Date.now() - 10 * 60_000);
  for (const name of readdirSync(folder)) if (name.startsWith(String(changeId))) utimesSync(join(folder, name), long, long);
}

async function changeOf({ client }: Session) {
  const [change] = recordsIn((await client.callTool('list_changes')).data, 'changes');
  return { changeId: change?.changeId, status: change?.status };
}

test('a process that was suspended while another one resumed its copy sends nothing more', async () => {
  const account = await manyVideos(4_001);
  const { demo } = account;
  const [source = '', ...targets] = account.ids;
  demo.world.videos.get(source)?.ctas.push({ id: 'cta-1', text: 'Go', url: 'https://www.example.com/' });
  demo.faults.always({ match: COPY, do: { kind: 'delay', ms: 60 } });
  const options = { demo, home: freshHome(), env: UNASKED, via: 'process' } as const;
  const first = await start(options);
  first.client.callTool('copy_cta', { sourceVideoId: source, targetVideoIds: targets }).catch(() => undefined);
  await vi.waitFor(() => expect(requestsOf(demo, COPY).length).toBeGreaterThan(4), CAP);
  first.server?.child.kill('SIGSTOP');
  await sleep(200);
  const second = await start(options);
  const { changeId } = await changeOf(second);
  silence(second, changeId);
  expect((await changeOf(second)).status).toBe('interrupted');
  const call = second.client.callTool('resume_change', { changeId });
  const before = requestsOf(demo, COPY).length;
  await vi.waitFor(() => expect(requestsOf(demo, COPY).length).toBeGreaterThan(before + 4), CAP);
  first.server?.child.kill('SIGCONT');
  await call;
  const { data } = await ended(second.client, changeId);
  await sleep(300);
  expect(doubled(demo)).toEqual([]);
  const sent = requestsOf(demo, COPY).flatMap(({ body }) => (body as { targetVideos: string[] }).targetVideos); // as copy sends it
  expect(new Set(sent).size).toBe(sent.length);
  const { unknown } = outcomesOf(data);
  const copied = new Set(copiedIds(demo));
  expect(data).toMatchObject({ status: 'partly_applied', copied: targets.filter((id) => copied.has(id) && !unknown.includes(id)).length });
  expect(Number(data?.copied) + unknown.length).toBe(4_000);
  // What it writes once it runs again changes nothing either.
  expect((await ended(first.client, changeId)).data).toMatchObject({
    status: 'partly_applied',
    copied: data?.copied,
    unknownCount: unknown.length,
  });
});

test('a suspended process does not retry its move after another one completed it', async () => {
  const account = await manyVideos(3_000);
  const { demo } = account;
  demo.faults.always({ match: MOVE, do: { kind: 'status', code: 500 } });
  const options = { demo, home: freshHome(), env: UNASKED, via: 'process' } as const;
  const first = await start(options);
  first.client.callTool('move_videos', { targetProject: 'Archive', videoIds: account.ids }).catch(() => undefined);
  await vi.waitFor(() => expect(requestsOf(demo, MOVE).length).toBeGreaterThanOrEqual(3), CAP);
  first.server?.child.kill('SIGSTOP');
  await sleep(100);
  demo.faults.clear();
  const second = await start(options);
  const { changeId } = await changeOf(second);
  silence(second, changeId);
  expect((await second.client.callTool('resume_change', { changeId })).data).toMatchObject({ status: 'applied', moved: 3_000 });
  const sent = requestsOf(demo, MOVE).length;
  first.server?.child.kill('SIGCONT');
  // It answers, so it runs again and could have sent something.
  expect((await ended(first.client, changeId)).data).toMatchObject({ status: 'applied', moved: 3_000 });
  await sleep(1_500);
  expect(requestsOf(demo, MOVE)).toHaveLength(sent);
  expect((await ended(second.client, changeId)).data).toMatchObject({ status: 'applied', moved: 3_000, unknownCount: 0 });
});

test.each(['memory', 'process'] as const)(
  'only one of several servers that resume a change at the same moment gets it (%s)',
  async (via) => {
    const account = await manyVideos(12_000);
    const { demo } = account;
    const home = freshHome();
    const first = await start({ demo, home, env: UNASKED, via: 'process' });
    demo.faults.always({ match: MOVE, do: { kind: 'delay', ms: 30 } });
    first.client.callTool('move_videos', { targetProject: 'Archive', videoIds: account.ids }).catch(() => undefined);
    await vi.waitFor(() => expect(requestsOf(demo, MOVE).length).toBeGreaterThan(2), CAP);
    first.server?.child.kill('SIGKILL');
    await first.server?.exit;
    const others = await Promise.all([1, 2, 3, 4].map(() => start({ demo, home, env: UNASKED, via })));
    const [one] = others;
    const { changeId } = one === undefined ? { changeId: '' } : await changeOf(one);
    demo.faults.clear();
    demo.faults.always({ match: MOVE, do: { kind: 'delay', ms: 100 } });
    const sentBefore = requestsOf(demo, MOVE).length;
    const replies = await Promise.all(others.map(({ client }) => client.callTool('resume_change', { changeId })));
    const ids = requestsOf(demo, MOVE)
      .slice(sentBefore)
      .flatMap(({ body }) => (body as { videoIds: string[] }).videoIds); // as move sends it
    expect(new Set(ids).size).toBe(ids.length);
    expect(idsIn(demo, account.archive)).toHaveLength(12_000);
    expect(replies.filter(({ data }) => data?.status === 'applied')).toHaveLength(1);
    for (const { data } of replies.filter(({ data }) => data?.status !== 'applied'))
      expect(data).toMatchObject({ status: 'failed', error: { code: expect.stringMatching(/^(running_elsewhere|not_resumable)$/) } });
    // No file of the competing claims is left.
    expect(readdirSync(one === undefined ? '' : changesFolder(one)).filter((name) => name.endsWith('.offer'))).toEqual([]);
  },
);

test('an epoch claimed by a process that died before it wrote anything is skipped', async () => {
  const account = await manyVideos(2_000);
  const { demo } = account;
  const home = freshHome();
  const first = await start({ demo, home, env: UNASKED, via: 'process' });
  demo.faults.always({ match: MOVE, do: { kind: 'hang' } });
  first.client.callTool('move_videos', { targetProject: 'Archive', videoIds: account.ids }).catch(() => undefined);
  await vi.waitFor(() => expect(requestsOf(demo, MOVE)).toHaveLength(2), CAP);
  first.server?.child.kill('SIGKILL');
  await first.server?.exit;
  const second = await start({ demo, home, env: UNASKED });
  const { changeId } = await changeOf(second);
  const { writeFileSync } = await import('node:fs');
  const claim = join(changesFolder(second), `${String(changeId)}.epoch1`);
  writeFileSync(claim, JSON.stringify({ pid: 2 ** 30, host: (await import('node:os')).hostname(), started: new Date().toISOString() }));
  expect(existsSync(claim)).toBe(true);
  demo.faults.clear();
  expect((await second.client.callTool('resume_change', { changeId })).data).toMatchObject({ status: 'applied', moved: 2_000 });
});
