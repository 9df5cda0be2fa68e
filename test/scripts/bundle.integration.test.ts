import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { unzipSync } from 'fflate';
import { describe, expect, test } from 'vitest';
import { freshHome } from '../harness/cleanup.ts';
import { root, textOf } from './project.ts';

interface Platform {
  readonly os: string;
  readonly cpu: string;
  readonly libc?: string;
}
interface Manifest {
  readonly server: { readonly mcp_config: { readonly command: string; readonly args: readonly string[]; readonly env: object } };
  readonly compatibility: { readonly platforms: readonly string[] };
}
/** The parts of the bundle script. They are plain JavaScript, so their types are declared here. */
interface Parts {
  readonly PLATFORMS: Readonly<Record<string, Platform>>;
  readonly packagesFor: (platform: Platform, lock: unknown) => readonly { readonly name: string; readonly version: string }[];
  readonly bundleManifest: (manifest: Manifest, platform: Platform) => Manifest;
  readonly startScript: (platform: Platform, packageJson: unknown) => string;
  readonly zipFolder: (folder: string) => Uint8Array;
}
const partsOf = (name: string) => import(pathToFileURL(join(root, 'scripts', 'bundle', name)).href) as Promise<Parts>;
const { PLATFORMS } = await partsOf('packages.mjs');
const { packagesFor } = await partsOf('packages-for.mjs');
const { bundleManifest, startScript } = await partsOf('manifest.mjs');
const { zipFolder } = await partsOf('zip.mjs');

const newFolder = (): string => mkdtempSync(join(freshHome(), 'video hosting mcp-'));

// The manifest's own tests check its shape.
const manifest = JSON.parse(textOf('manifest.json')) as Manifest;
const packageJson = JSON.parse(textOf('package.json'));

describe.each(Object.entries(PLATFORMS))('the bundle for %s', (name, platform) => {
  test('names its platform, and has the same settings as every other bundle', () => {
    const made = bundleManifest(manifest, platform);
    expect(made.compatibility).toMatchObject({ ...manifest.compatibility, platforms: [name.split('-')[0]] });
    expect(made).toMatchObject({ user_config: 'user_config' in manifest ? manifest.user_config : {} });
    expect(made.server.mcp_config.env).toEqual(manifest.server.mcp_config.env);
    expect(made.server.mcp_config.command).toBe(platform.os === 'darwin' ? '/bin/sh' : 'node');
  });

  test('has the binaries of only that platform, at the locked versions', () => {
    const lock = JSON.parse(textOf('package-lock.json'));
    const packages = packagesFor(platform, lock);
    for (const { name: one, version } of packages) expect(lock.packages[`node_modules/${one}`].version).toBe(version);
    const binaries = packages.map((one) => one.name).filter((one) => /darwin|linux|win32|android/.test(one));
    const resvg = { 'linux-x64': 'linux-x64-gnu', 'win32-x64': 'win32-x64-msvc' }[name] ?? name;
    expect(binaries.sort()).toEqual([`@duckdb/node-bindings-${name}`, `@resvg/resvg-js-${resvg}`]);
    const shared = ['@duckdb/node-api', '@duckdb/node-bindings', '@resvg/resvg-js'];
    expect(packages.map((one) => one.name)).toEqual(expect.arrayContaining(shared));
  });
});

describe.skipIf(process.platform === 'win32')('the script that starts the server on macOS', () => {
  /** An unpacked bundle whose server prints its arguments and a setting, and a PATH whose Node is too old for it. */
  function install(cpu: string = process.arch) {
    const home = newFolder();
    const extension = join(home, 'it’s an extension');
    const bin = join(home, 'bin');
    for (const folder of [join(extension, 'dist'), bin]) mkdirSync(folder, { recursive: true });
    writeFileSync(join(extension, 'start.sh'), startScript({ os: 'darwin', cpu }, packageJson));
    writeFileSync(join(extension, 'dist', 'main.cjs'), 'console.log(JSON.stringify([process.argv.slice(2), process.env.SOME_SETTING]))');
    writeFileSync(join(bin, 'node'), '#!/bin/sh\nexit 1\n');
    chmodSync(join(bin, 'node'), 0o755);
    const env = { HOME: home, PATH: bin, SOME_SETTING: 'set' };
    const start = (...args: string[]) => spawnSync('/bin/sh', [join(extension, 'start.sh'), ...args], { encoding: 'utf8', env });
    return { home, bin, start };
  }

  test('skips a Node that is too old, and uses one that a version manager installed', () => {
    const { home, start } = install();
    const installed = join(home, '.nvm', 'versions', 'node', 'v1', 'bin', 'node');
    mkdirSync(dirname(installed), { recursive: true });
    symlinkSync(process.execPath, installed);
    expect(start('--demo', 'a b')).toMatchObject({ status: 0, stdout: '[["--demo","a b"],"set"]\n', stderr: '' });
  });

  test('says what to do if there is no Node for this processor', () => {
    const { start } = install('pdp11');
    expect(start()).toMatchObject({ status: 1, stdout: '', stderr: expect.stringContaining('Install it from https://nodejs.org') });
  });

  test.each(['20.18.0', '20.18.1', '20.19.0', '18.20.8', '21.0.0', '24.1.0'])('accepts Node %s only from 20.18.1 on', (version) => {
    const isOld = ['20.18.0', '18.20.8'].includes(version);
    const check = /-e '([^']+)'/.exec(startScript({ os: 'darwin', cpu: process.arch }, { engines: { node: '>=20.18.1' } }))?.[1] ?? '';
    const pretend = `Object.defineProperty(process.versions, 'node', { value: '${version}' });`;
    const run = () => execFileSync(process.execPath, ['-e', pretend + check], { stdio: 'ignore' });
    if (isOld) expect(run).toThrow();
    else expect(run).not.toThrow();
  });
});

test('bundles of the same files are identical, regardless of the order and times of the files', () => {
  const files = { 'start.sh': 'exit 0', 'dist/main.cjs': '// the server', 'a/b/c.txt': 'ü' };
  const folderOf = (names: readonly string[], when: Date) => {
    const folder = newFolder();
    for (const name of names) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), files[name as keyof typeof files]);
      utimesSync(join(folder, name), when, when);
    }
    return zipFolder(folder);
  };
  const names = Object.keys(files);
  const zip = folderOf(names, new Date('2026-01-01'));
  expect(Buffer.from(folderOf(names.toReversed(), new Date('2020-06-01'))).equals(zip)).toBe(true);
  const unpacked = Object.entries(unzipSync(zip)).map(([name, bytes]) => [name, new TextDecoder().decode(bytes)]);
  expect(Object.fromEntries(unpacked)).toEqual(files);
});
