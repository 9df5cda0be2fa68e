import { ALL, COUNTED } from '../assemble/counted-days.ts';
import type { Scalar } from '../contract.ts';
import { PERIODS, timesInPart } from '../questions/answer-notes.ts';
import type { QuestionAnswer } from '../questions/answer-question.ts';
import type { QuestionInput } from '../questions/question-context.ts';
import type { SqlAnswer } from '../questions/run-sql.ts';
import { spanText } from '../resolve/dates.ts';
import type { ReportDrawing } from './contract.ts';

/** `limit` and `orderBy`: those of the question, if it named them. Of several dimensions, some rows of a group are no picture of it. */
export function questionDrawing(
  { answer, span, comparison, views, filters, metrics, groupBy, weekdays }: QuestionAnswer,
  { limit = Number.POSITIVE_INFINITY, orderBy }: Pick<QuestionInput, 'orderBy'> & { readonly limit?: number | undefined },
): ReportDrawing {
  const isCut = groupBy.length === 1 && limit < answer.rows.length;
  const counted = { ...span, toMs: Math.min(span.toMs, Date.now()) };
  const periods = PERIODS.filter((dimension) => groupBy.includes(dimension));
  const partial = periods.flatMap((dimension) => [...timesInPart(dimension, counted, weekdays), ...rowsInPart(answer, dimension)]);
  return {
    ...(partial.length === 0 ? {} : { partial: [...new Set(partial.map(String))] }),
    ...(orderBy === undefined ? {} : { isOrdered: true }),
    grouping: { dimensions: groupBy, metrics },
    ...(isCut ? { first: limit } : {}),
    about: [
      spanText(span),
      ...(comparison === undefined ? [] : [`compared with ${spanText(comparison.span)}`]),
      ...filters,
      ...(isCut ? [firstRowsText(limit, answer.rows.length)] : []),
      ...partialWords(views),
    ],
    ...unreadIn(views),
  };
}

/** Which rows are drawn, where that are not all. */
export const firstRowsText = (first: number, of: number): string => `the first ${first} of ${of} rows`;

/** The weeks or months whose rows say so: all of one was asked for, and the first record is in the middle of it. */
function rowsInPart({ columns, rows }: QuestionAnswer['answer'], dimension: string): Scalar[] {
  const [time, counted] = [dimension, COUNTED].map((name) => columns.findIndex((column) => column.name === name));
  if (time === undefined || counted === undefined || counted < 0 || (dimension !== 'week' && dimension !== 'month')) return [];
  return rows.flatMap((row) => (row[counted] === ALL ? [] : [row[time] ?? null]));
}

export const sqlDrawing = ({ span, views }: SqlAnswer, sql: string): ReportDrawing => ({
  about: [spanText(span), ...partialWords(views)],
  ...unreadIn(views),
  ...(/\border\s+by\b/i.test(sql) ? { isOrdered: true } : {}),
});

/** Which days that are, and why, as the coverage says it. */
const unreadIn = ({ coverage }: QuestionAnswer['views']): Pick<ReportDrawing, 'unread'> =>
  coverage.every(({ complete }) => complete) ? {} : { unread: coverage.flatMap(({ missing }) => missing ?? []) };

const partialWords = ({ coverage }: QuestionAnswer['views']): string[] => (coverage.some(({ complete }) => !complete) ? [PARTIAL] : []);

export const PARTIAL = 'partial: not all views were read yet';
