/**
 * Questions to a store, behind the same interface as those to the folder (`analytics/storage/folder/reader.ts`).
 */
import { VideoHostingError } from '../../../errors.ts';
import type { AnalyticsStore } from '../../contract.ts';
import { askInSql } from '../../sql/ask.ts';
import type { Connection } from './connection.ts';
import type { Log } from './log.ts';
import { checkSqlUser, runSql } from './sql.ts';
import { dialectOf, overWindows } from './views.ts';

export interface StoreOptions {
  /** Closed together with the store. */
  readonly connection: Connection;
  readonly account: string;
  readonly log: Log;
  /** The connection of the user that SQL is asked as; absent where there is none. Closed together with the store. */
  readonly reader: (() => Promise<Connection>) | undefined;
}

/** An account's views on a ClickHouse server or cluster. */
export function createClickHouseReader({ connection, account, log, reader: openReader }: StoreOptions): AnalyticsStore {
  let opened: Promise<Connection> | undefined;
  const reader =
    openReader &&
    (() => {
      opened ??= openReader();
      return opened;
    });
  return {
    ask: (question, how) =>
      overWindows(connection, account, log, question.span, how, async ({ views, within }) => {
        const dialect = await dialectOf(connection, views);
        return askInSql(question, (statement, maxRows) => connection.ask(statement, maxRows, how), { within, dialect });
      }),
    async sandboxed(query, how) {
      if (reader === undefined)
        throw new VideoHostingError('sql_refused', 'On this store SQL takes a read-only user of its own, and none is set.', {
          hint: 'Use query_analytics, or set VIDEO_HOSTING_ANALYTICS_SQL_USER; docs/scale.md says how that user has to be set up.',
        });
      const asking = await reader();
      await checkSqlUser(asking, account, how);
      return overWindows(connection, account, log, query.span, how, ({ parts }) => runSql(asking, account, parts, query, how));
    },
    async close() {
      await Promise.all([connection.close(), opened?.then((one) => one.close())]);
    },
  };
}
