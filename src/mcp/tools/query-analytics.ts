import * as z from 'zod';
import type { DrawableTable } from '../../analytics/chart/contract.ts';
import { drawReport, type WantedChart } from '../../analytics/chart/draw-report.ts';
import { questionDrawing } from '../../analytics/chart/report-drawing.ts';
import { NAMES_NONE } from '../../analytics/contract.ts';
import { ratiosInWords } from '../../analytics/metrics.ts';
import { cutPartsNote, tieNote, unseenNote } from '../../analytics/questions/answer-notes.ts';
import { answerQuestion } from '../../analytics/questions/answer-question.ts';
import { VideoHostingError } from '../../errors.ts';
import { asSentence, joined, type Sentence, sentence } from '../../text/sentence.ts';
import { sentenceOut, unlisted } from '../answer/answer-schema.ts';
import { columnNotes, cutNote, namelessGroups, RECORDS_NOTE } from '../answer/coverage-notes.ts';
import { cutRows } from '../answer/truncate-answer.ts';
import { defineTool, type ToolContext } from '../define-tool.ts';
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
  reportOut,
  stepOf,
  unkeptNote,
} from '../schemas/analytics-schemas.ts';
import { chartTitle, whereKept } from './draw-chart.ts';

export const queryAnalytics = defineTool({
  name: 'query_analytics',
  title: 'Ask about views',
  description: `View metrics by up to 3 dimensions. All filters apply; of one any value, (none), or all but those with !. ${ratiosInWords()}, share of the total; unique_viewers counts all views, with started: true those who played. chart draws the rows too. ${NOT_IN_VIEWS}`,
  effect: 'read',
  input: queryInput,
  output: {
    columns: columnsSchema,
    rows: cells,
    totals: z.looseObject({}),
    filters: filtersSchema,
    coverage: coverageSchema,
    before: coverageSchema.optional(),
    report: z.string().optional(),
    link: unlisted(z.string()),
    chart: unlisted(sentenceOut()),
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
    const table = { columns: answer.columns, rows: answer.rows, drawing: questionDrawing(question, args) };
    const report = await context.reports.saveTable(table);
    const chart = await drawn(table, args, context, report.id);
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
      // Of the most watched nobody asks for those.
      ...(cut === undefined || args.orderBy?.startsWith('-') === false ? unseenNote(question.unseen) : []),
      ...(before === undefined ? [] : [sentence`_ratio: now / before.`]),
      ...(question.filters.length === 0 ? [] : [RECORDS_NOTE]),
      ...(cut === undefined ? [] : [cut]),
      ...unkeptNote(report),
    ];
    return {
      ...(notes.length > 0 ? { notes } : {}),
      columns: answer.columns.map((column) => ({ ...column, ...(nameless.includes(column.name) ? { null: NAMES_NONE } : {}) })),
      rows: rows.map((row) => [...row]),
      totals: { ...answer.totals },
      ...(question.filters.length === 0 ? {} : { filters: [...question.filters] }),
      coverage,
      ...(before && { before: before.coverage }),
      ...reportOut(report, context.settings, cut !== undefined),
      ...(chart === undefined ? {} : { chart }),
    };
  },
});

/** Draws the rows where a chart is asked for, and says where it lies. What can’t be drawn is said too, and the answer stays. */
async function drawn(
  table: DrawableTable,
  { chart, title = '' }: { readonly chart?: WantedChart['kind'] | undefined; readonly title?: string | undefined },
  { reports, renderer, settings, signal, addPicture }: ToolContext,
  tableId: string | undefined,
): Promise<Sentence | undefined> {
  if (chart === undefined && title === '') return undefined;
  try {
    const { png, what, notes } = await drawReport(table, { kind: chart ?? 'auto', title: chartTitle(title) }, renderer, signal);
    addPicture(png);
    const how = joined([sentence`Drawn as ${what}.`, ...notes.map((note) => asSentence(note))]);
    const saved = await reports.saveImage(png);
    // Why nothing is kept is said of the report.
    return saved.id === undefined ? sentence`${how} The picture is kept nowhere.` : sentence`${how} ${whereKept(saved, settings, tableId)}`;
  } catch (error) {
    if (!(error instanceof VideoHostingError) || signal.aborted) throw error;
    return sentence`No chart was drawn. ${error.message}`;
  }
}
