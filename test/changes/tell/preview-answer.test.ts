/** The preview in an answer: losses first, as much as fits, and where the rest is. */
import { expect, test } from 'vitest';
import type { Notice } from '../../../src/changes/notices/notices.ts';
import type { Preview } from '../../../src/changes/tell/preview.ts';
import { previewAnswer } from '../../../src/changes/tell/preview-answer.ts';
import { asSentence, inQuotes, sentence } from '../../../src/text/sentence.ts';

const WHERE = ': get_change with page 2 of 2';
const regions = (count: number, length = 0): Notice[] =>
  Array.from({ length: count }, (_, at) => ({
    kind: 'region_unknown',
    region: inQuotes(`${at}${'r'.repeat(length)}`, length + 9),
    seen: sentence``,
  }));
const many = (count: number) => Array.from({ length: count }, (_, at) => `Line ${at}`);

function preview(notices: readonly Notice[], lines: readonly string[]): Preview {
  const undo = { possible: 'yes', how: sentence`Say undo.` } as const;
  return { summary: sentence`Change it`, notices, lines: lines.map((line) => asSentence(line)), onFailure: sentence``, undo };
}

test('a long plan is cut, with the number of omitted lines, and read on page by page', () => {
  const long = preview(regions(41), many(102));
  const whole = previewAnswer(long, 'chg-1', 'whole');
  expect(whole).toMatchObject({ summary: 'Change it.', warnings: { length: 41 }, lines: many(102) });
  expect(whole).not.toHaveProperty('more');
  expect(previewAnswer(long, 'chg-1')).toMatchObject({
    warnings: (whole.warnings as string[]).slice(0, 40), // as above
    lines: many(100),
    more: `… and 1 more warning and 2 more lines${WHERE}`,
  });
  expect(previewAnswer(long, 'chg-1', 2)).toMatchObject({ warnings: (whole.warnings as string[]).slice(40), lines: many(102).slice(100) }); // as above
  expect(previewAnswer(long, 'chg-1', 2)).not.toHaveProperty('more');
  expect(previewAnswer(long).more).toBe('… and 1 more warning and 2 more lines');
  expect(previewAnswer(preview(regions(40), many(100)), 'chg-1')).not.toHaveProperty('more');
  expect(previewAnswer(preview([], many(101)), 'chg-1').more).toBe(`… and 1 more line${WHERE}`);
});

test('fewer lines are shown if they are very long, and each is on one page', () => {
  const long = preview(regions(2, 6_001), ['a'.repeat(10_000), 'b'.repeat(2_000), 'c']);
  const { warnings, lines, more } = previewAnswer(long, 'chg-1');
  expect(warnings).toHaveLength(1);
  expect(lines).toEqual(['a'.repeat(10_000), 'b'.repeat(2_000)]);
  expect(more).toBe(`… and 1 more warning and 1 more line${WHERE}`);
  expect(previewAnswer(long, 'chg-1', 2)).toMatchObject({ warnings: { length: 1 }, lines: ['c'] });
});
