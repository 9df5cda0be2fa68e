import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, inject, test } from 'vitest';
import { root, runNode } from './project.ts';

const STAMP_LENGTH = 128;
const folders: string[] = [];

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** A copy of the built command whose `server.cache` was made into something else; undefined takes it away. */
function copyWith(change: (cache: Buffer) => Buffer | undefined): string {
  const folder = mkdtempSync(join(tmpdir(), 'video-hosting-mcp-cache-'));
  folders.push(folder);
  cpSync(dirname(inject('command')), folder, { recursive: true });
  const file = join(folder, 'server.cache');
  const changed = change(readFileSync(file));
  if (changed === undefined) rmSync(file);
  else writeFileSync(file, changed);
  return folder;
}

/** Whether the command took its cache, by the loader's own account; the command itself prints its version. */
async function start(folder: string): Promise<{ took: boolean; stdout: string; code: number }> {
  const loader = join(root, 'scripts', 'build', 'load-cached.cjs');
  const program = `process.argv.push('main.cjs', '--version');
    require(${JSON.stringify(loader)}).load(${JSON.stringify(folder)}, 'server', ({ script }) => console.error(script.cachedDataRejected));`;
  const { stdout, stderr, code } = await runNode(['-e', program]);
  return { took: stderr === 'false\n', stdout, code };
}

describe('the compiled code beside a build', () => {
  test('is taken by the Node that made it', async () => {
    expect((await start(copyWith((cache) => cache))).took).toBe(true);
  });

  test.each([
    ['is missing', () => undefined],
    ['is empty', () => Buffer.alloc(0)],
    ['was cut off', (cache: Buffer) => cache.subarray(0, 1000)],
    ['was damaged inside', (cache: Buffer) => Buffer.from(cache).fill(0xff, 5000, 6000)],
    ['is of another Node', (cache: Buffer) => Buffer.from(cache.toString('latin1').replace(process.version, 'v20.0.0'), 'latin1')],
    [
      'is of another build',
      (cache: Buffer) => Buffer.concat([cache.subarray(0, -STAMP_LENGTH), Buffer.from('0'.repeat(16)), cache.subarray(16 - STAMP_LENGTH)]),
    ],
  ])('is left aside when it %s', async (_, change) => {
    const { took, stdout, code } = await start(copyWith(change));
    expect({ took, code }).toEqual({ took: false, code: 0 });
    expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });
});
