/**
 * With which key viewers are hashed in a store: one that everybody who shares the store has, and the store has not. A
 * folder's key lies in the folder (`store/viewer-key.ts`).
 */
import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';
import { VideoHostingError } from '../../../errors.ts';
import { createViewerHash } from '../folder/viewer-key.ts';

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * The keyed hash of viewers' ids. Its key follows from the account's credential, which all that sync the account have and
 * the store hasn't: who has the store alone can't look a viewer up. A key that came with views kept elsewhere is sealed with it.
 */
export function viewerHash(secret: string, account: string, epoch: string, sealed: string | undefined): (viewerId: string) => string {
  return createViewerHash(sealed === undefined ? derived(secret, `viewers\0${account}\0${epoch}`) : unseal(secret, account, sealed));
}

const derived = (secret: string, purpose: string): Buffer => createHmac('sha256', secret).update(purpose).digest();

/** The key of a folder, encrypted with one that follows from the credential, in base64. */
export function seal(secret: string, account: string, key: Buffer): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, derived(secret, `seal\0${account}`), nonce);
  const text = Buffer.concat([cipher.update(key), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), text]).toString('base64');
}

/** Throws `store_refused` where another credential sealed it. */
function unseal(secret: string, account: string, sealed: string): Buffer {
  const bytes = Buffer.from(sealed, 'base64');
  const decipher = createDecipheriv(CIPHER, derived(secret, `seal\0${account}`), bytes.subarray(0, NONCE_BYTES));
  decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  try {
    return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]);
  } catch (error) {
    throw new VideoHostingError('store_refused', 'The key for hashes of viewers in the store was not made with this credential.', {
      hint: 'Use the credential with which the views were brought there, or remove them with `video-hosting-mcp forget --all`.',
      cause: error,
    });
  }
}
