import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseBase, path, targetOf } from '../../src/service/path.ts';
import { sentence } from '../../src/text/sentence.ts';

test('a value becomes one encoded segment', () => {
  expect(path`/v1/channels/${'a/b?c#d é%2e'}/x`).toBe('/v1/channels/a%2Fb%3Fc%23d%20%C3%A9%252e/x');
});

test.each(['', '.', '..', '\uD800', 'x'.repeat(2_000)])('%j is refused as a path segment', (value) => {
  expect(() => path`/v1/channels/${value}`).toThrow(expect.objectContaining({ code: 'invalid_arguments' }));
});

test('no value leaves its path segment', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1, unit: 'binary' }), (value) => {
      fc.pre(value !== '.' && value !== '..');
      const url = new URL(
        `https://host.example${targetOf(parseBase(sentence`x`, 'https://host.example/api/'), path`/v1/channels/${value}/cta`)}`,
      );
      expect(url.origin).toBe('https://host.example');
      expect(url.pathname.split('/')).toHaveLength(6);
      expect(url.pathname).toMatch(/^\/api\/v1\/channels\/[^/]+\/cta$/);
      expect(url.search + url.hash).toBe('');
    }),
  );
});

test('a base URL can have a path and trailing slashes', () => {
  expect(parseBase(sentence`x`, 'https://host.example/api//')).toEqual({ origin: 'https://host.example', prefix: '/api', loopback: false });
  expect(parseBase(sentence`x`, 'http://[::1]:80')).toEqual({ origin: 'http://[::1]', prefix: '', loopback: true });
});
