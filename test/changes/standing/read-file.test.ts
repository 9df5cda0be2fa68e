/** The file of standing approvals, as it is opened. */
import { rmSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { problemWith } from '../../../src/changes/standing/read-file.ts';
import { freshHome } from '../../harness/start.ts';

test('a file that has no name any more, as a mount of it shows once it is replaced, is not trusted', async () => {
  const file = join(freshHome(), 'approvals.json');
  writeFileSync(file, '{}', { mode: 0o600 });
  const handle = await open(file);
  try {
    expect(await problemWith(handle, file, [])).toBeUndefined();
    rmSync(file);
    expect(await problemWith(handle, file, [])).toContain('was replaced where it is mounted from: mount its folder');
  } finally {
    await handle.close();
  }
});
