// Ten questions over the views of 90 days, asked of the product's store and of SQLite with indexes, alternately; both must
// answer the same:
// npm run bench -- queries [--views 10000000] [--rounds 5] [--without-sqlite] [--data FOLDER]
// With SQLite, ten million views take some minutes to load, and 3 GB of disk; in a folder of one's own they stay for the
// next run. Where other things run at the same time, CPU time divided by the cores tells what it would be without them.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { loadSource } from '../scripts/load-source.mjs';
import { root } from '../scripts/root.mjs';
import { cpuMsOf, median } from './processes.mjs';
import { makeLake } from './queries/lake.mjs';
import { QUESTIONS, questionOf } from './queries/questions.mjs';
import { makeSqlite, openSqlite } from './queries/sqlite.mjs';

/** What of the product is measured. */
export const SOURCE = `
  export { VIEW_COLUMNS } from './analytics/columns.ts';
  export { createEngine } from './analytics/engine/engine.ts';
  export { copySql } from './analytics/engine/duck.ts';
  export { answerWithSql } from './analytics/sql/ask.ts';
  export { resolveSpan } from './analytics/resolve/dates.ts';
  export { zoneOffsets } from './analytics/resolve/zones.ts';
  export { createFolderStorage } from './analytics/storage/folder/folder-storage.ts';
  export { SCHEMA } from './analytics/storage/segments.ts';
  export { createFolderReader } from './analytics/storage/folder/reader.ts';
  export { groupsOf } from './analytics/ingest/buckets.ts';`;

const SLOWEST_MS = 1_000;
const TIMES_SQLITE = 10;

export async function run(args) {
  const { values } = parseArgs({
    args,
    options: {
      views: { type: 'string', default: '10000000' },
      rounds: { type: 'string', default: '5' },
      'without-sqlite': { type: 'boolean', default: false },
      data: { type: 'string' },
    },
  });
  const source = await loadSource(SOURCE);
  const views = Number(values.views);
  const temporary = mkdtempSync(join(tmpdir(), 'video-hosting-mcp-bench-'));
  try {
    const kept = join(values.data ?? temporary, `${views}-${formatOf(source)}`);
    const folder = join(kept, 'lake');
    await once(folder, (making) => makeLake(making, views, source));
    const file = join(kept, 'views.sqlite');
    const parts = readdirSync(join(folder, 'parts')).map((name) => join(folder, 'parts', name));
    if (!values['without-sqlite']) await once(file, (making) => makeSqlite(making, parts, source.VIEW_COLUMNS));
    const bytes = parts.reduce((sum, part) => sum + statSync(part).size, 0);
    console.log(`${views.toLocaleString('en')} views in ${parts.length} parts, ${Math.round(bytes / views)} bytes a view\n`);
    const times = await measureAll(
      openStore(folder, temporary, source),
      Number(values.rounds),
      source,
      values['without-sqlite'] ? undefined : file,
    );
    return report(times, views);
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

/** Changes with what is made. */
function formatOf({ SCHEMA }) {
  const maker = readFileSync(join(import.meta.dirname, 'queries', 'lake.mjs'), 'utf8');
  return createHash('sha256').update(`${SCHEMA}${maker}`).digest('hex').slice(0, 8);
}

/** Makes something that stays, whole or not at all. */
async function once(path, make) {
  if (existsSync(path)) return;
  const making = `${path}.making`;
  rmSync(making, { recursive: true, force: true });
  mkdirSync(join(path, '..'), { recursive: true });
  await make(making);
  renameSync(making, path);
}

function openStore(folder, temporary, { createEngine, createFolderReader }) {
  const tempFolder = join(temporary, 'engine');
  const engine = createEngine({ tempFolder, file: join(root, 'dist', 'engine.cjs'), log: console.error });
  const store = createFolderReader({ folder, engine });
  return {
    ask: (question) => store.ask(question, { timeoutMs: 600_000, signal: new AbortController().signal }),
    // Its processes have folders of their numbers.
    cpuMs: () => readdirSync(tempFolder).reduce((sum, pid) => sum + (cpuMsOf(pid) ?? Number.NaN), 0),
    close: () => store.close(),
  };
}

/** Side by side, so that what else the machine does is the same for both. */
async function measureAll(store, rounds, source, sqliteFile) {
  const sqlite = sqliteFile === undefined ? undefined : openSqlite(sqliteFile, source.answerWithSql);
  const sqliteRounds = Math.max(1, Math.floor(rounds / 2));
  const times = new Map(Object.keys(QUESTIONS).map((name) => [name, { ours: [], cpu: [], sqlite: [] }]));
  for (let round = 0; round <= rounds; round++) {
    for (const [name, asked] of Object.entries(QUESTIONS)) {
      const question = questionOf(asked, source);
      const taken = times.get(name);
      const cpuBefore = round > 0 ? store.cpuMs() : 0;
      const ours = await timed(() => store.ask(question));
      // The first time is there to warm up.
      if (round === 0) continue;
      taken.ours.push(ours.ms);
      taken.cpu.push(store.cpuMs() - cpuBefore);
      if (sqlite === undefined || round > sqliteRounds) continue;
      const theirs = await timed(() => sqlite.ask(question));
      taken.sqlite.push(theirs.ms);
      if (canonical(ours.answer) !== canonical(theirs.answer)) throw new Error(`The answers to "${name}" differ.`);
    }
  }
  sqlite?.close();
  await store.close();
  return times;
}

function report(times, views) {
  const shown = (ms, width) => ms.toFixed(0).padStart(width);
  const rows = [...times].map(([name, { ours, cpu, sqlite }]) => {
    const row = { name, ours: median(ours), cpu: median(cpu), sqlite: median(sqlite) };
    return { ...row, ratio: row.sqlite === undefined ? undefined : row.sqlite / row.ours };
  });
  console.log('ms'.padEnd(38), '  store    (CPU)');
  for (const { name, ours, cpu, sqlite, ratio } of rows) {
    const beside = ratio === undefined ? '' : `   SQLite ${shown(sqlite, 7)}   ${ratio.toFixed(1).padStart(6)} x`;
    console.log(`${name.padEnd(38)}${shown(ours, 8)} ${`(${shown(cpu, 0)})`.padStart(8)}${beside}`);
  }
  const slowestMs = Math.max(...rows.map((row) => row.ours));
  const ratio = median(rows.flatMap((row) => row.ratio ?? []));
  console.log(`\nslowest: ${shown(slowestMs, 0)} ms`);
  if (ratio !== undefined) console.log(`in the median ${ratio.toFixed(1)} times as fast as SQLite`);
  const what = `ten questions on ${views.toLocaleString('en')} views`;
  return [
    { what: `${what}, the slowest`, ms: slowestMs, below: SLOWEST_MS },
    ...(ratio === undefined ? [] : [{ what: `${what}, median`, against: 'SQLite with indexes', ratio: ratio, atLeast: TIMES_SQLITE }]),
  ];
}

async function timed(act) {
  const start = performance.now();
  const answer = await act();
  return { ms: performance.now() - start, answer };
}

/** An answer has no order. */
function canonical({ rows, total }) {
  return JSON.stringify([rows.map((row) => JSON.stringify(row)).sort(), total]);
}
