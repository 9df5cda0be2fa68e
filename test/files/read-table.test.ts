/** Where a CSV is no CSV. */
import { expect, test } from 'vitest';
import { readTable } from '../../src/files/read-table.ts';

/** The lines of a CSV, or what is wrong with it; its bytes come in pieces of so many. */
async function linesOf(text: string, size: number): Promise<readonly number[] | string> {
  const bytes = Buffer.from(text);
  async function* pieces() {
    for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size);
  }
  try {
    const found: number[] = [];
    const table = await readTable(pieces(), { maxRecord: 10_000 });
    for await (const rows of table.pieces) found.push(...rows.map(({ position }) => position));
    return found;
  } catch (error) {
    return String(error);
  }
}

const SIZES = [7, 50, 1_000_000];

test.each([
  ['LF', '\n'],
  ['CR LF', '\r\n'],
  ['CR', '\r'],
])('a quote that is left open is told with its line, also behind cells of several lines, where lines end with %s', async (_, end) => {
  const rows = ['id,title', 'a,b', '', 'c,d', `e,"two${end}lines"`, `f,"three${end}${end}lines"`, 'g,h'];
  for (const size of SIZES) {
    expect(await linesOf([...rows, ''].join(end), size)).toEqual([1, 2, 3, 4, 5, 7, 10]);
    expect(await linesOf([...rows, 'i,"open', 'j,k', 'l,m', ''].join(end), size)).toContain('line 11 is not well-formed CSV');
    expect(await linesOf([...rows, 'i,"op"en', 'j,k', ''].join(end), size)).toContain('line 11 is not well-formed CSV');
  }
});
