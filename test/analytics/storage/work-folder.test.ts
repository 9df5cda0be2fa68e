import { mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { createWorkFolder, removeAbandoned } from '../../../src/analytics/storage/work-folder.ts';
import { processName } from '../../../src/platform/process-liveness.ts';
import { freshHome } from '../../harness/start.ts';

test('after the machine slept for days, a process still has the files that it is reading into', async () => {
  const folder = freshHome();
  const own = await createWorkFolder(folder);
  writeFileSync(join(own, 'views.lines'), '[]\n');
  const others = ['another-machine~1~12345678', `${processName()}0~12345678`].map((name) => join(folder, 'work', name));
  for (const path of others) mkdirSync(path);
  const old = Date.now() / 1_000 - 3 * 86_400;
  for (const path of [own, ...others]) utimesSync(path, old, old);
  await removeAbandoned(join(folder, 'work'));
  expect(readdirSync(join(folder, 'work'))).toEqual([basename(own)]);
  expect(readdirSync(own)).toEqual(['views.lines']);
});
