/** Opens DuckDB, with nothing on that reaches beyond this machine. Only the engine's own process loads this. */
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { PART_COLUMNS } from '../columns.ts';
import type { Opening } from './messages.ts';

export interface DuckOptions extends Pick<Opening, 'memoryMb' | 'threads'> {
  /** For what doesn't fit in memory; this process's own. */
  readonly spillFolder: string;
  /** Whether a table keeps the order in which its rows came. */
  readonly keepOrder?: boolean;
}

const MAX_SPILL = '8GB';

/** A database in memory that loads no extension and keeps to `memoryMb`. */
export async function openDuck({ memoryMb, threads, spillFolder, keepOrder = false }: DuckOptions): Promise<DuckDBInstance> {
  const instance = await DuckDBInstance.create(':memory:', {
    threads: String(threads),
    memory_limit: `${memoryMb}MB`,
    preserve_insertion_order: String(keepOrder),
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
    allow_community_extensions: 'false',
    allow_unsigned_extensions: 'false',
    allow_persistent_secrets: 'false',
  });
  const connection = await instance.connect();
  try {
    await connection.run(`SET temp_directory = ${literal(spillFolder)}`);
    // Given when the instance is opened, it would be shown but not obeyed.
    await connection.run(`SET max_temp_directory_size = '${MAX_SPILL}'`);
    await connection.run("SET TimeZone = 'UTC'");
    // A part never changes under its name, so where its columns are is looked up once. What is in it, the system caches.
    await connection.run('SET parquet_metadata_cache = true');
    await connection.run('SET enable_external_file_cache = false');
  } finally {
    connection.closeSync();
  }
  return instance;
}

/** An interrupt is lost where it meets a connection between two steps, so it is repeated. */
const INTERRUPT_AGAIN_MS = 50;

/** Does something with a connection of its own, and has it end early when the signal says so. */
export async function withConnection<T>(
  instance: DuckDBInstance,
  signal: AbortSignal,
  act: (connection: DuckDBConnection) => Promise<T>,
): Promise<T> {
  const connection = await instance.connect();
  let again: NodeJS.Timeout | undefined;
  const interrupt = (): void => {
    connection.interrupt();
    again = setInterval(() => connection.interrupt(), INTERRUPT_AGAIN_MS);
  };
  signal.addEventListener('abort', interrupt, { once: true });
  try {
    signal.throwIfAborted();
    return await act(connection);
  } finally {
    signal.removeEventListener('abort', interrupt);
    clearInterval(again);
    connection.closeSync();
  }
}

/** SQL that reads columns of parts, by exact names. Without any part it reads nothing. */
export function partsSql(parts: readonly string[], columns = PART_COLUMNS): string {
  const names = columns.map(({ name }) => name).join(', ');
  if (parts.length > 0) return `SELECT ${names} FROM read_parquet(${literals(parts)}, hive_partitioning = false)`;
  return `SELECT ${columns.map(({ name, sql }) => `NULL::${sql} AS ${name}`).join(', ')} WHERE false`;
}

/** A list of texts. DuckDB takes the name of a file that is there for what it is, also where it could be a pattern. */
export function literals(values: readonly string[]): string {
  return `[${values.map(literal).join(', ')}]`;
}

/** A text as it stands in a statement. */
export function literal(value: string): string {
  return `'${value.replaceAll("'", "''")}'`;
}
