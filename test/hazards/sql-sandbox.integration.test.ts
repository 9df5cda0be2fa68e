/** SQL that a stranger wrote can read only the public columns of the views that it was given. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { PartFile } from '../../src/analytics/storage/part-file.ts';
import { VideoHostingError } from '../../src/errors.ts';
import { makeLab, patience, SPAN, START_MS, view } from '../analytics/engine/support.ts';
import { ATTACKS } from './sql-attacks.ts';

/** Values in places that the SQL must not be able to read. */
const SECRETS = { file: 'secret-of-a-file', viewer: '1234567890123456789', earlier: 'view-of-before', other: 'view-of-another-part' };

let lab: ReturnType<typeof makeLab>;
let part: PartFile;
let other: PartFile;

beforeAll(async () => {
  lab = makeLab();
  writeFileSync(join(lab.folder, 'secret.csv'), `name\n${SECRETS.file}\n`);
  const rows = [1, 2, 3].map((n) => view({ id: `view-${n}`, viewer: SECRETS.viewer, country: 'DE', watch_time: n }));
  part = await lab.part([...rows, view({ id: SECRETS.earlier, ts: (START_MS - 1) * 1_000 })]);
  other = await lab.part([view({ id: SECRETS.other })]);
});
afterAll(() => lab.close());

const ask = (sql: string) => lab.engine.sandboxed({ parts: [part], span: SPAN, tables: [], offsets: [], sql, maxRows: 100, ...patience() });

function filled(sql: string): string {
  const places = {
    file: join(lab.folder, 'secret.csv'),
    part: part.path,
    other: other.path,
    folder: lab.folder,
    out: join(lab.folder, 'out'),
  };
  return Object.entries(places).reduce((text, [name, path]) => text.replaceAll(`{${name}}`, path), sql);
}

/** All files in the folder, each with a hash of its contents. */
function contents(): string[] {
  return readdirSync(lab.folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(lab.folder, name))
    .filter((path) => statSync(path).isFile())
    .map((path) => `${path} ${createHash('sha256').update(readFileSync(path)).digest('hex')}`)
    .sort();
}

test('there are more than 200 attacks', () => {
  expect(Object.values(ATTACKS).flat().length).toBeGreaterThan(200);
});

describe.each(Object.keys(ATTACKS))('%s', (kind) => {
  test('is refused, reveals no secret and changes no file', async () => {
    const before = contents();
    const survivors: unknown[] = [];
    for (const sql of ATTACKS[kind] ?? []) {
      const outcome = await ask(filled(sql)).catch((error: unknown) => error);
      const refused = outcome instanceof VideoHostingError && outcome.code === 'sql_refused';
      const told = refused ? outcome.message : JSON.stringify(outcome);
      const leaks = [...Object.values(SECRETS), ...(refused ? [lab.tempFolder, 'allowed_paths', 'SIGKILL'] : [])].filter(
        (secret) => told.includes(secret) && !filled(sql).includes(secret),
      );
      if (!refused || leaks.length > 0) survivors.push({ sql: sql.slice(0, 200), outcome, leaks });
    }
    expect(survivors).toEqual([]);
    expect(contents()).toEqual(before);
    expect((await ask('SELECT count(*) AS n FROM views')).rows).toEqual([[3]]);
    expect(lab.log).toEqual([]);
  });
});

test('no query reads rows outside the span, hashed viewers or rows of another part', async () => {
  for (const sql of [
    'SELECT * FROM views',
    "SELECT id FROM views WHERE ts < TIMESTAMP '2026-03-01' OR true",
    'SELECT v FROM views v',
    'SELECT views FROM views',
    'SELECT row(id, ts) FROM views',
    'SELECT COLUMNS(*) FROM views',
    "SELECT COLUMNS('.*') FROM views",
    'SELECT * FROM views NATURAL JOIN views AS w',
    'SELECT max(v) FROM views v',
    'SELECT string_agg(v::VARCHAR) FROM views v',
    "SELECT concat_ws(' ', v, views) FROM views v, views",
  ]) {
    const told = JSON.stringify(await ask(sql).catch((error: unknown) => String(error)));
    for (const secret of Object.values(SECRETS)) expect(told).not.toContain(secret);
  }
});
