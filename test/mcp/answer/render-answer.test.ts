import { expect, test } from 'vitest';
import * as z from 'zod';
import { renderAnswer } from '../../../src/mcp/answer/render-answer.ts';
import { cells, columnsSchema } from '../../../src/mcp/schemas/analytics-schemas.ts';

test('a text that reads as no value is told from no value', () => {
  const columns = [{ name: 'country' }, { name: 'views' }];
  const rows = [
    ['DE', 3],
    ['-', 2],
    ['null', 1],
    [null, 4],
    ['', 5],
  ];
  expect(renderAnswer(z.object({ columns: columnsSchema, rows: cells }), { columns, rows }).split('\n')).toEqual([
    'country | views',
    'DE | 3',
    '"-" | 2',
    '"null" | 1',
    '- | 4',
    '"" | 5',
  ]);
  expect(renderAnswer(undefined, { name: '-', other: null })).toBe('name: "-", other: -');
});

test('a name of a field that is no word is quoted', () => {
  expect(renderAnswer(undefined, { options: { 'x: y, Next: z': 1 }, 'a b': 2 })).toBe('options: "x: y, Next: z" 1\n"a b": 2');
});
