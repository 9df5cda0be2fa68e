/** `video-hosting-mcp audit`: who asked for each change, who decided, what came of it, and whether any of that was altered. */
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { personOf, waitingAgent } from '../changes/proposals/harness.ts';
import { fileOf, moveRule, nightly } from '../changes/standing/harness.ts';
import { changeIdIn, confirmPreview } from '../changes/support/confirm.ts';
import { changeFiles } from '../changes/support/journal-files.ts';
import type { Values } from '../harness/client.ts';
import { runInProcess } from '../harness/run-command.ts';
import { settingsFor } from '../harness/service.ts';
import { start } from '../harness/start.ts';

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

test('a head that was noted tells later whether anything up to it was altered, and how much came since', async () => {
  const { audit, move, dataDir, recorded } = await withCommand();
  await move(1);
  await recorded('1 to 2');
  const head = await audit('head');
  expect(head).toMatchObject({ code: 0, stdout: expect.stringMatching(/^2-[0-9a-f]{64}\n$/) });
  expect(await audit('verify', '--head', head.stdout.trim())).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(
      /^Nothing was altered, removed or reordered up to record 2 \(20.* UTC\), which was noted: 2 records of 1 change\. /,
    ),
    stderr: '',
  });
  await move(2);
  await recorded('3 to 4');
  expect(await audit('verify', '--head', head.stdout.trim())).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(
      /up to record 2 \(.*\), which was noted\. The 2 records since agree with the others and with the changes: 4 records of 2 changes\. /,
    ),
    stderr: expect.stringContaining('What came after record 2 is as whoever can write here left it: no line that was noted proves it.'),
  });
  expect(await audit('verify')).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^The records agree with each other and with the changes: 4 records of 2 changes\. /),
    stderr: expect.stringContaining('could have made all records anew'),
  });
  const [first = ''] = changeFiles(join(dataDir, 'accounts'));
  writeFileSync(first, readFileSync(first, 'utf8').replace('nightly', 'somebody'));
  expect(await audit('verify')).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(/^chg-\S+ was altered: it is not as record 1 tells\.\n$/),
  });
});

test('of a key that is not known here it is said that nothing can be told, and nothing is made for it', async () => {
  const { audit, move, dataDir, recorded, env } = await withCommand();
  await move(1);
  await recorded('1 to 2');
  const head = (await audit('head')).stdout.trim();
  const folders = readdirSync(join(dataDir, 'accounts'));
  const renewed = (...argv: readonly string[]) => runInProcess(['audit', ...argv], { ...env, VIDEO_HOSTING_API_KEY: 'sk_renewed' });
  for (const argv of [['verify', '--head', head], ['verify'], ['head'], []])
    expect([argv[0], await renewed(...argv)]).toEqual([
      argv[0],
      expect.objectContaining({
        code: 2,
        stdout: '',
        stderr: expect.stringMatching(/Nothing is known here of this key at this address.* is of 1 other key\. Where the key was renewed/),
      }),
    ]);
  expect(readdirSync(join(dataDir, 'accounts'))).toEqual(folders);
  rmSync(join(dataDir, 'accounts'), { recursive: true });
  expect(await renewed('verify', '--head', head)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('all that was kept was removed'),
  });
  expect(await renewed('verify')).toMatchObject({ code: 0, stdout: expect.stringContaining('Nothing is recorded') });
  expect(await renewed('head')).toMatchObject({ code: 0, stdout: `0-${'0'.repeat(64)}\n` });
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

/** An agent’s changes, of which none was begun: one each that was declined, withdrawn, answered in another way, and left until its time was over. */
async function neverBegun() {
  const agent = await waitingAgent();
  const { move, client, person, demo, home, dataDir } = agent;
  const audit = (...argv: readonly string[]) => runInProcess(['audit', ...argv], person);
  const declined = changeIdIn(await move(4));
  const withdrawn = changeIdIn(await move(3));
  const answered = changeIdIn(await move(2));
  const expired = changeIdIn(await move(5));
  await (await personOf(person)).decisions.decline(declined, 'not the first one');
  await client.callTool('stop_change', { changeId: withdrawn });
  const other = await start({ demo, home, env: { VIDEO_HOSTING_CONFIRM: 'never' } });
  const { ids, archive, elsewhere } = agent;
  const begun = await other.client.callTool('move_videos', { videoIds: ids.slice(0, 2), targetProject: archive, fromProject: elsewhere });
  const [account = ''] = readdirSync(join(dataDir, 'accounts'));
  const auditFolder = join(dataDir, 'accounts', account, 'audit');
  // The servers have recorded all that they do.
  const records = () => readFileSync(join(auditFolder, 'chain.jsonl'), 'utf8').match(/"event":"(?:unbegun|closed)"/g);
  await expect.poll(records).toHaveLength(4);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 7 * 86_400_000 });
  return {
    ...{ ...agent, audit, declined, withdrawn, answered, expired, begun: changeIdIn(begun) },
    auditFolder,
    entries: async () =>
      (await audit('--json')).stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
  };
}

test('what waited for a person and was never begun is listed with who asked, what it was, and how its wait ended, and recorded once', async () => {
  const kept = await neverBegun();
  const { audit, entries, declined, withdrawn, answered, expired, begun } = kept;
  try {
    const byId = async (): Promise<Record<string, Values>> =>
      Object.fromEntries((await entries()).map(({ change, ...entry }) => [change, entry]));
    // Nobody has looked at what expired since it did.
    expect(Object.keys(await byId()).toSorted()).toEqual([declined, withdrawn, answered, expired, begun].toSorted());
    expect(await audit('head')).toMatchObject({ code: 0 });
    const listed = await byId();
    const asked = { by: { name: 'nightly' } };
    const unsent = (total: number) => ({ asked, sent: {}, outcome: { total, done: 0, notDone: total }, shown: expect.any(String) });
    expect(listed[declined]).toMatchObject({ status: 'declined', decided: { how: 'terminal' }, ...unsent(4) });
    expect(listed[withdrawn]).toMatchObject({ status: 'withdrawn', ...unsent(3) });
    expect(listed[answered]).toMatchObject({ status: 'withdrawn', answered: { by: begun }, ...unsent(2) });
    expect(listed[expired]).toMatchObject({ status: 'expired', ...unsent(5) });
    for (const one of [withdrawn, answered, expired]) expect(listed[one]?.decided).toBeUndefined();
    expect(Object.values(listed).filter(({ records }) => records === undefined)).toEqual([]);
    expect(JSON.stringify(listed)).not.toContain('not the first one');
    const { stdout } = await audit();
    for (const says of [
      'A person declined at a terminal',
      'nobody: whoever asked withdrew it',
      `nobody: the same was answered by ${begun}`,
      'nobody, in its time',
    ])
      expect(stdout).toContain(says);
    const head = await audit('head');
    await kept.client.callTool('list_changes');
    expect(await audit('head')).toEqual(head);
    expect(await audit('verify', '--head', head.stdout.trim())).toMatchObject({ code: 0 });
  } finally {
    vi.useRealTimers();
  }
});

test.each([
  ['altered', (text: string, id: string) => text.replace(`"change":"${id}","event":"unbegun"`, '"change":"chg-0","event":"unbegun"')],
  ['removed', (text: string, id: string) => text.replace(new RegExp(`^.*"change":"${id}","event":"unbegun".*\\n`, 'm'), '')],
  ['told as another end', (text: string) => text.replace('"status":"expired"', '"status":"declined"')],
] as const)('that a record of what was never begun was %s is told', async (_, attack) => {
  const { audit, auditFolder, withdrawn } = await neverBegun();
  try {
    const head = (await audit('head')).stdout.trim();
    const file = join(auditFolder, 'chain.jsonl');
    const before = readFileSync(file, 'utf8');
    writeFileSync(file, attack(before, withdrawn));
    expect(readFileSync(file, 'utf8')).not.toBe(before);
    expect(await audit('verify', '--head', head)).toMatchObject({ code: 1 });
  } finally {
    vi.useRealTimers();
  }
});

test('what was decided by a process that was killed before it recorded that is recorded by the next look', async () => {
  const { audit, auditFolder, entries, declined, client } = await neverBegun();
  try {
    rmSync(auditFolder, { recursive: true });
    await client.callTool('list_changes');
    expect((await audit('head')).code).toBe(0);
    expect((await entries()).find(({ change }) => change === declined)).toMatchObject({ status: 'declined', records: expect.anything() });
    expect((await audit('verify')).code).toBe(0);
  } finally {
    vi.useRealTimers();
  }
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
