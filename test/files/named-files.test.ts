/** Which files a caller can name on Windows, by the rules of Windows paths; tested on every system. */
import { win32 } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isFileName, isInside } from '../../src/files/named-files.ts';

const FOLDER = 'C:\\Users\\ada\\files';
/** Resolves the name in the folder and checks that the result is inside it. */
const isBelow = (name: string, folder = FOLDER) => isInside(folder, win32.resolve(folder, name), win32);

describe('a name inside the folder is accepted', () => {
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

  test('on a network share, in any letter case', () => {
    expect(isBelow('ids.txt', '\\\\server\\share\\files')).toBe(true);
    expect(isBelow('\\\\SERVER\\Share\\files\\ids.txt', '\\\\server\\share\\files')).toBe(true);
    expect(isBelow('\\\\server\\other\\files\\ids.txt', '\\\\server\\share\\files')).toBe(false);
  });
});

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
])('a name outside the folder is refused: %s', (name) => {
  expect(isFileName(name, 'win32') && isBelow(name)).toBe(false);
});

test.each([
  'ids.txt:hidden',
  'ids.txt::$DATA',
  'below:$INDEX_ALLOCATION\\ids.txt',
  'C:ids.txt:hidden',
  'CON:..\\..\\secret.txt',
  '::$DATA',
])('%s names a data stream or a device on Windows and is refused there, and is allowed elsewhere', (name) => {
  expect(isFileName(name, 'win32')).toBe(false);
  for (const platform of ['linux', 'darwin'] as const) expect(isFileName(name, platform)).toBe(true);
});

test('empty names, long names and names with control characters are refused on every system', () => {
  for (const platform of ['linux', 'darwin', 'win32'] as const)
    for (const name of ['', 'x'.repeat(1_001), 'a\nb', 'a\u0000b', 'a\u007fb']) expect(isFileName(name, platform)).toBe(false);
});
