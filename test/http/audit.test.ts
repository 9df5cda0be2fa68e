/** What a server for several people tells of its records for audit while it runs. */
import { readdirSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { changeIdIn } from '../changes/support/confirm.ts';
import { browse } from '../harness/browse.ts';
import { startHttp } from '../harness/http.ts';
import { runInProcess } from '../harness/run-command.ts';
import { settingsFor } from '../harness/service.ts';

/** Bob’s assistant asks for projects, and Dan applies them. */
async function withChanges() {
  const session = await startHttp();
  const { people, connect, url, dataDir, demo, home } = session;
  const bob = await connect(people.bob);
  const dan = await browse({ url }, people.dan.secrets.pageKey);
  let made = 0;
  const change = async () => {
    made += 1;
    const changeId = changeIdIn(await bob.callTool('create_project', { name: `Archive ${made}`, region: 'use-s' }));
    expect((await dan.decide(changeId, 'apply')).status).toBe(200);
    await bob.callTool('get_change', { changeId, waitSeconds: 20 });
  };
  const env = { ...settingsFor(demo), HOME: home, VIDEO_HOSTING_DATA_DIR: dataDir };
  await change();
  const [account = ''] = readdirSync(join(dataDir, 'accounts'));
  return {
    ...{ ...session, bob, change },
    folder: join(dataDir, 'accounts', account, 'audit'),
    audit: (...argv: readonly string[]) => runInProcess(['audit', ...argv], env),
    problems: async () => ((await bob.callTool('check_setup')).data?.problems ?? []) as readonly string[],
    ready: async () => (await fetch(`${url}/readyz`)).status,
  };
}

test('that its records were cut is told in the log and by check_setup, and changes are recorded on', async () => {
  const { folder, change, audit, log, problems, ready } = await withChanges();
  await expect.poll(async () => (await audit('verify')).stdout).toContain('2 records');
  truncateSync(join(folder, 'chain.jsonl'), 0);
  await change();
  await expect.poll(log).toContain('The records of changes were cut or replaced while this process ran');
  expect(await problems()).toEqual([expect.stringMatching(/^Records for audit: The records of changes were cut or replaced/)]);
  expect(await ready()).toBe(200);
  // Before or after the change that was cut out of them, which is recorded anew.
  await expect.poll(async () => (await audit()).stdout, { timeout: 10_000 }).toMatch(/^(?:1 to 2|2 to 3) .*Archive 2/m);
});

test('that nothing can be recorded is told in the log, by check_setup and /readyz, and what happened then is recorded later', async () => {
  const { folder, change, audit, log, problems, ready } = await withChanges();
  await expect.poll(async () => (await audit('verify')).stdout).toContain('2 records');
  renameSync(folder, `${folder}-away`);
  writeFileSync(folder, '');
  await change();
  await expect.poll(log).toContain('What happens to changes can’t be recorded for audit now.');
  expect(await ready()).toBe(503);
  const told = await problems();
  expect(told).toContainEqual(expect.stringMatching(/^Records for audit: what happens to changes can’t be recorded\. The disk refused it/));
  expect(told.join('\n')).not.toContain(folder);
  rmSync(folder);
  renameSync(`${folder}-away`, folder);
  expect(await ready()).toBe(200);
  expect((await audit('verify')).stdout).toContain('4 records');
  expect(log()).toContain('What happens to changes is recorded for audit again.');
});
