/** A caller can open only plain files inside the allowed folders, whatever name it gives. */
import { execFileSync } from 'node:child_process';
import { linkSync, mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { openInside } from '../../src/files/named-files.ts';
import { freshHome } from '../harness/start.ts';

let home: string;
let folder: string;
let other: string;
const SECRET = 'what must not be read';

beforeEach(() => {
  home = freshHome();
  folder = join(home, 'files');
  other = join(home, 'other');
  for (const name of [folder, join(folder, 'below'), other]) mkdirSync(name);
  writeFileSync(join(folder, 'ids.txt'), 'inside');
  writeFileSync(join(folder, 'below', 'more.txt'), 'below');
  writeFileSync(join(other, 'theirs.txt'), 'theirs');
  writeFileSync(join(home, 'secret.txt'), SECRET);
});

afterEach(() => {
  vi.unstubAllEnvs();
});

async function read(name: string, folders: readonly string[] = [folder]): Promise<string> {
  const handle = await openInside(folders, name);
  try {
    return await handle.readFile('utf8');
  } finally {
    await handle.close();
  }
}

const refusal = (name: string, folders?: readonly string[]) =>
  read(name, folders).then(
    (text) => `read: ${text}`,
    (error: { code: string; message: string }) => `${error.code} ${error.message}`,
  );

test('a file name is relative to an allowed folder, or absolute inside one', async () => {
  expect(await read('ids.txt')).toBe('inside');
  expect(await read(join(folder, 'ids.txt'))).toBe('inside');
  expect(await read('below/more.txt')).toBe('below');
  expect(await read('./below/../ids.txt')).toBe('inside');
  expect(await read(join(folder, 'below', '..', 'ids.txt'))).toBe('inside');
});

test('a name that begins with ~ is in the home folder of the user, where that is in an allowed folder', async () => {
  vi.stubEnv('HOME', home);
  vi.stubEnv('USERPROFILE', home);
  expect(await read('~/files/ids.txt')).toBe('inside');
  expect(await read('~/files/below/../ids.txt')).toBe('inside');
  expect(await refusal('~/other/theirs.txt')).toMatch(/^file_refused "~\/other\/theirs\.txt": It is outside the folder for files\./);
  expect(await refusal('~/files/../secret.txt')).toContain('outside');
  expect(await refusal('~root/ids.txt')).toContain('no such file');
  mkdirSync(join(folder, '~'));
  writeFileSync(join(folder, '~', 'own.txt'), 'of that name');
  expect(await read('~/own.txt')).toBe('of that name');
});

test('the first of several folders that has the file is used, and a missing folder hides no other', async () => {
  expect(await read('theirs.txt', [folder, other])).toBe('theirs');
  expect(await read(join(other, 'theirs.txt'), [folder, other])).toBe('theirs');
  expect(await read('ids.txt', [join(home, 'gone'), folder])).toBe('inside');
  mkdirSync(join(folder, 'theirs.txt'));
  expect(await read('theirs.txt', [folder, other])).toBe('theirs');
  expect(await refusal('theirs.txt', [folder])).toContain('not a plain file');
});

test('a file name can begin with two dots', async () => {
  writeFileSync(join(folder, '..ids.txt'), 'dotted');
  expect(await read('..ids.txt')).toBe('dotted');
});

test('a missing setting is named in the error, and an invalid file name is reported sanitised and short', async () => {
  expect(await refusal('ids.txt', [])).toContain('VIDEO_HOSTING_FILES_DIR is not set');
  for (const name of ['', 'ids\u0000.txt', 'ids.txt\n', 'x'.repeat(1_001)]) {
    const told = await refusal(name);
    expect(told).toContain('This is not a file name.');
    expect(told.length).toBeLessThan(300);
  }
  expect(await refusal('\u202Etxt.sdi\u200B')).toMatch(/^file_refused "txt\.sdi": There is no such file/);
});

test('a name is found in whichever form its accents are written', async () => {
  writeFileSync(join(folder, 'Vidéos.txt'.normalize('NFD')), 'decomposed');
  writeFileSync(join(folder, 'Übersicht.txt'.normalize('NFC')), 'composed');
  for (const form of ['NFC', 'NFD']) {
    expect(await read('Vidéos.txt'.normalize(form))).toBe('decomposed');
    expect(await read(join(folder, 'Übersicht.txt'.normalize(form)))).toBe('composed');
  }
});

test('the nearest names are told of a file that is not there, but none of another folder or for people', async () => {
  writeFileSync(join(folder, 'archive-2026.csv'), '');
  writeFileSync(join(folder, 'collected-emails-2026.csv'), '');
  symlinkSync(other, join(folder, 'elsewhere'));
  expect(await refusal('archiv-2026.csv')).toBe(
    'file_refused "archiv-2026.csv": There is no such file in the folder for files. The nearest: "archive-2026.csv".',
  );
  expect(await refusal('below/mor.txt')).toContain('The nearest: "more.txt".');
  for (const name of ['elsewhere/their.txt', 'collected-email-2026.csv', '../secret'])
    expect(await refusal(name)).not.toMatch(/theirs|emails|secret\.txt/);
});

test('a folder for files that is not there is told as that', async () => {
  const gone = join(home, 'gone');
  expect(await refusal('ids.txt', [gone])).toBe(`file_refused "ids.txt": The folder for files is not there: ${JSON.stringify(gone)}.`);
  expect(await refusal('no.txt', [folder, gone])).toContain(`Of the folders for files, ${JSON.stringify(gone)} is not there.`);
});

test('an allowed folder can be reached through a symbolic link', async () => {
  symlinkSync(folder, join(home, 'linked'));
  expect(await read('ids.txt', [join(home, 'linked')])).toBe('inside');
  expect(await read(join(home, 'linked', 'ids.txt'), [join(home, 'linked')])).toBe('inside');
  expect(await read(join(folder, 'ids.txt'), [join(home, 'linked')])).toBe('inside');
});

describe('outside the allowed folders', () => {
  const UPWARDS = '../secret.txt below/../../secret.txt ../files/../secret.txt ./../secret.txt .. .';
  const ABSOLUTE = '/etc/passwd /etc/shadow /proc/self/environ /dev/zero /';

  test.each(`${UPWARDS} ${ABSOLUTE}`.split(' '))('%s is refused', async (name) => {
    expect(await refusal(name)).toMatch(/^file_refused .*outside the folder/);
  });

  test('the error does not reveal whether a file exists', async () => {
    expect(await refusal('../secret.txt')).toBe((await refusal('../nothing.txt')).replace('nothing', 'secret'));
    expect(await refusal(join(home, 'secret.txt'))).toBe((await refusal(join(home, 'nothing.txt'))).replace('nothing', 'secret'));
  });

  test('a folder whose name begins with that of the allowed folder is refused', async () => {
    mkdirSync(`${folder}-not`);
    writeFileSync(join(`${folder}-not`, 'x.txt'), SECRET);
    expect(await refusal(join(`${folder}-not`, 'x.txt'))).toContain('outside');
    expect(await refusal('../files-not/x.txt')).toContain('outside');
  });

  test('symbolic links that lead outside are refused, also in a chain; those that stay inside are followed', async () => {
    symlinkSync(join(home, 'secret.txt'), join(folder, 'link.txt'));
    symlinkSync('../secret.txt', join(folder, 'relative.txt'));
    symlinkSync(home, join(folder, 'out'));
    symlinkSync(join(folder, 'link.txt'), join(folder, 'twice.txt'));
    symlinkSync('/dev/zero', join(folder, 'zero'));
    for (const name of ['link.txt', 'relative.txt', 'out/secret.txt', 'twice.txt', 'zero', 'out/files/../secret.txt'])
      expect(await refusal(name)).toMatch(/^file_refused .*(outside|no such file)/);
    symlinkSync(join(folder, 'below'), join(folder, 'within'));
    expect(await read('within/more.txt')).toBe('below');
    symlinkSync('loop', join(folder, 'loop'));
    expect(await refusal('loop')).toContain('no such file');
  });

  test('a hard link is refused', async () => {
    linkSync(join(home, 'secret.txt'), join(folder, 'hard.txt'));
    expect(await refusal('hard.txt')).toContain('hard link');
  });

  test('a pipe is refused without waiting for a writer, and a folder is refused', async () => {
    execFileSync('mkfifo', [join(folder, 'pipe')]);
    expect(await refusal('pipe')).toContain('not a plain file');
    expect(await refusal('below')).toContain('not a plain file');
    expect(await refusal('ids.txt/')).toMatch(/^(read: inside|file_refused)/);
    expect(await refusal('ids.txt/more')).toContain('file_refused');
  });

  test('a sparse file larger than the limit is refused', async () => {
    truncateSync(join(folder, 'ids.txt'), 5 * 1024 ** 4);
    expect(await refusal('ids.txt')).toContain('larger than');
  });

  test('no random name reads a file outside the folder', async () => {
    symlinkSync(home, join(folder, 'out'));
    const names = ['..', '.', 'out', 'below', 'ids.txt', 'secret.txt', '', 'files', '~', '%2e%2e', '\\..\\'];
    const part = fc.oneof(fc.constantFrom(...names), fc.string({ maxLength: 6 }));
    await fc.assert(
      fc.asyncProperty(fc.array(part, { maxLength: 8 }), fc.boolean(), async (parts, isAbsolute) => {
        const words = await refusal(`${isAbsolute ? `${folder}/` : ''}${parts.join('/')}`);
        expect(words).not.toContain(SECRET);
        expect(words).toMatch(/^(read: (inside|below)$|file_refused )/);
      }),
      { numRuns: 400 },
    );
  });
});

test('no file stays open after a refusal', async (context) => {
  if (process.platform !== 'linux') return context.skip();
  const openNow = async () => (await readdir('/proc/self/fd')).length;
  linkSync(join(home, 'secret.txt'), join(folder, 'hard.txt'));
  const before = await openNow();
  for (let round = 0; round < 50; round += 1) for (const name of ['hard.txt', 'below', '../secret.txt', 'gone']) await refusal(name);
  expect(await openNow()).toBeLessThanOrEqual(before + 2);
  await (await open(join(folder, 'ids.txt'))).close();
});
