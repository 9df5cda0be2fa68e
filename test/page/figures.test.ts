/** Numbers of a report on the page have the digits that a person reads; its file has all of them. */
import { expect, test } from 'vitest';
import { figure, setLocale } from '../../src/page/views/parts/words.ts';

test.each([
  [907.171233, '907.2'],
  [-907.171233, '-907.2'],
  [12.345678, '12.35'],
  [0.131579, '0.1316'],
  [0.00004, '0.00004'],
  [-0.0000412345, '-0.00004123'],
  [-0.000000001, '-0.000000001'],
  [4535, '4,535'],
  [0, '0'],
])('%d is shown as %s', (value, shown) => {
  setLocale('en', 'UTC');
  expect(figure(value)).toBe(shown);
});
