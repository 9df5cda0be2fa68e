/** SQL that is allowed but far too heavy: it is ended, if need be with its process, and other queries are answered. */
import { readdirSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { PartFile } from '../../src/analytics/storage/part-file.ts';
import type { VideoHostingError } from '../../src/errors.ts';
import { makeLab, patience, SPAN, START_MS, view } from '../analytics/engine/support.ts';

const VIEWS = 20_000;
const MANY = Array.from({ length: 900 }, () => 's').join(', ');

/** Ignores interruptions, and needs no memory. */
const DEAF = "SELECT s LIKE '%x%x_x%x%x_x%y' FROM (SELECT string_agg(embed_url, '') AS s FROM (SELECT embed_url FROM views LIMIT 1000))";
/** One call that builds a text of two gigabytes in spite of the memory limit. */
const GROWING = `SELECT length(concat(${MANY})) FROM (SELECT string_agg(embed_url) AS s FROM views)`;

const BOMBS: Readonly<Record<string, string>> = {
  'a cross join': "SELECT count(*) FROM views a, views b, views c WHERE a.id || b.id || c.id = 'x'",
  'a subquery for each row': 'SELECT sum((SELECT count(*) FROM views b, views c WHERE b.id > a.id || c.id)) FROM views a',
  'one text of all pairs': "SELECT length(string_agg(a.id || b.embed_url, ',')) FROM views a, views b",
  'one text of all pairs, as the result': "SELECT string_agg(a.id || b.embed_url, ',') FROM views a, views b",
  'a text that doubles': `WITH ${'abcdefghijkl'
    .split('')
    .map(
      (name, index, all) =>
        `${name} AS (SELECT ${index === 0 ? 'string_agg(id) AS s FROM views' : `s||s||s||s||s||s AS s FROM ${all[index - 1]}`})`,
    )
    .join(', ')} SELECT length(s) FROM l`,
  'a text of many pieces': GROWING,
  'replacements that grow':
    "SELECT length(replace(replace(replace(replace(replace(string_agg(id), '1', '1111111111'), '1', '1111111111'), '1', '1111111111'), '1', '1111111111'), '1', '1111111111')) FROM views",
  'replacements of every letter':
    "SELECT length(regexp_replace(string_agg(id), '.', (SELECT string_agg(embed_url) FROM views), 'g')) FROM views",
  'the number of distinct pairs': 'SELECT count(DISTINCT a.id || b.id) FROM views a, views b',
  'all pairs, in groups': 'SELECT a.id, b.id, count(*) FROM views a, views b GROUP BY ALL',
  'all pairs, sorted': 'SELECT a.id FROM views a, views b ORDER BY a.id || b.id',
  'the median of all pairs': 'SELECT quantile_disc(a.id || b.id, 0.5) FROM views a, views b',
  'a pattern that matches in many ways': DEAF,
  'the mode of all pairs': 'SELECT mode(a.id || b.id) FROM views a, views b',
  'texts that grow by a window function':
    'SELECT sum(length(x)) FROM (SELECT string_agg(embed_url || id) OVER (ORDER BY id) AS x FROM views)',
};

let lab: ReturnType<typeof makeLab>;
let part: PartFile;

beforeAll(async () => {
  lab = makeLab({ sandboxMb: 300 });
  const url = `https://example.com/${'x'.repeat(100)}`;
  part = await lab.part(Array.from({ length: VIEWS }, (_, n) => view({ id: `view-${n}`, ts: (START_MS + n) * 1_000, embed_url: url })));
});
afterAll(() => lab.close());

const ask = (sql: string, timeoutMs = patience().timeoutMs) =>
  lab.engine.sandboxed({ parts: [part], span: SPAN, tables: [], offsets: [], sql, maxRows: 100, ...patience(), timeoutMs });

describe.each(Object.entries(BOMBS))('%s', (_, sql) => {
  test('is ended while other queries are answered', async () => {
    const bomb = ask(sql, 1_000).then(
      () => 'answered',
      (error: VideoHostingError) => error.code,
    );
    const trusted = lab.engine.query({ parts: [part], sql: 'SELECT count(*) FROM views', params: [], maxRows: 1, ...patience() });
    expect((await trusted).rows).toEqual([[VIEWS]]);
    expect((await ask('SELECT count(*) FROM views')).rows).toEqual([[VIEWS]]);
    // A text above the size limit is refused with an error of its own.
    expect(['query_too_heavy', 'sql_refused']).toContain(await bomb);
  });
});

test('queries that ignore interruptions are killed, and the next query is answered', async () => {
  const deaf = await Promise.allSettled([ask(DEAF, 200), ask(DEAF, 200)]);
  expect(deaf.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect((await ask('SELECT 1')).rows).toEqual([[1]]);
});

test('a query that uses too much memory is killed, and the error names the memory', async () => {
  await expect(ask(GROWING)).rejects.toMatchObject({ code: 'query_too_heavy', message: expect.stringContaining('memory') });
});

test('an endless result is cut to its row limit, and a long value to 2,000 characters', async () => {
  const rows = await ask('SELECT a.id FROM views a, views b, views c');
  expect([rows.rows.length, rows.truncated]).toEqual([100, true]);
  const [[text = ''] = []] = (await ask('SELECT string_agg(id) FROM views')).rows;
  expect(String(text).length).toBe(2_000);
});

test('cancelled queries make room for the next query', async () => {
  const leaving = new AbortController();
  const sql = 'SELECT count(*) FROM views a, views b, views c WHERE a.id || b.id || c.id IS NULL';
  const calls = Array.from({ length: 6 }, () =>
    lab.engine.sandboxed({
      parts: [part],
      span: SPAN,
      tables: [],
      offsets: [],
      sql,
      maxRows: 1,
      timeoutMs: 60_000,
      signal: leaving.signal,
    }),
  );
  const waiting = ask('SELECT 1');
  leaving.abort();
  const outcomes = await Promise.allSettled(calls);
  expect(outcomes.map((outcome) => (outcome.status === 'rejected' ? outcome.reason.code : outcome.status))).toEqual(
    calls.map(() => 'cancelled'),
  );
  expect((await waiting).rows).toEqual([[1]]);
});

test('no temporary file is left after the engine is closed', async () => {
  await lab.engine.close();
  expect(readdirSync(lab.tempFolder)).toEqual([]);
});
