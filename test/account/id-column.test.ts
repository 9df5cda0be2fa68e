/** The first line of a list: a video unless its name says that it is a header, and never guessed. */
import { writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ListFormat } from '../../src/account/id-column.ts';
import { readIdFile } from '../../src/account/id-file.ts';
import { freshHome } from '../harness/start.ts';
import { catalogueOf } from './catalogue-of.ts';

const catalogue = await catalogueOf('id,key,title\nb1,KEY1,One\nb2,KEY2,Two\nb3,KEY3,Three\n');

async function read(contents: string, known?: typeof catalogue, format?: ListFormat) {
  const file = join(freshHome(), 'list');
  writeFileSync(file, contents);
  const handle = await open(file);
  return readIdFile(handle, 'list', known, new AbortController().signal, format).finally(() => handle.close());
}

test('no key of a plain list is lost, whichever letters and digits its keys have', async () => {
  const letters = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ';
  const key = fc.string({ unit: fc.constantFrom(...letters, ...'123456789'), minLength: 11, maxLength: 11 });
  const word = fc.string({ unit: fc.constantFrom(...letters), minLength: 11, maxLength: 11 });
  await fc.assert(
    fc.asyncProperty(word, fc.array(key, { minLength: 1, maxLength: 6 }), async (first, others) => {
      expect((await read([first, ...others].join('\n'))).values).toEqual([first, ...others]);
      expect((await read(`"${[first, ...others].join('"\n"')}"`)).values).toEqual([first, ...others]);
    }),
  );
});

describe('a first line is a header where it is called', () => {
  test.each(['id', 'Video IDs', 'key', 'video_keys', 'videos', 'Video', 'Title', 'Video names'])('%s', async (header) => {
    expect((await read(`${header}\nk1\nk2`)).values).toEqual(['k1', 'k2']);
    expect((await read(`${header}\nKEY1\nTwo`, catalogue)).values).toEqual(['KEY1', 'Two']);
  });
});

test.each([
  ['a word above keys with digits', 'Schluessel\nab1\ncd2', undefined],
  ['a word above keys of one length', 'Clips\nabcdefghijk\nlmnopqrstuv', undefined],
  ['several words above keys', 'My videos\nabcdefghijk\nlm1', undefined],
  ['words and a number above keys', '2026 list\nabcdefghijk\nlm1', undefined],
  ['a title that the catalogue lacks, above its keys', 'Intro\nKEY1\nKEY2', catalogue],
  ['a title that the catalogue lacks, above its titles', 'Ones\nTwo\nThree', catalogue],
  ['the only column of a CSV', '"My videos"\n"KEY1"\n"KEY2"', catalogue],
  ['a column of titles beside another', 'Oen,2026\nTwo,2025\nThree,2024', catalogue],
])('a first line that may be a video or a header is asked about: %s', async (_what, contents, known) => {
  await expect(read(contents, known)).rejects.toMatchObject({
    code: 'file_refused',
    message: expect.stringMatching(/^"list": Its first line, ".+", is unlike the lines below it/),
    hint: expect.stringContaining('Ask the user which it is. If it is a video, put a line "id" above it'),
  });
});

test('the name of a column that the caller gives is a header, whatever it looks like', async () => {
  const format = { wanted: 'id', column: 'Clips', columnArgument: 'idColumn' } as const;
  expect((await read('Clips\nab1\ncd2', undefined, format)).values).toEqual(['ab1', 'cd2']);
  await expect(read('Clips\nab1', undefined, { wanted: 'id', columnArgument: 'idColumn' })).rejects.toMatchObject({
    hint: expect.stringContaining('or give it as idColumn'),
  });
});

test('of several columns the first line is a header where ids or keys of the catalogue are below it, or numbers beside them', async () => {
  expect((await read('name,code\nA,b1\nB,b2', catalogue)).values).toEqual(['b1', 'b2']);
  expect((await read('A,KEY1\nB,KEY2', catalogue)).values).toEqual(['KEY1', 'KEY2']);
  expect((await read('place,film\n1,One\n2,Two', catalogue)).values).toEqual(['One', 'Two']);
});

test('a line with more cells than the first is refused, since its cells are in other columns', async () => {
  await expect(read('title,key\nA,k1\nHello, world,k2\n')).rejects.toMatchObject({
    code: 'file_refused',
    message: '"list": Line 3 has 3 cells, and the first line has 2.',
  });
  expect((await read('key,title\nk1,A,\nk2\n')).values).toEqual(['k1', 'k2']);
});
