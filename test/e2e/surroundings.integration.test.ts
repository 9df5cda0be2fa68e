/** What the process may lack around it: a new enough Node, a home folder, a folder for temporary files. */
import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, inject, test } from 'vitest';
import { COMMAND_NAMES } from '../../src/config/commands.ts';
import { OLDEST_NODE } from '../../src/config/oldest-node.ts';
import { fileOf, writeApprovals } from '../changes/standing/harness.ts';
import { ERAS } from '../harness/client.ts';
import { runCommand } from '../harness/run-command.ts';
import { settingsFor, startService } from '../harness/service.ts';
import { freshHome, start } from '../harness/start.ts';
import { root } from '../scripts/project.ts';

const lacking = (what: 'node' | 'home') => ({ NODE_OPTIONS: `--require ${join(root, 'test', 'harness', 'lacking.cjs')}`, LACKS: what });
const PATH = { PATH: process.env.PATH };

describe('with a Node that is too old', () => {
  const REASON = `Node 18.20.8 (${process.execPath}) is too old: video-hosting-mcp needs Node ${OLDEST_NODE} or later.`;

  test.each(ERAS)('every call is answered with that, and check_setup is not ok (%s)', async (client) => {
    const session = await start({ client, via: 'process', env: lacking('node') });
    for (const [tool, args] of [
      ['check_setup', {}],
      ['list_channels', {}],
      ['create_project', { name: 'x', region: 'use-s' }],
    ] as const) {
      const { isError, text } = await session.client.callTool(tool, args);
      expect({ isError, text }).toEqual({
        isError: true,
        text: `${REASON} In the client’s configuration of this server, name a newer one as its command.`,
      });
    }
    expect(session.demo.requests).toEqual([]);
    expect(session.hasData()).toBe(false);
  });

  test.each(COMMAND_NAMES)('%s ends at once with that sentence', async (command) => {
    const home = freshHome();
    const ended = await runCommand([command], { ...PATH, HOME: home, ...lacking('node') });
    expect(ended).toEqual({ code: 1, stdout: '', stderr: `video-hosting-mcp: ${REASON}\n` });
    expect(readdirSync(home)).toEqual([]);
  });
});

/** By the name that this Node has for it. */
const PERMISSION = ['--permission', '--experimental-permission'].find((flag) => process.allowedNodeEnvironmentFlags.has(flag));

describe.skipIf(PERMISSION === undefined)('with Node’s permission model', () => {
  const allowing = (...flags: readonly string[]) => ({ NODE_OPTIONS: [PERMISSION, ...flags].join(' ') });
  const READ_ALL = '--allow-fs-read=*';

  test('every call says what it denies and which flags allow that, check_setup is not ok, and nothing is sent', async () => {
    const session = await start({ via: 'process', env: allowing(READ_ALL) });
    const { isError, text } = await session.client.callTool('list_channels');
    expect({ isError, text }).toEqual({ isError: true, text: expect.stringContaining('permission model') });
    expect(text).toContain(`--allow-fs-write=${join(session.dataDir, '*')}`);
    expect(text).toContain('--allow-child-process');
    expect((await session.client.callTool('check_setup')).data).toMatchObject({
      ok: false,
      problems: expect.arrayContaining([expect.stringContaining('permission model')]),
    });
    expect(session.demo.requests).toEqual([]);
    expect(`${session.log()}${text}`).not.toContain('    at ');
  });

  test('a command ends with the same sentence, and no stack', async () => {
    const demo = await startService({ channels: 1, views: 0 });
    const ended = await runCommand(['doctor'], { ...PATH, HOME: freshHome(), ...settingsFor(demo), ...allowing(READ_ALL) });
    expect(ended.code).not.toBe(0);
    expect(`${ended.stdout}${ended.stderr}`).toMatch(/permission model on, which does not let this program write to "/);
    expect(`${ended.stdout}${ended.stderr}`).not.toContain('    at ');
  });

  test('where all of it is allowed, changes are made and questions answered', async () => {
    const flags = ['--allow-child-process', '--allow-addons'].filter((flag) => process.allowedNodeEnvironmentFlags.has(flag));
    const session = await start({ via: 'process', env: allowing(READ_ALL, '--allow-fs-write=*', ...flags) });
    expect((await session.client.callTool('list_channels')).isError).toBe(false);
    const { text } = await session.client.callTool('query_analytics', { from: '2026-10-01', to: '2026-10-02' });
    expect(text).toContain('views');
  });
});

describe('without HOME', () => {
  test('data is kept in the home folder that the system knows, and never in the folder where the server was started', async () => {
    const demo = await startService({ channels: 1, views: 0 });
    const { code, stdout } = await runCommand(['doctor', '--json'], { ...PATH, ...settingsFor(demo) });
    expect(code).toBe(0);
    const { findings } = JSON.parse(stdout) as { findings: { about: string; detail: string }[] }; // as doctor prints it
    const { detail } = findings.find(({ about }) => about === 'Data folder') ?? {};
    expect(detail).toContain(JSON.stringify(userInfo().homedir).slice(0, -1));
  });

  test('where the system knows none either, every call says which setting to set, and nothing is written', async () => {
    const env = { HOME: undefined, VIDEO_HOSTING_DATA_DIR: undefined, ...lacking('home') };
    const session = await start({ via: 'process', env });
    const { data } = await session.client.callTool('check_setup');
    const words = 'VIDEO_HOSTING_DATA_DIR is not set, and this user has no home folder to keep data in: set it, or HOME.';
    expect(data).toMatchObject({ ok: false, problems: [words] });
    expect((await session.client.callTool('list_channels')).text).toContain(words);
    expect(readdirSync(session.home)).toEqual([]);
  });

  test('where the system knows none either, install and the demo account say what they need', async () => {
    const env = { ...PATH, ...lacking('home') };
    const installed = await runCommand(['install', '--demo', '--yes'], env);
    expect(installed).toMatchObject({ code: 1, stderr: expect.stringContaining('This user has no home folder, in which AI clients keep') });
    expect(installed.stderr).not.toContain('    at ');
    expect(await runCommand(['doctor', '--demo'], env)).toMatchObject({ code: 0 });
  });
});

describe.skipIf(process.platform === 'win32')('where no file may have a length', () => {
  test('what is refused for that names the file that could not be written', async () => {
    const demo = await startService({ channels: 1, views: 0 });
    const home = freshHome();
    const data = join(home, 'data');
    mkdirSync(data, { mode: 0o700 });
    const file = writeApprovals(fileOf([{ kind: 'undo_own', perDay: 1 }]));
    const env = { ...PATH, HOME: home, ...settingsFor(demo), VIDEO_HOSTING_DATA_DIR: data, VIDEO_HOSTING_STANDING_APPROVALS: file };
    const limited = ['-c', 'ulimit -f 0 && exec "$0" "$@"', process.execPath, inject('command'), 'approvals', 'stop'];
    const ended = await promisify(execFile)('sh', limited, { env }).catch((error: { code: number; stderr: string }) => error);
    expect(ended).toMatchObject({ code: 1, stderr: expect.stringContaining(`(EFBIG, "${join(data, 'revoked-approvals.jsonl')}")`) });
  });

  test('doctor says that nothing can be kept, and leaves nothing', async () => {
    const demo = await startService({ channels: 1, views: 0 });
    const data = join(freshHome(), 'data');
    mkdirSync(data, { mode: 0o700 });
    const env = { ...PATH, HOME: freshHome(), ...settingsFor(demo), VIDEO_HOSTING_DATA_DIR: data };
    const limited = ['-c', 'ulimit -f 0 && exec "$0" "$@"', process.execPath, inject('command'), 'doctor'];
    const ended = await promisify(execFile)('sh', limited, { env }).catch((error: { code: number; stdout: string }) => error);
    expect(ended).toMatchObject({ code: 1, stdout: expect.stringMatching(/✗ Data folder .*Nothing can be kept in "[^"]*" \(EFBIG\)\./) });
    expect(readdirSync(data)).toEqual([]);
  });
});

test('with a Node that can’t use WebAssembly, each call says that, and not that the network is at fault', async () => {
  const session = await start({ via: 'process', env: { NODE_OPTIONS: '--jitless' } });
  const { isError, text } = await session.client.callTool('list_channels');
  expect({ isError, text }).toEqual({ isError: true, text: expect.stringContaining('can’t use WebAssembly') });
  expect(text).toContain('--jitless');
  expect(text).not.toContain('network');
  expect((await session.client.callTool('check_setup')).data).toMatchObject({
    ok: false,
    mainApi: { detail: expect.stringContaining('WebAssembly') },
  });
});

describe.skipIf(process.platform === 'win32')('where the disk of a client’s configuration is full', () => {
  test('install says that, leaves the file as it was and nothing beside it, and does not say that nothing is wrong', async () => {
    const demo = await startService({ channels: 1, views: 0 });
    const home = freshHome();
    const file = join(home, '.cursor', 'mcp.json');
    mkdirSync(dirname(file));
    writeFileSync(file, '{"a":1}');
    const env = { ...PATH, HOME: home, ...settingsFor(demo), VIDEO_HOSTING_DATA_DIR: join(freshHome(), 'data') };
    const install = ['-c', 'ulimit -f 0 && exec "$0" "$@"', process.execPath, inject('command'), 'install', '--client', 'cursor', '--yes'];
    const ended = await promisify(execFile)('sh', install, { env }).catch(
      (error: { code: number; stdout: string; stderr: string }) => error,
    );
    expect(ended).toMatchObject({ code: 1, stderr: expect.stringContaining('can’t be read or written (EFBIG)') });
    expect(ended.stdout).not.toMatch(/Nothing is wrong|One thing is wrong|Settings/);
    expect(readdirSync(dirname(file))).toEqual(['mcp.json']);
    expect(readFileSync(file, 'utf8')).toBe('{"a":1}');
  });
});

describe('without a folder for temporary files', () => {
  const gone = () => ({ ...PATH, HOME: freshHome(), TMPDIR: join(freshHome(), 'gone') });

  test('doctor says so, and what could not be tried', async () => {
    const demo = await startService({ channels: 1, views: 0 });
    const { code, stdout, stderr } = await runCommand(['doctor'], { ...gone(), ...settingsFor(demo) });
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
    expect(stdout).toMatch(
      /✗ Temporary files {3}"[^"]*gone" is not there, or can’t be written to\.\n +→ Let this user write there, or set TMPDIR/,
    );
    expect(stdout).toMatch(/! Analytics engine {2}not tried: No folder can be made in "[^"]*gone" \(ENOENT\)/);
  });

  test('the demo account, which needs one, says so in each call', async () => {
    const session = await start({ demo: null, via: 'process', argv: ['--demo'], env: { TMPDIR: join(freshHome(), 'gone') } });
    expect((await session.client.callTool('list_channels')).text).toContain('No folder can be made in');
    expect((await session.client.callTool('check_setup')).data).toMatchObject({ ok: false });
  });
});
