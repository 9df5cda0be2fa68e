/** The engine's folder for data that doesn't fit in memory. */
import { rmSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { lab, patience } from './support.ts';

test('a folder that can’t be made is told as that, with its reason, and used once it is repaired', async () => {
  const { engine, tempFolder } = lab();
  const ask = () => engine.query({ parts: [], sql: 'SELECT 1', params: [], maxRows: 1, ...patience() });
  writeFileSync(tempFolder, 'a file is in its place');
  const told = {
    code: 'data_folder_failed',
    message: expect.stringContaining(`${JSON.stringify(tempFolder)} can’t be made or written to (EEXIST)`),
  };
  await expect(ask()).rejects.toMatchObject(told);
  await expect(ask()).rejects.toMatchObject({ ...told, hint: expect.stringContaining('VIDEO_HOSTING_DATA_DIR') });
  rmSync(tempFolder);
  expect((await ask()).rows).toEqual([[1]]);
});
