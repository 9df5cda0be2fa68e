/** File functions on other operating systems, whose errors are simulated. */
import type { BigIntStats } from 'node:fs';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { isSameFile, moveFile } from '../../src/platform/files.ts';
import { failure } from '../harness/other-disk.ts';
import { freshHome } from '../harness/start.ts';

const moves = vi.hoisted(() => ({ codes: [] as string[] }));
vi.mock(import('node:fs/promises'), async (original) => {
  const real = await original();
  return {
    ...real,
    rename: async (from, to) => {
      const code = moves.codes.shift();
      if (code !== undefined) throw failure(code, 'rename');
      await real.rename(from, to);
    },
  };
});

function setPlatform(platform: NodeJS.Platform): void {
  const { platform: own } = process;
  onTestFinished(() => void Object.defineProperty(process, 'platform', { value: own }));
  Object.defineProperty(process, 'platform', { value: platform });
}

function twoFiles(): readonly [string, string] {
  const folder = freshHome();
  writeFileSync(join(folder, 'new'), 'new');
  writeFileSync(join(folder, 'old'), 'old');
  return [join(folder, 'new'), join(folder, 'old')];
}

describe('moveFile', () => {
  test('retries on Windows until no other program has the file open', async () => {
    const [from, to] = twoFiles();
    setPlatform('win32');
    moves.codes = ['EPERM', 'EBUSY', 'EACCES', 'EPERM'];
    await moveFile(from, to);
    expect(readFileSync(to, 'utf8')).toBe('new');
    expect(existsSync(from)).toBe(false);
    expect(moves.codes).toEqual([]);
  });

  test.each([
    ['win32', 'ENOENT'],
    ['win32', 'ENOSPC'],
    ['linux', 'EPERM'],
    ['darwin', 'EACCES'],
  ] as const)('fails on %s after %s without a retry', async (platform, code) => {
    const [from, to] = twoFiles();
    setPlatform(platform);
    moves.codes = [code];
    await expect(moveFile(from, to)).rejects.toMatchObject({ code });
    expect(readFileSync(to, 'utf8')).toBe('old');
  });
});

test('isSameFile compares what all versions of Node report alike on Windows', () => {
  // Two adjacent file ids of NTFS, which are equal once they are converted to numbers.
  const [one, next] = [0x7f3a_0000_0000_1234n, 0x7f3a_0000_0000_1235n];
  expect(Number(one)).toBe(Number(next));
  const stats = (dev: bigint, ino: bigint) => ({ dev, ino }) as BigIntStats; // all that is looked at
  setPlatform('win32');
  expect(isSameFile(stats(1n, one), stats(1n, one))).toBe(true);
  // Node 22.12 to 22.16 and 24.0 to 24.1 report another device number by path than by handle.
  expect(isSameFile(stats(0n, one), stats(0x9e4f_21c7n, one))).toBe(true);
  expect(isSameFile(stats(1n, one), stats(1n, next))).toBe(false);
  for (const platform of ['linux', 'darwin'] as const) {
    setPlatform(platform);
    expect(isSameFile(stats(1n, one), stats(1n, one))).toBe(true);
    expect(isSameFile(stats(1n, one), stats(2n, one))).toBe(false);
    expect(isSameFile(stats(1n, one), stats(1n, next))).toBe(false);
  }
});
