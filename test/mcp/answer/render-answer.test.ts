import { expect, test } from 'vitest';
import { renderAnswer } from '../../../src/mcp/answer/render-answer.ts';

test('a text that reads as no value is told from no value', () => {
  const columns = [{ name: 'country' }, { name: 'views' }];
  const rows = [
    ['DE', 3],
    ['-', 2],
    ['null', 1],
    [null, 4],
    ['', 5],
  ];
  expect(renderAnswer({ columns, rows }).split('\n')).toEqual(['country | views', 'DE | 3', '"-" | 2', '"null" | 1', '- | 4', '"" | 5']);
  expect(renderAnswer({ name: '-', other: null })).toBe('name: "-", other: -');
});
