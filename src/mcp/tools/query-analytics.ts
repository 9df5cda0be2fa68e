import * as z from 'zod';
import { tieNote } from '../../analytics/answer-notes.ts';
import { answerQuestion } from '../../analytics/answer-question.ts';
import { questionDrawing } from '../../analytics/chart/report-drawing.ts';
import { cells, columnsSchema, coverageOut, coverageSchema, queryInput, REPORT_URI, spanOut, spanSchema } from '../analytics-schemas.ts';
import { answerText, columnNotes, coverageNotes } from '../answer/analytics-text.ts';
import { cutRows } from '../answer/truncate-answer.ts';
import { defineTool } from '../define-tool.ts';

const DEFAULT_LIMIT = 50;

export const queryAnalytics = defineTool({
  name: 'query_analytics',
  title: 'Ask about views',
  description:
    'Numbers about views: metrics by up to 3 dimensions, filtered (any of several values), compared with before. play_rate is plays/views, completion_rate completions/plays, avg_watch_time per play. Says what is incomplete. All rows are in the report. There are no likes, comments or names of viewers.',
  effect: 'read',
  input: queryInput,
  output: {
    columns: columnsSchema,
    rows: cells,
    totals: z.looseObject({}),
    coverage: coverageSchema,
    span: spanSchema,
    report: z.string(),
    notes: z.array(z.string()).optional(),
  },
  cuttable: ['rows'],
  run: async (args, context) => {
    const question = await answerQuestion(args, context);
    const { answer, comparison, views } = question;
    const { limit = DEFAULT_LIMIT } = args;
    const rows = cutRows(answer.rows, limit);
    const isCut = rows.length < answer.rows.length;
    const report = await context.reports.saveTable({
      columns: answer.columns,
      rows: answer.rows,
      drawing: questionDrawing(args, question),
    });
    const coverage = coverageOut(views, 0);
    const before = comparison && { before: { span: spanOut(comparison.span), coverage: coverageOut(views, 1) } };
    const notes = [
      ...coverageNotes({ coverage, ...before }),
      ...question.notes,
      ...tieNote(answer, rows.length),
      ...columnNotes({ ...answer, rows }),
    ];
    return {
      columns: answer.columns.map((column) => ({ ...column })),
      rows: rows.map((row) => [...row]),
      totals: { ...answer.totals },
      coverage,
      span: spanOut(question.span),
      ...before,
      ...(isCut ? { rowCount: answer.rows.length, cutBy: rows.length < limit ? 'size' : 'limit', reportFile: report.file } : {}),
      report: `${REPORT_URI}${report.id}`,
      ...(notes.length > 0 ? { notes } : {}),
    };
  },
  present: answerText,
});
