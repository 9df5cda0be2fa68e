import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { type Sentence, sentence } from '../text/sentence.ts';

/** The secrets that a person has: the kind stands before each, so that one that was pasted into the wrong place is told by its looks. */
export const SECRET_PREFIXES = { clientToken: 'vhm_', pageKey: 'vhp_' } as const;
export type SecretName = keyof typeof SECRET_PREFIXES;
export type Secrets = Readonly<Record<SecretName, string>>;

const SECRET_BYTES = 32;

const newSecret = (name: SecretName): string => `${SECRET_PREFIXES[name]}${randomBytes(SECRET_BYTES).toString('base64url')}`;

export const newClientToken = (): string => newSecret('clientToken');

/** Of 256 bits each. */
export const newSecrets = (): Secrets => ({ clientToken: newSecret('clientToken'), pageKey: newSecret('pageKey') });

/** What the file holds of a secret: with 256 random bits in it, it needs neither salt nor a slow hash. */
export const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('hex');

/** What keeps a text from being a client token; the end of a sentence that begins with what it was given for. */
export function clientTokenProblem(text: string): Sentence | undefined {
  if (text.startsWith(SECRET_PREFIXES.pageKey))
    return sentence`is a page key, which signs a person in on the page. Clients need the client token (${SECRET_PREFIXES.clientToken}…).`;
  return /^vhm_[\w-]{20,200}$/.test(text) ? undefined : sentence`is no client token: that begins with ${SECRET_PREFIXES.clientToken}.`;
}

/** Tells whether a hash is that of a secret; takes the same time whichever it is, and for those that are no secrets at all. */
export function hashComparer(secret: string): (hash: string) => boolean {
  const own = createHash('sha256').update(secret).digest();
  return (hash) => timingSafeEqual(Buffer.from(hash, 'hex'), own);
}
