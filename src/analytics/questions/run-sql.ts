import type { Sentence } from '../../text/sentence.ts';
import type { Rows } from '../contract.ts';
import { type ResolvedSpan, resolveSpan, type SpanQuery } from '../resolve/dates.ts';
import { zoneOffsets } from '../resolve/zones.ts';
import { SUPPRESSED_NOTE } from '../sql/caller-sql.ts';
import { callTimes, type QuestionContext } from './question-context.ts';
import { queryViews, type ViewsRead } from './read-views.ts';
import { sideTables } from './side-tables.ts';

const MAX_QUERY_MS = 15_000;
export const MAX_SQL_ROWS = 50_000;

export interface SqlInput extends SpanQuery {
  readonly sql: string;
}

export interface SqlAnswer extends Rows {
  readonly span: ResolvedSpan;
  readonly views: ViewsRead;
  readonly notes: readonly Sentence[];
}

/** Reads the views of a span while time allows, and runs a caller's SQL over them in the sandbox. Times are those of the zone. */
export async function runSql({ sql, ...asked }: SqlInput, context: QuestionContext): Promise<SqlAnswer> {
  const times = callTimes(context.settings);
  const span = resolveSpan(asked, Date.now());
  const { store } = await context.analytics();
  const offsets = zoneOffsets(span.zone, span);
  const named = sideTables(sql, context);
  const query = async ({ coverage }: ViewsRead): Promise<Rows> => {
    const [{ presentMs = span.toMs } = {}] = coverage;
    const { fromMs, toMs } = { ...span, toMs: Math.min(span.toMs, presentMs) };
    const { tables } = await named;
    const limits = { signal: context.signal, timeoutMs: Math.min(MAX_QUERY_MS, times.queryMs()) };
    const covered = coverage.flatMap((one) => one.covered);
    return store.sandboxed({ sql, span: { fromMs, toMs }, offsets, tables, maxRows: MAX_SQL_ROWS }, { ...limits, covered });
  };
  const [{ views, result, notes }, { notes: tableNotes }] = await Promise.all([queryViews([span], context, times, query), named]);
  // Viewers can only be counted, so a query that names them counts them.
  const own = /\bviewer\b/i.test(sql) ? [SUPPRESSED_NOTE] : [];
  return { ...result, span, views, notes: [...notes, ...own, ...tableNotes] };
}
