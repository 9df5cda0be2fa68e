/** The built command, killed at any moment; another process resumes the change. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createRandom } from '../../../../src/demo/random.ts';
import { recordsIn, type TestClient } from '../../../harness/client.ts';
import { freshHome, type Session, start } from '../../../harness/start.ts';
import { confirmPreview } from '../../support/confirm.ts';
import {
  type Account,
  COPY,
  changesFolder,
  copiedIds,
  doubled,
  ended,
  expectTold,
  idsIn,
  MOVE,
  manyVideos,
  outcomesOf,
  PASSING,
  requestsOf,
  sorted,
} from './harness.ts';

const VIDEOS = 100_000;
const KILLS = 6;
const random = createRandom(Number(process.env.BULK_SEED ?? 20));

/** Kills the server when the service has received so many more requests, before or after it processes the last of them. */
function killAfter({ demo, server }: Session, requests: number): void {
  let left = requests;
  const when = random.chance(0.5) ? 'onRequest' : 'onProcessed';
  demo.behaviour[when] = ({ path }) => {
    if (!path.startsWith('/v1/videos/')) return;
    left -= 1;
    if (left > 0) return;
    delete demo.behaviour[when];
    server?.child.kill('SIGKILL');
  };
}

/** A call may fail only if its server was killed. */
function orKilled(server: Session['server'], error: unknown): 'killed' {
  if (server?.child.killed === true) return 'killed';
  throw error;
}

/** Makes a change as a user who agrees: calls the tool, and calls it again with the token. */
async function agreed(client: TestClient, tool: string, args: Record<string, unknown>) {
  const asked = await client.callTool(tool, args);
  // The kill may have come after everything was sent.
  if (tool === 'resume_change' && asked.isError) expect(asked.data).toMatchObject({ error: { code: 'not_resumable' } });
  if (asked.isError) return asked;
  expect(asked.data).toMatchObject({ status: 'confirmation_required' });
  return confirmPreview(client, asked);
}

/** The indexes of the ids that are done according to the journal. */
function doneIn(folder: string, changeId: string): Set<number> {
  const done = new Set<number>();
  for (const line of readFileSync(join(folder, `${changeId}.jsonl`), 'utf8').split('\n')) {
    const event = parsed(line);
    if (event?.type !== 'range') continue;
    for (let at = Number(event.from); at < Number(event.to); at += 1) event.outcome === 'done' ? done.add(at) : done.delete(at);
  }
  return done;
}

function parsed(line: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(line) as Record<string, unknown>; // a line of the journal is an object
  } catch {
    return undefined; // torn by the kill
  }
}

interface Scenario {
  readonly tool: string;
  readonly args: Record<string, unknown>;
  /** Most requests between two kills. */
  readonly step: number;
  readonly check: (changeId: string, before: { readonly done: ReadonlySet<number>; readonly requests: number }) => void;
}

/** Begins a change, kills the server that carries it out again and again, and returns what the last one reports. */
async function throughKills({ demo }: Account, { tool, args, step, check }: Scenario) {
  const home = freshHome();
  const options = { demo, home, via: 'process' } as const;
  let session = await start(options);
  let call = async (): Promise<unknown> => agreed(session.client, tool, args);
  for (let kill = 0; kill < KILLS; kill += 1) {
    killAfter(session, 1 + random.int(step));
    const { server } = session;
    const over = await Promise.race([
      call().then(
        () => 'ended',
        (error: unknown) => orKilled(server, error),
      ),
      server?.exit,
    ]);
    if (over === 'ended') return reportOf(session, kill);
    await server?.exit;
    session = await start(options);
    const { client } = session;
    const [change] = recordsIn((await client.callTool('list_changes')).data, 'changes');
    expect(change?.status).toBe('interrupted');
    const changeId = String(change?.changeId);
    const done = doneIn(changesFolder(session), changeId);
    expect(change).toMatchObject({ done: done.size, of: (await client.callTool('get_change', { changeId })).data?.total });
    const requests = demo.requests.length;
    call = async () => agreed(client, 'resume_change', { changeId }).finally(() => check(changeId, { done, requests }));
  }
  delete demo.behaviour.onRequest;
  delete demo.behaviour.onProcessed;
  await call();
  return reportOf(session, KILLS);
}

async function reportOf({ client }: Session, kills: number) {
  const [change] = recordsIn((await client.callTool('list_changes')).data, 'changes');
  const { data } = await ended(client, change?.changeId);
  return { data, kills };
}

test(`a move of ${VIDEOS} videos that is killed ${KILLS} times ends with each outcome exact`, { timeout: 1_800_000 }, async () => {
  const account = await manyVideos(VIDEOS, 137);
  const { demo, ids } = account;
  demo.faults.random({ match: MOVE, rate: 0.05, seed: 3, faults: PASSING });
  const named = (body: unknown) => (body as { videoIds: string[] }).videoIds; // as move sends it
  const check: Scenario['check'] = (_changeId, { done, requests }) => {
    const again = new Set(demo.requests.slice(requests).flatMap(({ path, body }) => (path === MOVE.path ? named(body) : [])));
    expect(ids.filter((id, at) => done.has(at) && again.has(id))).toEqual([]);
  };
  const args = { targetProject: 'Archive', videoIds: ids };
  const { data, kills } = await throughKills(account, { tool: 'move_videos', args, step: 60, check });
  expect(kills).toBe(KILLS);
  expect(sorted(idsIn(demo, account.archive))).toEqual(sorted(ids.filter((id) => !account.poisoned.has(id))));
  const { failed, unknown } = expectTold(account, data);
  expect({ failed: sorted(failed), unknown }).toEqual({ failed: sorted(account.poisoned), unknown: [] });
  expect(data).toMatchObject({ status: 'partly_applied', notSentCount: 0 });
});

test(`a copy that is killed ${KILLS} times reaches no target twice, and targets in doubt are reported`, {
  timeout: 1_800_000,
}, async () => {
  const account = await manyVideos(6_001);
  const { demo } = account;
  const [source = '', ...targets] = account.ids;
  demo.faults.random({ match: COPY, rate: 0.05, seed: 5, faults: PASSING.filter(({ kind }) => kind !== 'status') });
  const named = (body: unknown) => (body as { targetVideos: string[] }).targetVideos; // as copy sends it
  const check = () => expect(doubled(demo)).toEqual([]);
  const args = { sourceVideoId: source, targetVideoIds: targets };
  const { data, kills } = await throughKills(account, { tool: 'copy_cta', args, step: 3, check });
  expect(kills).toBeGreaterThan(KILLS / 2);
  expect(doubled(demo)).toEqual([]);
  const sent = requestsOf(demo, COPY).flatMap(({ body }) => (body === undefined ? [] : named(body)));
  expect(new Set(sent).size).toBe(sent.length);
  const { failed, unknown } = outcomesOf(data);
  const has = new Set(copiedIds(demo));
  expect(failed).toEqual([]);
  expect(targets.filter((id) => has.has(id) && !unknown.includes(id))).toHaveLength(Number(data?.copied));
  expect(Number(data?.copied) + unknown.length).toBe(6_000);
});
