// The ten questions of `queries` on a ClickHouse store, beside our own engine, with what it costs to bring views there and
// to keep them: npm run bench -- cluster [--views 2000000] [--rounds 3] [--store chdb|shards]
// `npm run test:cluster` puts the servers where CLUSTER_CHDB and CLUSTER_SERVER have to point. All answers must be the same.
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { loadSource } from '../scripts/load-source.mjs';
import { root } from '../scripts/root.mjs';
import { median } from './process-usage.mjs';
import { questions } from './queries/questions.mjs';
import { DAYS, FROM_MS, makeViews } from './queries/views.mjs';

const SOURCE = `
  export { createConnection } from './analytics/clickhouse/connection.ts';
  export { initStore } from './analytics/clickhouse/init.ts';
  export { lineOf } from './analytics/clickhouse/lines.ts';
  export { createLog } from './analytics/clickhouse/log.ts';
  export { createClickHouseStore } from './analytics/clickhouse/store.ts';
  export { writePart } from './analytics/clickhouse/write-part.ts';
  export { VIEW_COLUMNS } from './analytics/columns.ts';
  export { createEngine } from './analytics/engine/engine.ts';
  export { askInSql } from './analytics/question/ask.ts';
  export { zoneOffsets } from './analytics/question/zones.ts';
  export { SCHEMA } from './analytics/store/lake.ts';
  export { readStoreAddress } from './store-address.ts';
  export { startChdb } from '../test/cluster/servers/chdb.ts';
  export { startShards } from '../test/cluster/servers/shards.ts';
  export { PASSWORD } from '../test/cluster/servers/password.ts';`;

const DAY_MS = 86_400_000;
const ACCOUNT = 'b'.repeat(24);

export async function run(args) {
  const { values } = parseArgs({
    args,
    options: {
      views: { type: 'string', default: '2000000' },
      rounds: { type: 'string', default: '3' },
      store: { type: 'string', default: 'shards' },
    },
  });
  const source = await loadSource(SOURCE);
  const folder = mkdtempSync(join(tmpdir(), 'bench-cluster-'));
  const front = join(root, 'test', 'cluster', 'servers', 'chdb-front.cjs');
  const { CLUSTER_CHDB, CLUSTER_SERVER } = process.env;
  const server = await (values.store === 'chdb' ? source.startChdb(CLUSTER_CHDB, front) : source.startShards(CLUSTER_SERVER));
  const connection = await source.createConnection({
    address: source.readStoreAddress(server.url('bench')),
    password: source.PASSWORD,
    log: console.error,
  });
  const engine = source.createEngine({ tempFolder: join(folder, 'temp'), file: join(root, 'dist', 'engine.cjs'), log: console.error });
  try {
    await source.initStore(connection, new AbortController().signal);
    const parts = await makeViews(folder, source.VIEW_COLUMNS, Number(values.views));
    console.log(`${server.name}; ${values.views} views in ${parts.length} parts`);
    const log = source.createLog(connection, ACCOUNT, Date.now);
    await bring(parts, source, { connection, engine, log });
    await tellDisk(connection, parts, Number(values.views));
    const store = source.createClickHouseStore({ connection, account: ACCOUNT, log });
    const how = { signal: new AbortController().signal, timeoutMs: 120_000 };
    const asks = {
      store: (question) => store.ask(question, how),
      engine: (question) =>
        source.askInSql(question, ({ sql, params }) => engine.query({ parts, sql, params, maxRows: 1_000_000, ...how })),
    };
    await measure(questions(source.zoneOffsets), Number(values.rounds), asks);
  } finally {
    await engine.close();
    await connection.close();
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Brings each part there as an import does. */
async function bring(parts, { VIEW_COLUMNS, lineOf, writePart, SCHEMA }, { connection, engine, log }) {
  const columns = VIEW_COLUMNS.map(({ name }) => (name === 'ts' ? 'epoch_ms(ts)' : name)).join(', ');
  const signal = new AbortController().signal;
  let writing = 0;
  let views = 0;
  for (const [day, part] of parts.entries()) {
    const sql = `SELECT ${columns} FROM views`;
    const { rows } = await engine.query({ parts: [part], sql, params: [], maxRows: 1e9, timeoutMs: 600_000, signal });
    const began = performance.now();
    const content = {
      rows: rows.length,
      async *lines(account, number) {
        for (const row of rows) yield lineOf([account, number, ...row]);
      },
    };
    const written = await writePart(connection, ACCOUNT, content, Date.now);
    const fromMs = FROM_MS + day * DAY_MS;
    const id = `00000000-0000-0000-0000-${String(day).padStart(12, '0')}`;
    const window = { fromMs, toMs: fromMs + DAY_MS, fetchedMs: Date.now(), id, schema: SCHEMA, setAside: [], ...written };
    await log.append({ kind: 'window', epoch: 'first', window }, id);
    writing += performance.now() - began;
    views += rows.length;
  }
  if (parts.length !== DAYS) throw new Error('A day is missing.');
  console.log(`written and verified: ${Math.round(views / (writing / 1_000)).toLocaleString('en')} views a second, one part at a time`);
}

async function tellDisk(connection, parts, views) {
  const { cluster, database } = connection.address;
  const table = cluster === undefined ? 'system.parts' : `cluster(${cluster}, system, parts)`;
  const sql = () => `SELECT sum(bytes_on_disk) FROM ${table} WHERE active AND database = '${database}' AND table LIKE 'vh_views%'`;
  const { rows } = await connection.select({ sql });
  const folder = parts.reduce((sum, part) => sum + statSync(part).size, 0);
  console.log(`on disk: ${Math.round(Number(rows[0][0]) / views)} bytes a view, as Parquet ${Math.round(folder / views)}`);
}

async function measure(asked, rounds, asks) {
  const times = new Map(Object.keys(asked).map((name) => [name, { store: [], engine: [] }]));
  for (let round = 0; round <= rounds; round++)
    for (const [name, question] of Object.entries(asked)) {
      const answers = [];
      for (const [who, ask] of Object.entries(asks)) {
        const start = performance.now();
        answers.push(canonical(await ask(question)));
        if (round > 0) times.get(name)[who].push(performance.now() - start);
      }
      if (new Set(answers).size > 1) throw new Error(`The answers to "${name}" differ.`);
    }
  for (const [name, { store, engine }] of times)
    console.log(
      `${name.padEnd(38)}${median(store).toFixed(0).padStart(6)} ms   our own engine ${median(engine).toFixed(0).padStart(6)} ms`,
    );
  const slowest = Math.max(...[...times.values()].map(({ store }) => median(store)));
  console.log(`slowest: ${slowest.toFixed(0)} ms; all answers the same`);
}

/** An answer has no order, and a large number may come as its digits. */
function canonical({ rows, total }) {
  const plain = (row) => JSON.stringify(row.map((value) => (typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value)));
  return JSON.stringify([rows.map(plain).sort(), plain(total)]);
}
