import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { clientOf } from '../../../src/commands/install/clients.ts';
import { entryFor, launchOf } from '../../../src/commands/install/entry.ts';
import { entryConfig, hasSetting } from '../../../src/commands/install/entry-config.ts';
import { difference } from '../../../src/commands/install/preview.ts';
import { freshHome } from '../../harness/cleanup.ts';

/** An empty folder by its real path. */
function folder(...names: string[]): string {
  const path = join(freshHome(), ...names);
  mkdirSync(path, { recursive: true });
  return path;
}

test('the entry starts the built file of this copy', () => {
  const dist = folder('projects', 'video-hosting-mcp', 'dist');
  expect(launchOf(dist)).toEqual({ command: 'node', args: [join(dist, 'main.cjs')] });
});

test('a package that npm installed is started from where it is installed, not fetched from a registry', () => {
  const dist = folder('node_modules', 'video-hosting-mcp', 'dist');
  const resolved = 'https://registry.npmjs.org/video-hosting-mcp/-/video-hosting-mcp-0.1.0.tgz';
  const packages = { 'node_modules/video-hosting-mcp': { version: '0.1.0', resolved, integrity: 'sha512-x' } };
  writeFileSync(join(dist, '..', '..', '.package-lock.json'), JSON.stringify({ lockfileVersion: 3, packages }));
  expect(launchOf(dist)).toEqual({ command: 'node', args: [join(dist, 'main.cjs')] });
});

test('a linked package is started from the target of the link', () => {
  const dist = folder('projects', 'video-hosting-mcp', 'dist');
  const link = join(folder('node_modules'), 'video-hosting-mcp');
  symlinkSync(join(dist, '..'), link, 'junction');
  expect(launchOf(join(link, 'dist')).args).toEqual([join(dist, 'main.cjs')]);
});

const OURS = '/srv/this/dist/main.cjs';
const LAUNCH = { command: 'node', args: [OURS] };
const NOTHING = { demo: false, env: {}, forwarded: [] };
const over = (command: string, args: readonly string[], options = NOTHING) => {
  const { entry, told } = entryFor(clientOf('cursor'), LAUNCH, options, { command, args });
  return { line: [entry.command, ...(entry.args as string[])], told };
};

describe('an existing entry keeps', () => {
  test.each<[string, string, readonly string[], readonly string[]]>([
    ['its flags', 'node', ['/old/dist/main.cjs', '--read-only'], ['node', OURS, '--read-only']],
    ['the path of its Node', '/nvm/v22.11.0/bin/node', ['/old/main.cjs'], ['/nvm/v22.11.0/bin/node', OURS]],
    [
      'a Node for Windows',
      'C:\\Program Files\\nodejs\\node.exe',
      ['C:\\old\\dist\\main.cjs'],
      ['C:\\Program Files\\nodejs\\node.exe', OURS],
    ],
    ['options of Node', 'node', ['--max-old-space-size=4096', '/old/main.cjs'], ['node', '--max-old-space-size=4096', OURS]],
    ['options of Node with a value', 'node', ['-r', './a.cjs', '/old', '--agent', 'x'], ['node', '-r', './a.cjs', OURS, '--agent', 'x']],
    ['flags behind a folder', 'node', ['/old/copy', '--read-only'], ['node', OURS, '--read-only']],
    ['a program around it', 'nice', ['-n', '5', 'node', '/old/main.cjs', '--read-only'], ['nice', '-n', '5', 'node', OURS, '--read-only']],
    ['variables before it', 'env', ['A=1', 'node', '/old/main.cjs'], ['env', 'A=1', 'node', OURS]],
    ['a line for a shell', 'sh', ['-c', 'exec node /old/main.cjs --read-only'], ['sh', '-c', `exec node ${OURS} --read-only`]],
    ['quotes in such a line', 'sh', ['-c', 'node "/old copy/main.cjs" --agent x'], ['sh', '-c', `node ${OURS} --agent x`]],
  ])('%s', (_what, command, args, line) => {
    expect(over(command, args)).toEqual({ line, told: undefined });
    // Once more nothing changes.
    expect(over(line[0] ?? '', line.slice(1))).toEqual({ line, told: undefined });
  });

  test('a command that starts a copy elsewhere, which is told', () => {
    const args = ['exec', '-i', 'box', 'node', '/app/main.cjs', '--read-only'];
    expect(over('docker', args)).toEqual({ line: ['docker', ...args], told: expect.stringContaining('"docker" starts a copy elsewhere') });
  });
});

test.each<[string, readonly string[], readonly string[]]>([
  ['npx', ['-y', 'video-hosting-mcp@0.0.1', '--read-only'], ['node', OURS, '--read-only']],
  ['/opt/wrap.sh', ['--read-only', '--agent=x', '--own'], ['node', OURS, '--read-only', '--agent=x']],
  ['sh', ['-c', 'video-hosting --read-only --files-dir /lists'], ['node', OURS, '--read-only', '--files-dir', '/lists']],
])('what of %s %j can’t be kept is told, and flags of this server are kept', (command, args, line) => {
  const changed = over(command, args);
  expect(changed.line).toEqual(line);
  expect(changed.told).toBe(`Not kept: ${JSON.stringify([command, ...args].join(' '))}. This copy is started in its place.`);
});

test('a command that leads to this program itself is started by Node, with its flags', () => {
  expect(over('/usr/local/bin/video-hosting-mcp', ['--read-only'])).toEqual({ line: ['node', OURS, '--read-only'], told: undefined });
});

test('a flag is dropped where its setting is given anew as a variable, and --read-only never', () => {
  const env = { VIDEO_HOSTING_BASE_URL: 'https://new.example.com', VIDEO_HOSTING_READ_ONLY: 'on' };
  const args = ['/old/main.cjs', '--base-url', 'https://old.example.com', '--read-only', '--agent=x'];
  expect(over('node', args, { ...NOTHING, env }).line).toEqual(['node', OURS, '--read-only', '--agent=x']);
});

describe('the settings of an entry are read', () => {
  const machine = { platform: 'linux', env: { PATH: '/bin', OTHER: 'https://other.example.com' }, home: '/home/x' } as const;
  const given = { apiKey: 'k3y' };
  const read = (entry: Record<string, unknown>, known = given) => {
    const { config, elsewhere } = entryConfig(clientOf('cursor'), entry, { given: known, machine });
    return { ...config.settings, problems: config.problems, elsewhere: elsewhere.map(({ variable, where }) => `${variable}: ${where}`) };
  };

  const inBraces = (text: string): string => `$\{${text}}`;
  const forms = ['VIDEO_HOSTING_API_KEY', 'VIDEO_HOSTING_API_KEY:-', 'env:VIDEO_HOSTING_API_KEY', 'input:video-hosting-api-key'];

  test.each(['$VIDEO_HOSTING_API_KEY', ...forms.map(inBraces)])('with what %s refers to', (text) => {
    const entry = { env: { VIDEO_HOSTING_API_KEY: text } };
    expect(read(entry)).toMatchObject({ apiKey: 'k3y', elsewhere: [] });
    const unknown = read(entry, {} as typeof given);
    expect(unknown).not.toHaveProperty('apiKey');
    expect(unknown.elsewhere).toEqual([expect.stringMatching(/^VIDEO_HOSTING_API_KEY: Cursor takes it from its /)]);
  });

  test('from variables, those that are passed on, and flags', () => {
    const entry = {
      command: 'node',
      args: ['--enable-source-maps', '/old/main.cjs', '--read-only', '--agent', 'nightly'],
      env: { VIDEO_HOSTING_BASE_URL: 'https://api.example.com', VIDEO_HOSTING_STATS_URL: inBraces('OTHER') },
      env_vars: ['VIDEO_HOSTING_API_KEY'],
    };
    expect(read(entry)).toMatchObject({
      ...{ baseUrl: 'https://api.example.com', statsUrl: 'https://other.example.com', apiKey: 'k3y' },
      ...{ readOnly: true, agent: 'nightly', problems: [], demo: false },
    });
    expect(hasSetting(entry, 'agent')).toBe(true);
    expect(hasSetting(entry, 'apiKey')).toBe(true);
    expect(hasSetting(entry, 'filesDirs')).toBe(false);
    expect(read({ command: 'sh', args: ['-c', 'node /old/main.cjs --demo --read-only'] })).toMatchObject({ demo: true, readOnly: true });
  });

  test('with what is mistyped in it', () => {
    expect(read({ env: { VIDEO_HOSTING_BASEURL: 'x' } }).problems).toEqual([
      expect.stringContaining('Did you mean VIDEO_HOSTING_BASE_URL?'),
    ]);
  });
});

test('a difference has what is removed and what is added in one place', () => {
  expect(difference('{\n  a\n  b\n  c\n}', '{\n  a\n  B\n  c\n  d\n}')).toBe('  {\n    a\n-   b\n+   B\n    c\n+   d\n  }');
  expect(difference('', 'a\nb')).toBe('+ a\n+ b');
  expect(difference('a\nb', '')).toBe('- a\n- b');
});
