// Ten questions over the views of 90 days, asked of the engine as the server asks, and of SQLite with indexes:
// npm run bench -- queries [--views 10000000] [--rounds 5] [--without-sqlite]
// With SQLite, ten million views take some minutes to load, and 4 GB of disk. Both must answer the same.
// Where other things run at the same time, CPU time divided by the cores tells what it would be without them.
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { loadSource } from '../scripts/load-source.mjs';
import { root } from '../scripts/root.mjs';
import { cpuMsOf, median } from './process-usage.mjs';
import { questions } from './queries/questions.mjs';
import { openSqlite } from './queries/sqlite.mjs';
import { makeViews } from './queries/views.mjs';

const SOURCE = `
  export { VIEW_COLUMNS } from './analytics/columns.ts';
  export { createEngine } from './analytics/engine/engine.ts';
  export { askInSql } from './analytics/question/ask.ts';
  export { zoneOffsets } from './analytics/question/zones.ts';`;

export async function run(args) {
  const { values } = parseArgs({
    args,
    options: {
      views: { type: 'string', default: '10000000' },
      rounds: { type: 'string', default: '5' },
      'without-sqlite': { type: 'boolean', default: false },
    },
  });
  const { VIEW_COLUMNS, createEngine, askInSql, zoneOffsets } = await loadSource(SOURCE);
  const folder = mkdtempSync(join(tmpdir(), 'bench-queries-'));
  const open = () => openEngine(folder, createEngine, askInSql);
  try {
    const parts = await makeViews(folder, VIEW_COLUMNS, Number(values.views));
    const bytes = parts.reduce((sum, part) => sum + statSync(part).size, 0);
    console.log(`${values.views} views in ${parts.length} parts, ${Math.round(bytes / Number(values.views))} bytes a view`);
    const asked = questions(zoneOffsets);
    await measureFirst(open, parts, Object.values(asked)[0]);
    const sqlite = values['without-sqlite'] ? undefined : await openSqlite(folder, parts, VIEW_COLUMNS, askInSql);
    const engine = open();
    const asks = { engine: (question) => engine.ask(parts, question), sqlite: sqlite?.ask };
    await measureAll(asked, Number(values.rounds), asks, engine.cpuMs);
    sqlite?.close();
    await engine.close();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function openEngine(folder, createEngine, askInSql) {
  const engine = createEngine({ tempFolder: join(folder, 'temp'), file: join(root, 'dist', 'engine.cjs'), log: console.error });
  const query = (parts, sql, params) =>
    engine.query({ parts, sql, params, maxRows: 1_000_000, timeoutMs: 600_000, signal: new AbortController().signal });
  return {
    async ask(parts, question) {
      return askInSql(question, ({ sql, params }) => query(parts, sql, params));
    },
    // Its processes have folders of their numbers.
    cpuMs: () => readdirSync(join(folder, 'temp')).reduce((sum, pid) => sum + (cpuMsOf(pid) ?? Number.NaN), 0),
    close: () => engine.close(),
  };
}

/** The first question of a process of its own, which has to be started. */
async function measureFirst(open, parts, question) {
  const times = [];
  for (let round = 0; round < 3; round++) {
    const engine = open();
    times.push(await timed(() => engine.ask(parts, question)));
    await engine.close();
  }
  console.log(`the first question of a process: ${median(times.map(({ ms }) => ms)).toFixed(0)} ms`);
}

/** Side by side, so that what else the machine does is the same for both. */
async function measureAll(asked, rounds, asks, cpuMs) {
  const times = new Map(Object.keys(asked).map((name) => [name, { engine: [], sqlite: [], cpu: [] }]));
  for (let round = 0; round <= rounds; round++) {
    for (const [name, question] of Object.entries(asked)) {
      const answers = [];
      for (const [who, ask] of Object.entries(asks)) {
        // SQLite needs no warm-up to be told apart.
        if (ask === undefined || (who === 'sqlite' && round > Math.max(1, Math.floor(rounds / 2)))) continue;
        const cpuBefore = round > 0 && who === 'engine' ? cpuMs() : 0;
        const { ms, answer } = await timed(() => ask(question));
        if (round > 0) times.get(name)[who].push(ms);
        if (round > 0 && who === 'engine') times.get(name).cpu.push(cpuMs() - cpuBefore);
        answers.push(canonical(answer));
      }
      if (new Set(answers).size > 1) throw new Error(`The answers to "${name}" differ.`);
    }
  }
  report(times);
}

function report(times) {
  const ratios = [];
  for (const [name, { engine, sqlite, cpu }] of times) {
    const [ours, theirs] = [median(engine), median(sqlite)];
    const ratio = theirs === undefined ? undefined : theirs / ours;
    if (ratio !== undefined) ratios.push(ratio);
    const beside = ratio === undefined ? '' : `   SQLite ${theirs.toFixed(0).padStart(7)} ms   ${ratio.toFixed(1).padStart(6)} x`;
    console.log(`${name.padEnd(38)}${ours.toFixed(0).padStart(6)} ms (of CPU ${median(cpu).toFixed(0).padStart(5)})${beside}`);
  }
  const slowest = Math.max(...[...times.values()].map(({ engine }) => median(engine)));
  console.log(
    `slowest: ${slowest.toFixed(0)} ms${ratios.length === 0 ? '' : `; in the median ${median(ratios).toFixed(1)} times as fast as SQLite`}`,
  );
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
