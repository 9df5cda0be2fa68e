import fc from 'fast-check';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { expect, test } from 'vitest';
import { estimateTokens } from '../../../src/mcp/answer/truncate-answer.ts';

const of = (letters: string) => fc.string({ unit: fc.constantFrom(...letters), minLength: 300, maxLength: 600 });
const between = (from: number, to: number) =>
  fc.string({ unit: fc.integer({ min: from, max: to }).map((point) => String.fromCodePoint(point)), minLength: 300, maxLength: 600 });
const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
const DIGITS = '0123456789';

test.each<[string, fc.Arbitrary<string>, margin: number]>([
  ['hexadecimal', of(`${DIGITS}abcdef`), 1.15],
  ['keys', of(DIGITS + LETTERS + LETTERS.toUpperCase()), 1.12],
  ['capitals', of(LETTERS.toUpperCase()), 1.25],
  ['small letters', of(LETTERS), 1.7],
  ['signs', of('~^}{|`7#@%&$!?<>'), 1.1],
  ['the signs of JSON', of('{}[],:"'), 1.8],
  ['rare Latin', between(0x100, 0x350), 1.1],
  ['Cyrillic', between(0x410, 0x44f), 1],
  ['Thai', between(0xe01, 0xe2e), 1],
  ['Ethiopic', between(0x1200, 0x124f), 1.1],
  ['ideographs', between(0x4e00, 0x9fff), 1],
  ['Hangul', between(0xac00, 0xd7a3), 1],
  ['ideographs beyond the first plane', between(0x20000, 0x2a000), 1.15],
  ['values', fc.array(fc.jsonValue(), { minLength: 40, maxLength: 60 }).map((value) => JSON.stringify(value)), 1.2],
])('random %s cost no more than the estimate, with its margin', (_, text, margin) => {
  fc.assert(
    fc.property(text, (one) => encode(one).length <= margin * estimateTokens(one)),
    { numRuns: 40 },
  );
});

test('ordinary prose costs no less than half of it', () => {
  const prose = 'The service replaces the whole content of a channel, and one of the two lists has to be sent even for a new name. '.repeat(
    5,
  );
  expect(estimateTokens(prose)).toBeLessThan(2 * encode(prose).length);
});
