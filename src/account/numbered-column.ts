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

/** Numbers the values of one column. */
function createNumberedColumn(name: string, maxRows: number) {
  const numbers = new Map<string, number>();
  // The system gives memory to the pages that are written to.
  const of = new Uint16Array(maxRows);
  return {
    /** False where the column has too many values. */
    set(row: number, value: string): boolean {
      if (value === '') return true;
      const number = numbers.get(value) ?? numbers.size + 1;
      if (number > MAX_NUMBERED) return false;
      numbers.set(value, number);
      of[row] = number;
      return true;
    },
    end: (rows: number): NumberedColumn => ({ name, values: [...numbers.keys()], of: of.subarray(0, rows) }),
  };
}

/** Numbers the values of columns; of a column with many values nothing is kept. */
export function createNumberedColumns(maxRows: number) {
  const columns = new Map<string, ReturnType<typeof createNumberedColumn> | undefined>();
  return {
    /** False where the column has too many values, or there are too many columns. */
    set(name: string, row: number, value: string): boolean {
      if (!columns.has(name)) columns.set(name, columns.size < MAX_COLUMNS ? createNumberedColumn(name, maxRows) : undefined);
      const column = columns.get(name);
      const isKept = column?.set(row, value) === true;
      if (column !== undefined && !isKept) columns.set(name, undefined);
      return isKept;
    },
    end: (rows: number): readonly NumberedColumn[] => [...columns.values()].flatMap((column) => column?.end(rows) ?? []),
  };
}

/** The column without the rows at some indexes, and without the values that only those have. */
export function withoutRows({ name, values, of }: NumberedColumn, rows: ReadonlySet<number>): NumberedColumn {
  const kept = of.filter((_, row) => !rows.has(row));
  const used = [...new Set(kept)].filter((number) => number > 0);
  const numbers = new Map(used.map((number, index) => [number, index + 1]));
  return { name, values: used.map((number) => values[number - 1] ?? ''), of: kept.map((number) => numbers.get(number) ?? 0) };
}
