import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ClickHouseClient, ClickHouseSettings } from '@clickhouse/client';
import type { StoreAddress } from '../../../config/store-address.ts';
import { VideoHostingError } from '../../../errors.ts';
import { sentence } from '../../../text/sentence.ts';
import type { Rows } from '../../contract.ts';
import { identifier, literal, tableIn } from '../../sql/clickhouse-dialect.ts';
import { madeAgain } from './made-again.ts';
import { createRetry, DEFAULT_TIMEOUT_MS, type StatementOptions } from './retry.ts';
import { rowsOfJson, rowsOfText, streamOf } from './rows.ts';
import { type Server, serverOf } from './server.ts';
import { localName, type TableName } from './tables.ts';

export interface StoreConnectionOptions {
  readonly address: StoreAddress;
  readonly password: string | undefined;
  readonly log: (message: string) => void;
  /** For a user who may not change settings: none is sent. */
  readonly readOnly?: boolean;
}

interface SelectOptions extends StatementOptions {
  /** No limit by default. If there are more rows, the answer is marked as truncated. */
  readonly maxRows?: number;
}

/** Sends statements to a ClickHouse server and its cluster. Every failure is a `VideoHostingError`. */
export interface Connection {
  readonly address: StoreAddress;
  /** The version and the settings of the first host, read once. */
  server(options?: StatementOptions): Promise<Server>;
  /** Integers beyond 2^53 are returned as decimal digits. */
  select(sql: string, options?: SelectOptions): Promise<Rows>;
  run(sql: string, options?: StatementOptions): Promise<void>;
  /** Runs a statement on each host of the address, or with ON CLUSTER if the address has only one. */
  runEverywhere(sql: (onCluster: string) => string, options?: StatementOptions, settings?: ClickHouseSettings): Promise<void>;
  /** Inserts lines of tab-separated values, and resolves when all shards have them. */
  insert(table: string, columns: readonly string[], lines: AsyncIterable<string>, options?: StatementOptions): Promise<void>;
  /** Runs a caller's SELECT and reads at most `maxRows` rows. Long texts are cut. */
  stream(sql: string, maxRows: number, options: StatementOptions): Promise<Rows>;
  explain(sql: string, options: StatementOptions): Promise<string[]>;
  remove(table: TableName, account: string, condition?: string): Promise<void>;
  close(): Promise<void>;
}

const VERSION_TIMEOUT_MS = 15_000;
const CLIENT_TIMEOUT_MS = 30 * 60_000;
const REMOVE_MS = 15 * 60_000;
const REMOVE_POLL_MS = 250;

/** ON CLUSTER works only on a cluster with a Keeper. */
function explainKeeper(error: unknown): never {
  if (!(error instanceof Error && /DDL|keeper/i.test(error.message))) throw error;
  throw new VideoHostingError('store_unready', 'The cluster has no Keeper, so one node can’t pass statements on to the others.', {
    hint: sentence`Name every node in VIDEO_HOSTING_ANALYTICS_STORE, as host:port,host:port, and ${madeAgain()}.`,
    cause: error,
  });
}

/** Loads the client's package. The first statement opens the connection. */
export async function createConnection({ address, password = '', log, readOnly = false }: StoreConnectionOptions): Promise<Connection> {
  const { createClient, ClickHouseLogLevel } = await import('./client.ts');
  const { database, cluster, hosts, secure, user } = address;
  const clientOf = (host: string): ClickHouseClient =>
    createClient({
      url: `${secure ? 'https' : 'http'}://${host}`,
      username: user,
      password,
      application: 'video-hosting-mcp',
      request_timeout: CLIENT_TIMEOUT_MS,
      log: { level: ClickHouseLogLevel.OFF },
    });
  const first = clientOf(hosts[0]);
  const clients = [first, ...hosts.slice(1).map(clientOf)];
  const withRetry = createRetry(address, log);
  let server: Promise<Server> | undefined;

  const read = (
    client: ClickHouseClient,
    query: string,
    options: SelectOptions,
    clickhouse_settings: ClickHouseSettings,
  ): Promise<Rows> => {
    const once = async (abort_signal: AbortSignal): Promise<Rows> => {
      const result = await client.query({ query, format: 'JSONCompact', abort_signal, clickhouse_settings });
      return rowsOfJson(await result.json<unknown[]>(), options.maxRows);
    };
    return withRetry(once, options, true);
  };

  /** Servers before 20.1 answer a deletion before it is done. */
  async function waitForRemoval(client: ClickHouseClient, table: string): Promise<void> {
    const query = `SELECT count(*) FROM system.mutations WHERE database = ${literal(database)} AND table = ${literal(table)} AND is_done = 0`;
    for (const deadline = Date.now() + REMOVE_MS; Date.now() < deadline; await sleep(REMOVE_POLL_MS)) {
      const { rows } = await read(client, query, {}, {});
      if (Number(rows[0]?.[0]) === 0) return;
    }
    throw new VideoHostingError('analytics_failed', 'The ClickHouse server did not remove the rows in time; it is still removing them.');
  }

  const connection: Connection = {
    address,
    server(options = {}) {
      server ??= read(first, 'SELECT version()', { timeoutMs: VERSION_TIMEOUT_MS, ...options }, {}).then(
        ({ rows }) => serverOf(String(rows[0]?.[0])),
        (error: unknown) => {
          server = undefined;
          throw error;
        },
      );
      return server;
    },
    async select(sql, options = {}) {
      const { maxRows, timeoutMs = DEFAULT_TIMEOUT_MS } = options;
      const settings = readOnly
        ? { wait_end_of_query: 1 as const }
        : { ...(await connection.server()).reading, max_execution_time: Math.ceil(timeoutMs / 1_000) };
      return read(first, maxRows === undefined ? sql : `${sql} LIMIT ${maxRows + 1}`, options, settings);
    },
    stream(sql, maxRows, options) {
      const once = async (abort_signal: AbortSignal): Promise<Rows> => {
        const format = 'TabSeparatedWithNamesAndTypes';
        const result = await first.query({ query: sql, format, abort_signal, clickhouse_settings: { wait_end_of_query: 1 } });
        return rowsOfText(result.stream(), maxRows);
      };
      return withRetry(once, { ...options, purpose: 'question' }, false);
    },
    async explain(sql, options) {
      // A FORMAT would be taken for one of the query; without one, the answer is tab-separated.
      const once = async (abort_signal: AbortSignal): Promise<string> => {
        const { stream } = await first.exec({ query: `EXPLAIN AST ${sql}`, abort_signal });
        return text(stream);
      };
      return (await withRetry(once, { ...options, purpose: 'question' }, false)).trimEnd().split('\n');
    },
    async run(query, options = {}) {
      const { writing } = await connection.server();
      await withRetry((abort_signal) => first.command({ query, abort_signal, clickhouse_settings: writing }), options, false);
    },
    async runEverywhere(sql, options = {}, settings = {}) {
      const onCluster = cluster !== undefined && hosts.length === 1 ? ` ON CLUSTER ${identifier(cluster)}` : '';
      const query = sql(onCluster);
      const clickhouse_settings = { ...(await connection.server()).writing, ...settings };
      for (const client of clients)
        await withRetry((abort_signal) => client.command({ query, abort_signal, clickhouse_settings }), options, true).catch(
          onCluster === '' ? undefined : explainKeeper,
        );
    },
    async insert(table, columns, lines, options = {}) {
      const { writing } = await connection.server();
      const values = streamOf(lines);
      const insert = (abort_signal: AbortSignal) =>
        first.insert({
          table,
          // The client's type requires at least one.
          columns: columns as [string, ...string[]],
          values,
          format: 'TabSeparated',
          abort_signal,
          clickhouse_settings: writing,
        });
      await withRetry(insert, { timeoutMs: CLIENT_TIMEOUT_MS, ...options }, false);
    },
    async remove(table, account, condition) {
      const { isSince20 } = await connection.server();
      const local = localName(table, cluster);
      const where = `account = ${literal(account)}${condition === undefined ? '' : ` AND ${condition}`}`;
      await connection.runEverywhere(
        (onCluster) => `ALTER TABLE ${tableIn(database, local)}${onCluster} DELETE WHERE ${where}`,
        { timeoutMs: REMOVE_MS },
        isSince20 ? { mutations_sync: '2' } : {},
      );
      if (!isSince20) await Promise.all(clients.map((client) => waitForRemoval(client, local)));
    },
    async close() {
      await Promise.all(clients.map((client) => client.close()));
    },
  };
  return connection;
}
