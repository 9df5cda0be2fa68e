/** Generated malformed values, for arguments and for response bodies. */
import fc from 'fast-check';

/** As JSON text, since an object literal can't have `__proto__` as a key of its own. */
const PROTOTYPES = [
  '{"__proto__":{"polluted":true}}',
  '{"constructor":{"prototype":{"polluted":true}}}',
  '{"toString":1,"valueOf":null,"hasOwnProperty":"x"}',
  '{"toJSON":"x","then":"y","length":-1}',
  '[{"__proto__":null}]',
].map((text) => fc.constant(text).map((fixed): unknown => JSON.parse(fixed)));

const TEXTS = [
  '',
  ' ',
  '\u0000',
  '\ud800',
  '\udfff\ud800',
  '\u202egnp.exe',
  '\u001b[2J\u001b]0;x\u0007',
  '\u200b\u2060\ufeff',
  '../../../etc/passwd',
  '..%2f..%2f',
  '.',
  '..',
  '/',
  '?a=b#c',
  '%',
  '%00',
  'NaN',
  '-0',
  '1e999',
  '__proto__',
  'constructor',
  "' OR 1=1 --",
  '{{7*7}}',
  'z\u0351\u036b\u0343a\u0325l\u0334g\u0335o\u0336',
  '2026-02-30',
  '9999-99-99T99:99:99Z',
  '+275760-09-13T00:00:00Z',
];

/** Deeply nested lists. */
function nested(depth: number): unknown {
  let value: unknown = 1;
  for (let at = 0; at < depth; at += 1) value = at % 2 === 0 ? [value] : { a: value };
  return value;
}

export const wildText: fc.Arbitrary<string> = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...TEXTS) },
  { weight: 4, arbitrary: fc.string({ unit: 'binary', maxLength: 60 }) },
  { weight: 2, arbitrary: fc.string({ unit: 'grapheme', maxLength: 60 }) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 20_000 }).map((length) => 'x\u0301'.repeat(length)) },
);

export const wildNumber: fc.Arbitrary<number> = fc.oneof(
  fc.constantFrom(-1, 0, -0, 1.5, 1e308, -1e308, 5e-324, Number.MAX_SAFE_INTEGER + 1, Number.MIN_SAFE_INTEGER - 1, 2 ** 31, 2 ** 32),
  fc.double(),
  fc.integer(),
);

export const wildValue: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 6, arbitrary: wildText },
  { weight: 4, arbitrary: wildNumber },
  { weight: 3, arbitrary: fc.constantFrom<unknown>(null, true, false, [], {}, [[]], [null]) },
  { weight: 3, arbitrary: fc.jsonValue({ maxDepth: 4 }) },
  { weight: 2, arbitrary: fc.oneof(...PROTOTYPES) },
  { weight: 1, arbitrary: fc.integer({ min: 10, max: 2_000 }).map(nested) },
  { weight: 1, arbitrary: fc.integer({ min: 100, max: 2_000 }).map((length) => Array.from({ length }, (_, at) => `v${at}`)) },
);

/** Whether `Object.prototype` was changed. */
export const isPolluted = (): boolean => 'polluted' in {};
