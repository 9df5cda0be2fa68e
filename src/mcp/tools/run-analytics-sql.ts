import * as z from 'zod';
import { sqlDrawing } from '../../analytics/chart/report-drawing.ts';
import { PUBLIC_COLUMNS, QUARTER_MS } from '../../analytics/columns.ts';
import { MAX_SQL_ROWS, runSql, type SqlAnswer } from '../../analytics/questions/run-sql.ts';
import { CHANNELS, PROJECTS, VIDEOS } from '../../analytics/questions/side-tables.ts';
import { type Sentence, sentence } from '../../text/sentence.ts';
import { unlisted } from '../answer/answer-schema.ts';
import { columnNotes, cutNote } from '../answer/coverage-notes.ts';
import { cutRows } from '../answer/truncate-answer.ts';
import { defineTool } from '../define-tool.ts';
import { NOT_IN_VIEWS } from '../listing/not-there.ts';
import {
  cells,
  columnsSchema,
  coverageOut,
  coverageSchema,
  limitOf,
  notesSchema,
  reportOut,
  sqlSpanInput,
  unkeptNote,
} from '../schemas/analytics-schemas.ts';

const DEFAULT_LIMIT = 100;

/** Characters that nobody would see in a query, except line breaks, tabs and the joiner of emoji. */
const HIDDEN = /(?![\t\n\r\u200D])[\p{Cc}\p{Cf}\p{Cs}]/u;

const columnNames = PUBLIC_COLUMNS.map(({ name }) => name).join(', ');
const TABLES = `Tables: views (${columnNames}; viewer, only as count(DISTINCT viewer)); channels (${CHANNELS.join(', ')}); projects (${PROJECTS.join(', ')}); videos (${VIDEOS.join(', ')}: the video catalogue, empty without one). views holds from to to; these and ts are local to timezone. ${NOT_IN_VIEWS}`;

export const runAnalyticsSql = defineTool({
  name: 'run_analytics_sql',
  title: 'Query views with SQL',
  description:
    'One read-only SELECT (DuckDB; ClickHouse if set) over views, for what query_analytics and explain_change can’t answer. All rows, up to 50,000, are in the report.',
  effect: 'read',
  input: {
    sql: z
      .string()
      .refine((sql) => !HIDDEN.test(sql), { error: 'holds control or invisible characters: write it without.' })
      .describe(TABLES),
    ...sqlSpanInput,
    limit: limitOf(DEFAULT_LIMIT),
  },
  output: {
    columns: columnsSchema,
    rows: cells,
    truncated: z.boolean(),
    report: z.string().optional(),
    link: unlisted(z.string()),
    coverage: coverageSchema,
    notes: notesSchema,
  },
  cuttable: ['rows'],
  run: async ({ sql, from, to, timezone, limit = DEFAULT_LIMIT }, context) => {
    const found = await runSql({ sql, from, to, timezone }, context);
    const rows = cutRows(found.rows, limit);
    const cut = cutNote(rows.length, found.rows.length, limit);
    const report = await context.reports.saveTable({ columns: found.columns, rows: found.rows, drawing: sqlDrawing(found, sql) });
    const { coverage, notes: missing } = coverageOut(found.views, 0, found.span, { stepMs: QUARTER_MS });
    const notes = [
      ...missing,
      ...found.notes,
      ...readNote(found),
      ...columnNotes({ columns: found.columns, rows }),
      ...(cut === undefined ? [] : [cut]),
      ...unkeptNote(report),
    ];
    return {
      ...(notes.length > 0 ? { notes } : {}),
      columns: found.columns.map((column) => ({ ...column })),
      rows: rows.map((row) => [...row]),
      truncated: found.truncated || cut !== undefined,
      coverage,
      ...reportOut(report, context.settings, cut !== undefined),
    };
  },
});

/** Of a query that was cut off: nobody may take what was read of it for all. */
function readNote({ rows, truncated }: SqlAnswer): Sentence[] {
  if (!truncated) return [];
  const why =
    rows.length < MAX_SQL_ROWS
      ? sentence`as much text as a query may give`
      : sentence`the most rows that a query may give (${MAX_SQL_ROWS})`;
  return [
    sentence`The query has more rows than the ${rows.length} that were read, ${why}; the report ends there too. Aggregate, or filter.`,
  ];
}
