/** `video-hosting-mcp approvals`: a person looks at what was allowed, and ends it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { idsIn, sorted } from '../changes/bulk/harness.ts';
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
  expect((await move(2)).data).toMatchObject({
    status: 'confirmation_required',
    preview: { standing: expect.stringContaining('test-approval was revoked') },
  });
  expect((await approvals()).stdout).toMatch(/^- no longer, since it was revoked: test-approval: /);
  writeApprovals(fileOf([moveRule({ archive } as never)], { id: 'second' }), join(path, '..'));
  expect((await move(1)).data?.status).toBe('applied');
  expect((await approvals('stop')).code).toBe(0);
  expect((await move(2)).data?.status).toBe('confirmation_required');
  expect(idsIn(demo, archive)).toHaveLength(1);
  expect((await approvals('check', path)).stdout).toMatch(/^- no longer, since it was revoked: .* Give the approval a new id\.$/m);
});

test('revoking takes the data folder alone, and says where no server has used that', async () => {
  const { move, env, dataDir, home } = await withCommand();
  await move(1);
  const command = (more: Record<string, string>, ...argv: readonly string[]) =>
    runInProcess(['approvals', ...argv], {
      HOME: home,
      VIDEO_HOSTING_STANDING_APPROVALS: String(env.VIDEO_HOSTING_STANDING_APPROVALS),
      ...more,
    });
  const elsewhere = join(home, 'elsewhere');
  const wrong = await command({ VIDEO_HOSTING_DATA_DIR: elsewhere }, 'revoke', 'test-approval');
  expect(wrong).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('no server has made a change from it so far') });
  expect(wrong.stderr).toContain(elsewhere);
  expect((await move(2)).data?.status).toBe('applied');
  expect((await command({ VIDEO_HOSTING_DATA_DIR: dataDir }, 'stop')).code).toBe(0);
  expect((await move(3)).data?.status).toBe('confirmation_required');
  const entries = readFileSync(join(dataDir, 'revoked-approvals.jsonl'), 'utf8');
  const again = await command({ VIDEO_HOSTING_DATA_DIR: dataDir }, 'revoke', 'test-approval');
  expect(readFileSync(join(dataDir, 'revoked-approvals.jsonl'), 'utf8')).toBe(entries);
  expect(again).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(
      /^Was revoked already, .*: test-approval \(since \d{4}-\d\d-\d\d \d\d:\d\d UTC\)\. Nothing was added\.\n$/,
    ),
  });
});

test('it is said where a key has no history, and what is missing', async () => {
  const { approvals, move, env } = await withCommand();
  await move(1);
  const other = await runInProcess(['approvals'], { ...env, VIDEO_HOSTING_API_KEY: 'another-key' });
  expect(other.stderr).toContain('with this key so far');
  const without = await runInProcess(['approvals'], { ...env, VIDEO_HOSTING_API_KEY: undefined });
  expect(without).toMatchObject({ code: 2, stderr: expect.not.stringContaining('--demo') });
  const { stderr } = await approvals();
  expect(stderr).not.toContain('with this key so far');
  expect(stderr).toContain('can send a token back itself');
  expect((await runInProcess(['approvals'], { ...env, VIDEO_HOSTING_AGENT: 'Nightly' })).stderr).toContain(
    'The file has some for: nightly',
  );
  const unnamed = await runInProcess(['approvals'], { ...env, VIDEO_HOSTING_AGENT: undefined });
  expect(unnamed).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('No agent is named here (VIDEO_HOSTING_AGENT), so no standing'),
  });
  expect(stderr).not.toContain('No agent is named here');
});

test('one setting that is missing is spoken of as one', async () => {
  const { env } = await withCommand();
  const without = (name: string) => runInProcess(['approvals'], { ...env, [name]: undefined });
  for (const name of ['VIDEO_HOSTING_STANDING_APPROVALS', 'VIDEO_HOSTING_API_KEY'])
    expect(await without(name)).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/Set it in .* It has to be that of the agent’s server\./),
    });
});

test('a file is checked before a server uses it, with line and field', async () => {
  const { home, archive, elsewhere, demo } = await withCommand();
  const approvals = (...argv: readonly string[]) => runInProcess(['approvals', ...argv], { HOME: home });
  const right = writeApprovals(fileOf([{ kind: 'move_videos', to: [{ id: archive }, { id: elsewhere, name: 'Marketing' }], perDay: 500 }]));
  expect(await approvals('check', right)).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/may move videos into \w+ or "Marketing" \(\w+\); at most 500 .* It ends in \d+ days\.\n$/),
    stderr: expect.stringContaining('Ids were not looked up'),
  });
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
  expect(sorted(new Set(pathsOf(demo)))).toEqual(
    sorted([
      'GET /v1/channels',
      `GET /v1/projects/${archive}`,
      `GET /v1/projects/${elsewhere}`,
      `GET /v1/channels/${channel.id}`,
      `GET /v1/channels/${elsewhere}`,
    ]),
  );
  const [moves, texts, order, copies] = stdout.split('\n');
  expect(moves).toMatch(new RegExp(`It ends in \\d+ days\\. "Marketing" of the file is now called "Sales" \\(${elsewhere}\\)\\.$`));
  for (const line of [texts, order])
    expect(line).toMatch(new RegExp(`days\\. The account has no channel ${elsewhere}: it never counts\\.$`));
  expect(copies).toMatch(/It ends in \d+ days\.$/);
  expect(stderr).toContain('Videos can’t be looked up: a-video.');
  expect(code).toBe(1);
  const renamed = await approvals('check', writeApprovals(fileOf(rules.slice(0, 1))));
  expect([renamed.code, renamed.stderr]).toEqual([0, '']);
});

test.each([500, 404])('what can’t be looked up, since the list is answered with %i too, is no problem of the file', async (status) => {
  const { approvals, archive, elsewhere, demo } = await withCommand();
  const failing = new RegExp(`^/v1/projects(/${archive})?$`);
  demo.faults.always({ match: { path: failing }, do: { kind: 'status', code: status } });
  const file = writeApprovals(fileOf([{ kind: 'move_videos', to: [{ id: archive }, { id: elsewhere, name: 'Other' }], perDay: 5 }]));
  const { code, stdout, stderr } = await approvals('check', file);
  expect([code, stdout]).toEqual([0, expect.stringContaining('"Other" of the file is now called "Marketing"')]);
  expect(stderr).toMatch(new RegExp(`Could not be looked up: ${archive}\\. `));
});

test('an id that the service can’t read by itself is looked for in the list', async () => {
  const { approvals, archive, demo } = await withCommand();
  demo.faults.always({ match: { path: `/v1/projects/${archive}` }, do: { kind: 'status', code: 500 } });
  const to = [{ id: archive, name: 'Old' }, { id: '..' }];
  const rules = [
    { kind: 'move_videos', to, perDay: 5 },
    { kind: 'add_videos', channels: [{ id: 'templates' }], perDay: 5 },
  ];
  const { code, stdout, stderr } = await approvals('check', writeApprovals(fileOf(rules)));
  expect(new Set(pathsOf(demo).filter((path) => /s$/.test(path)))).toEqual(
    new Set(['GET /v1/projects', 'GET /v1/channels/templates', 'GET /v1/channels']),
  );
  expect(stdout).toContain('The account has no project ..: it never counts. "Old" of the file is now called "Archive"');
  expect(stdout).toContain('The account has no channel templates: it never counts.');
  expect([code, stderr]).toEqual([1, '']);
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
