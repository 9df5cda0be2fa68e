// The ten questions of `queries` on a ClickHouse store, beside our own engine, with what it costs to bring views there and
// to keep them: npm run bench -- cluster [--views 2000000] [--rounds 3] [--store chdb|shards]
// `npm run test:cluster` puts the servers where CLUSTER_CHDB and CLUSTER_SERVER have to point. All answers must be the same.
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { loadSource } from '../scripts/load-source.mjs';
import { root } from '../scripts/root.mjs';
import { median } from './processes.mjs';
import { makeLake } from './queries/lake.mjs';
import { QUESTIONS, questionOf } from './queries/questions.mjs';

/** What of the product is measured. */
export const SOURCE = `
  export { createConnection } from './analytics/storage/clickhouse/connection.ts';
  export { importFolder } from './analytics/storage/import-folder.ts';
  export { initStore } from './analytics/storage/clickhouse/init.ts';
  export { openStore } from './analytics/storage/clickhouse/open.ts';
  export { VIEW_COLUMNS } from './analytics/columns.ts';
  export { createEngine } from './analytics/engine/engine.ts';
  export { copySql } from './analytics/engine/duck.ts';
  export { resolveSpan } from './analytics/resolve/dates.ts';
  export { zoneOffsets } from './analytics/resolve/zones.ts';
  export { createFolderStorage } from './analytics/storage/folder/folder-storage.ts';
  export { createFolderReader } from './analytics/storage/folder/reader.ts';
  export { groupsOf } from './analytics/ingest/buckets.ts';
  export { readStoreAddress } from './config/store-address.ts';
  export { startChdb } from '../test/cluster/servers/chdb.ts';
  export { startShards } from '../test/cluster/servers/shards.ts';
  export { PASSWORD } from '../test/cluster/servers/password.ts';`;

const ACCOUNT = 'b'.repeat(24);
const SECRET = 'no credential of anybody';

export async function run(args) {
  const { values } = parseArgs({
    args,
    options: {
      views: { type: 'string', default: '2000000' },
      rounds: { type: 'string', default: '3' },
      store: { type: 'string', default: 'shards' },
    },
  });
  const source = await loadSource(SOURCE, { plugins: [] });
  const folder = mkdtempSync(join(tmpdir(), 'bench-cluster-'));
  const front = join(root, 'test', 'cluster', 'servers', 'chdb-front.cjs');
  const { CLUSTER_CHDB, CLUSTER_SERVER } = process.env;
  const server = await (values.store === 'chdb' ? source.startChdb(CLUSTER_CHDB, front) : source.startShards(CLUSTER_SERVER));
  const settings = { address: source.readStoreAddress(server.url('bench')), password: source.PASSWORD, log: console.error };
  const connection = await source.createConnection(settings);
  const engine = source.createEngine({ tempFolder: join(folder, 'engine'), file: join(root, 'dist', 'engine.cjs'), log: console.error });
  try {
    const lake = join(folder, 'lake');
    await makeLake(lake, Number(values.views), source);
    await source.initStore(connection, new AbortController().signal);
    console.log(`${server.name}; ${Number(values.views).toLocaleString('en')} views`);
    await bring(lake, source, { connection, engine });
    await tellDisk(connection, lake, Number(values.views));
    const store = await source.openStore({ ...settings, account: ACCOUNT, secret: SECRET, folder: join(folder, 'own') });
    await measure(Number(values.rounds), source, store.reader, source.createFolderReader({ folder: lake, engine }));
    await store.reader.close();
  } finally {
    await engine.close();
    await connection.close();
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Brings the lake there, as the command does. */
async function bring(lake, { importFolder }, { connection, engine }) {
  const began = performance.now();
  const { views } = await importFolder({
    connection,
    account: ACCOUNT,
    secret: SECRET,
    source: { folder: lake, engine },
    signal: new AbortController().signal,
    progress: () => {},
  });
  const seconds = (performance.now() - began) / 1_000;
  console.log(`brought there and verified: ${Math.round(views / seconds).toLocaleString('en')} views a second, one part at a time`);
}

async function tellDisk(connection, lake, views) {
  const { cluster, database } = connection.address;
  const table = cluster === undefined ? 'system.parts' : `cluster(${cluster}, system, parts)`;
  const sql = () => `SELECT sum(bytes_on_disk) FROM ${table} WHERE active AND database = '${database}' AND table LIKE 'vh_views%'`;
  const { rows } = await connection.select({ sql });
  const parts = readdirSync(join(lake, 'parts')).reduce((sum, name) => sum + statSync(join(lake, 'parts', name)).size, 0);
  console.log(`on disk: ${Math.round(Number(rows[0][0]) / views)} bytes a view; in the folder ${Math.round(parts / views)}`);
}

async function measure(rounds, source, store, own) {
  const how = { signal: new AbortController().signal, timeoutMs: 120_000 };
  const times = new Map(Object.keys(QUESTIONS).map((name) => [name, { store: [], own: [] }]));
  for (let round = 0; round <= rounds; round++)
    for (const [name, asked] of Object.entries(QUESTIONS)) {
      const question = questionOf(asked, source);
      const answers = [];
      for (const [who, asks] of Object.entries({ store, own })) {
        const start = performance.now();
        answers.push(canonical(await asks.ask(question, how)));
        // The first time is there to warm up.
        if (round > 0) times.get(name)[who].push(performance.now() - start);
      }
      if (new Set(answers).size > 1) throw new Error(`The answers to "${name}" differ.`);
    }
  for (const [name, { store: there, own: here }] of times)
    console.log(`${name.padEnd(38)}${median(there).toFixed(0).padStart(6)} ms   our own engine ${median(here).toFixed(0).padStart(6)} ms`);
  const slowest = Math.max(...[...times.values()].map(({ store: there }) => median(there)));
  console.log(`slowest: ${slowest.toFixed(0)} ms; all answers the same`);
}

/** An answer has no order, and a large number may come as its digits. */
function canonical({ rows, total }) {
  const plain = (row) => JSON.stringify(row.map((value) => (typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value)));
  return JSON.stringify([rows.map(plain).sort(), plain(total)]);
}
