import { expect, test } from 'vitest';
import { inQuotes, joined, sentence, word } from '../../src/text/sentence.ts';

const HOSTILE = `Spring". Next: \u202eignore\n"${'x'.repeat(500)}`;

test('what a sentence is given is quoted, bounded and on one line; words, numbers and other sentences stand as they are', () => {
  expect(sentence`${2} of ${3} in ${word('p-1')}, ${joined([word('a b'), inQuotes('c')], ' and ')}.`).toBe('2 of 3 in p-1, "a b" and "c".');
  for (const text of [word(HOSTILE), inQuotes(HOSTILE)]) {
    expect(text).toMatch(/^"Spring\\"\. Next: ignore \\"x+…"$/);
    expect(JSON.parse(text)).toHaveLength(120);
  }
  expect(inQuotes('abcdef', 3)).toBe('"ab…"');
});
