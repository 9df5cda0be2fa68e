/** What people are told to type runs this program. */
import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { COMMAND_NAMES } from '../../src/config/commands.ts';
import { findOwnCommand, findRemovalCommand, shellWord } from '../../src/platform/find-own-command.ts';
import { freshHome } from '../harness/cleanup.ts';

/** A program that can be run; a link to one where a target is given. */
function program(folder: string, name: string, target?: string): string {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, name);
  if (target !== undefined) symlinkSync(target, file);
  else writeFileSync(file, '#!/bin/sh\n');
  if (target === undefined) chmodSync(file, 0o755);
  return file;
}

/** A built copy, and how it is called with folders on the PATH, by its own Node at `node`. */
function copy(name = 'tools') {
  const home = freshHome();
  const dist = join(home, name, 'dist');
  const file = program(dist, 'main.cjs');
  const node = program(join(home, 'node', 'bin'), 'node');
  const find = (folders: readonly string[], by = node) => findOwnCommand(dist, { platform: 'linux', path: folders.join(delimiter) }, by);
  return { home, dist, file, node, find };
}

describe.skipIf(process.platform === 'win32')('on a system with links', () => {
  test('a copy that nobody installed is run by Node, with its path', () => {
    const { home, file, find } = copy();
    expect(find([join(home, 'node', 'bin')])).toBe(`node ${file}`);
  });

  test('by its name where that is on the PATH and leads to this copy', () => {
    const { home, file, find } = copy();
    const folder = join(home, 'bin');
    program(folder, 'video-hosting-mcp', file);
    expect(find([join(home, 'node', 'bin'), folder])).toBe('video-hosting-mcp');
  });

  test('another program of the name, before it too, is not this one', () => {
    const { home, file, find } = copy();
    const [mine, others] = [join(home, 'bin'), join(home, 'others')];
    program(mine, 'video-hosting-mcp', file);
    program(others, 'video-hosting-mcp');
    expect(find([join(home, 'node', 'bin'), others, mine])).toBe(`node ${file}`);
  });

  test('what is on the PATH only of what npm starts is at no terminal', () => {
    const { home, file, find } = copy();
    const folder = join(home, 'node_modules', '.bin');
    program(folder, 'video-hosting-mcp', file);
    expect(find([folder, join(home, 'node', 'bin')])).toBe(`node ${file}`);
  });

  test('another Node than the first of the PATH is named by its path, and a client’s own, which is no command, is not', () => {
    const { home, file, node, find } = copy();
    const other = join(home, 'old', 'bin');
    program(other, 'node');
    expect(find([other])).toBe(`${node} ${file}`);
    expect(find([])).toBe(`${node} ${file}`);
    expect(find([other], program(join(home, 'app'), 'Helper'))).toBe(`node ${file}`);
  });

  test('a path with spaces is one word', () => {
    const { home, file, find } = copy('my tools');
    expect(find([join(home, 'node', 'bin')])).toBe(`node '${file}'`);
  });

  test('a copy that is reached by a link is named by where it is', () => {
    const { home, dist, file } = copy();
    symlinkSync(dist, join(home, 'link'));
    expect(findOwnCommand(join(home, 'link'), { platform: 'linux', path: '' }, 'node-of-a-client')).toBe(`node ${file}`);
  });
});

test('what was not built has its name alone', () => {
  expect(findOwnCommand(freshHome(), { platform: 'linux', path: '' })).toBe('video-hosting-mcp');
});

test('on Windows a command file of npm counts that lies beside this copy; else it is Node with the path', () => {
  const prefix = freshHome();
  const dist = join(prefix, 'node_modules', 'video-hosting-mcp', 'dist');
  const file = program(dist, 'main.cjs');
  program(prefix, 'video-hosting-mcp.cmd');
  const find = (path: string) => findOwnCommand(dist, { platform: 'win32', path }, 'C:\\Program Files\\nodejs\\node.exe');
  expect(find(prefix)).toBe('video-hosting-mcp');
  expect(find('')).toBe(`node ${shellWord(file, 'win32')}`);
  const other = freshHome();
  cpSync(join(prefix, 'video-hosting-mcp.cmd'), join(other, 'video-hosting-mcp.cmd'));
  expect(find(`${other};${prefix}`)).toBe(`node ${shellWord(file, 'win32')}`);
});

test.each([
  ['linux', '/srv/dist/main.cjs', '/srv/dist/main.cjs'],
  ['linux', '/srv/my tools/main.cjs', "'/srv/my tools/main.cjs'"],
  ['darwin', "/Users/Ann's/$HOME/main.cjs", "'/Users/Ann'\\''s/$HOME/main.cjs'"],
  ['win32', 'C:\\tools\\main.cjs', 'C:\\tools\\main.cjs'],
  ['win32', 'C:\\Program Files (x86)\\main.cjs', '"C:\\Program Files (x86)\\main.cjs"'],
] as const)('on %s the path %s is written %s', (platform, path, written) => {
  expect(shellWord(path, platform)).toBe(written);
});

test('no text of the program names a command by the program’s bare name', () => {
  const root = join(import.meta.dirname, '..', '..', 'src');
  const command = new RegExp(`video-hosting-mcp (?:\\[|--|serve\\b|${COMMAND_NAMES.join('\\b|')}\\b)`);
  // What people type on machines of their own, where nobody knows how it was installed.
  const elsewhere = join('page', 'views', 'connect', 'client-entries.ts');
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
    (path) => /\.(?:tsx?|css|html)$/.test(path) && path !== elsewhere,
  );
  expect(files.length).toBeGreaterThan(400);
  expect('see video-hosting-mcp waiting').toMatch(command);
  expect(files.filter((path) => command.test(readFileSync(join(root, path), 'utf8')))).toEqual([]);
});

test.each([
  ['of npm, globally', 'linux', '/usr/lib', 'npm uninstall --global video-hosting-mcp'],
  [
    'of npm, globally with another prefix',
    'linux',
    '/home/a b/.local/lib',
    "npm uninstall --global --prefix '/home/a b/.local' video-hosting-mcp",
  ],
  ['of npm on Windows', 'win32', 'C:\\Users\\ada\\AppData\\Roaming\\npm', 'npm uninstall --global video-hosting-mcp'],
  ['of npx', 'linux', '/home/ada/.npm/_npx/0123', undefined],
] as const)('what removes an installation %s', (_what, platform, root, command) => {
  const slash = platform === 'win32' ? '\\' : '/';
  const folder = [root, 'node_modules', 'video-hosting-mcp', 'dist'].join(slash);
  expect(findRemovalCommand(folder, { platform, execPath: '/usr/bin/node' })).toBe(command);
});

test('what removes it from a project, and nothing for a copy of the sources', () => {
  const project = freshHome();
  writeFileSync(join(project, 'package.json'), '{}');
  const run = { platform: 'linux', execPath: '/usr/bin/node' } as const;
  const folder = join(project, 'node_modules', 'video-hosting-mcp', 'dist');
  expect(findRemovalCommand(folder, run)).toBe(`npm uninstall --prefix ${project} video-hosting-mcp`);
  expect(findRemovalCommand(join(project, 'dist'), run)).toBeUndefined();
});
