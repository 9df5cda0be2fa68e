import * as z from 'zod';
import { answerQuestion } from '../../analytics/answer-question.ts';
import { chartOf } from '../../analytics/chart/chart-of.ts';
import { cells, columnsSchema, coverageOut, coverageSchema, queryInput } from '../analytics-schemas.ts';
import { columnNotes, cutNote } from '../answer/coverage-notes.ts';
import { cutRows } from '../answer/truncate-answer.ts';
import { defineTool, withContent } from '../define-tool.ts';

const DEFAULT_LIMIT = 50;

const REPORT_URI = 'video-hosting://reports/';

export const queryAnalytics = defineTool({
  name: 'query_analytics',
  title: 'Ask about views',
  description:
    'Numbers about views: metrics by up to 3 dimensions over a time, filtered, compared with before. Says when it has only a part of the views. Rows past limit are in a report.',
  effect: 'read',
  input: queryInput,
  output: {
    columns: columnsSchema,
    rows: cells,
    totals: z.looseObject({}),
    coverage: coverageSchema,
    before: coverageSchema.optional(),
    report: z.string().optional(),
    notes: z.array(z.string()).optional(),
  },
  cuttable: ['rows'],
  run: async (args, context) => {
    const question = await answerQuestion(args, context);
    const { answer, comparison, views } = question;
    const { limit = DEFAULT_LIMIT } = args;
    const rows = cutRows(answer.rows, limit);
    const cut = cutNote(rows.length, answer.rows.length, limit);
    const chart = await chartOf(args, question, context.reports);
    const report = cut !== undefined || chart.png !== undefined ? await context.reports.saveTable(answer.columns, answer.rows) : undefined;
    const { coverage, notes: missing } = coverageOut(views, 0, question.span);
    const before = comparison && coverageOut(views, 1, comparison.span, 'the time before');
    const notes = [
      ...missing,
      ...(before?.notes ?? []),
      ...question.notes,
      ...chart.notes,
      ...columnNotes({ ...answer, rows }),
      ...(before === undefined ? [] : ['_before: in the span before; _change: now less before; _ratio: now / before.']),
      ...(cut === undefined ? [] : [cut]),
    ];
    const result = {
      ...(notes.length > 0 ? { notes } : {}),
      columns: answer.columns.map((column) => ({ ...column })),
      rows: rows.map((row) => [...row]),
      totals: { ...answer.totals },
      coverage,
      ...(before && { before: before.coverage }),
      ...(report && { report: `${REPORT_URI}${report.id}`, reportFile: report.file }),
      ...(chart.report && { chart: `${REPORT_URI}${chart.report.id}`, chartFile: chart.report.file }),
    };
    return chart.png === undefined
      ? result
      : withContent(result, [{ type: 'image', data: chart.png.toString('base64'), mimeType: 'image/png' }]);
  },
});
