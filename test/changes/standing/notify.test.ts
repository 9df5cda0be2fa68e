/** The program of VIDEO_HOSTING_NOTIFY: it is told of limits and of what was stopped, and never in the way. */
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { checkStandingFile } from '../../../src/app/standing.ts';
import { NotificationSchema } from '../../../src/changes/standing/notify.ts';
import { readStandingFile } from '../../../src/changes/standing/read-file.ts';
import { freshHome } from '../../harness/start.ts';
import { idsIn } from '../bulk/harness.ts';
import { fileOf, moveRule, nightly, writeApprovals } from './harness.ts';

function program(lines: string): { readonly path: string; readonly told: () => { kind?: unknown }[] } {
  const folder = freshHome();
  const [path, told] = [join(folder, 'notify.sh'), join(folder, 'told.jsonl')];
  writeFileSync(told, '');
  writeFileSync(path, `#!/bin/sh\n${lines.replaceAll('TOLD', told)}\n`);
  chmodSync(path, 0o700);
  return {
    path,
    told: () =>
      readFileSync(told, 'utf8')
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line)),
  };
}

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
  for (const { version: _version, at: _at, ...notification } of told() as Record<string, unknown>[]) NotificationSchema.parse(notification);
});

test('a program that is not there, or fails, is said once and holds no change up', async () => {
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
  const check = () => checkStandingFile(path, { dataDir: freshHome(), filesDirs: [] });
  expect((await check()).problems).toEqual([expect.stringContaining('can’t be read (ENOENT)')]);
  writeFileSync(list, 'a1\nb2\nc3\n', { mode: 0o600 });
  const { problems, lines } = await check();
  expect(problems).toEqual([]);
  expect(lines).toHaveLength(2);
  expect(lines[1]).toContain('has 3 ids');
});
