/** `video-hosting-mcp approvals`: a person looks at what was allowed, and ends it. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { idsIn, sorted } from '../changes/kinds/videos/harness.ts';
import { fileOf, moveRule, nightly, writeApprovals } from '../changes/standing/harness.ts';
import { channelAt } from '../changes/support/world.ts';
import { runInProcess } from '../harness/run-command.ts';
import { pathsOf, settingsFor } from '../harness/service.ts';

async function withCommand() {
  const session = await nightly((account) => fileOf([moveRule(account, { perDay: 6, total: 50 })]));
  const env = { ...settingsFor(session.demo), ...session.env, HOME: session.home, VIDEO_HOSTING_DATA_DIR: session.dataDir };
  return { ...session, env, approvals: (...argv: readonly string[]) => runInProcess(['approvals', ...argv], env) };
}

test('what is revoked, or all that is stopped, stays so for every server', async () => {
  const { approvals, move, demo, archive, path, dataDir } = await withCommand();
  await move(1);
  const typo = await approvals('revoke', 'test-aproval');
  expect(typo).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(/it has: test-approval. Nothing was revoked/) });
  const { code, stdout } = await approvals('revoke', 'test-approval');
  expect([code, stdout]).toEqual([0, expect.stringContaining(`with the data folder ${dataDir}: test-approval.`)]);
  const preview = { standing: expect.stringContaining('test-approval was revoked') };
  expect((await move(2)).data).toMatchObject({ status: 'confirmation_required', preview });
  expect((await approvals()).stdout).toMatch(/^- no longer, since it was revoked: test-approval: /);
  writeApprovals(fileOf([moveRule({ archive } as never)], { id: 'second' }), join(path, '..'));
  expect((await move(1)).data?.status).toBe('applied');
  expect((await approvals('stop')).code).toBe(0);
  expect((await move(2)).data?.status).toBe('confirmation_required');
  expect(idsIn(demo, archive)).toHaveLength(1);
  expect((await approvals('check', path)).stdout).toMatch(/^- no longer, since it was revoked: second: /);
});

test('revoking takes the data folder alone, and names it', async () => {
  const { move, env, dataDir, home } = await withCommand();
  await move(1);
  const { VIDEO_HOSTING_STANDING_APPROVALS } = env;
  const command = (more: Record<string, string>, ...argv: readonly string[]) =>
    runInProcess(['approvals', ...argv], { HOME: home, VIDEO_HOSTING_STANDING_APPROVALS, ...more });
  const elsewhere = join(home, 'elsewhere');
  const other = await command({ VIDEO_HOSTING_DATA_DIR: elsewhere }, 'revoke', 'test-approval');
  expect(other).toMatchObject({ code: 0, stdout: expect.stringContaining(`with the data folder ${elsewhere}: test-approval.`) });
  expect((await move(2)).data?.status).toBe('applied');
  const stopped = await command({ VIDEO_HOSTING_DATA_DIR: dataDir }, 'stop');
  expect(stopped).toMatchObject({ code: 0, stdout: expect.stringContaining(`with the data folder ${dataDir}: test-approval.`) });
  expect((await move(3)).data?.status).toBe('confirmation_required');
});

test('it is said from where what is used is counted, why nothing counts, and what is missing', async () => {
  const { approvals, move, env, dataDir } = await withCommand();
  await move(1);
  const without = await runInProcess(['approvals'], { ...env, VIDEO_HOSTING_API_KEY: undefined });
  expect(without).toMatchObject({ code: 2, stderr: expect.not.stringContaining('--demo') });
  const { stderr } = await approvals();
  expect(stderr).toContain(`counted from the data folder ${dataDir}, for this account.`);
  expect(stderr).toContain('can send a token back itself');
  expect(stderr).not.toContain('counts now');
  const other = await runInProcess(['approvals'], { ...env, VIDEO_HOSTING_AGENT: 'Nightly' });
  expect(other.stderr).toContain('No standing approval for Nightly counts now: test-approval is for nightly.');
  const unnamed = await runInProcess(['approvals'], { ...env, VIDEO_HOSTING_AGENT: undefined });
  expect(unnamed.code).toBe(0);
  expect(unnamed.stderr).toContain('No agent is named here (VIDEO_HOSTING_AGENT), so no standing approval counts: test-approval is for');
});

test('a list that can’t be used makes the file invalid, with its line, for the commands and the page’s server too', async () => {
  const { approvals, env, archive, path } = await withCommand();
  writeApprovals(fileOf([moveRule({ archive } as never, { onlyIdsIn: '/no/such/list.csv' })]), join(path, '..'));
  const problem = 'approvals[0].allow[0].onlyIdsIn: "/no/such/list.csv" can’t be read (ENOENT).';
  expect(await approvals()).toMatchObject({ code: 1, stdout: expect.stringContaining(problem) });
  expect((await runInProcess(['doctor'], env)).stdout).toContain('onlyIdsIn: "/no/such/list.csv" can’t be read (ENOENT)');
});

test('a file is checked before a server uses it, with line and field', async () => {
  const { home, archive, elsewhere, demo } = await withCommand();
  const approvals = (...argv: readonly string[]) => runInProcess(['approvals', ...argv], { HOME: home });
  const right = writeApprovals(fileOf([{ kind: 'move_videos', to: [{ id: archive }, { id: elsewhere, name: 'Marketing' }], perDay: 500 }]));
  const words = /may move videos into \w+ or "Marketing" \(\w+\); at most 500 videos a day \(UTC\); until [\d-]+ begins\.\n$/;
  const stderr = expect.stringContaining('Ids were not looked up');
  expect(await approvals('check', right)).toMatchObject({ code: 0, stdout: expect.stringMatching(words), stderr });
  const over = writeApprovals(fileOf([{ kind: 'undo_own', perDay: 1 }], { until: '2026-01-01' }));
  expect((await approvals('check', over)).stdout).toMatch(/^- no longer, since it has ended: /);
  const wrong = writeApprovals(fileOf([{ kind: 'move_videos', to: [{ id: archive }], perDay: -1, perHour: 2 }]));
  const { code, stdout } = await approvals('check', wrong);
  expect(code).toBe(1);
  expect(stdout).toMatch(/Line \d+, .*perDay/);
  expect(stdout).toMatch(/Line \d+, .*perHour/);
  expect(demo.requests).toEqual([]);
});

test('with an account, ids of a file that it doesn’t have are told, and names that are others now', async () => {
  const { approvals, archive, elsewhere, demo } = await withCommand();
  const channel = channelAt(demo, 0);
  demo.world.projectNamed('Marketing').name = 'Sales';
  demo.requests.length = 0;
  const to = [
    { id: archive, name: 'Archive' },
    { id: elsewhere, name: 'Marketing' },
  ];
  const rules = [
    { kind: 'move_videos', to, perDay: 5 },
    { kind: 'change_texts', channels: [{ id: channel.id }, { id: elsewhere }], fields: ['name'], perDay: 5 },
    { kind: 'reorder_videos', channels: [{ id: elsewhere }], perDay: 5 },
    { kind: 'copy_cta', from: [{ id: 'a-video' }], perDay: 5 },
  ];
  const { code, stdout, stderr } = await approvals('check', writeApprovals(fileOf(rules)));
  expect(sorted(new Set(pathsOf(demo)))).toEqual(['GET /v1/channels', 'GET /v1/projects']);
  const [moves, texts, order, copies] = stdout.split('\n');
  expect(moves).toMatch(new RegExp(`begins\\. "Marketing" of the file is now called "Sales" \\(${elsewhere}\\)\\.$`));
  for (const line of [texts, order])
    expect(line).toMatch(new RegExp(`begins\\. The account has no channel ${elsewhere}: it never counts\\.$`));
  expect(copies).toMatch(/begins\.$/);
  expect(stderr).toContain('Videos can’t be looked up: a-video.');
  expect(code).toBe(1);
  const byName = await approvals('check', writeApprovals(fileOf([{ kind: 'move_videos', to: [{ id: 'Archive' }], perDay: 5 }])));
  expect(byName.stdout).toContain(`The account has no project Archive: it never counts; the id of what is called so: ${archive}.`);
  const renamed = await approvals('check', writeApprovals(fileOf(rules.slice(0, 1))));
  expect([renamed.code, renamed.stderr]).toEqual([0, '']);
});

test.each([500, 404])('where the list is answered with %i, ids are not looked up, which is no problem of the file', async (status) => {
  const { approvals, archive, demo } = await withCommand();
  demo.faults.always({ match: { path: '/v1/projects' }, do: { kind: 'status', code: status } });
  const file = writeApprovals(fileOf([{ kind: 'move_videos', to: [{ id: archive, name: 'Other' }], perDay: 5 }]));
  const { code, stdout, stderr } = await approvals('check', file);
  expect([code, stdout]).toEqual([0, expect.not.stringContaining('The account has no')]);
  expect(stderr).toContain('The ids of projects could not be looked up. ');
});

test.each([
  [['check'], 'approvals check needs a file'],
  [['--demo'], 'of the demo account nothing is kept'],
  [['stop', '--demo'], 'of the demo account nothing is kept'],
  [['revoke'], 'approvals revoke needs an id'],
  [['chek', 'x.json'], 'Did you mean check?'],
])('%j is told what is missing', async (argv, words) => {
  const { approvals } = await withCommand();
  const { code, stderr } = await approvals(...argv);
  expect([code, stderr]).toEqual([2, expect.stringContaining(words)]);
});

test('one setting that is missing is spoken of as one', async () => {
  const { env } = await withCommand();
  const without = (name: string) => runInProcess(['approvals'], { ...env, [name]: undefined });
  for (const name of ['VIDEO_HOSTING_STANDING_APPROVALS', 'VIDEO_HOSTING_API_KEY'])
    expect(await without(name)).toMatchObject({ code: 2, stderr: expect.stringMatching(/Set it in .* Take what the agent’s server/) });
});
