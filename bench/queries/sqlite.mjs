import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eachChunk } from './lake.mjs';

const PACKAGE = 'better-sqlite3';
const VERSION = '12.11.1';
const TYPES = { VARCHAR: 'TEXT' };

/** What SQLite says differently; times are milliseconds there. */
const dialect = {
  views: 'views',
  always: [],
  param: (number) => `?${number}`,
  moment: (ms, bind) => bind(ms),
  integer: (value, bind) => `CAST(${bind(value)} AS INTEGER)`,
  epochMs: (column) => column,
  divide: (expression, by) => `(${expression} / ${by})`,
  months: (ms) => {
    const part = (format) => `CAST(strftime('${format}', (${ms}) / 1000, 'unixepoch') AS INTEGER)`;
    return `((${part('%Y')} - 1970) * 12 + ${part('%m')} - 1)`;
  },
  countIf: (column) => `count(CASE WHEN ${column} THEN 1 END)`,
  sum: (expression) => `coalesce(sum(${expression}), 0)`,
  countDistinct: (expression) => `count(DISTINCT ${expression})`,
};

/** Not a dependency: it is put into a folder of its own when it is first measured against. */
function loadSqlite() {
  const folder = join(tmpdir(), `video-hosting-mcp-${PACKAGE}-${VERSION}`);
  const require = createRequire(join(folder, 'package.json'));
  if (!existsSync(join(folder, 'node_modules', PACKAGE, 'build'))) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'package.json'), '{ "private": true }');
    execFileSync('npm', ['install', '--no-audit', '--no-fund', `${PACKAGE}@${VERSION}`], { cwd: folder, stdio: 'ignore' });
  }
  return require(PACKAGE);
}

/** Puts the same views into a database, with indexes for a span and for a video. */
export async function makeSqlite(file, parts, columns) {
  const db = open(file);
  db.exec(`CREATE TABLE views (${columns.map(({ name, sql }) => `${name} ${TYPES[sql] ?? 'INTEGER'}`).join(', ')})`);
  const insert = db.prepare(`INSERT INTO views VALUES (${columns.map(() => '?').join(', ')})`);
  const insertAll = db.transaction((rows) => {
    for (const row of rows) insert.run(row);
  });
  await eachChunk(parts, columns, insertAll);
  db.exec('CREATE INDEX by_time ON views (ts); CREATE INDEX by_video ON views (video_key, ts); ANALYZE');
  db.close();
}

export function openSqlite(file, answerWithSql) {
  const db = open(file);
  // Nothing is read from disk while it is measured.
  for (const _ of db.prepare('SELECT sum(length(city)) FROM views').iterate());
  // `?1` is a name there.
  const named = (values) => Object.fromEntries(values.map((value, at) => [at + 1, typeof value === 'boolean' ? Number(value) : value]));
  const run = async ({ sql, params }) => ({ columns: [], rows: db.prepare(sql).raw().all(named(params)), truncated: false });
  return {
    ask: (question) => answerWithSql(question, run, { dialect }),
    close: () => db.close(),
  };
}

function open(file) {
  const Sqlite = loadSqlite();
  const db = new Sqlite(file);
  db.pragma('journal_mode = OFF');
  db.pragma('synchronous = OFF');
  db.pragma('cache_size = -500000');
  db.pragma('mmap_size = 8000000000');
  return db;
}
