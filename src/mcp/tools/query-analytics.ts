import * as z from 'zod';
import { questionDrawing } from '../../analytics/chart/report-drawing.ts';
import { NAMES_NONE } from '../../analytics/contract.ts';
import { ratiosInWords } from '../../analytics/metrics.ts';
import { cutPartsNote, tieNote } from '../../analytics/questions/answer-notes.ts';
import { answerQuestion } from '../../analytics/questions/answer-question.ts';
import { sentence } from '../../text/sentence.ts';
import { columnNotes, cutNote, namelessGroups, RECORDS_NOTE } from '../answer/coverage-notes.ts';
import { cutRows } from '../answer/truncate-answer.ts';
import { defineTool } from '../define-tool.ts';
import { NOT_IN_VIEWS } from '../listing/not-there.ts';
import {
  cells,
  columnsSchema,
  coverageOut,
  coverageSchema,
  DEFAULT_LIMIT,
  filtersSchema,
  notesSchema,
  queryInput,
  REPORT_URI,
  reportPath,
  stepOf,
} from '../schemas/analytics-schemas.ts';

export const queryAnalytics = defineTool({
  name: 'query_analytics',
  title: 'Ask about views',
  description: `View metrics by up to 3 dimensions. All filters apply; of one any value, (none), or all but those with !. ${ratiosInWords()}, share of the total; unique_viewers counts all views, with started: true those who played. The report has all rows. ${NOT_IN_VIEWS}`,
  effect: 'read',
  input: queryInput,
  output: {
    columns: columnsSchema,
    rows: cells,
    totals: z.looseObject({}),
    filters: filtersSchema,
    coverage: coverageSchema,
    before: coverageSchema.optional(),
    report: z.string(),
    notes: notesSchema,
  },
  cuttable: ['rows'],
  run: async (args, context) => {
    const { limit = DEFAULT_LIMIT } = args;
    const question = await answerQuestion(args, context);
    const { answer, comparison, views } = question;
    const rows = cutRows(answer.rows, limit);
    const nameless = namelessGroups({ ...answer, rows });
    const cut = cutNote(rows.length, answer.rows.length, limit);
    const report = await context.reports.saveTable({
      columns: answer.columns,
      rows: answer.rows,
      drawing: questionDrawing(question, args),
    });
    const stepMs = stepOf(args.groupBy);
    const { coverage, notes: missing } = coverageOut(views, 0, question.span, { stepMs });
    const before = comparison && coverageOut(views, 1, comparison.span, { of: 'the time before', stepMs });
    const notes = [
      ...missing,
      ...(before?.notes ?? []),
      ...question.notes,
      ...tieNote(answer, rows.length),
      ...cutPartsNote(answer, rows.length),
      ...columnNotes({ ...answer, rows }),
      ...(before === undefined ? [] : [sentence`_ratio: now / before.`]),
      ...(question.filters.length === 0 ? [] : [RECORDS_NOTE]),
      ...(cut === undefined ? [] : [cut]),
    ];
    return {
      ...(notes.length > 0 ? { notes } : {}),
      columns: answer.columns.map((column) => ({ ...column, ...(nameless.includes(column.name) ? { null: NAMES_NONE } : {}) })),
      rows: rows.map((row) => [...row]),
      totals: { ...answer.totals },
      ...(question.filters.length === 0 ? {} : { filters: [...question.filters] }),
      coverage,
      ...(before && { before: before.coverage }),
      report: `${REPORT_URI}${report.id}`,
      reportFile: cut && reportPath(report, context.settings),
    };
  },
});
