import { VideoHostingError } from '../../../errors.ts';
import { answerWithSql } from '../../sql/ask.ts';
import { clickHouse } from '../../sql/clickhouse-dialect.ts';
import type { CompiledQuery } from '../../sql/compile.ts';
import type { ViewReader } from '../contract.ts';
import { coverageOf } from '../coverage.ts';
import { partNames, segmentsOf, viewExtent } from '../segments.ts';
import type { Connection } from './connection.ts';
import type { Log } from './log.ts';
import { checkSqlUser, runCallerSql } from './sql.ts';
import { countViews, viewsIn, withViews } from './views.ts';

/**
 * Answers from an account's views on a ClickHouse server or cluster. Closes its connections.
 * @param connectAsSqlUser absent if no SQL user is set
 */
export function createClickHouseReader(
  connection: Connection,
  account: string,
  log: Log,
  connectAsSqlUser: (() => Promise<Connection>) | undefined,
): ViewReader {
  let sqlConnection: Promise<Connection> | undefined;
  return {
    ask: (question, options) =>
      withViews(connection, account, log, question.span, options, async ({ segments, parts }) => {
        const { table, conditions } = viewsIn(connection, account, parts);
        const dialect = clickHouse(table, conditions);
        const within = viewExtent(segments, question.span);
        const run = ({ sql }: CompiledQuery, maxRows: number) => connection.select(sql, { maxRows, ...options, purpose: 'question' });
        return answerWithSql(question, run, { within, dialect });
      }),
    async sandboxed(query, options) {
      if (connectAsSqlUser === undefined)
        throw new VideoHostingError('sql_refused', 'On this store, SQL requires a read-only user of its own, and none is set.', {
          hint: 'Use query_analytics, or set VIDEO_HOSTING_ANALYTICS_SQL_USER; docs/scale.md says how that user has to be set up.',
        });
      sqlConnection ??= connectAsSqlUser();
      const asSqlUser = await sqlConnection;
      await checkSqlUser(asSqlUser, account, options);
      return withViews(connection, account, log, query.span, options, ({ parts }) =>
        runCallerSql(asSqlUser, account, parts, query, options),
      );
    },
    // `withViews` also detects here that a shard has lost views.
    coverage: (span, options = {}) =>
      withViews(connection, account, log, span, {}, ({ snapshot }) =>
        coverageOf(snapshot.segments, span, options, async (cut, within) => {
          const parts = partNames(segmentsOf(cut, within));
          return parts.length === 0 ? 0 : countViews(connection, account, parts, {}, within);
        }),
      ),
    async close() {
      await Promise.all([connection.close(), sqlConnection?.then((one) => one.close())]);
    },
  };
}
