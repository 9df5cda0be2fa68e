/** A server is killed at each write to the journal, from the decision to the last batch: never over a limit, and the counts agree with the service. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { recordsIn, type ToolReply } from '../../harness/client.ts';
import { freshHome, start } from '../../harness/start.ts';
import { idsIn, MOVE, manyVideos, requestsOf } from '../kinds/videos/harness.ts';
import { agree } from '../support/confirm.ts';
import { AGENT, fileOf, moveRule, writeApprovals } from './harness.ts';

/** Three batches. */
const EACH = 2_100;
const HOOK = join(import.meta.dirname, '../../harness/kill-at.cjs');

const leftIn = ({ data }: ToolReply): number => Number(/Left today: ([\d,]+)/.exec(String(data?.standing))?.[1]?.replaceAll(',', ''));

/** Moves with a server that is killed at a step; true if it came so far. */
async function killedAt(step: number) {
  const account = await manyVideos(2 * EACH);
  const { demo, ids, archive, elsewhere } = account;
  const home = freshHome();
  const path = writeApprovals(fileOf([moveRule(account, { perDay: EACH })]));
  const env = { VIDEO_HOSTING_CONFIRM: 'token', VIDEO_HOSTING_STANDING_APPROVALS: path, VIDEO_HOSTING_AGENT: AGENT };
  const hooked = { ...env, NODE_OPTIONS: `--require ${HOOK}`, KILL_AT: String(step) };
  const { client, server, stop } = await start({ demo, home, env: hooked, via: 'process' });
  const args = { targetProject: archive, fromProject: elsewhere };
  const call = client.callTool('move_videos', { ...args, videoIds: ids.slice(0, EACH) }).catch(() => undefined);
  const reply = await Promise.race([call, server?.exit.then(() => undefined)]);
  const isKilled = reply === undefined;
  if (!isKilled) await stop();
  await server?.exit;
  // What was under way reaches the service all the same.
  await expect.poll(() => demo.requests.every(({ status }) => status !== 'pending')).toBe(true);
  return { ...account, home, env, args, isKilled };
}

const sentIds = ({ demo }: Pick<Awaited<ReturnType<typeof killedAt>>, 'demo'>): readonly string[] =>
  requestsOf(demo, MOVE).flatMap(({ body }) => (body as { videoIds: readonly string[] }).videoIds);

test('a server that is killed at any step of a covered move leaves a count that is never too low', async () => {
  let kills = 0;
  const seen = { unsent: 0, sent: 0, interrupted: 0 };
  for (let step = 1; ; step += 0.5) {
    const at = `at step ${step}`;
    const run = await killedAt(step);
    if (!run.isKilled) break;
    kills += 1;
    const { demo, archive, home, env, args, ids } = run;
    const sent = new Set(sentIds(run));
    seen[sent.size === 0 ? 'unsent' : 'sent'] += 1;
    const { client } = await start({ demo, home, env });
    // What was sent counts, whatever became of it.
    const left = leftIn(await client.callTool('check_setup'));
    expect([0, EACH], at).toContain(left);
    if (sent.size > 0) expect(left, at).toBe(0);
    // Carried on by a person, in the same change.
    const [change] = recordsIn((await client.callTool('list_changes')).data, 'changes');
    if (change === undefined) expect(left, at).toBe(EACH);
    else if (change.status === 'interrupted') {
      seen.interrupted += 1;
      const resumption = await agree(client, 'resume_change', { changeId: change.changeId });
      expect(resumption.data?.status, `${at}: ${resumption.text}`).toBe('applied');
      expect(idsIn(demo, archive), at).toHaveLength(EACH);
      expect(leftIn(await client.callTool('check_setup')), at).toBe(0);
    }
    // The next one is covered only where nothing of the first was begun.
    const next = await client.callTool('move_videos', { ...args, videoIds: ids.slice(EACH) });
    const isCovered = next.data?.status === 'applied';
    expect(isCovered, at).toBe(change === undefined);
    expect(idsIn(demo, archive), at).toHaveLength(EACH);
    expect(new Set(sentIds(run)).size, at).toBe(EACH);
    expect(leftIn(await client.callTool('check_setup')), at).toBe(0);
    if (change === undefined) continue;
    // Taken back by a person; what was begun stays counted.
    await agree(client, 'undo_change', { changeId: change.changeId });
    expect(idsIn(demo, archive), at).toEqual([]);
    expect(leftIn(await client.callTool('check_setup')), at).toBe(0);
  }
  // It was killed before its intent, between intent and requests, among them and after them.
  expect(kills).toBeGreaterThan(20);
  expect(Math.min(seen.unsent, seen.sent, seen.interrupted)).toBeGreaterThan(2);
});
