/** What a caller's words can name on Windows, as its paths are read there; tried on every system. */
import { win32 } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isFileName, isInside } from '../../src/account/named-files.ts';

const FOLDER = 'C:\\Users\\ada\\files';
/** As it is resolved for a folder, and held against it. */
const isBelow = (name: string, folder = FOLDER) => isInside(folder, win32.resolve(folder, name), win32);

describe('inside the folder', () => {
  test.each([
    'ids.txt',
    'below\\ids.txt',
    'below/ids.txt',
    '.\\below\\..\\ids.txt',
    `${FOLDER}\\ids.txt`,
    'c:\\USERS\\Ada\\Files\\ids.txt',
  ])('%s', (name) => {
    expect(isFileName(name, 'win32')).toBe(true);
    expect(isBelow(name)).toBe(true);
  });

  test('of a share, whatever the case', () => {
    expect(isBelow('ids.txt', '\\\\server\\share\\files')).toBe(true);
    expect(isBelow('\\\\SERVER\\Share\\files\\ids.txt', '\\\\server\\share\\files')).toBe(true);
    expect(isBelow('\\\\server\\other\\files\\ids.txt', '\\\\server\\share\\files')).toBe(false);
  });
});

describe('outside, and not so much as looked at', () => {
  test.each([
    '..\\secret.txt',
    '..',
    'C:\\Users\\ada\\files',
    'C:\\Users\\ada\\files2\\ids.txt',
    'C:\\Windows\\win.ini',
    '\\Windows\\win.ini',
    'D:ids.txt',
    'D:\\Users\\ada\\files\\ids.txt',
    '\\\\attacker\\share\\ids.txt',
    '//attacker/share/ids.txt',
    '\\\\.\\C:\\Users\\ada\\files\\ids.txt',
    '\\\\?\\C:\\Users\\ada\\files\\ids.txt',
    '\\\\?\\UNC\\attacker\\share\\ids.txt',
    '\\\\.\\NUL',
    '\\\\.\\pipe\\ids',
  ])('%s', (name) => {
    expect(isFileName(name, 'win32') && isBelow(name)).toBe(false);
  });
});

test.each([
  'ids.txt:hidden',
  'ids.txt::$DATA',
  'below:$INDEX_ALLOCATION\\ids.txt',
  'C:ids.txt:hidden',
  'CON:..\\..\\secret.txt',
  '::$DATA',
])('%s names what is hidden beside a file, or a device, and is refused; elsewhere it is a name like others', (name) => {
  expect(isFileName(name, 'win32')).toBe(false);
  for (const platform of ['linux', 'darwin'] as const) expect(isFileName(name, platform)).toBe(true);
});

test('nothing, what is too long and control characters name nothing anywhere', () => {
  for (const platform of ['linux', 'darwin', 'win32'] as const)
    for (const name of ['', 'x'.repeat(1_001), 'a\nb', 'a\u0000b', 'a\u007fb']) expect(isFileName(name, platform)).toBe(false);
});
