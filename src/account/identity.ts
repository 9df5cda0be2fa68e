import { createHash } from 'node:crypto';

/**
 * What tells one account from another on disk: API origin and credential, as a fingerprint from which neither can be
 * recovered. Everything that is kept is kept in a folder of this name.
 */
export function accountFingerprint(baseUrl: string, apiKey: string): string {
  const { origin } = new URL(baseUrl);
  return createHash('sha256').update(`account\0${origin}\0${apiKey}`).digest('hex').slice(0, 24);
}

export interface CredentialInfo {
  readonly kind: 'JWT' | 'API key';
  /** ISO time, where the credential tells. */
  readonly expires?: string;
}

/** What can be told of a credential without the service: a JWT's time of expiry is in it, unverified. */
export function credentialInfo(credential: string): CredentialInfo {
  const [header, payload, signature, ...rest] = credential.split('.');
  if (header === undefined || payload === undefined || signature === undefined || rest.length > 0) return { kind: 'API key' };
  const claims = decode(payload);
  if (decode(header) === undefined || claims === undefined) return { kind: 'API key' };
  const expires = typeof claims.exp === 'number' ? new Date(claims.exp * 1000) : undefined;
  return expires === undefined || Number.isNaN(expires.getTime()) ? { kind: 'JWT' } : { kind: 'JWT', expires: expires.toISOString() };
}

function decode(part: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString('utf8'));
    return typeof value === 'object' && value !== null ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}
