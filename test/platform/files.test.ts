/** What is done the same everywhere, on systems that do it differently: this machine's answers are replaced by theirs. */
import type { BigIntStats } from 'node:fs';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isSameFile, moveFile, type System } from '../../src/platform/files.ts';
import { failure } from '../harness/other-disk.ts';
import { freshHome } from '../harness/start.ts';

/** A system on which a move fails with these codes, one after the other, and then is done. */
function systemWith(platform: NodeJS.Platform, codes: readonly string[]) {
  const left = [...codes];
  const pauses: number[] = [];
  const moves: string[] = [];
  const system: System = {
    platform,
    move: async (from, to) => {
      const code = left.shift();
      if (code !== undefined) throw failure(code, 'rename');
      moves.push(`${from} to ${to}`);
    },
    pause: async (ms) => void pauses.push(ms),
  };
  return { system, pauses, moves };
}

describe('a file is moved', () => {
  test('on Windows as soon as nobody looks at it any more', async () => {
    const { system, pauses, moves } = systemWith('win32', ['EPERM', 'EBUSY', 'EACCES', 'EPERM']);
    await moveFile('a', 'b', system);
    expect(moves).toEqual(['a to b']);
    expect(pauses).toEqual([10, 20, 30, 40]);
  });

  test('on Windows not for ever', async () => {
    const { system, pauses } = systemWith('win32', Array(1_000).fill('EBUSY'));
    await expect(moveFile('a', 'b', system)).rejects.toMatchObject({ code: 'EBUSY' });
    const waitedMs = pauses.reduce((sum, ms) => sum + ms, 0);
    expect(waitedMs).toBeGreaterThan(4_000);
    expect(waitedMs).toBeLessThan(7_000);
  });

  test.each([
    ['win32', 'ENOENT'],
    ['win32', 'ENOSPC'],
    ['linux', 'EPERM'],
    ['darwin', 'EACCES'],
  ] as const)('on %s not at all after %s', async (platform, code) => {
    const { system, pauses } = systemWith(platform, [code]);
    await expect(moveFile('a', 'b', system)).rejects.toMatchObject({ code });
    expect(pauses).toEqual([]);
  });

  test('into the place of another', async () => {
    const folder = freshHome();
    writeFileSync(join(folder, 'new'), 'new');
    writeFileSync(join(folder, 'old'), 'old');
    await moveFile(join(folder, 'new'), join(folder, 'old'));
    expect(readFileSync(join(folder, 'old'), 'utf8')).toBe('new');
    expect(readdirSync(folder)).toEqual(['old']);
    expect(existsSync(join(folder, 'new'))).toBe(false);
  });
});

test('two looks at a file are compared by what Windows’ versions of Node tell alike', () => {
  // Two files that are side by side in NTFS, the same when they are made numbers of.
  const [one, next] = [0x7f3a_0000_0000_1234n, 0x7f3a_0000_0000_1235n];
  expect(Number(one)).toBe(Number(next));
  const stats = (dev: bigint, ino: bigint) => ({ dev, ino }) as BigIntStats; // all that is looked at
  expect(isSameFile(stats(1n, one), stats(1n, one), 'win32')).toBe(true);
  // Node 22.12 to 22.16 and 24.0 to 24.1: by path another number of the drive than by handle.
  expect(isSameFile(stats(0n, one), stats(0x9e4f_21c7n, one), 'win32')).toBe(true);
  expect(isSameFile(stats(1n, one), stats(1n, next), 'win32')).toBe(false);
  for (const platform of ['linux', 'darwin'] as const) {
    expect(isSameFile(stats(1n, one), stats(1n, one), platform)).toBe(true);
    expect(isSameFile(stats(1n, one), stats(2n, one), platform)).toBe(false);
    expect(isSameFile(stats(1n, one), stats(1n, next), platform)).toBe(false);
  }
});
