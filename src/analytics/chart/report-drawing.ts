import { PERIODS, timesInPart } from '../answer-notes.ts';
import type { QuestionAnswer } from '../answer-question.ts';
import { spanText } from '../resolve/dates.ts';
import type { SqlAnswer } from '../run-sql.ts';
import type { ReportDrawing } from './contract.ts';

/** `limit`: that of the question, if it named one. Of several dimensions, some rows of a group are no picture of it. */
export function questionDrawing(
  { answer, span, comparison, views, filters, metrics, groupBy }: QuestionAnswer,
  limit = Number.POSITIVE_INFINITY,
): ReportDrawing {
  const isCut = groupBy.length === 1 && limit < answer.rows.length;
  const counted = { ...span, toMs: Math.min(span.toMs, Date.now()) };
  const partial = PERIODS.filter((dimension) => groupBy.includes(dimension)).flatMap((dimension) => timesInPart(dimension, counted));
  return {
    ...(partial.length === 0 ? {} : { partial: partial.map(String) }),
    grouping: { dimensions: groupBy, metrics },
    ...(isCut ? { first: limit } : {}),
    about: [
      spanText(span),
      ...(comparison === undefined ? [] : [`compared with ${spanText(comparison.span)}`]),
      ...filters,
      ...(isCut ? [`the first ${limit} of ${answer.rows.length} rows`] : []),
      ...partialWords(views),
    ],
  };
}

export const sqlDrawing = ({ span, views }: SqlAnswer): ReportDrawing => ({ about: [spanText(span), ...partialWords(views)] });

const partialWords = ({ coverage }: QuestionAnswer['views']): string[] =>
  coverage.some(({ complete }) => !complete) ? ['partial: not all views were read yet'] : [];
