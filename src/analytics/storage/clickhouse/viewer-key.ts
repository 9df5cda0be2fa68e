/** The key for the hashes of viewers: known to all that share a store, and not to the store. */
import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';
import { VideoHostingError } from '../../../errors.ts';
import { ownCommand, toReaders } from '../../../text/own-command.ts';
import { sentence } from '../../../text/sentence.ts';
import { createViewerHash } from '../spool.ts';

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * The keyed hash of viewers' ids. The key is derived from the account's credential, which every machine that syncs the
 * account has: the store alone does not identify viewers. The key of an imported folder is stored encrypted with it.
 */
export function viewerHash(secret: string, account: string, epoch: string, sealed: string | undefined): (viewerId: string) => string {
  return createViewerHash(sealed === undefined ? derived(secret, `viewers\0${account}\0${epoch}`) : unseal(secret, account, sealed));
}

const derived = (secret: string, purpose: string): Buffer => createHmac('sha256', secret).update(purpose).digest();

/** Encrypts the key of a folder with one derived from the credential; base64. */
export function seal(secret: string, account: string, key: Buffer): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, derived(secret, `seal\0${account}`), nonce);
  const text = Buffer.concat([cipher.update(key), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), text]).toString('base64');
}

function unseal(secret: string, account: string, sealed: string): Buffer {
  const bytes = Buffer.from(sealed, 'base64');
  const decipher = createDecipheriv(CIPHER, derived(secret, `seal\0${account}`), bytes.subarray(0, NONCE_BYTES));
  decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  try {
    return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]);
  } catch (error) {
    throw new VideoHostingError('store_refused', 'The key for hashes of viewers in the store was encrypted with another credential.', {
      hint: sentence`Use the credential with which the views were imported, or remove them${toReaders(() => sentence` with \`${ownCommand('forget --all')}\``, '')}.`,
      cause: error,
    });
  }
}
