/** The client in a user's own project: from the archive that would be published, compiled and run there. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { API_KEY, startService } from '../harness/service.ts';
import { blockOf, root, runNode } from './project.ts';

const project = mkdtempSync(join(tmpdir(), 'video-hosting-mcp-user-'));
afterAll(() => rmSync(project, { recursive: true, force: true }));

const USES = `
import { createClient, createUnguardedClient, VideoHostingError, type Channel, type ChannelId, type Client } from 'video-hosting-mcp/client';

const client: Client = createClient({ baseUrl: 'http://127.0.0.1:1', apiKey: 'k' });
export async function read(id: ChannelId): Promise<string | undefined> {
  const channel: Channel = await client.channels.get(id);
  const { items, complete } = await client.projects.all({ query: { planType: 1 }, onPage: (page) => void page.toFixed() });
  for await (const { email } of client.emails.collected()) email?.toUpperCase();
  return complete ? channel.name : items[0]?.region;
}
// Neither an id of another kind nor a plain text is one.
export const notAnId = (id: ChannelId): Promise<unknown> => {
  // @ts-expect-error
  void client.projects.get(id);
  // @ts-expect-error
  return client.channels.get('text');
};
// @ts-expect-error
export const notThere = client.videos;
export const change = createUnguardedClient({ baseUrl: 'http://127.0.0.1:1', apiKey: 'k' }).videos.move;
// @ts-expect-error
export const listless = createUnguardedClient({ baseUrl: '', apiKey: '' }).channels.update('' as ChannelId, { name: 'x' });
export const codeOf = (error: VideoHostingError): 'unauthorized' | undefined => (error.code === 'unauthorized' ? error.code : undefined);
// @ts-expect-error
export const noCode = (error: VideoHostingError) => error.code === 'no such code';
`;

beforeAll(() => {
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  const modules = join(project, 'node_modules');
  mkdirSync(modules);
  const args = ['pack', '--ignore-scripts', '--offline', '--loglevel=silent', '--pack-destination', project];
  execFileSync(npm, args, { cwd: root, stdio: 'ignore' });
  const archive = readdirSync(project).find((name) => name.endsWith('.tgz')) ?? '';
  execFileSync('tar', ['-xzf', archive], { cwd: project });
  renameSync(join(project, 'package'), join(modules, 'video-hosting-mcp'));
  writeFileSync(join(project, 'package.json'), '{ "private": true, "type": "module" }');
  writeFileSync(join(project, 'uses.mts'), USES);
  writeFileSync(join(project, 'uses.cts'), USES);
  writeFileSync(join(project, 'example.mts'), blockOf('docs/library.md', 'example', 'client'));
});

const STRICT = { strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true, skipLibCheck: false };

/** Compiles files of the user's project; returns the compiler's output. */
function compile(options: Record<string, unknown>, files: readonly string[]): string {
  const types = { typeRoots: [join(root, 'node_modules', '@types')], types: ['node'], lib: ['es2023'], target: 'es2022' };
  const compilerOptions = { ...STRICT, ...types, rootDir: '.', ...options };
  writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }));
  const tsc = join(root, 'node_modules', 'typescript-7', 'bin', 'tsc');
  const { stdout, stderr } = spawnSync(process.execPath, [tsc, '-p', project], { encoding: 'utf8' });
  return stdout + stderr;
}

test.each([
  ['nodenext', { module: 'nodenext', moduleResolution: 'nodenext', noEmit: true }, ['uses.mts', 'uses.cts', 'example.mts']],
  ['bundler', { module: 'esnext', moduleResolution: 'bundler', noEmit: true }, ['uses.mts', 'example.mts']],
])('the client’s types compile under moduleResolution %s', (_, options, files) => {
  expect(compile(options, files)).toBe('');
});

test('the example of the documentation compiles and works', async () => {
  const demo = await startService({ channels: 12 });
  expect(compile({ module: 'nodenext', outDir: 'out' }, ['example.mts'])).toBe('');
  const run = (key: string) =>
    runNode([join(project, 'out', 'example.mjs')], { VIDEO_HOSTING_BASE_URL: demo.baseUrl, VIDEO_HOSTING_API_KEY: key });
  const { code, stdout, stderr } = await run(API_KEY);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const channels = [...demo.world.channels.values()];
  expect(new Set(stdout.trim().split('\n'))).toEqual(new Set(channels.map(({ id, name }) => `${id} ${name}`)));
  expect((await run('wrong')).stderr).toMatch(/^unauthorized .*401.* Check VIDEO_HOSTING_API_KEY/);
});

test('import and require return the same client', async () => {
  writeFileSync(
    join(project, 'both.mjs'),
    `import { createRequire } from 'node:module';
     import { createClient, VideoHostingError } from 'video-hosting-mcp/client';
     const required = createRequire(import.meta.url)('video-hosting-mcp/client');
     console.log(required.createClient === createClient, required.VideoHostingError === VideoHostingError, Object.keys(required).sort().join());`,
  );
  const { stdout } = await runNode([join(project, 'both.mjs')]);
  expect(stdout).toBe('true true VideoHostingError,createClient,createUnguardedClient\n');
});
