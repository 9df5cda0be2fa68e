/** The values that stand beside those of a list, of a column or field that has few of them: two bytes a row, since a list may have a million. */
export interface NumberedColumn {
  readonly name: string;
  readonly values: readonly string[];
  /** Of each row the number of its value, from 1; 0 where it has none. */
  readonly of: Uint16Array;
}

/** An account has fewer projects. */
export const MAX_NUMBERED = 1_000;
/** A table with more is looked through as far as this. */
const MAX_COLUMNS = 20;

/** Numbers the values of columns; of a column with many values nothing is kept. */
export function createNumberedColumns(maxRows: number) {
  const columns = new Map<string, { readonly numbers: Map<string, number>; readonly of: Uint16Array } | undefined>();
  // The system gives memory to the pages that are written to.
  const created = () => (columns.size < MAX_COLUMNS ? { numbers: new Map<string, number>(), of: new Uint16Array(maxRows) } : undefined);
  return {
    /** False where the column has too many values, or there are too many columns. */
    set(name: string, row: number, value: string): boolean {
      const column = columns.has(name) ? columns.get(name) : created();
      const number = value === '' ? 0 : (column?.numbers.get(value) ?? (column?.numbers.size ?? 0) + 1);
      const isKept = column !== undefined && number <= MAX_NUMBERED;
      columns.set(name, isKept ? column : undefined);
      if (!isKept || number === 0) return isKept;
      column.numbers.set(value, number);
      column.of[row] = number;
      return true;
    },
    end: (rows: number): readonly NumberedColumn[] =>
      [...columns].flatMap(([name, column]) =>
        column === undefined ? [] : [{ name, values: [...column.numbers.keys()], of: column.of.subarray(0, rows) }],
      ),
  };
}

/** The column without the rows at some indexes, and without the values that only those have. */
export function withoutRows({ name, values, of }: NumberedColumn, rows: ReadonlySet<number>): NumberedColumn {
  const kept = of.filter((_, row) => !rows.has(row));
  const used = [...new Set(kept)].filter((number) => number > 0);
  const numbers = new Map(used.map((number, index) => [number, index + 1]));
  return { name, values: used.map((number) => values[number - 1] ?? ''), of: kept.map((number) => numbers.get(number) ?? 0) };
}
