import type { DuckDBInstance } from '@duckdb/node-api';
import { partsSql, withConnection } from './duck.ts';
import type { Task } from './messages.ts';
import { type Sink, streamRows } from './stream-rows.ts';

type QueryInput = Extract<Task, { kind: 'query' }>['input'];

/** Our own SQL over `views`, which each connection has as a view of its own: an instance serves any list of parts. */
export function runQuery(instance: DuckDBInstance, { parts, sql, params, maxRows }: QueryInput, signal: AbortSignal, sink: Sink) {
  return withConnection(instance, signal, async (connection) => {
    await connection.run(`CREATE TEMP VIEW views AS ${partsSql(parts)}`);
    const prepared = await connection.prepare(sql);
    prepared.bind([...params]);
    return await streamRows(prepared, { maxRows }, sink);
  });
}
