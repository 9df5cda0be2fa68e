import type { Column, Rows, Scalar } from '../contract.ts';

const MAX_CELL_CHARS = 2_000;
const MAX_CHARS = 4_000_000;

/** What ClickHouse calls a type, as ours. */
export function columnType(type: string): Column['type'] {
  const bare = type.replace(/^(?:(?:Nullable|LowCardinality)\()+/, '');
  if (/^U?Int/.test(bare)) return 'integer';
  if (/^(?:Float|Decimal)/.test(bare)) return 'number';
  if (/^Bool/.test(bare)) return 'boolean';
  return /^Date/.test(bare) ? 'time' : 'text';
}

/** An answer in tab-separated lines, names and types first, up to a number of rows; the rest is left unread. */
export async function rowsOfText(lines: AsyncIterable<readonly { readonly text: string }[]>, maxRows: number): Promise<Rows> {
  let names: readonly string[] | undefined;
  let columns: readonly Column[] | undefined;
  const rows: Scalar[][] = [];
  let chars = 0;
  for await (const piece of lines)
    for (const { text } of piece) {
      const cells = text.split('\t');
      if (names === undefined) names = cells.map(unescaped);
      else if (columns === undefined) columns = names.map((name, at) => ({ name, type: columnType(cells[at] ?? '') }));
      else if (rows.length === maxRows || chars >= MAX_CHARS) return { columns, rows, truncated: true };
      else {
        if (cells.length !== columns.length) throw new SyntaxError(`The answer broke off: ${text.slice(0, 300)}`);
        const known = columns;
        rows.push(cells.map((cell, at) => scalarOf(cell, known[at]?.type ?? 'text')));
        chars += text.length;
      }
    }
  if (columns === undefined) throw new SyntaxError('The answer was cut off.');
  return { columns, rows, truncated: false };
}

function scalarOf(cell: string, type: Column['type']): Scalar {
  if (cell === String.raw`\N`) return null;
  if (type === 'boolean') return cell === 'true' || cell === '1';
  if (type === 'integer') return Number.isSafeInteger(Number(cell)) ? Number(cell) : cell;
  if (type === 'number') return Number.isFinite(Number(cell)) ? Number(cell) : null;
  if (type === 'time') return cell.replace(' ', 'T');
  const text = unescaped(cell);
  return text.length > MAX_CELL_CHARS ? `${text.slice(0, MAX_CELL_CHARS - 1).replace(/\p{Surrogate}$/u, '')}…` : text;
}

const LETTERS: Readonly<Record<string, string>> = { t: '\t', n: '\n', r: '\r', 0: '\0', b: '\b', f: '\f' };
const unescaped = (cell: string): string => cell.replace(/\\(.)/gs, (_, letter: string) => LETTERS[letter] ?? letter);
