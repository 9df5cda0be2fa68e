/** One change, several processes: at most one of them sends at a time. */
import { readdirSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { recordsIn } from '../../../harness/client.ts';
import { freshHome, type Session, start } from '../../../harness/start.ts';
import { COPY, changesFolder, copiedIds, doubled, ended, MOVE, manyVideos, outcomesOf, requestsOf, UNASKED } from './harness.ts';

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
