/** The preview in an answer: losses first, as much as fits, and where the rest is. */
import { expect, test } from 'vitest';
import { shortPreview } from '../../../src/changes/confirm/short-preview.ts';
import type { Preview } from '../../../src/changes/plan.ts';

const WHERE = 'video-hosting://changes/chg-1';
const many = (count: number, word: string) => Array.from({ length: count }, (_, at) => `${word} ${at}`);

function preview(warnings: readonly string[], lines: readonly string[], rest: Partial<Preview> = {}): Preview {
  return { summary: 'Change it.', warnings, lines, onFailure: '', undo: { possible: 'yes', how: 'Say undo.' }, ...rest };
}

test('a long plan is cut, with the number of omitted lines and the address of the whole plan', () => {
  const long = preview(many(41, 'Lost'), many(62, 'Line'));
  const { warnings, lines, more } = shortPreview(long, 'chg-1');
  expect([warnings, lines]).toEqual([long.warnings.slice(0, 40), long.lines.slice(0, 60)]);
  expect(more).toBe(`… and 1 more warning and 2 more lines in ${WHERE}`);
  expect(shortPreview(long).more).toBe('… and 1 more warning and 2 more lines');
  expect(shortPreview(preview(many(40, 'Lost'), many(60, 'Line')), 'chg-1').more).toBe('');
  expect(shortPreview(preview([], many(61, 'Line')), 'chg-1').more).toBe(`… and 1 more line in ${WHERE}`);
});

test('fewer lines are shown if they are very long', () => {
  const { warnings, lines, more } = shortPreview(preview(['w'.repeat(8_001)], ['a'.repeat(20_000), 'b'.repeat(4_000), 'c']), 'chg-1');
  expect(warnings).toEqual([]);
  expect(lines.map((line) => line.length)).toEqual([20_000, 4_000]);
  expect(more).toBe(`… and 1 more warning and 1 more line in ${WHERE}`);
});
