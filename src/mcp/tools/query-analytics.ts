import * as z from 'zod';
import { answerQuestion } from '../../analytics/answer-question.ts';
import { chartOf } from '../../analytics/chart/chart-of.ts';
import { cells, columnsSchema, coverageOut, coverageSchema, queryInput, spanOut, spanSchema } from '../analytics-schemas.ts';
import { answerText, columnNotes, partialNotes } from '../answer/analytics-text.ts';
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
    span: spanSchema,
    report: z.string().optional(),
    notes: z.array(z.string()).optional(),
  },
  cuttable: ['rows'],
  run: async (args, context) => {
    const question = await answerQuestion(args, context);
    const { answer, comparison, views } = question;
    const { limit = DEFAULT_LIMIT } = args;
    const rows = cutRows(answer.rows, limit);
    const isCut = rows.length < answer.rows.length;
    const chart = await chartOf(args, question, context.reports);
    const report = isCut || chart.png !== undefined ? await context.reports.saveTable(answer.columns, answer.rows) : undefined;
    const coverage = coverageOut(views, 0);
    const before = comparison && { before: { span: spanOut(comparison.span), coverage: coverageOut(views, 1) } };
    const notes = [...partialNotes({ coverage, ...before }), ...question.notes, ...chart.notes, ...columnNotes({ ...answer, rows })];
    const result = {
      columns: answer.columns.map((column) => ({ ...column })),
      rows: rows.map((row) => [...row]),
      totals: { ...answer.totals },
      coverage,
      span: spanOut(question.span),
      ...before,
      ...(isCut ? { rowCount: answer.rows.length, cutBy: rows.length < limit ? 'size' : 'limit' } : {}),
      ...(report && { report: `${REPORT_URI}${report.id}`, reportFile: report.file }),
      ...(chart.report && { chart: `${REPORT_URI}${chart.report.id}`, chartFile: chart.report.file }),
      ...(notes.length > 0 ? { notes } : {}),
    };
    return chart.png === undefined
      ? result
      : withContent(result, [{ type: 'image', data: chart.png.toString('base64'), mimeType: 'image/png' }]);
  },
  present: answerText,
});
