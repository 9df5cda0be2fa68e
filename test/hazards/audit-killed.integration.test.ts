/** What a person declined, where the server is killed as soon as they were told, or before. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { changeIdIn } from '../changes/support/confirm.ts';
import { browse } from '../harness/browse.ts';
import { type SpawnedHttp, spawnHttp } from '../harness/http.ts';
import { runCommand } from '../harness/run-command.ts';
import { settingsFor, startService } from '../harness/service.ts';
import { freshHome } from '../harness/start.ts';

const KILL_AT = join(import.meta.dirname, '..', 'harness', 'kill-at.cjs');

/** Bob’s assistant asks for a project, and Dan declines it. */
async function declined(server: SpawnedHttp) {
  const { people, url, connect } = server;
  const asked = await (await connect(people.bob)).callTool('create_project', { name: 'Archive', region: 'use-s' });
  const page = await browse({ url }, people.dan.secrets.pageKey);
  return { changeId: changeIdIn(asked), answer: page.decide(changeIdIn(asked), 'decline') };
}

/** The records on disk, as they are. */
function recordsIn({ dataDir }: SpawnedHttp): string {
  const accounts = join(dataDir, 'accounts');
  const textOf = (account: string) => {
    try {
      return readFileSync(join(accounts, account, 'audit', 'chain.jsonl'), 'utf8');
    } catch {
      return '';
    }
  };
  return readdirSync(accounts).map(textOf).join('');
}

const listed = async ({ demo, home, dataDir }: SpawnedHttp) =>
  (await runCommand(['audit', '--json'], { ...settingsFor(demo), HOME: home, VIDEO_HOSTING_DATA_DIR: dataDir })).stdout
    .split('\n')
    .flatMap((line) => (line === '' ? [] : [JSON.parse(line)]));

test('what a person was told is declined is on disk for auditors, whatever ends the server then', async () => {
  const first = await spawnHttp({ demo: await startService() });
  const { changeId, answer } = await declined(first);
  expect(await answer).toMatchObject({ status: 200, body: { status: 'declined' } });
  await first.kill();
  expect(recordsIn(first)).toContain(`"change":"${changeId}","event":"unbegun"`);
  const [entry, ...others] = await listed(first);
  expect(others).toEqual([]);
  expect(entry).toMatchObject({ change: changeId, status: 'declined', decided: { by: { name: 'dan' } }, records: { first: 1, last: 1 } });
});

test('what a person declined is recorded by the next start where the server was killed before it could be', async () => {
  const env = { NODE_OPTIONS: `--require ${KILL_AT}`, KILL_AT: '1', KILL_IN: 'audit' };
  const first = await spawnHttp({ demo: await startService(), home: freshHome(), env });
  const { changeId, answer } = await declined(first);
  await expect(answer).rejects.toThrow();
  await first.server.exit;
  expect(recordsIn(first)).toBe('');
  const second = await first.again({ KILL_AT: undefined, KILL_IN: undefined });
  await expect.poll(() => recordsIn(second), { timeout: 10_000 }).toContain(`"change":"${changeId}","event":"unbegun"`);
  const [entry] = await listed(second);
  expect(entry).toMatchObject({ change: changeId, status: 'declined', records: expect.anything() });
});
