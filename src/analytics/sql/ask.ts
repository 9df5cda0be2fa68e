import { availableParallelism } from 'node:os';
import { VideoHostingError } from '../../errors.ts';
import { sentence } from '../../text/sentence.ts';
import type { Groups, Question, Rows, Scalar } from '../contract.ts';
import { isDistinct } from '../metrics.ts';
import { type CompiledQuery, type CompiledQuestion, compileQuestion, type Views } from './compile.ts';

/** Fewer groups than there are would be a wrong answer. */
const MAX_GROUPS = 200_000;
/** Each takes one processor, and the total beside them another. */
const CONCURRENT_SLICES = Math.min(2, Math.max(1, availableParallelism() - 1));

/** Answers a question through `run`. Integers may be numbers or decimal digits. */
export async function answerWithSql(
  question: Question,
  run: (query: CompiledQuery, maxRows: number) => Promise<Rows>,
  views?: Views,
): Promise<Groups> {
  const compiled = compileQuestion(question, views);
  const [rows, rest] = await Promise.all([groupsOf(compiled.groups, run), compiled.total && run(compiled.total, 1)]);
  return { columns: compiled.columns, rows, total: totalOf(compiled, question.groupBy.length, rows, rest?.rows[0]) };
}

async function groupsOf(queries: readonly CompiledQuery[], run: (query: CompiledQuery, maxRows: number) => Promise<Rows>) {
  const rows: (readonly Scalar[])[] = [];
  const left = [...queries];
  const work = async (): Promise<void> => {
    for (let query = left.shift(); query !== undefined; query = left.shift()) {
      const groups = await run(query, MAX_GROUPS - rows.length).catch((error: unknown) => {
        left.length = 0;
        throw error;
      });
      for (const row of groups.rows) rows.push(row);
      if (groups.truncated || rows.length > MAX_GROUPS)
        throw new VideoHostingError('query_too_heavy', sentence`The answer would have more than ${MAX_GROUPS} rows.`, {
          hint: 'Ask for a shorter time, fewer dimensions, or a filter.',
        });
    }
  };
  await Promise.all(Array.from({ length: Math.min(CONCURRENT_SLICES, queries.length) }, work));
  return rows;
}

/** The sums over all groups: added up, except distinct counts, which were queried. */
function totalOf(
  { columns }: CompiledQuestion,
  width: number,
  rows: readonly (readonly Scalar[])[],
  asked: readonly Scalar[] = [],
): readonly Scalar[] {
  if (width === 0) return rows[0] ?? [];
  const left = [...asked];
  return columns.slice(width).map(({ name }, index) => {
    if (isDistinct(name)) return left.shift() ?? 0;
    return rows.reduce((sum, row) => sum + Number(row[width + index] ?? 0), 0);
  });
}
