import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { launchOf } from '../../../src/commands/install/entry.ts';
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
