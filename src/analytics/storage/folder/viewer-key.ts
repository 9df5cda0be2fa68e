import { hash, randomBytes, randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fsyncFolder, linkExclusive, makeFolder } from '../../../platform/files.ts';

const KEY_BYTES = 32;

/** The key of an epoch's hashes: made by whichever process needs it first, the same for all. */
export async function readViewerKey(folder: string, temporaryFolder: string, epoch: string): Promise<Buffer> {
  const file = join(folder, viewerKeyFile(epoch));
  for (let attempt = 0; attempt < 3; attempt += 1) {
    const key = await readFile(file).catch(() => undefined);
    if (key?.length === KEY_BYTES) return key;
    await makeFolder(temporaryFolder);
    await linkExclusive(join(temporaryFolder, `${process.pid}-${randomUUID()}.key`), randomBytes(KEY_BYTES), file);
    await fsyncFolder(folder);
  }
  throw new Error('The key for hashes of viewers can’t be read.');
}

export const viewerKeyFile = (epoch: string): string => `viewers-${epoch}.key`;

/**
 * 64 bits of a keyed hash of a viewer's id, in decimal digits: enough to count viewers, and nobody can look one up. The
 * key fills a whole block of SHA-256 and most of the hash is cut off, so it needs no second round as HMAC has.
 */
export function createViewerHash(key: Buffer): (viewerId: string) => string {
  const prefix = key.toString('hex');
  return (viewerId) => BigInt(`0x${hash('sha256', prefix + viewerId, 'hex').slice(0, 16)}`).toString();
}
