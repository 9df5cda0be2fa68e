import { describe, expect, test } from 'vitest';
import { idsIn, MOVE, manyVideos, requestsOf } from '../changes/kinds/videos/harness.ts';
import { waitingAgent } from '../changes/proposals/harness.ts';
import { channelAt, writesOf } from '../changes/support/world.ts';
import { runCommand } from '../harness/run-command.ts';
import { atTerminal, HAS_TERMINAL } from '../harness/terminal.ts';

/** The built server of an agent, with the commands of a person on the same data folder. */
async function withCommand() {
  const session = await waitingAgent({ via: 'process' });
  return {
    ...session,
    waiting: (...argv: readonly string[]) => runCommand(['waiting', ...argv], session.person),
    decide: (answers: readonly string[], ...argv: readonly string[]) => atTerminal(answers, ['waiting', ...argv], session.person),
  };
}

test('what waits is listed, by --exit-code with 3, and shown in full; without a terminal nothing is decided', async () => {
  const { move, demo, waiting, ids, server } = await withCommand();
  expect(await waiting('--exit-code')).toMatchObject({ code: 0, stdout: 'Nothing waits.\n' });
  const changeId = String((await move(4)).data?.changeId);
  server?.child.kill('SIGKILL');
  await server?.exit;
  const listed = await waiting('--exit-code');
  expect(listed.code).toBe(3);
  expect(listed.stdout).toMatch(new RegExp(`^${changeId}, asked by nightly through test-client on [\\d-]+ [\\d:]+ UTC, expires on `));
  expect(listed.stdout).toContain('Move 4 videos');
  expect((await waiting()).code).toBe(0);
  const shown = await waiting('show', changeId);
  expect(shown.code).toBe(0);
  for (const id of ids.slice(0, 4)) expect(shown.stdout).toContain(id);
  for (const action of ['approve', 'decline']) {
    const refused = await waiting(action, changeId);
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('at a terminal')]);
  }
  expect(requestsOf(demo, MOVE)).toEqual([]);
  expect((await waiting('show', 'chg-000000000-0000')).code).toBe(1);
  expect(await waiting('approve')).toMatchObject({ code: 2, stderr: expect.stringContaining('needs an id') });
});

describe.skipIf(!HAS_TERMINAL)('at a terminal', () => {
  test('whoever decides is shown the whole list, and at its end again what it is about', async () => {
    const { ids, ...account } = await manyVideos(230);
    const { client, person } = await waitingAgent({ via: 'process' }, { ids, ...account });
    const asked = await client.callTool('move_videos', { videoIds: ids, targetProject: account.archive, fromProject: account.elsewhere });
    for (const action of ['approve', 'decline']) {
      const { seen } = await atTerminal(['no'], ['waiting', action, String(asked.data?.changeId)], person);
      expect(ids.map((id) => seen.split(id).length - 1)).toEqual(ids.map(() => 1));
      expect(seen).toMatch(new RegExp(`Move 230 videos into "Archive"[^\n]*\\s+To ${action} it, type the number of videos`));
    }
    expect(requestsOf(account.demo, MOVE)).toEqual([]);
  });

  test('the whole preview is shown, and its number typed in carries it out there', async () => {
    const { move, demo, archive, decide, client } = await withCommand();
    const changeId = String((await move(4)).data?.changeId);
    const wrong = await decide(['5'], 'approve', changeId);
    expect([wrong.code, wrong.seen]).toEqual([1, expect.stringContaining('it still waits')]);
    expect(requestsOf(demo, MOVE)).toEqual([]);
    const { code, seen } = await decide(['4'], 'approve', changeId);
    expect(idsIn(demo, archive)).toHaveLength(4);
    expect(code).toBe(0);
    expect(seen).toContain('Move 4 videos');
    expect(seen).toContain('type the number of videos');
    // Apart from what is drawn over itself, no row is wider than the terminal; the first would be.
    expect(seen.split('\r\n').filter((row) => row.length > 80 && !row.includes('\u001b'))).toEqual([]);
    expect(seen).toMatch(/\r\n {2}UTC, expires on \d/);
    expect((await client.callTool('get_change', { changeId, waitSeconds: 60 })).data).toMatchObject({ status: 'applied', moved: 4 });
    expect(seen).toMatch(new RegExp(`${changeId}: Move 4 videos into "Archive"`));
    const again = await decide([], 'approve', changeId);
    expect([again.code, requestsOf(demo, MOVE).length]).toEqual([1, 1]);
    expect(again.seen).toMatch(new RegExp(`^${changeId}: Move 4 videos into "Archive"`));
  });

  test('of the undo of a move, the number that is wanted is that of the videos', async () => {
    const { move, demo, archive, decide, client } = await withCommand();
    const changeId = String((await move(3)).data?.changeId);
    await decide(['3'], 'approve', changeId);
    await client.callTool('get_change', { changeId, waitSeconds: 60 });
    const undo = await client.callTool('undo_change', { changeId });
    const { code, seen } = await decide(['3'], 'approve', String(undo.data?.changeId));
    expect([code, idsIn(demo, archive)]).toEqual([0, []]);
    expect(seen).toContain('type the number of videos');
    expect(seen).not.toContain('channel');
  });

  test('a plan that moves while it is shown is shown anew and asked again', async () => {
    const { client, demo, decide } = await withCommand();
    const channel = channelAt(demo, 0);
    const lists = { currentVideoKeys: channel.videoKeys, currentProjectKeys: channel.projectKeys };
    const asked = await client.callTool('update_channels', { changes: [{ channel: channel.id, name: 'Summer', ...lists }] });
    const changeId = String(asked.data?.changeId);
    let reads = 0;
    demo.behaviour.onRequest = ({ method, path }) => {
      if (method !== 'GET' || !path.endsWith(`/channels/${channel.id}`)) return undefined;
      reads += 1;
      // The person’s process reads it to show it, and again after the number was typed.
      if (reads === 2) Object.assign(channel, { name: 'A colleague’s', version: channel.version + 1 });
      return undefined;
    };
    const { code, seen } = await decide(['1', '2'], 'approve', changeId);
    expect(reads).toBeGreaterThan(1);
    expect(writesOf(demo)).toEqual([]);
    expect(seen).toContain('What was shown is not what would be sent by now, so nothing was sent.');
    expect(seen.match(/type the number of channels/g)?.length).toBeGreaterThan(1);
    expect(code).toBe(1);
    expect((await client.callTool('get_change', { changeId })).data?.status).toBe('waiting');
  });

  test('a decline takes words for the agent', async () => {
    const { move, demo, decide, client } = await withCommand();
    const changeId = String((await move(2)).data?.changeId);
    const { code } = await decide(['2', 'not before Monday'], 'decline', changeId);
    expect([code, requestsOf(demo, MOVE)]).toEqual([0, []]);
    const message = expect.stringContaining('In their words: "not before Monday".');
    expect((await client.callTool('get_change', { changeId })).data).toMatchObject({ status: 'declined', message });
  });
});
