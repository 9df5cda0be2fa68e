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
  ['hexadecimal digits', of(`${DIGITS}abcdef`), 1.15],
  ['letters and digits', of(DIGITS + LETTERS + LETTERS.toUpperCase()), 1.12],
  ['uppercase letters', of(LETTERS.toUpperCase()), 1.25],
  ['lowercase letters', of(LETTERS), 1.7],
  ['punctuation', of('~^}{|`7#@%&$!?<>'), 1.1],
  ['JSON punctuation', of('{}[],:"'), 1.8],
  ['rare Latin letters', between(0x100, 0x350), 1.1],
  ['Cyrillic', between(0x410, 0x44f), 1],
  ['Thai', between(0xe01, 0xe2e), 1],
  ['Ethiopic', between(0x1200, 0x124f), 1.1],
  ['ideographs', between(0x4e00, 0x9fff), 1],
  ['Hangul', between(0xac00, 0xd7a3), 1],
  ['ideographs outside the Basic Multilingual Plane', between(0x20000, 0x2a000), 1.15],
  ['JSON values', fc.array(fc.jsonValue(), { minLength: 40, maxLength: 60 }).map((value) => JSON.stringify(value)), 1.2],
])('random text of %s costs at most the estimate times its margin', (_, text, margin) => {
  fc.assert(
    fc.property(text, (one) => encode(one).length <= margin * estimateTokens(one)),
    { numRuns: 40 },
  );
});

test('the estimate of ordinary prose is less than twice its tokens', () => {
  const prose = 'The service replaces the whole content of a channel, and one of the two lists has to be sent even for a new name. '.repeat(
    5,
  );
  expect(estimateTokens(prose)).toBeLessThan(2 * encode(prose).length);
});
