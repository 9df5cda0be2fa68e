/** Files that the server writes: where they can be, who can read them, and that they are safe to open. */
import crypto from 'node:crypto';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { createExportFile, exportFolder } from '../../src/files/export-file.ts';
import { agree } from '../changes/support/confirm.ts';
import { hiddenIn } from '../harness/hidden-text.ts';
import { ATTACKS } from '../harness/planting.ts';
import { startService } from '../harness/service.ts';
import { freshHome, homeWithFiles, start } from '../harness/start.ts';
import { serviceWith } from './emails-support.ts';

const TOOL = 'get_collected_emails';
const NEVER = { VIDEO_HOSTING_CONFIRM: 'never' };

describe('the folder for files', () => {
  const places: readonly (readonly [string, (path: string) => void])[] = [
    ['does not exist', () => {}],
    ['is a file', (path) => writeFileSync(path, '')],
    ['is a dangling link', (path) => symlinkSync(`${path}-nowhere`, path)],
    ['is a link to a device', (path) => symlinkSync('/dev/null', path)],
    // Root can write to every folder of a disk.
    ['can’t be written to', (path) => (process.getuid?.() === 0 ? symlinkSync('/sys', path) : void mkdirSync(path, 0o500))],
  ];

  describe.each(places)('that %s', (name, make) => {
    test('is refused with a clear error before anything is written', async () => {
      const home = freshHome();
      const folder = join(home, 'there');
      make(folder);
      const { client, log } = await start({ home, env: { ...NEVER, VIDEO_HOSTING_FILES_DIR: folder } });
      const here = () => readdirSync(home).filter((entry) => entry !== 'data');
      const before = here();
      const reply = await client.callTool(TOOL, { exportAs: 'csv' });
      expect(here()).toEqual(before);
      expect(reply.isError).toBe(true);
      expect(reply.text).toMatch(/folder for files/);
      expect(log()).toBe('');
      if (name !== 'can’t be written to') expect(reply.text).toContain('VIDEO_HOSTING_FILES_DIR');
    });
  });

  test('can be a symbolic link: files are written to its target', async () => {
    const { home, folder: real } = homeWithFiles();
    symlinkSync(real, join(home, 'link'));
    const { client } = await start({ home, env: { ...NEVER, VIDEO_HOSTING_FILES_DIR: join(home, 'link') } });
    const reply = await client.callTool(TOOL, { exportAs: 'csv' });
    expect(reply.data?.path).toBe(join(real, readdirSync(real)[0] ?? ''));
  });

  test('that is replaced by a link during an export receives no file', async () => {
    const { home, folder } = homeWithFiles();
    const elsewhere = join(home, 'elsewhere');
    mkdirSync(elsewhere);
    const real = await exportFolder([folder]);
    renameSync(folder, join(home, 'moved'));
    symlinkSync(elsewhere, folder);
    const fill = vi.fn(async () => 0);
    await expect(createExportFile(real, 'emails', 'csv', fill)).rejects.toMatchObject({ code: 'file_refused' });
    expect(fill).not.toHaveBeenCalled();
    expect(readdirSync(elsewhere)).toEqual([]);
    expect(readdirSync(join(home, 'moved'))).toEqual([]);
  });
});

describe('an exported file', () => {
  test('never replaces an existing file or follows a link', async () => {
    const { home, folder } = homeWithFiles();
    const victim = join(home, 'victim');
    writeFileSync(victim, 'precious');
    // The random part of the name is fixed, so that the test knows the name.
    const guessed = vi.spyOn(crypto, 'randomBytes').mockImplementation(() => Buffer.alloc(8) as never);
    syncBuiltinESMExports();
    try {
      for (const ending of ['csv', 'csv.unfinished']) symlinkSync(victim, join(folder, `emails-${'0'.repeat(16)}.${ending}`));
      const written = createExportFile(folder, 'emails', 'csv', async (write) => {
        await write('x');
        return 1;
      });
      await expect(written).rejects.toMatchObject({ code: 'file_refused' });
      expect(guessed).toHaveBeenCalled();
    } finally {
      guessed.mockRestore();
      syncBuiltinESMExports();
    }
    expect(readFileSync(victim, 'utf8')).toBe('precious');
    expect(lstatSync(join(folder, `emails-${'0'.repeat(16)}.csv`)).isSymbolicLink()).toBe(true);
  });

  test('is readable only by its owner, also while it is written and with a umask of 0', async () => {
    const { folder } = homeWithFiles();
    const mask = process.umask(0);
    try {
      const path = await createExportFile(folder, 'emails', 'csv', async (write) => {
        await write('x');
        for (const name of readdirSync(folder)) expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
        return 1;
      });
      expect(statSync(path).mode & 0o777).toBe(0o600);
      expect(readFileSync(path, 'utf8')).toBe('x');
    } finally {
      process.umask(mask);
    }
  });

  test('is removed if it can’t be finished, and its name contains no path', async () => {
    const { folder } = homeWithFiles();
    const fails = createExportFile(folder, '../../evil\u0000\n/name', 'csv', async (write) => {
      await write('half');
      expect(readdirSync(folder)).toEqual([expect.stringMatching(/^[\w.-]+\.csv\.unfinished$/)]);
      throw new Error('The service went away.');
    });
    await expect(fails).rejects.toThrow('went away');
    expect(readdirSync(folder)).toEqual([]);
  });

  test('that a killed process left unfinished is removed by the next export, and other files stay', async () => {
    const { folder } = homeWithFiles();
    const stale = join(folder, 'emails-2026-01-01-0011.csv.unfinished');
    const fresh = join(folder, 'emails-2026-01-02-0022.csv.unfinished');
    const others = ['notes.csv.unfinished', 'emails-2026-01-01-0011.csv', 'emailsx-2026.unfinished'];
    for (const path of [stale, fresh, ...others.map((name) => join(folder, name))]) writeFileSync(path, 'x');
    for (const path of [stale, ...others.map((name) => join(folder, name))]) utimesSync(path, 1, 1);
    await createExportFile(folder, 'emails-2026-03-03', 'csv', async () => 0);
    expect(existsSync(stale)).toBe(false);
    for (const path of [fresh, ...others.map((name) => join(folder, name))]) expect(existsSync(path)).toBe(true);
  });

  test('is not left unfinished by a server that gets SIGTERM', async () => {
    const { home, folder, env } = homeWithFiles(NEVER);
    const demo = await startService();
    const { client, server } = await start({ demo, home, via: 'process', env });
    demo.faults.next({ match: { path: /collected-emails/ }, skip: 1, do: { kind: 'drip', bytes: 2_000, ms: 20 } });
    client.callTool(TOOL, { exportAs: 'csv' }).catch(() => undefined);
    await vi.waitFor(() => expect(readdirSync(folder)).toHaveLength(1), { timeout: 300_000 });
    server?.child.kill('SIGTERM');
    await server?.exit;
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe('every file and folder in the data folder', () => {
  test('is accessible only to its owner', async () => {
    const { home, env } = homeWithFiles(NEVER);
    const { client, demo, dataDir } = await start({ home, env });
    const [, target] = [...demo.world.projects.values()];
    demo.world.poisonedVideoIds.add([...demo.world.videos.keys()][2] ?? '');
    await client.callTool('move_videos', { videoIds: [...demo.world.videos.keys()].slice(0, 5), targetProject: target?.id });
    await agree(client, 'create_project', { name: 'Brand new', region: 'use-s' });
    await client.callTool(TOOL, { exportAs: 'csv' });
    await client.callTool('query_analytics', { from: '2026-10-01', to: '2026-10-31' }).catch(() => undefined);
    const entries = readdirSync(dataDir, { recursive: true, withFileTypes: true });
    expect(entries.filter((entry) => entry.isFile()).length).toBeGreaterThan(3);
    for (const entry of entries) {
      const path = join(entry.parentPath, entry.name);
      expect(`${path} ${(statSync(path).mode & 0o077).toString(8)}`).toBe(`${path} 0`);
    }
  });
});

test('an export of hostile texts as JSON keeps each exactly, and has no hidden characters', async () => {
  const { home, folder, env } = homeWithFiles(NEVER);
  const demo = await serviceWith(Object.values(ATTACKS).map((text) => ({ fullName: text, email: text, videoKey: 'v', created: '' })));
  const { client } = await start({ demo, home, env });
  await client.callTool(TOOL, { exportAs: 'json' });
  const text = readFileSync(join(folder, readdirSync(folder)[0] ?? ''), 'utf8');
  const records: { fullName: string }[] = JSON.parse(text);
  expect(records.map(({ fullName }) => fullName)).toEqual(Object.values(ATTACKS));
  // Line breaks separate the records.
  expect(hiddenIn(JSON.stringify(text.replaceAll('\\', '/')))).toEqual([]);
});

test('an export writes an empty file if all emails are deleted after the plan', async () => {
  for (const [exportAs, empty] of [
    ['csv', '\ufefffullName,email,mobileNumber,videoKey,channelKey,created\n'],
    ['json', '[\n]\n'],
  ] as const) {
    const { home, folder, env } = homeWithFiles(NEVER);
    const demo = await startService();
    const { client } = await start({ demo, home, env });
    // The plan has counted the emails before they are deleted.
    demo.behaviour.onProcessed = ({ path }) => {
      if (path.endsWith('collected-emails')) demo.world.emails.length = 0;
    };
    await client.callTool(TOOL, { exportAs });
    expect(readFileSync(join(folder, readdirSync(folder)[0] ?? ''), 'utf8')).toBe(empty);
    rmSync(folder, { recursive: true });
  }
});
