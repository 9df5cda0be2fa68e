import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isoWeekOf, momentOf } from '../../../src/analytics/chart/dimensions.ts';
import { isCovered, widthOf } from '../../../src/analytics/chart/font.ts';
import { metricLook } from '../../../src/analytics/chart/metric.ts';
import { valueLabel, valueScale } from '../../../src/analytics/chart/numbers.ts';
import { shorten, shortenAll, wrap, wrapParts } from '../../../src/analytics/chart/text.ts';
import { timeTicks } from '../../../src/analytics/chart/ticks.ts';
import { dayAt } from './inputs.ts';

const views = metricLook('views');
const rate = metricLook('play_rate');

describe('numbers', () => {
  test.each([
    [0, views, '0'],
    [1_234_567, views, '1,234,567'],
    [-1200, views, '−1,200'],
    [23_456_789, views, '23.5M'],
    [4.5e12, views, '4.5T'],
    [0.001234, metricLook('avg_watch_time'), '0.00123'],
    [123.456, metricLook('avg_watch_time'), '123'],
    [0.4567, rate, '45.7%'],
    [1, rate, '100%'],
    [0, rate, '0%'],
  ])('%d is written %s', (value, look, text) => expect(valueLabel(value, look)).toBe(text));

  test('an axis holds zero and every value, in few round steps with different labels', () => {
    const value = fc.oneof(
      fc.integer({ min: -1_000_000, max: 1e12 }),
      fc.double({ min: -1e6, max: 1e9, noNaN: true }),
      fc.double({ min: 0, max: 1, noNaN: true }),
    );
    fc.assert(
      fc.property(fc.array(value, { maxLength: 5 }), fc.constantFrom(views, rate, metricLook('avg_watch_time')), (values, look) => {
        fc.pre(values.every((one) => one === 0 || Math.abs(one) > 1e-4));
        const { ticks, labels } = valueScale(values, look, 5);
        // A value too small to be seen beside the largest needs no step of its own.
        const unseen = 1e-9 * Math.max(0, ...values.map(Math.abs)) + 1e-6;
        expect(Math.min(...ticks)).toBeLessThanOrEqual(Math.min(0, ...values) + unseen);
        expect(Math.max(...ticks) * (1 + 1e-9)).toBeGreaterThanOrEqual(Math.max(0, ...values));
        expect(ticks).toContain(0);
        expect(ticks.length).toBeLessThanOrEqual(8);
        expect(new Set(labels).size).toBe(labels.length);
      }),
    );
  });

  test('nothing is below zero where no value is', () =>
    expect(valueScale([0, 37], views, 5).labels).toEqual(['0', '10', '20', '30', '40']));
});

describe('time', () => {
  test.each([
    ['hour', '2026-03-01T05:00', '2026-03-01T05:00:00.000Z'],
    ['day', '2026-03-01', '2026-03-01T00:00:00.000Z'],
    ['week', '2026-W01', '2025-12-29T00:00:00.000Z'],
    ['week', '2020-W53', '2020-12-28T00:00:00.000Z'],
    ['month', '2026-03', '2026-03-01T00:00:00.000Z'],
  ] as const)('a %s: %s', (unit, label, moment) => expect(new Date(momentOf(unit, label) ?? 0).toISOString()).toBe(moment));

  test('weeks belong to the year of their Thursday', () => {
    expect(isoWeekOf(Date.UTC(2025, 11, 29))).toEqual({ year: 2026, number: 1 });
    expect(isoWeekOf(Date.UTC(2020, 11, 28))).toEqual({ year: 2020, number: 53 });
  });

  test.each([1, 2, 3, 10, 31, 90, 400, 2000])('%d days have marks with room between them', (count) => {
    const moments = Array.from({ length: count }, (_, index) => Date.UTC(2026, 0, 1 + index));
    const at = (index: number): number => (index / Math.max(1, count - 1)) * 680;
    const ticks = timeTicks('day', moments, at, 11.5);
    expect(ticks.length).toBeGreaterThanOrEqual(Math.min(2, count));
    expect(ticks.length).toBeLessThan(20);
    for (const [number, tick] of ticks.entries()) {
      const before = ticks[number - 1];
      if (before !== undefined) expect(at(tick.index) - at(before.index)).toBeGreaterThan(widthOf(tick.lines[0] ?? '', 11.5));
    }
  });

  test('the year stands under the first mark and where it changes', () => {
    const moments = Array.from({ length: 400 }, (_, index) => momentOf('day', dayAt(index)) ?? 0);
    const ticks = timeTicks('day', moments, (index) => index * 1.7, 11.5);
    expect(ticks.filter(({ lines }) => lines.length > 1).map(({ lines }) => lines.join(' '))).toEqual(['Jan 2026', 'Jan 2027']);
  });
});

describe('text', () => {
  const style = { size: 12 };

  test('widths are the font’s, and its characters known', () => {
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

  test('names that were different stay so', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.string({ maxLength: 60 }), { maxLength: 12 }), (names) => {
        const long = names.map((name) => `${'the same beginning of every name '.repeat(3)}${name}`);
        expect(new Set(shortenAll(long, 150, style)).size).toBe(names.length);
      }),
    );
  });

  test('is broken between words and between parts, and says what is missing', () => {
    expect(wrap('one two three', 30, style, 5)).toEqual(['one', 'two', 'three'].map((word) => shorten(word, 30, style)));
    expect(wrap('word '.repeat(50), 100, style, 2).at(-1)).toMatch(/…$/);
    expect(wrapParts(['first part', 'second part'], 400, style, 3)).toEqual(['first part · second part']);
    expect(wrapParts(['first part', 'second part'], 100, style, 3)).toEqual(['first part', 'second part']);
    expect(
      wrapParts(
        Array.from({ length: 30 }, () => 'a part of the subtitle'),
        200,
        style,
        3,
      ),
    ).toHaveLength(3);
  });
});
