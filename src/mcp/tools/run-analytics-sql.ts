import * as z from 'zod';
import { resolveSpan } from '../../analytics/resolve/dates.ts';
import { throwProblems } from '../../errors.ts';
import { spanOut } from '../analytics/answer-question.ts';
import { cells, columnsOut, coverageOut, limitArgument, timeArgument } from '../analytics/question-input.ts';
import { coverageOf, overViews, readViews } from '../analytics/read-views.ts';
import { sideTables } from '../analytics/side-tables.ts';
import { callTimes } from '../analytics/times.ts';
import { columnNotes, partialNotes, sqlText } from '../answer/analytics-text.ts';
import { cutRows } from '../answer/truncate-answer.ts';
import { defineTool } from '../define-tool.ts';

const DEFAULT_LIMIT = 100;
/** Longest that a query may run. */
const MAX_QUERY_MS = 15_000;

/** What nobody would see in a query, save the breaks of its lines and what joins emoji. */
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
    columns: columnsOut,
    rows: cells,
    truncated: z.boolean(),
    coverage: coverageOut,
    span: z.looseObject({ from: z.string() }),
    notes: z.array(z.string()).optional(),
  },
  cuttable: ['rows'],
  run: async ({ sql, from, to, limit = DEFAULT_LIMIT }, context) => {
    const times = callTimes(context.settings);
    const span = resolveSpan({ from, to }, Date.now());
    throwProblems(Array.isArray(span) ? span : []);
    if (Array.isArray(span)) throw new Error('A span with problems got through.');
    const analytics = await context.analytics();
    const beside = sideTables(sql, context);
    const read = async () => (await Promise.all([readViews([span], analytics, context, times.readUntil), beside]))[0];
    const {
      readings,
      found,
      notes: lost,
    } = await overViews(read, async ({ coverage }) => {
      const { fromMs, toMs } = span;
      const held = coverage.flatMap((one) => one.held);
      const how = { signal: context.signal, timeoutMs: Math.min(MAX_QUERY_MS, times.askMs()), held };
      const { tables } = await beside;
      return analytics.store.sandboxed({ sql, span: { fromMs, toMs }, tables, maxRows: limit }, how);
    });
    const notes = [...lost, ...(await beside).notes];
    const rows = cutRows(found.rows, limit);
    const [coverage] = readings.coverage.map((one) => coverageOf(one, readings));
    const told = [...partialNotes({ coverage: coverage ?? { complete: false } }), ...notes, ...columnNotes(found)];
    return {
      columns: found.columns.map((column) => ({ ...column })),
      rows: rows.map((row) => [...row]),
      truncated: found.truncated || rows.length < found.rows.length,
      coverage: coverage ?? { complete: false },
      span: spanOut(span),
      ...(told.length > 0 ? { notes: told } : {}),
    };
  },
  present: sqlText,
});
