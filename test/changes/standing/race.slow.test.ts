/** Ten processes at one limit: exactly the limit is applied, and what is over is asked, or waits. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { ToolReply } from '../../harness/client.ts';
import { NO_BROWSER, settingsFor } from '../../harness/service.ts';
import { freshHome, start } from '../../harness/start.ts';
import { idsIn, MOVE, manyVideos, requestsOf } from '../kinds/videos/harness.ts';
import { personOf } from '../proposals/harness.ts';
import { AGENT, fileOf, moveRule, writeApprovals } from './harness.ts';

const SERVERS = 10;
const CALLS = 4;
const EACH = 3;
/** Of 120 videos. */
const PER_DAY = 60;

test(`${SERVERS} processes at one limit apply exactly that, and ask for the rest`, async () => {
  const account = await manyVideos(SERVERS * CALLS * EACH + EACH);
  const { demo, ids, archive, elsewhere } = account;
  const path = writeApprovals(fileOf([moveRule(account, { perDay: PER_DAY, total: PER_DAY + 1 })]));
  const home = freshHome();
  const sessions = await Promise.all(
    Array.from({ length: SERVERS }, (_, index) => {
      const env = {
        VIDEO_HOSTING_CONFIRM: index % 2 === 0 ? 'wait' : 'form',
        VIDEO_HOSTING_STANDING_APPROVALS: path,
        VIDEO_HOSTING_AGENT: AGENT,
      };
      return start({ demo, home, env, via: 'process', forms: index % 2 === 0 ? 'none' : 'nothing' });
    }),
  );
  const move = async (index: number): Promise<readonly [readonly string[], ToolReply | undefined]> => {
    const videoIds = ids.slice(index * EACH, (index + 1) * EACH);
    const reply = await sessions[index % SERVERS]?.client.callTool('move_videos', {
      ...{ videoIds, targetProject: archive, fromProject: elsewhere },
    });
    return [videoIds, reply];
  };
  const answers = await Promise.all(Array.from({ length: SERVERS * CALLS }, (_, index) => move(index)));
  const sent = requestsOf(demo, MOVE).flatMap(({ body }) => (body as { videoIds: readonly string[] }).videoIds);
  expect(sent).toHaveLength(PER_DAY);
  expect(idsIn(demo, archive).toSorted()).toEqual(sent.toSorted());
  const applied = answers.filter(([, reply]) => reply?.data?.status === 'applied');
  expect(applied.flatMap(([videoIds]) => videoIds).toSorted()).toEqual(sent.toSorted());
  // Each receipt has its own number, so that none was covered twice by the same rest.
  const numbers = applied.map(([, reply]) => Number(/; (\d+) of today’s 60,/.exec(String(reply?.data?.confirmed))?.[1]));
  expect(numbers.toSorted((one, other) => one - other)).toEqual(Array.from({ length: PER_DAY / EACH }, (_, index) => (index + 1) * EACH));
  const over = answers.flatMap(([, reply]) => (reply === undefined || reply.data?.status === 'applied' ? [] : [reply]));
  const waiting = over.filter(({ data }) => data?.status === 'waiting');
  const refused = over.filter(({ data }) => data?.status === 'declined');
  expect(waiting.length + refused.length).toBe((SERVERS * CALLS * EACH - PER_DAY) / EACH);
  // By a form each.
  expect(sessions.reduce((sum, { client }) => sum + client.forms.length, 0)).toBe(refused.length);
  for (const { data } of waiting) expect(data?.message).toMatch(/3 over today’s 60 of test-approval .*; 60 are used\./);
  // What all ask for at once is one change.
  const agents = sessions.filter((_, index) => index % 2 === 0);
  const same = { videoIds: ids.slice(-EACH), targetProject: archive, fromProject: elsewhere };
  const again = await Promise.all(agents.map(({ client }) => client.callTool('move_videos', same)));
  expect(new Set(again.map(({ data }) => data?.changeId)).size).toBe(1);
  for (const { server } of sessions) server?.child.kill('SIGKILL');
  await Promise.all(sessions.map(({ server }) => server?.exit));
  // Nothing of it is lost with the processes, and a person’s yes uses nothing of the rule.
  const person = await personOf({ ...settingsFor(demo), ...NO_BROWSER, HOME: home, VIDEO_HOSTING_DATA_DIR: join(home, 'data') });
  const { proposals: changes, damaged } = await person.decisions.list();
  expect(damaged).toEqual([]);
  expect(changes.map(({ changeId }) => changeId).toSorted()).toEqual(
    [...waiting, ...again.slice(0, 1)].map(({ data }) => String(data?.changeId)).toSorted(),
  );
  const [first] = changes;
  if (first === undefined) throw new Error('Nothing waits.');
  const { signal } = new AbortController();
  expect(await person.decisions.approve(await person.decisions.preview(first, signal), 'terminal', signal)).toBe('started');
  await expect.poll(() => idsIn(demo, archive).length).toBe(PER_DAY + EACH);
  // A server that is started anew counts the same.
  const { client } = await start({ demo, home, env: { VIDEO_HOSTING_STANDING_APPROVALS: path, VIDEO_HOSTING_AGENT: AGENT } });
  expect(String((await client.callTool('check_setup')).data?.standing)).toContain('Left today: 0, and 1 in all.');
});
