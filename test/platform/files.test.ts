/** What the disk refuses is told with the file that it is of. */
import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { diskReason } from '../../src/errors/disk-error.ts';
import { namingFile, writeDurably } from '../../src/platform/files.ts';

/** A device of Linux that is always full. */
const FULL = '/dev/full';

test.skipIf(!existsSync(FULL))('a full disk is told with the file that could not be written', async () => {
  const error: unknown = await writeDurably(FULL, 'text').catch((thrown: unknown) => thrown);
  expect(diskReason(error)).toBe('ENOSPC, "/dev/full"');
});

test('an error that names its file keeps it, and one that is none of the disk gets none', () => {
  const named = Object.assign(new Error('no'), { code: 'EACCES', syscall: 'open', path: '/data/one' });
  expect(diskReason(namingFile(named, '/data/other'))).toBe('EACCES, "/data/one"');
  const open = Object.assign(new Error('no'), { code: 'ENOSPC', syscall: 'write' });
  expect(diskReason(namingFile(open, '/data/other'))).toBe('ENOSPC, "/data/other"');
  expect(namingFile(new Error('no'), '/data/other')).not.toHaveProperty('path');
});
