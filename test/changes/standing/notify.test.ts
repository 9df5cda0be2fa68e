/** The program of VIDEO_HOSTING_NOTIFY: it is told of limits and of what was stopped, and never in the way. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { checkStandingFile } from '../../../src/app/check-approvals.ts';
import { createNotify, type Notification, NotificationSchema } from '../../../src/changes/standing/notify.ts';
import { readStandingFile } from '../../../src/changes/standing/read-file.ts';
import { freshHome } from '../../harness/start.ts';
import { idsIn } from '../kinds/videos/harness.ts';
import { program } from '../support/program.ts';
import { fileOf, inTheMiddle, MANY, moveRule, nightly, writeApprovals } from './harness.ts';

const STOPPED: Notification = { kind: 'stopped', changeId: 'chg-000000000-0000', approvals: [] };

test('a limit is told at 80 and at 100 %, once each, by ids and numbers alone', async () => {
  const { path, told } = program('cat >> TOLD; test -z "$VIDEO_HOSTING_API_KEY" || echo \'{"kind":"key"}\' >> TOLD');
  const env = { VIDEO_HOSTING_NOTIFY: path };
  const { client, ids, archive, elsewhere, demo } = await nightly((account) => fileOf([moveRule(account, { perDay: 5 })]), { env });
  const move = (from: number, to: number) =>
    client.callTool('move_videos', { videoIds: ids.slice(from, to), targetProject: archive, fromProject: elsewhere });
  await move(0, 3);
  await move(3, 4);
  await vi.waitFor(() => expect(told()).toHaveLength(1), { timeout: 300_000 });
  await move(4, 5);
  await vi.waitFor(() => expect(told()).toHaveLength(2), { timeout: 300_000 });
  expect(idsIn(demo, archive)).toHaveLength(5);
  const common = { version: 1, kind: 'limit', approval: 'test-approval', rule: 'move_videos', limit: 'perDay', of: 5 };
  expect(told()).toMatchObject([
    { ...common, percent: 80, used: 4 },
    { ...common, percent: 100, used: 5 },
  ]);
  for (const { version: _version, at: _at, ...notification } of told()) NotificationSchema.parse(notification);
});

test('a limit in all is told too, and what was used before is told no more', async () => {
  const { path, told } = program('cat >> TOLD');
  const env = { VIDEO_HOSTING_NOTIFY: path };
  const { client, ids, archive, elsewhere } = await nightly((account) => fileOf([moveRule(account, { total: 5 })]), { env });
  for (const [from, to] of [
    [0, 4],
    [4, 5],
  ] as const)
    await client.callTool('move_videos', { videoIds: ids.slice(from, to), targetProject: archive, fromProject: elsewhere });
  await vi.waitFor(() => expect(told()).toHaveLength(2), { timeout: 300_000 });
  expect(told().toSorted((one, other) => Number(one.percent) - Number(other.percent))).toMatchObject([
    { limit: 'total', percent: 80, used: 4, of: 5 },
    { limit: 'total', percent: 100, used: 5, of: 5 },
  ]);
});

test('a change that is stopped on its way is told once, with the approvals that covered it', async () => {
  const { path, told } = program('cat >> TOLD');
  const { reply, demo, archive } = await inTheMiddle(
    ({ dataDir }) => writeFileSync(join(dataDir, 'revoked-approvals.jsonl'), '{"approval":"test-approval"}\n'),
    undefined,
    undefined,
    { VIDEO_HOSTING_NOTIFY: path },
  );
  expect(idsIn(demo, archive).length).toBeLessThan(MANY);
  // The move itself used all of its limit.
  await vi.waitFor(() => expect(told()).toHaveLength(3), { timeout: 300_000 });
  expect(told().filter(({ kind }) => kind === 'stopped')).toMatchObject([
    { version: 1, changeId: reply.data?.changeId, approvals: ['test-approval'] },
  ]);
});

test('a program that doesn’t end is killed, one that fails is logged once, and neither is waited for', async () => {
  const [slow, failing] = [program('exec sleep 600'), program('cat >> TOLD; exit 3')];
  const lines: string[] = [];
  const log = (message: string) => void lines.push(message);
  createNotify(slow.path, log, 50)(STOPPED);
  await vi.waitFor(() => expect(lines).toEqual([expect.stringContaining('SIGKILL')]), { timeout: 300_000 });
  const notify = createNotify(failing.path, log);
  notify(STOPPED);
  await vi.waitFor(() => expect(lines).toHaveLength(2), { timeout: 300_000 });
  expect(lines[1]).toContain('exit code 3');
  const missing = createNotify(join(freshHome(), 'none'), log);
  for (let time = 0; time < 3; time += 1) missing(STOPPED);
  // What can’t be started fails at once.
  for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  expect(lines.slice(2)).toEqual([expect.stringContaining('ENOENT')]);
});

test('a program that is not there holds no change up', async () => {
  const env = { VIDEO_HOSTING_NOTIFY: join(freshHome(), 'none') };
  const { move, demo, archive } = await nightly((account) => fileOf([moveRule(account, { perDay: 4 })]), { env });
  expect((await move(4)).data?.status).toBe('applied');
  expect(idsIn(demo, archive)).toHaveLength(4);
});

test('a pipe in the place of the file is refused at once, and a folder called ..x is inside', async () => {
  const path = writeApprovals(fileOf([{ kind: 'undo_own', perDay: 1 }]));
  const folder = dirname(path);
  const inside = join(folder, '..x');
  mkdirSync(inside);
  expect(await readStandingFile(writeApprovals(fileOf([{ kind: 'undo_own', perDay: 1 }]), inside), [folder], new Date())).toMatchObject({
    ok: false,
  });
  const { execFileSync } = await import('node:child_process');
  const pipe = join(folder, 'pipe');
  execFileSync('mkfifo', ['-m', '600', pipe]);
  expect(await readStandingFile(pipe, [], new Date())).toMatchObject({ ok: false, problems: [expect.stringContaining('no regular file')] });
});

test('a check of a file looks at its lists too: how many ids, or what is wrong', async () => {
  const list = join(freshHome(), 'ids.txt');
  const path = writeApprovals(fileOf([{ kind: 'move_videos', to: [{ id: 'p' }], perDay: 1, onlyIdsIn: list }]));
  const check = () => checkStandingFile(path, { dataDir: freshHome(), filesDirs: [] }, undefined, new AbortController().signal);
  expect((await check()).problems).toEqual([expect.stringContaining('can’t be read (ENOENT)')]);
  writeFileSync(list, 'a1\nb2\nc3\n', { mode: 0o600 });
  const { problems, lines } = await check();
  expect(problems).toEqual([]);
  expect(lines).toHaveLength(2);
  expect(lines[1]).toContain('has 3 ids');
});
