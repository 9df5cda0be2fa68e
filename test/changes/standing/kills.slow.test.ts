/** Servers of one agent, killed at any moment while they use a standing approval: never over a limit, and nothing uncovered is sent. */
import { expect, test } from 'vitest';
import { createRandom } from '../../../src/demo/random.ts';
import { start } from '../../harness/start.ts';
import { idsIn, MOVE, manyVideos, requestsOf } from '../kinds/videos/harness.ts';
import { AGENT, fileOf, moveRule, writeApprovals } from './harness.ts';

const SERVERS = 8;
const PER_DAY = 6_000;
const EACH = 1_500;
const random = createRandom(Number(process.env.STANDING_SEED ?? 31));

test(`${SERVERS} servers that are killed one after another stay within what is allowed a day`, { timeout: 600_000 }, async () => {
  const account = await manyVideos(EACH * SERVERS);
  const { demo, ids, archive, elsewhere } = account;
  const path = writeApprovals(fileOf([moveRule(account, { perDay: PER_DAY })]));
  const env = { VIDEO_HOSTING_CONFIRM: 'token', VIDEO_HOSTING_STANDING_APPROVALS: path, VIDEO_HOSTING_AGENT: AGENT };
  const first = await start({ demo, env, via: 'process' });
  let begun = 0;
  for (let round = 0; round < SERVERS; round += 1) {
    const session = round === 0 ? first : await start({ demo, env, via: 'process', home: first.home });
    const videoIds = ids.slice(round * EACH, (round + 1) * EACH);
    const when = random.chance(0.5) ? 'onRequest' : 'onProcessed';
    let left = 1 + random.int(2);
    demo.behaviour[when] = ({ path: requested }) => {
      if (requested === MOVE.path) left -= 1;
      if (left === 0) session.server?.child.kill('SIGKILL');
    };
    const reply = await session.client
      .callTool('move_videos', { videoIds, targetProject: archive, fromProject: elsewhere })
      .catch(() => undefined);
    delete demo.behaviour[when];
    session.server?.child.kill('SIGKILL');
    await session.server?.exit;
    const sent = requestsOf(demo, MOVE).flatMap(({ body }) => (body as { videoIds: readonly string[] }).videoIds);
    begun += sent.some((id) => videoIds.includes(id)) ? EACH : 0;
    expect(begun).toBeLessThanOrEqual(PER_DAY);
    expect(new Set(sent).size).toBeLessThanOrEqual(PER_DAY);
    if (reply?.data?.status === 'confirmation_required') expect(sent.some((id) => videoIds.includes(id))).toBe(false);
  }
  // Whatever was begun counts, so that the count agrees with what the service got.
  const last = await start({ demo, env, home: first.home });
  const { data } = await last.client.callTool('check_setup');
  const left = Number(/Left today: ([\d,]+)/.exec(String(data?.standing))?.[1]?.replace(',', ''));
  expect(left).toBeLessThanOrEqual(PER_DAY - idsIn(demo, archive).length);
  expect(left % EACH).toBe(0);
});
