import { expect, test } from 'vitest';
import { refusal, VideoHostingError } from '../../src/errors.ts';
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

test('the types let no text in that is neither a sentence nor stands in the code', () => {
  const stranger: string = HOSTILE;
  const sure = sentence`Sure.`;
  expect([
    sentence`A ${'word'} and ${sure}`,
    joined(['a', 'b'], ', '),
    new VideoHostingError('internal', 'A literal.', { hint: sure }).hint,
  ]).toEqual(['A word and Sure.', 'a, b', sure]);
  // @ts-expect-error: a string
  sentence`A ${stranger}`;
  // @ts-expect-error: a template in which a string stands
  sentence`A ${`channel ${stranger}` as const}`;
  // @ts-expect-error: strings
  joined([stranger]);
  // @ts-expect-error: a string
  refusal('internal', stranger);
  // @ts-expect-error: a template in which a string stands
  refusal('internal', `A ${stranger}.`);
  // @ts-expect-error: a hint of such a kind
  refusal('internal', 'A literal.', `A ${stranger}.`);
  // @ts-expect-error: a template in which a string stands
  new VideoHostingError('internal', `A ${stranger}.`);
  // @ts-expect-error: a hint of such a kind
  new VideoHostingError('internal', 'A literal.', { hint: `A ${stranger}.` });
});
