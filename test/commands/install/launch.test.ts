/** Which command is written: the registry's package of this exact version, or the copy that is running. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { launchOf } from '../../../src/commands/install/launch.ts';
import { atEnd } from '../../harness/cleanup.ts';

const REGISTRY = {
  version: '0.1.0',
  resolved: 'https://registry.npmjs.org/video-hosting-mcp/-/video-hosting-mcp-0.1.0.tgz',
  integrity: 'sha512-x',
};

/** A folder as npm leaves it; the lock file it keeps says where the package came from. */
function installed(entry: object | undefined, modules = 'node_modules'): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'launch-test-')));
  atEnd(() => rmSync(root, { recursive: true, force: true }));
  const folder = join(root, modules, 'video-hosting-mcp', 'dist');
  mkdirSync(folder, { recursive: true });
  if (entry !== undefined)
    writeFileSync(
      join(root, modules, '.package-lock.json'),
      JSON.stringify({ lockfileVersion: 3, packages: { 'node_modules/video-hosting-mcp': entry } }),
    );
  return folder;
}

test.each([
  ['the registry', REGISTRY],
  ['a registry of one’s own', { ...REGISTRY, resolved: 'http://npm.example:4873/video-hosting-mcp/-/video-hosting-mcp-0.1.0.tgz' }],
  ['a registry whose address is left out', { version: '0.1.0', integrity: 'sha512-x' }],
])('from %s: by its exact version, through cmd on Windows', (_where, entry) => {
  const folder = installed(entry);
  const fetched = { command: 'npx', args: ['-y', 'video-hosting-mcp@0.1.0'], fetched: true };
  expect(launchOf({ folder, version: '0.1.0', platform: 'linux' })).toEqual(fetched);
  expect(launchOf({ folder, version: '0.1.0', platform: 'darwin' })).toEqual(fetched);
  expect(launchOf({ folder, version: '0.1.0', platform: 'win32' })).toEqual({
    command: 'cmd',
    args: ['/c', 'npx', '-y', 'video-hosting-mcp@0.1.0'],
    fetched: true,
  });
});

test.each<[string, object | undefined, string?]>([
  ['a file', { ...REGISTRY, resolved: 'file:../video-hosting-mcp-0.1.0.tgz' }],
  ['an address that is no registry’s', { ...REGISTRY, resolved: 'https://example.com/video-hosting-mcp-0.1.0.tgz' }],
  ['another package of the registry', { ...REGISTRY, resolved: 'https://registry.npmjs.org/other/-/other-0.1.0.tgz' }],
  ['a repository', { version: '0.1.0', resolved: 'git+ssh://git@example.com/video-hosting-mcp.git#abc' }],
  ['a link', { version: '0.1.0', resolved: '../checkout', link: true }],
  ['another version', { ...REGISTRY, version: '0.2.0' }],
  ['nobody knows where', undefined],
  ['a checkout', REGISTRY, 'projects'],
])('from %s: the copy that is running', (_where, entry, modules) => {
  const folder = installed(entry, modules);
  for (const platform of ['linux', 'darwin', 'win32'] as const)
    expect(launchOf({ folder, version: '0.1.0', platform })).toEqual({ command: 'node', args: [join(folder, 'main.cjs')], fetched: false });
});

test('a linked checkout is what it links to', () => {
  const checkout = installed(undefined, 'projects');
  const modules = join(installed(REGISTRY), '..', '..');
  rmSync(join(modules, 'video-hosting-mcp'), { recursive: true });
  symlinkSync(join(checkout, '..'), join(modules, 'video-hosting-mcp'), 'junction');
  const { args } = launchOf({ folder: join(modules, 'video-hosting-mcp', 'dist'), version: '0.1.0', platform: 'linux' });
  expect(args).toEqual([join(checkout, 'main.cjs')]);
});
