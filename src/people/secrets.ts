import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** The secrets that a person has: the kind stands before each, so that one that was pasted into the wrong place is told by its looks. */
export const SECRET_PREFIXES = { clientToken: 'vhm_', pageKey: 'vhp_' } as const;
export type SecretName = keyof typeof SECRET_PREFIXES;
export type Secrets = Readonly<Record<SecretName, string>>;

const SECRET_BYTES = 32;

const newSecret = (name: SecretName): string => `${SECRET_PREFIXES[name]}${randomBytes(SECRET_BYTES).toString('base64url')}`;

/** Of 256 bits each. */
export const newSecrets = (): Secrets => ({ clientToken: newSecret('clientToken'), pageKey: newSecret('pageKey') });

/** What the file holds of a secret: with 256 random bits in it, it needs neither salt nor a slow hash. */
export const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('hex');

/** Takes the same time whichever it is, and for those that are no secrets at all. */
export const isHashOf = (hash: string, secret: string): boolean =>
  timingSafeEqual(Buffer.from(hash, 'hex'), createHash('sha256').update(secret).digest());
