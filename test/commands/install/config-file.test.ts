/** A client's configuration file on disk. */
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readConfig, writeConfig } from '../../../src/commands/install/config-file.ts';
import { freshHome } from '../../harness/cleanup.ts';

test.each([
  ['was changed', '{"a":1}', '{"a":2}'],
  ['was created', undefined, '{"a":2}'],
  ['was deleted', '{"a":1}', undefined],
])('a file that %s between the preview and the write is not overwritten', async (_what, before, meanwhile) => {
  const file = join(freshHome(), 'mcp.json');
  if (before !== undefined) writeFileSync(file, before);
  const config = await readConfig(file);
  if (meanwhile === undefined) rmSync(file);
  else writeFileSync(file, meanwhile);
  await expect(writeConfig(config, '{"ours":1}', false)).rejects.toThrow('another program changed it meanwhile.');
  const left = readdirSync(join(file, '..')).filter((name) => !name.endsWith('.bak'));
  expect(left).toEqual(meanwhile === undefined ? [] : ['mcp.json']);
  if (meanwhile !== undefined) expect(readFileSync(file, 'utf8')).toBe(meanwhile);
});

test('each write keeps a backup of the previous file, byte for byte', async () => {
  const folder = freshHome();
  const file = join(folder, 'mcp.json');
  writeFileSync(file, '\ufeff{}\r\n');
  const backups: (string | undefined)[] = [];
  for (const text of ['{"a":1}', '{"a":2}']) backups.push((await writeConfig(await readConfig(file), text, false))?.path);
  expect(readFileSync(file, 'utf8')).toBe('\ufeff{"a":2}');
  expect(backups.map((path) => readFileSync(path ?? '', 'utf8'))).toEqual(['\ufeff{}\r\n', '\ufeff{"a":1}']);
  expect(readdirSync(folder)).toHaveLength(3);
});

test('copies don’t become more and more: one that has the same is taken, and the first and the latest stay', async () => {
  const folder = freshHome();
  const file = join(folder, 'mcp.json');
  writeFileSync(file, 'first');
  const write = async (text: string) => writeConfig(await readConfig(file), text, false);
  const copies = () => readdirSync(folder).filter((name) => name.endsWith('.bak'));
  await write('a');
  expect(await write('first')).toMatchObject({ isNew: true });
  expect(await write('a')).toMatchObject({ isNew: false, path: join(folder, copies()[0] ?? '') });
  expect(copies()).toHaveLength(2);
  for (let number = 0; number < 10; number += 1) await write(`b${number}`);
  expect(copies().map((name) => readFileSync(join(folder, name), 'utf8'))).toEqual(['first', 'b5', 'b6', 'b7', 'b8']);
  writeFileSync(join(folder, 'mcp.json.bak'), 'somebody’s own');
  await write('c');
  expect(existsSync(join(folder, 'mcp.json.bak'))).toBe(true);
});
