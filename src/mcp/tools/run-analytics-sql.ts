import * as z from 'zod';
import { runSql } from '../../analytics/run-sql.ts';
import { cells, columnsSchema, coverageOut, coverageSchema, limitArgument, timeArgument } from '../analytics-schemas.ts';
import { columnNotes } from '../answer/coverage-notes.ts';
import { cutRows } from '../answer/truncate-answer.ts';
import { defineTool } from '../define-tool.ts';

const DEFAULT_LIMIT = 100;

/** Characters that nobody would see in a query, except line breaks, tabs and the joiner of emoji. */
const HIDDEN = /(?![\t\n\r\u200D])[\p{Cc}\p{Cf}\p{Cs}]/u;

export const runAnalyticsSql = defineTool({
  name: 'run_analytics_sql',
  title: 'Query views with SQL',
  description:
    'One SELECT (DuckDB; ClickHouse if set) beyond query_analytics, over views (ts UTC, video_key, channel_key, project_key, started, ended, watch_time, country, city, browser, os, device_type, embed_domain, …), channels, projects (key, id, name) and videos (key, id, title: from the video catalogue, empty without one). The answer says what each holds.',
  effect: 'read',
  input: {
    sql: z.string().refine((sql) => !HIDDEN.test(sql), { error: 'holds control or invisible characters: write it without' }),
    from: timeArgument,
    to: timeArgument.optional(),
    limit: limitArgument,
  },
  output: {
    columns: columnsSchema,
    rows: cells,
    truncated: z.boolean(),
    coverage: coverageSchema,
    notes: z.array(z.string()).optional(),
  },
  cuttable: ['rows'],
  run: async ({ sql, from, to, limit = DEFAULT_LIMIT }, context) => {
    const found = await runSql({ sql, from, to, limit }, context);
    const rows = cutRows(found.rows, limit);
    const { coverage, notes: missing } = coverageOut(found.views, 0, found.span);
    const truncated = found.truncated || rows.length < found.rows.length;
    const notes = [
      ...missing,
      ...found.notes,
      ...columnNotes(found),
      ...(truncated ? [`The first ${rows.length} rows; there are more.`] : []),
    ];
    return {
      ...(notes.length > 0 ? { notes } : {}),
      columns: found.columns.map((column) => ({ ...column })),
      rows: rows.map((row) => [...row]),
      truncated,
      coverage,
    };
  },
});
