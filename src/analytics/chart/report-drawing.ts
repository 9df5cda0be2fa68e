import type { QuestionAnswer } from '../answer-question.ts';
import type { QuestionInput } from '../question-context.ts';
import { spanText } from '../resolve/dates.ts';
import type { SqlAnswer } from '../run-sql.ts';
import type { ReportDrawing } from './contract.ts';

/** What a report keeps of a question, so that its rows can be drawn. */
export function questionDrawing(args: QuestionInput, { span, comparison, views, metrics, groupBy }: QuestionAnswer): ReportDrawing {
  return {
    grouping: { dimensions: groupBy, metrics },
    about: [
      spanText(span),
      ...(comparison === undefined ? [] : [`compared with ${spanText(comparison.span)}`]),
      ...filterWords(args),
      ...partialWords(views),
    ],
  };
}

/** The same of an SQL query. */
export const sqlDrawing = ({ span, views }: SqlAnswer): ReportDrawing => ({ about: [spanText(span), ...partialWords(views)] });

const partialWords = ({ coverage }: QuestionAnswer['views']): string[] =>
  coverage.some(({ complete }) => !complete) ? ['partial: not all views were read yet'] : [];

const FILTERS = [
  'videoKeys',
  'channels',
  'projects',
  'countries',
  'browsers',
  'operatingSystems',
  'deviceTypes',
  'embedDomains',
  'weekdays',
  'muted',
  'started',
  'ended',
] as const;
const MAX_VALUES = 4;

function filterWords(args: QuestionInput): string[] {
  return FILTERS.flatMap((name) => {
    const value = args[name];
    if (value === undefined) return [];
    const values = Array.isArray(value) ? value : [String(value)];
    const list = values.slice(0, MAX_VALUES).join(', ');
    return [`${name}: ${list}${values.length > MAX_VALUES ? ` and ${values.length - MAX_VALUES} more` : ''}`];
  });
}
