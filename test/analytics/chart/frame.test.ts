import fc from 'fast-check';
import { expect, test } from 'vitest';
import { splitDimensions } from '../../../src/analytics/chart/axes.ts';
import { frameOf, limit } from '../../../src/analytics/chart/frame.ts';
import { chartOf, dayAt } from './inputs.ts';

const sumOf = (values: readonly (number | null)[]): number => values.reduce<number>((sum, value) => sum + (value ?? 0), 0);

test('the drawn values, including Others, add up to the rows', () => {
  const name = fc.oneof(fc.constantFrom('a', 'b', null, '', 'null', '__proto__', 'others'), fc.string({ maxLength: 3 }));
  const row = fc.tuple(name, name, fc.nat(1000), fc.option(fc.nat(1000)));
  fc.assert(
    fc.property(
      fc.array(row, { maxLength: 80 }),
      fc.constantFrom<string[]>(['channel'], ['channel', 'os'], ['os', 'channel']),
      (rows, dimensions) => {
        const input = { ...chartOf('bar', ['channel', 'os', 'views', 'views_before'], rows), dimensions };
        const { along, series } = splitDimensions(dimensions);
        const whole = frameOf(input, along, series);
        const [few = whole] = limit(limit([whole], 'series', 8, 'series').frames, 'x', 5, 'names').frames;
        expect(few.series.categories.length).toBeLessThanOrEqual(9);
        expect(few.axis.categories.length).toBeLessThanOrEqual(5);
        for (const { cells } of [whole, few]) {
          expect(sumOf(cells.map(({ value }) => value))).toBe(sumOf(rows.map(([, , value]) => value)));
          expect(sumOf(cells.map(({ before }) => before))).toBe(sumOf(rows.map(([, , , before]) => before)));
        }
        expect(new Set(few.cells.map(({ x, series: of }) => `${x} ${of}`)).size).toBe(few.cells.length);
      },
    ),
  );
});

test('days and weekdays are in chronological order', () => {
  const input = chartOf('line', ['day', 'views'], Object.entries({ [dayAt(4)]: 2, [dayAt(0)]: 1 }));
  const { axis, cells } = frameOf(input, 'day', []);
  expect(axis.categories.map(({ label }) => label)).toEqual([dayAt(0), dayAt(4)]);
  expect(cells.map(({ x, value }) => [x, value])).toEqual([
    [1, 2],
    [0, 1],
  ]);
  const weekdays = ['Sunday', null, 'Monday'].map((weekday) => [weekday, 1]);
  const labels = frameOf(chartOf('bar', ['weekday', 'views'], weekdays), 'weekday', []).axis.categories.map(({ label }) => label);
  expect(labels).toEqual(['Monday', 'Sunday', '(none)']);
});
