import { expect, test } from 'vitest';
import { credentialFingerprint, credentialInfo } from '../../src/account/identity.ts';
import { nameOf, numberFor, PLAN_TYPES, PROJECT_PLAN_TYPES } from '../../src/account/plan-types.ts';

test('the fingerprint of a credential depends on the address of its API and on itself, and reveals neither', () => {
  const one = credentialFingerprint('https://api.example.com', 'key-1');
  expect(one).toBe('9c6dbbc278339a72d32a5207');
  expect(credentialFingerprint('https://api.example.com/', 'key-1')).toBe(one);
  expect(credentialFingerprint('https://api.example.com/v1', 'key-1')).not.toBe(one);
  expect(credentialFingerprint('https://api.example.com/v1/', 'key-1')).toBe(credentialFingerprint('https://api.example.com/v1', 'key-1'));
  expect(credentialFingerprint('https://api.example.com', 'key-2')).not.toBe(one);
  expect(credentialFingerprint('https://api2.example.com', 'key-1')).not.toBe(one);
});

const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const jwt = (claims: unknown): string => `${part({ alg: 'none' })}.${part(claims)}.x`;

test.each<[string, object]>([
  [jwt({ exp: 4_102_444_800 }), { kind: 'JWT', expires: '2100-01-01T00:00:00.000Z' }],
  ...[{}, { exp: 'soon' }, { exp: 1e300 }].map((claims) => [jwt(claims), { kind: 'JWT' }] as [string, object]),
  ...[jwt(null), 'a.b.c', 'a.b.c.d', '', 'sk_live_1'].map((key) => [key, { kind: 'API key' }] as [string, object]),
])('the kind of the credential %j is recognised by its form', (credential, info) => {
  expect(credentialInfo(credential)).toEqual(info);
});

test('plan types of accounts and of projects are separate lists', () => {
  expect([1, 2, 3, 4, 5].map((value) => nameOf(PLAN_TYPES, value))).toEqual(['Free', 'Pro', 'Business', 'Enterprise', 5]);
  expect([1, 2, 3].map((value) => nameOf(PROJECT_PLAN_TYPES, value))).toEqual(['standard', 'edge', 3]);
  expect(['Pro', 'pro', 2, '2', 'edge', 'toString'].map((name) => numberFor(PLAN_TYPES, name))).toEqual([2, 2, 2, 2, undefined, undefined]);
  expect(nameOf(PLAN_TYPES, undefined)).toBeUndefined();
});
