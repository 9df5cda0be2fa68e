/**
 * How statements reach a ClickHouse server and its cluster: the one file that calls the client's package. Everything else
 * in this folder says what is asked, in statements of `dialect.ts` and the files of its kind.
 */
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
import { localName, type TableName } from './tables.ts';
import { partList } from './views.ts';

export interface ConnectionOptions {
  readonly address: StoreAddress;
  readonly password: string | undefined;
  readonly log: (message: string) => void;
  /** A user whose settings are the server's alone: none is sent. */
  readonly readOnly?: boolean;
}

interface HowEverywhere extends How {
  readonly settings?: ClickHouseSettings;
}

export interface Select extends How {
  /** The text, in which `bind` puts what stands for a value. */
  readonly sql: (bind: Bind) => string;
  /** All unless said; where there are more, the answer says that it is cut. */
  readonly maxRows?: number;
}

/** A ClickHouse server, and the cluster behind it. Every failure is a `VideoHostingError` that says what to do. */
export interface Connection {
  readonly address: StoreAddress;
  /** What the first host is, asked once. */
  server(how?: How): Promise<Server>;
  /** Rows of our own statement. Integers beyond 2^53 come as text, their digits. */
  select(statement: Select): Promise<Rows>;
  /** Runs a statement that has no answer, on the first host. */
  run(statement: Omit<Select, 'maxRows'>): Promise<void>;
  /** Runs a statement on every node: on each that is named, or by the cluster's own means where one alone is. */
  runEverywhere(sql: (onCluster: string) => string, how?: HowEverywhere): Promise<void>;
  /** Adds rows, as lines of tab-separated values, and answers when all shards have them. */
  insert(table: string, columns: readonly string[], lines: AsyncIterable<string>, how?: How): Promise<void>;
  /** Rows of a stranger's SELECT, and no more than asked for. Long texts are cut. */
  stream(sql: string, maxRows: number, how: How): Promise<Rows>;
  /** Our own question, compiled for this server. */
  ask(statement: Statement, maxRows: number, how: How): Promise<Rows>;
  /** Removes rows of an account on every node, for good: those whose column has one of some values, or all. */
  remove(table: TableName, account: string, column?: 'part' | 'id', values?: readonly string[]): Promise<void>;
  /** The same for what was written before a moment. */
  removeBefore(table: TableName, account: string, at: number): Promise<void>;
  close(): Promise<void>;
}

/** Of the first question, which is the server's version. */
const FIRST_TIMEOUT_MS = 15_000;
/** The client's own limit; ours come first. */
const CLIENT_TIMEOUT_MS = 30 * 60_000;

/** Loads the client's package and opens nothing: the first statement does, or `server`. */
export async function createConnection({ address, password, log, readOnly = false }: ConnectionOptions): Promise<Connection> {
  const { createClient, ClickHouseLogLevel } = await import('./client.ts');
  const library = { createClient, level: ClickHouseLogLevel.OFF };
  const [first, ...others] = address.hosts;
  // The one that is asked; what has to happen on every node is sent to all.
  const entry = clientOf(library, first, address, password);
  const clients = [entry, ...others.map((host) => clientOf(library, host, address, password))];
  const attempt = createAttempt(address, log);
  let server: Promise<Server> | undefined;

  /** A statement with its values, as this server takes them. */
  const prepared = async (sql: Select['sql']): Promise<{ query: string; query_params?: Record<string, Value> }> => {
    const { render, takesParameters } = await connection.server();
    const params: Value[] = [];
    const query = sql((value) => render(params.push(value), value));
    if (!takesParameters || params.length === 0) return { query };
    return { query, query_params: Object.fromEntries(params.map((value, at) => [parameterName(at + 1), value])) };
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
      // Values of questions are texts, numbers and truths.
      const values = params as readonly Value[];
      const query_params = Object.fromEntries(values.map((value, at) => [parameterName(at + 1), value]));
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
    removeBefore: (table, account, at) => removeWhere(table, `account = ${literal(account)} AND at < ${literal(at)}`),
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
    // What it would print is in its errors too.
    log: { level },
  });
}

/** One node passes statements on to the others only where they have a Keeper. */
function withoutKeeper(error: unknown, cluster: string): unknown {
  if (!(error instanceof Error && /DDL|keeper/i.test(error.message))) return error;
  return new VideoHostingError(
    'store_unready',
    `The cluster ${cluster} has no Keeper, so one node can’t have the others do what it does.`,
    {
      hint: 'Name every node in VIDEO_HOSTING_ANALYTICS_STORE, as host:port,host:port, and run `video-hosting-mcp store init` again.',
      cause: error,
    },
  );
}

/** Removing rows rewrites what they are in. */
const REMOVE_MS = 15 * 60_000;

/** Waits until a node has no removal under way in a table, where the server answers before that. */
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
  throw new VideoHostingError('analytics_failed', 'The ClickHouse server did not remove the rows in time; it goes on with it.');
}

async function readServer(client: ClickHouseClient, abort_signal: AbortSignal): Promise<Server> {
  const result = await client.query({ query: 'SELECT version()', format: 'JSONCompact', abort_signal });
  const { rows } = rowsOfJson(await result.json<unknown[]>());
  return serverOf(String(rows[0]?.[0]));
}
