import type { DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { COLUMNS } from '../columns.ts';
import type { PartFacts } from './contract.ts';
import { copySql, literals, partsSql, withConnection } from './duck.ts';
import type { Task } from './messages.ts';

type WriteInput = Extract<Task, { kind: 'write' }>['input'];

/** SQL that reads lines of `spool.ts`: arrays whose values DuckDB reads as text and then casts strictly. */
function spoolSql(spool: string): string {
  const values = COLUMNS.map(({ name, sql }, index) => {
    const value = `line[${index + 1}]`;
    return `${sql === 'TIMESTAMP' ? `make_timestamp(${value}::BIGINT)` : `${value}::${sql}`} AS ${name}`;
  });
  const options = "format = 'newline_delimited', records = false, columns = {line: 'VARCHAR[]'}";
  return `SELECT ${values.join(', ')} FROM read_json(${literals([spool])}, ${options})`;
}

/** Writes a part. The instance keeps the order of rows, so that the last row of an id is known. */
export function writePart(instance: DuckDBInstance, { spool, part }: WriteInput, signal: AbortSignal): Promise<PartFacts> {
  return withConnection(instance, signal, async (connection) => {
    await connection.run(`CREATE TEMP TABLE fresh AS ${partsSql([], COLUMNS)}`);
    await connection.run(`INSERT INTO fresh ${spoolSql(spool)}`);
    const [rows, ids] = await numbers(connection, 'SELECT count(*), count(DISTINCT id) FROM fresh');
    // Rarely needed, and slow for many rows.
    const newest =
      rows === ids ? '' : 'SEMI JOIN (SELECT max(rowid) AS newest FROM fresh GROUP BY id) AS kept ON fresh.rowid = kept.newest';
    await connection.run(copySql(`SELECT fresh.* FROM fresh ${newest}`, part));
    return await factsOf(connection, part);
  });
}

async function factsOf(connection: DuckDBConnection, part: string): Promise<PartFacts> {
  const [rows = 0, minMs, maxMs] = await numbers(
    connection,
    `SELECT count(*), epoch_ms(min(ts)), epoch_ms(max(ts)) FROM read_parquet(${literals([part])}, hive_partitioning = false)`,
  );
  return minMs === undefined || maxMs === undefined ? { rows } : { rows, minMs, maxMs };
}

async function numbers(connection: DuckDBConnection, sql: string): Promise<(number | undefined)[]> {
  const [row = []] = (await connection.runAndReadAll(sql)).getRows();
  return row.map((value) => (value === null ? undefined : Number(value)));
}
