/** `video-hosting-mcp audit`: who asked for each change, who decided, what came of it, and whether any of that was altered. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fileOf, moveRule, nightly } from '../changes/standing/harness.ts';
import { confirmPreview } from '../changes/support/confirm.ts';
import { changeFiles } from '../changes/support/journal-files.ts';
import { runInProcess } from '../harness/run-command.ts';
import { settingsFor } from '../harness/service.ts';

async function withCommand() {
  const session = await nightly((account) => fileOf([moveRule(account, { perDay: 6, total: 50 })]));
  const env = { ...settingsFor(session.demo), HOME: session.home, VIDEO_HOSTING_DATA_DIR: session.dataDir };
  const audit = (...argv: readonly string[]) => runInProcess(['audit', ...argv], env);
  /** What happens in one moment is recorded together, soon after. */
  const recorded = (records: string) => expect.poll(async () => (await audit()).stdout).toMatch(new RegExp(`^${records} `, 'm'));
  return { ...session, env, audit, recorded };
}

test('each change is listed with who asked, who decided and what came of it, with nothing asked of the service', async () => {
  const { audit, move, demo, recorded } = await withCommand();
  expect((await audit()).stderr).toContain('No change of this account is in the journal.');
  await move(4);
  await recorded('1 to 2');
  demo.requests.length = 0;
  const { code, stdout } = await audit();
  expect(code).toBe(0);
  const [head, row, ...others] = stdout.trim().split('\n');
  expect(others).toEqual([]);
  expect(head).toMatch(/^RECORDS +BEGUN +STATUS +ASKED +DECIDED +CHANGE$/);
  expect(row).toMatch(/^1 to 2 +20[\d-]+ [\d:]+ UTC +applied +by nightly.*Allowed in advance.*chg-\S+: Move 4 videos.*: 4 done of 4$/);
  expect(demo.requests).toEqual([]);
});

test('as JSON Lines a change has no words of a person, no credential and no list of ids', async () => {
  const { audit, move, ids } = await withCommand();
  await move(2);
  const { stdout } = await audit('--json');
  const [entry, ...others] = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(others).toEqual([]);
  expect(entry).toMatchObject({
    kind: 'move_videos',
    asked: { by: { name: 'nightly' } },
    decided: { how: 'standing' },
    standing: expect.anything(),
    sent: { ids: 2, requests: 1 },
    status: 'applied',
    outcome: { total: 2, done: 2, failed: 0, notKnown: 0, notDone: 0 },
  });
  for (const id of ids) expect(stdout).not.toContain(id);
});

test('a head that was noted tells later whether anything was altered since, also after more changes', async () => {
  const { audit, move, dataDir, recorded } = await withCommand();
  await move(1);
  await recorded('1 to 2');
  const head = await audit('head');
  expect(head).toMatchObject({ code: 0, stdout: expect.stringMatching(/^2-[0-9a-f]{64}\n$/) });
  await move(2);
  expect(await audit('verify', '--head', head.stdout.trim())).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('Nothing was altered, removed or reordered'),
  });
  const [first = ''] = changeFiles(join(dataDir, 'accounts'));
  writeFileSync(first, readFileSync(first, 'utf8').replace('nightly', 'somebody'));
  expect(await audit('verify')).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(/^chg-\S+ was altered: it is not as record 1 tells\.\n$/),
  });
});

test('what a person was shown is named by its digest', async () => {
  const { move, client, audit } = await withCommand();
  expect((await confirmPreview(client, await move(8))).data?.status).toBe('applied');
  const [entry] = (await audit('--json')).stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(entry.shown).toMatch(/^[0-9a-f]{64}$/);
});

test.each([
  [['verify', '--head', 'nonsense'], 2, '--head: this is no line of'],
  [['head', '--json'], 2, 'audit head takes no --json'],
  [['--head', '1'], 2, 'audit takes no --head'],
] as const)('audit %j is refused', async (argv, code, says) => {
  const { audit } = await withCommand();
  expect(await audit(...argv)).toMatchObject({ code, stderr: expect.stringContaining(says) });
});

test('without an account, and for the made-up one, it says what to set', async () => {
  expect(await runInProcess(['audit'], { HOME: '/nowhere' })).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('VIDEO_HOSTING_BASE_URL'),
  });
  expect(await runInProcess(['audit', '--demo'], { HOME: '/nowhere' })).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--demo'),
  });
});
