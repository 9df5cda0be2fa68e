/** A file that is replaced between its check and its opening is not read from outside the folder. */
import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { openInside } from '../../src/files/named-files.ts';
import { freshHome } from '../harness/start.ts';

/** What another program does just before a file is opened, and just after it. */
const other = vi.hoisted(() => ({ before: () => {}, after: () => {} }));

vi.mock(import('node:fs/promises'), async (original) => {
  const real = await original();
  const open: typeof real.open = async (...args) => {
    other.before();
    const handle = await real.open(...args);
    other.after();
    return handle;
  };
  return { ...real, open };
});

function folders() {
  const home = freshHome();
  const [folder, elsewhere] = [join(home, 'files'), join(home, 'elsewhere')];
  for (const path of [folder, elsewhere, join(folder, 'below')]) mkdirSync(path);
  for (const path of [join(folder, 'below', 'ids.txt'), join(elsewhere, 'ids.txt')]) writeFileSync(path, path);
  return { folder, elsewhere, below: join(folder, 'below'), ids: join(folder, 'below', 'ids.txt') };
}

async function read(folder: string): Promise<string> {
  try {
    const handle = await openInside([folder], 'below/ids.txt');
    return await handle.readFile('utf8').finally(() => handle.close());
  } catch (error) {
    return String(error);
  } finally {
    Object.assign(other, { before: () => {}, after: () => {} });
  }
}

const SWAPPED = 'It was replaced while it was opened';

test('a file that becomes a link out of the folder is refused', async () => {
  const { folder, elsewhere, ids } = folders();
  expect(await read(folder)).toBe(ids);
  other.before = () => {
    rmSync(ids);
    symlinkSync(join(elsewhere, 'ids.txt'), ids);
  };
  expect(await read(folder)).toContain(SWAPPED);
});

test('so it is where the file is put back once the other one is open', async () => {
  const { folder, elsewhere, ids } = folders();
  other.before = () => {
    renameSync(ids, `${ids}.kept`);
    symlinkSync(join(elsewhere, 'ids.txt'), ids);
  };
  other.after = () => renameSync(`${ids}.kept`, ids);
  expect(await read(folder)).toContain(SWAPPED);
});

test('a folder on the way that becomes a link is refused', async () => {
  const { folder, elsewhere, below } = folders();
  other.before = () => {
    renameSync(below, `${below}.kept`);
    symlinkSync(elsewhere, below);
  };
  expect(await read(folder)).toContain(SWAPPED);
});

test('a file that is replaced by another one inside the folder is read as it is then', async () => {
  const { folder, ids } = folders();
  other.before = () => {
    rmSync(ids);
    writeFileSync(ids, 'newer');
  };
  expect(await read(folder)).toBe('newer');
});
