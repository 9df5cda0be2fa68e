/** A server is killed at each write while a key joins its account: whatever was kept is whole, there once, and in use with the next start. */
import { cpSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { manyVideos } from '../changes/kinds/videos/harness.ts';
import { WAIT } from '../changes/proposals/harness.ts';
import { agree, changeIdIn } from '../changes/support/confirm.ts';
import { changeFiles, everythingIn } from '../changes/support/journal-files.ts';
import { channelAt } from '../changes/support/world.ts';
import { recordsIn, type TestClient } from '../harness/client.ts';
import { freshHome, start } from '../harness/start.ts';

const HOOK = join(import.meta.dirname, '../harness/kill-at.cjs');
const RENEWED = 'sk_renewed-0001';
const WITH_RENEWED = { VIDEO_HOSTING_API_KEY: RENEWED };

const listed = async (client: TestClient) =>
  recordsIn((await client.callTool('list_changes')).data, 'changes')
    .map(({ changeId, status }) => `${changeId} ${status}`)
    .toSorted();

/** A data folder as earlier versions left it: a folder for each of two keys of an account, with changes and what waits, and no account noted. */
async function twoFolders() {
  const account = await manyVideos(12);
  const { demo, ids, archive, elsewhere } = account;
  demo.keys.set(RENEWED, { world: demo.world });
  const [home, other] = [freshHome(), freshHome()];
  const move = (client: TestClient, from: number) =>
    agree(client, 'move_videos', { videoIds: ids.slice(from, from + 2), targetProject: archive, fromProject: elsewhere });
  const servers = [
    { home, env: {}, from: 0 },
    { home: other, env: WITH_RENEWED, from: 4 },
  ];
  const expected: string[] = [];
  for (const { env, from, ...where } of servers) {
    const one = await start({ demo, ...where, env });
    expected.push(`${changeIdIn(await move(one.client, from))} applied`);
    const { id, videoKeys, projectKeys } = channelAt(demo, 0);
    expected.push(
      `${changeIdIn(await agree(one.client, 'state_contents', { channels: [{ channel: id, videoKeys, projectKeys }] }))} applied`,
    );
    await one.stop();
    const agent = await start({ demo, ...where, env: { ...env, ...WAIT } });
    expected.push(`${changeIdIn(await move(agent.client, from + 2))} waiting`);
    await agent.stop();
  }
  const [here, there] = [join(home, 'data', 'accounts'), join(other, 'data', 'accounts')];
  const [own = ''] = readdirSync(there);
  renameSync(join(there, own), join(here, own));
  rmSync(join(home, 'data', 'known-accounts'), { recursive: true });
  // The first key's folder becomes the account's.
  const first = await start({ demo, home });
  await first.client.callTool('list_changes');
  await first.stop();
  return { demo, home, own, expected: expected.toSorted() };
}

test('a server that is killed at any step of joining loses nothing, and the next one goes on', async () => {
  const { demo, home, own, expected } = await twoFolders();
  let kills = 0;
  for (let step = 1; ; step += 1) {
    const at = `at step ${step}`;
    const copy = freshHome();
    cpSync(home, copy, { recursive: true });
    const env = {
      ...WITH_RENEWED,
      NODE_OPTIONS: `--require ${HOOK}`,
      KILL_IN: 'changes|kept|known-accounts|credentials',
      KILL_AT: String(step),
    };
    const { client, server, stop } = await start({ demo, home: copy, env, via: 'process' });
    const reply = await Promise.race([client.callTool('list_changes').catch(() => undefined), server?.exit.then(() => undefined)]);
    if (reply !== undefined) {
      await stop();
      break;
    }
    await server?.exit;
    kills += 1;
    const next = await start({ demo, home: copy, env: { ...WITH_RENEWED, ...WAIT } });
    expect(await listed(next.client), at).toEqual(expected);
    const old = await start({ demo, home: copy });
    expect(await listed(old.client), at).toEqual(expected);
    const accounts = join(copy, 'data', 'accounts');
    expect(changeFiles(accounts), at).toHaveLength(4);
    expect(
      everythingIn(join(accounts, own)).filter((file) => /chg-/.test(file) && !file.endsWith('.new')),
      at,
    ).toEqual([]);
    for (const line of expected) {
      const { data, isError } = await old.client.callTool('get_change', { changeId: line.split(' ')[0] });
      expect([isError, data?.status], at).toEqual([false, line.split(' ')[1]]);
    }
  }
  expect(kills).toBeGreaterThan(20);
});
