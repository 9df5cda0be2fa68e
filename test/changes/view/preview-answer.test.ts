/** The preview in an answer: losses first, as much as fits, and where the rest is. */
import { expect, test } from 'vitest';
import type { Notice } from '../../../src/changes/notices/notices.ts';
import type { Preview } from '../../../src/changes/view/preview.ts';
import { previewAnswer } from '../../../src/changes/view/preview-answer.ts';

const WHERE = 'video-hosting://changes/chg-1';
const regions = (count: number, length = 0): Notice[] =>
  Array.from({ length: count }, (_, at) => ({ kind: 'region_unknown', region: `"${at}${'r'.repeat(length)}"`, seen: '' }));
const many = (count: number) => Array.from({ length: count }, (_, at) => `Line ${at}`);

function preview(notices: readonly Notice[], lines: readonly string[]): Preview {
  const undo = { possible: 'yes', how: 'Say undo.' } as const;
  return { summary: 'Change it', notices, lines, onFailure: '', undo };
}

test('a long plan is cut, with the number of omitted lines and the address of the whole plan', () => {
  const long = preview(regions(41), many(62));
  const whole = previewAnswer(long, 'chg-1', true);
  expect(whole).toMatchObject({ summary: 'Change it.', warnings: { length: 41 }, lines: many(62) });
  expect(whole).not.toHaveProperty('more');
  expect(previewAnswer(long, 'chg-1')).toMatchObject({
    warnings: (whole.warnings as string[]).slice(0, 40), // as above
    lines: many(60),
    more: `… and 1 more warning and 2 more lines in ${WHERE}`,
  });
  expect(previewAnswer(long).more).toBe('… and 1 more warning and 2 more lines');
  expect(previewAnswer(preview(regions(40), many(60)), 'chg-1')).not.toHaveProperty('more');
  expect(previewAnswer(preview([], many(61)), 'chg-1').more).toBe(`… and 1 more line in ${WHERE}`);
});

test('fewer lines are shown if they are very long', () => {
  const { warnings, lines, more } = previewAnswer(preview(regions(1, 8_001), ['a'.repeat(20_000), 'b'.repeat(4_000), 'c']), 'chg-1');
  expect(warnings).toBeUndefined();
  expect(lines).toEqual(['a'.repeat(20_000), 'b'.repeat(4_000)]);
  expect(more).toBe(`… and 1 more warning and 1 more line in ${WHERE}`);
});
