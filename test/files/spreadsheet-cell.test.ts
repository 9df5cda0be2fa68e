/** A cell of a CSV file starts no formula, whichever separator a spreadsheet takes, and is read back as it was. */
import { parse } from 'csv-parse/sync';
import { stringify } from 'csv-stringify/sync';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { escapeFormulas, unescapeFormulas } from '../../src/files/spreadsheet-cell.ts';

const text = fc.string({ unit: fc.constantFrom(...`=+-@\uFF1D;,|\t '"ab1`), maxLength: 12 });

test.each([',', ';', '\t', '|'])('no cell starts a formula where %j separates cells', (delimiter) => {
  fc.assert(
    fc.property(fc.array(text, { minLength: 1, maxLength: 4 }), (cells) => {
      const rows: string[][] = parse(stringify([cells.map(escapeFormulas)]), {
        delimiter,
        relax_quotes: true,
        relax_column_count: true,
        skip_records_with_error: true,
      });
      for (const cell of rows.flat()) expect(cell).not.toMatch(/^[\s"]*[=+\-@\uFF1D]/);
    }),
    { numRuns: 3_000 },
  );
});

test('every text is read back as it was', () => {
  fc.assert(
    fc.property(text, (written) => {
      expect(unescapeFormulas(escapeFormulas(written))).toBe(written);
    }),
    { numRuns: 3_000 },
  );
});
