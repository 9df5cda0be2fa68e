import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { momentOf } from '../../../src/analytics/chart/dimensions.ts';
import { isCovered, widthOf } from '../../../src/analytics/chart/font.ts';
import { metricLook, valueLabel } from '../../../src/analytics/chart/metric.ts';
import { shorten, shortenAll, wrap } from '../../../src/analytics/chart/text.ts';

const views = metricLook({ name: 'views', type: 'integer' });
const rate = metricLook({ name: 'play_rate', type: 'number' });
const average = metricLook({ name: 'avg_watch_time', type: 'number' });

test.each([
  [0, views, '0'],
  [1_234_567, views, '1,234,567'],
  [-1200, views, '−1,200'],
  [23_456_789, views, '23.5M'],
  [4.5e12, views, '4.5T'],
  [0.001234, average, '0.00123'],
  [123.456, average, '123'],
  [0.4567, rate, '45.7%'],
  [1, rate, '100%'],
  [0, rate, '0%'],
])('the number %d is written %s', (value, look, text) => expect(valueLabel(value, look)).toBe(text));

test.each([
  ['hour', '2026-03-01T05:00', '2026-03-01T05:00:00.000Z'],
  ['day', '2026-03-01', '2026-03-01T00:00:00.000Z'],
  ['week', '2026-W01', '2025-12-29T00:00:00.000Z'],
  ['week', '2020-W53', '2020-12-28T00:00:00.000Z'],
  ['month', '2026-03', '2026-03-01T00:00:00.000Z'],
] as const)('the %s %s begins at %s', (unit, label, moment) => expect(new Date(momentOf(unit, label) ?? 0).toISOString()).toBe(moment));

describe('text', () => {
  const style = { size: 12 };

  test('is measured with the widths and the covered characters of the font', () => {
    expect(widthOf('iii', 12)).toBeLessThan(widthOf('WWW', 12) / 2);
    expect(widthOf('Bold', 12, true)).toBeGreaterThan(widthOf('Bold', 12));
    expect(['A', 'я', 'λ', 'ق', 'ż'].every((character) => isCovered(character.codePointAt(0) ?? 0))).toBe(true);
    expect(['产', '한', '🚀'].some((character) => isCovered(character.codePointAt(0) ?? 0))).toBe(false);
  });

  test('is cut to any width, never within a character', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), fc.integer({ min: 20, max: 300 }), (text, width) => {
        for (const where of ['end', 'middle'] as const) {
          const short = shorten(text, width, style, where);
          expect(widthOf(short, 12)).toBeLessThanOrEqual(width);
          expect(short).not.toMatch(/\p{Cs}/u);
        }
      }),
    );
  });

  test('stays distinct when different names are shortened', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.string({ maxLength: 60 }), { maxLength: 12 }), (names) => {
        const long = names.map((name) => `${'the same beginning of every name '.repeat(3)}${name}`);
        expect(new Set(shortenAll(long, 150, style)).size).toBe(names.length);
      }),
    );
  });

  test('is broken between words, and ends with an ellipsis if it is cut', () => {
    expect(wrap('one two three', 30, style, 5)).toEqual(['one', 'two', 'three'].map((word) => shorten(word, 30, style)));
    expect(wrap('word '.repeat(50), 100, style, 2).at(-1)).toMatch(/…$/);
  });
});
