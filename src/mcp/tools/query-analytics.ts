import * as z from 'zod';
import { answerQuestion, spanOut } from '../analytics/answer-question.ts';
import { chartOf } from '../analytics/chart-of.ts';
import { cells, columnsOut, coverageOut, queryInput } from '../analytics/question-input.ts';
import { coverageOf } from '../analytics/read-views.ts';
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
    columns: columnsOut,
    rows: cells,
    totals: z.looseObject({}),
    coverage: coverageOut,
    span: z.looseObject({ from: z.string(), to: z.string() }),
    report: z.string().optional(),
    notes: z.array(z.string()).optional(),
  },
  cuttable: ['rows'],
  run: async (args, context) => {
    const { answer, span, earlier, readings, notes } = await answerQuestion(args, context);
    const { limit = DEFAULT_LIMIT } = args;
    const rows = cutRows(answer.rows, limit);
    const isCut = rows.length < answer.rows.length;
    const chart = await chartOf(args, answer, { span, earlier, readings }, context);
    const wantsReport = isCut || chart.png !== undefined;
    const report = wantsReport ? await context.reports.saveTable(answer.columns, answer.rows) : undefined;
    const [coverage, before] = readings.coverage.map((one) => coverageOf(one, readings));
    const earlierOut = earlier && before ? { before: { span: spanOut(earlier.span), coverage: before } } : {};
    const told = [
      ...partialNotes({ coverage: coverage ?? { complete: false }, ...earlierOut }),
      ...notes,
      ...chart.notes,
      ...columnNotes({ ...answer, rows }),
    ];
    const result = {
      columns: answer.columns.map((column) => ({ ...column })),
      rows: rows.map((row) => [...row]),
      totals: { ...answer.totals },
      coverage: coverage ?? { complete: false },
      span: spanOut(span),
      ...earlierOut,
      ...(isCut ? { rowCount: answer.rows.length, cutBy: rows.length < limit ? 'size' : 'limit' } : {}),
      ...(report && { report: `${REPORT_URI}${report.id}`, reportFile: report.file }),
      ...(chart.report && { chart: `${REPORT_URI}${chart.report.id}`, chartFile: chart.report.file }),
      ...(told.length > 0 ? { notes: told } : {}),
    };
    return chart.png === undefined
      ? result
      : withContent(result, [{ type: 'image', data: chart.png.toString('base64'), mimeType: 'image/png' }]);
  },
  present: answerText,
});
