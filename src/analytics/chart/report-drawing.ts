import { PERIODS, timesInPart } from '../answer-notes.ts';
import type { QuestionAnswer } from '../answer-question.ts';
import { spanText } from '../resolve/dates.ts';
import type { SqlAnswer } from '../run-sql.ts';
import type { ReportDrawing } from './contract.ts';

export function questionDrawing({ span, comparison, views, filters, metrics, groupBy }: QuestionAnswer): ReportDrawing {
  const counted = { ...span, toMs: Math.min(span.toMs, Date.now()) };
  const partial = PERIODS.filter((dimension) => groupBy.includes(dimension)).flatMap((dimension) => timesInPart(dimension, counted));
  return {
    ...(partial.length === 0 ? {} : { partial: partial.map(String) }),
    grouping: { dimensions: groupBy, metrics },
    about: [
      spanText(span),
      ...(comparison === undefined ? [] : [`compared with ${spanText(comparison.span)}`]),
      ...filters,
      ...partialWords(views),
    ],
  };
}

export const sqlDrawing = ({ span, views }: SqlAnswer): ReportDrawing => ({ about: [spanText(span), ...partialWords(views)] });

const partialWords = ({ coverage }: QuestionAnswer['views']): string[] =>
  coverage.some(({ complete }) => !complete) ? ['partial: not all views were read yet'] : [];
