/**
 * What a stranger's SQL could do if the check of its statements had a hole. The check is mocked away here, which no user can
 * do: the settings of the database must still block the SQL.
 */
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { openDuck } from '../../src/analytics/engine/duck.ts';
import { runSandboxed } from '../../src/analytics/engine/sandbox.ts';
import type { PartFile } from '../../src/analytics/storage/part-file.ts';
import { makeLab, SPAN, START_MS, view } from '../analytics/engine/support.ts';

vi.mock('../../src/analytics/engine/sql-guard.ts', () => ({ checkSql: async () => ({ countsViewers: false }) }));

const SECRET = 'secret-of-a-file';

let lab: ReturnType<typeof makeLab>;
let part: PartFile;
let other: PartFile;
const spillFolder = mkdtempSync(join(tmpdir(), 'second-wall-'));

beforeAll(async () => {
  lab = makeLab();
  writeFileSync(join(lab.folder, 'secret.csv'), `name\n${SECRET}\n`);
  part = await lab.part([view({ id: 'one', viewer: '42' }), view({ id: 'before', ts: (START_MS - 1) * 1_000 })]);
  other = await lab.part([view({ id: SECRET })]);
});
afterAll(async () => {
  await lab.close();
  rmSync(spillFolder, { recursive: true, force: true });
});

async function ask(sql: string): Promise<unknown> {
  const options = { memoryMb: 256, threads: 1, spillFolder };
  const parser = await openDuck(options);
  const input = { parts: [part], span: SPAN, tables: [], offsets: [], sql, maxRows: 100 };
  try {
    return (await runSandboxed(parser, options, input, new AbortController().signal)).rows;
  } finally {
    parser.closeSync();
  }
}

test('an allowed query is answered', async () => {
  expect(await ask('SELECT id FROM views')).toEqual([['one']]);
});

test.each([
  "SELECT * FROM read_text('{file}')",
  "SELECT * FROM read_csv('{file}')",
  "SELECT * FROM '{file}'",
  "SELECT id FROM read_parquet('{other}')",
  "SELECT id FROM '{other}'",
  "SELECT * FROM glob('{folder}/*')",
  "SELECT * FROM read_blob('/proc/self/environ')",
  'SELECT viewer FROM views',
  "COPY (SELECT 1) TO '{folder}/out.csv'",
  "COPY views TO '{folder}/out.parquet'",
  "EXPORT DATABASE '{folder}/out'",
  "ATTACH '{folder}/out.db'",
  'CREATE TABLE mine (a INTEGER)',
  'CREATE OR REPLACE VIEW views AS SELECT 1',
  'INSERT INTO channels VALUES (1)',
  'DROP VIEW views',
  'SET enable_external_access = true',
  "SET allowed_paths = ['{file}']",
  'SET lock_configuration = false',
  'RESET enable_external_access',
  "SET temp_directory = '{folder}/elsewhere'",
  'PRAGMA enable_profiling',
  "LOAD '{folder}/mine.duckdb_extension'",
  'SELECT 1; SELECT 2',
])('%s is refused', async (sql) => {
  const before = readdirSync(lab.folder);
  const filled = Object.entries({ file: join(lab.folder, 'secret.csv'), other: other.path, folder: lab.folder }).reduce(
    (text, [name, path]) => text.replaceAll(`{${name}}`, path),
    sql,
  );
  await expect(ask(filled)).rejects.toThrow();
  expect(readdirSync(lab.folder)).toEqual(before);
});
