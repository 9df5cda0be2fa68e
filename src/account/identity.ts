import { createHash } from 'node:crypto';
import { isObject } from '../platform/is-object.ts';
import { parseJsonOrUndefined } from '../platform/parse-json.ts';

/** A hash of API address and credential, which names what is kept for that credential. It tells nothing of the credential. */
export function credentialFingerprint(baseUrl: string, apiKey: string): string {
  return createHash('sha256')
    .update(`account\0${addressOf(baseUrl)}\0${apiKey}`)
    .digest('hex')
    .slice(0, 24);
}

/** The same for views in a store that is shared. Those that are asked for with the credential may be others than those asked for without. */
export function viewsFingerprint({
  baseUrl,
  apiKey,
  statsAuth,
}: {
  baseUrl: string;
  apiKey: string;
  statsAuth: 'none' | 'bearer';
}): string {
  return credentialFingerprint(baseUrl, statsAuth === 'bearer' ? `with-key\0${apiKey}` : apiKey);
}

/** The origin of an API, with its path where it has one, since several services may share an origin. */
export function addressOf(baseUrl: string): string {
  const { origin, pathname } = new URL(baseUrl);
  return `${origin}${pathname.replace(/\/+$/, '')}`;
}

export interface CredentialInfo {
  readonly kind: 'JWT' | 'API key';
  /** ISO time, if the credential has one. */
  readonly expires?: string;
}

/** What a credential says of itself: the time of expiry in a JWT, unverified. */
export function credentialInfo(credential: string): CredentialInfo {
  const parts = credential.split('.');
  const [header, claims] = [parseJson(parts[0]), parseJson(parts[1])];
  if (parts.length !== 3 || !isObject(header) || !isObject(claims)) return { kind: 'API key' };
  const expires = new Date(typeof claims.exp === 'number' ? claims.exp * 1000 : Number.NaN);
  return Number.isNaN(expires.getTime()) ? { kind: 'JWT' } : { kind: 'JWT', expires: expires.toISOString() };
}

const parseJson = (part = ''): unknown => parseJsonOrUndefined(Buffer.from(part, 'base64url').toString('utf8'));
