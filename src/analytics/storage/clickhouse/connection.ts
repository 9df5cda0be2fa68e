import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ClickHouseClient, ClickHouseSettings } from '@clickhouse/client';
import type { StoreAddress } from '../../../config/store-address.ts';
import { VideoHostingError } from '../../../errors.ts';
import type { Rows } from '../../contract.ts';
import { identifier, literal, parameterName, tableIn } from '../../sql/clickhouse-dialect.ts';
import type { Statement } from '../../sql/compile.ts';
import type { Bind, Value } from '../../sql/dialect.ts';
import { type Attempt, createAttempt, DEFAULT_TIMEOUT_MS, type How } from './attempt.ts';
import { rowsOfJson, rowsOfText, streamOf } from './rows.ts';
import { type Server, serverOf } from './server.ts';
import { localName, partList, type TableName } from './tables.ts';

export interface ConnectionOptions {
  readonly address: StoreAddress;
  readonly password: string | undefined;
  readonly log: (message: string) => void;
  /** For a user whose settings only the server may set: none is sent. */
  readonly readOnly?: boolean;
}

interface HowEverywhere extends How {
  readonly settings?: ClickHouseSettings;
}

export interface Select extends How {
  /** The text; `bind` returns the placeholder of a value. */
  readonly sql: (bind: Bind) => string;
  /** No limit by default. Where there are more rows, the answer is marked as truncated. */
  readonly maxRows?: number;
}

/** Sends statements to a ClickHouse server and its cluster. Every failure is a `VideoHostingError` that says what to do. */
export interface Connection {
  readonly address: StoreAddress;
  /** The version and the settings of the first host, asked once. */
  server(how?: How): Promise<Server>;
  /** Runs a statement of our own. Integers beyond 2^53 are returned as text, their digits. */
  select(statement: Select): Promise<Rows>;
  /** Runs a statement without a result, on the first host. */
  run(statement: Omit<Select, 'maxRows'>): Promise<void>;
  /** Runs a statement on every node: on each host that is named, or with ON CLUSTER where only one is. */
  runEverywhere(sql: (onCluster: string) => string, how?: HowEverywhere): Promise<void>;
  /** Inserts lines of tab-separated values, and resolves when all shards have them. */
  insert(table: string, columns: readonly string[], lines: AsyncIterable<string>, how?: How): Promise<void>;
  /** Runs a caller's SELECT, and reads at most so many rows. Long texts are cut. */
  stream(sql: string, maxRows: number, how: How): Promise<Rows>;
  /** The syntax tree of a caller's SELECT, a line a node; the query is not run. */
  explain(sql: string, how: How): Promise<string[]>;
  /** Runs a question that was compiled for this server. */
  ask(statement: Statement, maxRows: number, how: How): Promise<Rows>;
  /** Deletes rows of an account on every node: those whose column has one of the values, or all. */
  remove(table: TableName, account: string, column?: 'part' | 'id', values?: readonly string[]): Promise<void>;
  /** Deletes rows of an account that were written before a moment. */
  removeBefore(table: TableName, account: string, beforeS: number): Promise<void>;
  close(): Promise<void>;
}

/** Of the first statement, which asks for the server's version. */
const FIRST_TIMEOUT_MS = 15_000;
/** The limit of the client's package; ours are shorter. */
const CLIENT_TIMEOUT_MS = 30 * 60_000;

/** Loads the client's package. Nothing is sent before the first statement. */
export async function createConnection({ address, password, log, readOnly = false }: ConnectionOptions): Promise<Connection> {
  const { createClient, ClickHouseLogLevel } = await import('./client.ts');
  const library = { createClient, level: ClickHouseLogLevel.OFF };
  const [first, ...others] = address.hosts;
  // Questions go to the first host; what has to happen on every node is sent to all.
  const entry = clientOf(library, first, address, password);
  const clients = [entry, ...others.map((host) => clientOf(library, host, address, password))];
  const attempt = createAttempt(address, log);
  let server: Promise<Server> | undefined;

  /** A statement with its values, in the form that this server accepts. */
  const prepared = async (sql: Select['sql']): Promise<{ query: string; query_params?: Record<string, Value> }> => {
    const { render, takesParameters } = await connection.server();
    const params: Value[] = [];
    const query = sql((value) => render(params.push(value), value));
    if (!takesParameters || params.length === 0) return { query };
    return { query, query_params: Object.fromEntries(params.map((value, index) => [parameterName(index + 1), value])) };
  };

  async function read(
    made: { query: string; query_params?: Record<string, Value> },
    how: How & { readonly maxRows?: number },
  ): Promise<Rows> {
    const { maxRows, timeoutMs = DEFAULT_TIMEOUT_MS } = how;
    const query = maxRows === undefined ? made.query : `${made.query} LIMIT ${maxRows + 1}`;
    const clickhouse_settings = readOnly
      ? { wait_end_of_query: 1 as const }
      : { ...(await connection.server()).reading, max_execution_time: Math.ceil(timeoutMs / 1_000) };
    const once = async (abort_signal: AbortSignal): Promise<Rows> => {
      const result = await entry.query({ ...made, query, format: 'JSONCompact', abort_signal, clickhouse_settings });
      return rowsOfJson(await result.json<unknown[]>(), maxRows);
    };
    return attempt(once, how, true);
  }

  async function removeWhere(table: TableName, where: string): Promise<void> {
    const { takesParameters } = await connection.server();
    const { database, cluster } = address;
    const local = localName(table, cluster);
    await connection.runEverywhere((onCluster) => `ALTER TABLE ${tableIn(database, local)}${onCluster} DELETE WHERE ${where}`, {
      timeoutMs: REMOVE_MS,
      // Older servers answer before it is done.
      settings: takesParameters ? { mutations_sync: '2' } : {},
    });
    if (!takesParameters) await Promise.all(clients.map((client) => untilRemoved(attempt, client, database, local)));
  }

  const connection: Connection = {
    address,
    server(how = {}) {
      server ??= attempt(async (abort_signal) => readServer(entry, abort_signal), { timeoutMs: FIRST_TIMEOUT_MS, ...how }, true).catch(
        (error: unknown) => {
          server = undefined;
          throw error;
        },
      );
      return server;
    },
    select: async (statement) => read(await prepared(statement.sql), statement),
    ask: async ({ sql, params }, maxRows, how) => {
      const { takesParameters } = await connection.server();
      // Values of questions are texts, numbers and booleans.
      const values = params as readonly Value[];
      const query_params = Object.fromEntries(values.map((value, index) => [parameterName(index + 1), value]));
      return read({ query: sql, ...(takesParameters ? { query_params } : {}) }, { maxRows, ...how, purpose: 'question' });
    },
    async stream(sql, maxRows, how) {
      const once = async (abort_signal: AbortSignal): Promise<Rows> => {
        const result = await entry.query({
          query: sql,
          format: 'TabSeparatedWithNamesAndTypes',
          abort_signal,
          clickhouse_settings: { wait_end_of_query: 1 },
        });
        return rowsOfText(result.stream(), maxRows);
      };
      return attempt(once, { ...how, purpose: 'question' }, false);
    },
    async explain(sql, how) {
      // A FORMAT would be taken for one of the query; without one, the answer is tab-separated.
      const once = async (abort_signal: AbortSignal): Promise<string> => {
        const { stream } = await entry.exec({ query: `EXPLAIN AST ${sql}`, abort_signal });
        return text(stream);
      };
      return (await attempt(once, { ...how, purpose: 'question' }, false)).trimEnd().split('\n');
    },
    async run(statement) {
      const made = await prepared(statement.sql);
      const { writing } = await connection.server();
      await attempt((abort_signal) => entry.command({ ...made, abort_signal, clickhouse_settings: writing }), statement, false);
    },
    async runEverywhere(sql, how = {}) {
      const { cluster, hosts } = address;
      const byCluster = cluster !== undefined && hosts.length === 1;
      const query = sql(byCluster ? ` ON CLUSTER ${identifier(cluster)}` : '');
      const { writing } = await connection.server();
      const settings = { ...writing, ...how.settings };
      for (const client of clients)
        await attempt((abort_signal) => client.command({ query, abort_signal, clickhouse_settings: settings }), how, true).catch(
          (error: unknown) => {
            throw byCluster ? withoutKeeper(error, cluster) : error;
          },
        );
    },
    async insert(table, columns, lines, how = {}) {
      const { writing } = await connection.server();
      const values = streamOf(lines);
      const insert = (abort_signal: AbortSignal) =>
        entry.insert({
          table,
          // The client wants at least one.
          columns: columns as [string, ...string[]],
          values,
          format: 'TabSeparated',
          abort_signal,
          clickhouse_settings: writing,
        });
      await attempt(insert, { timeoutMs: CLIENT_TIMEOUT_MS, ...how }, false);
    },
    async remove(table, account, column, values = []) {
      if (column !== undefined && values.length === 0) return;
      // Old servers compare a number with a number only.
      const list = column === 'part' ? partList(values) : values.map((value) => literal(value)).join(', ');
      const isIn = column === undefined ? '' : ` AND ${identifier(column)} IN (${list})`;
      await removeWhere(table, `account = ${literal(account)}${isIn}`);
    },
    removeBefore: (table, account, beforeS) => removeWhere(table, `account = ${literal(account)} AND at < ${literal(beforeS)}`),
    async close() {
      await Promise.all(clients.map((client) => client.close()));
    },
  };
  return connection;
}

interface Library {
  readonly createClient: typeof import('./client.ts').createClient;
  readonly level: import('./client.ts').ClickHouseLogLevel;
}

function clientOf({ createClient, level }: Library, host: string, { secure, user }: StoreAddress, password = ''): ClickHouseClient {
  return createClient({
    url: `${secure ? 'https' : 'http'}://${host}`,
    username: user,
    password,
    application: 'video-hosting-mcp',
    request_timeout: CLIENT_TIMEOUT_MS,
    use_multipart_params_auto: true,
    // What it would log is in its errors too.
    log: { level },
  });
}

/** ON CLUSTER works only where the cluster has a Keeper. */
function withoutKeeper(error: unknown, cluster: string): unknown {
  if (!(error instanceof Error && /DDL|keeper/i.test(error.message))) return error;
  return new VideoHostingError(
    'store_unready',
    `The cluster ${cluster} has no Keeper, so one node can’t pass statements on to the others.`,
    {
      hint: 'Name every node in VIDEO_HOSTING_ANALYTICS_STORE, as host:port,host:port, and run `video-hosting-mcp store init` again.',
      cause: error,
    },
  );
}

/** Deleting rows rewrites the files they are in. */
const REMOVE_MS = 15 * 60_000;

/** Waits until a node has no unfinished deletion in a table. */
async function untilRemoved(attempt: Attempt, client: ClickHouseClient, database: string, table: string): Promise<void> {
  for (let tries = 0; tries < REMOVE_MS / 250; tries += 1) {
    const query = `SELECT count(*) FROM system.mutations WHERE database = ${literal(database)} AND table = ${literal(table)} AND is_done = 0`;
    const { rows } = await attempt(
      async (abort_signal) => {
        const result = await client.query({ query, format: 'JSONCompact', abort_signal });
        return rowsOfJson(await result.json<unknown[]>());
      },
      {},
      true,
    );
    if (Number(rows[0]?.[0]) === 0) return;
    await sleep(250);
  }
  throw new VideoHostingError('analytics_failed', 'The ClickHouse server did not remove the rows in time; it is still removing them.');
}

async function readServer(client: ClickHouseClient, abort_signal: AbortSignal): Promise<Server> {
  const result = await client.query({ query: 'SELECT version()', format: 'JSONCompact', abort_signal });
  const { rows } = rowsOfJson(await result.json<unknown[]>());
  return serverOf(String(rows[0]?.[0]));
}
