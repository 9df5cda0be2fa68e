/** Opens DuckDB without network and extensions. Only the engine's process loads this module. */

import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { DAY_MS } from '../../platform/time-units.ts';
import { PART_COLUMNS, QUARTER, QUARTER_MS } from '../columns.ts';
import type { PartFile } from '../storage/part-file.ts';
import type { EngineConfig } from './contract.ts';

export interface DuckOptions extends Pick<EngineConfig, 'memoryMb' | 'threads'> {
  /** For data that doesn't fit in memory; not shared with other processes. */
  readonly spillFolder: string;
  /** Tables keep the order of their rows. */
  readonly keepOrder?: boolean;
}

const MAX_SPILL = '8GB';

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
    await connection.run(`SET temp_directory = ${textLiteral(spillFolder)}`);
    // As an option of the instance it has no effect.
    await connection.run(`SET max_temp_directory_size = '${MAX_SPILL}'`);
    await connection.run("SET TimeZone = 'UTC'");
    // A part never changes, so its metadata is cached. The operating system caches its contents.
    await connection.run('SET parquet_metadata_cache = true');
    await connection.run('SET enable_external_file_cache = false');
  } finally {
    connection.closeSync();
  }
  return instance;
}

/** An interrupt between two steps of a query has no effect, so it is repeated. */
const INTERRUPT_MS = 50;

export async function withConnection<T>(
  instance: DuckDBInstance,
  signal: AbortSignal,
  act: (connection: DuckDBConnection) => Promise<T>,
): Promise<T> {
  const connection = await instance.connect();
  let timer: NodeJS.Timeout | undefined;
  const interrupt = (): void => {
    connection.interrupt();
    timer = setInterval(() => connection.interrupt(), INTERRUPT_MS);
  };
  signal.addEventListener('abort', interrupt, { once: true });
  try {
    signal.throwIfAborted();
    return await act(connection);
  } finally {
    signal.removeEventListener('abort', interrupt);
    clearInterval(timer);
    connection.closeSync();
  }
}

export function partsSql(parts: readonly PartFile[], columns = PART_COLUMNS): string {
  const names = columns.map(({ name }) => name).join(', ');
  if (parts.length > 0) return `SELECT ${names} FROM read_parquet(${pathsOf(parts)}, hive_partitioning = false)`;
  return `SELECT ${columns.map(({ name, sql }) => `NULL::${sql} AS ${name}`).join(', ')} WHERE false`;
}

/** SQL that writes a part. Unsorted: sorting takes a fifth longer and saves 2 bytes a view. */
export function copySql(views: string, part: string): string {
  // Integer division rounds towards zero, and in eastern time zones 1970 began before the epoch.
  const quarter = `((epoch_us(ts) + ${DAY_MS}000) // ${QUARTER_MS}000 - ${DAY_MS / QUARTER_MS})::${QUARTER.sql} AS ${QUARTER.name}`;
  return `COPY (SELECT *, ${quarter} FROM (${views})) TO ${textLiteral(part)} (FORMAT parquet, COMPRESSION zstd)`;
}

/** DuckDB reads an existing file by its exact name, even if the name could be a pattern. */
export const pathsOf = (parts: readonly Pick<PartFile, 'path'>[]): string => `[${parts.map(({ path }) => textLiteral(path)).join(', ')}]`;

export function textLiteral(value: string): string {
  return `'${value.replaceAll("'", "''")}'`;
}
