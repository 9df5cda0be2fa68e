import { existsSync, statSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createRecordCheck } from '../../../src/analytics/ingest/check-record.ts';
import { factsOfFile } from '../../../src/analytics/storage/part-file.ts';
import { DAY_MS, type Lab, lab, patience, SPAN, START_MS, view } from './support.ts';

async function read({ engine }: Lab, paths: readonly string[], columns: string): Promise<readonly (readonly unknown[])[]> {
  const parts = await Promise.all(paths.map(async (path) => ({ path, ...(await factsOfFile(path)) })));
  return (await engine.query({ parts, sql: `SELECT ${columns} FROM views`, params: [], maxRows: 100, ...patience() })).rows;
}

test('a part has the views in the order of the spool, with every value unchanged', async () => {
  const made = lab();
  const part = made.path('parquet');
  const rows = [
    view({ id: 'b', ts: (START_MS + DAY_MS) * 1_000 + 123_456, video_key: 'v2', watch_time: -7, viewer: '18446744073709551615' }),
    view({ id: 'c', video_key: null }),
    view({ id: 'a', started: true, ended: false, plan_type: 2, city: 'Zürich \u2028"\n\\ud800 ,\t[]' }),
  ];
  const facts = await made.engine.writePart({ spool: made.spool(rows), part });
  if (process.platform !== 'win32') expect(statSync(part).mode & 0o077).toBe(0);
  expect(facts).toEqual({ rows: 3, minMs: START_MS, maxMs: START_MS + DAY_MS + 123 });
  expect(await read(made, [part], 'id, ts, video_key, viewer, started, ended, watch_time, plan_type, city')).toEqual([
    ['b', '2026-03-02T00:00:00.123456', 'v2', '18446744073709551615', null, null, -7, null, null],
    ['c', '2026-03-01T00:00:00', null, null, null, null, null, null, null],
    ['a', '2026-03-01T00:00:00', 'v1', null, true, false, null, 2, 'Zürich \u2028"\n\\ud800 ,\t[]'],
  ]);
});

test('of several views with the same id, a part keeps the last line', async () => {
  const made = lab();
  const part = made.path('parquet');
  const many = Array.from({ length: 30_000 }, (_, n) => view({ id: `id-${n % 10_000}`, watch_time: n }));
  const spool = made.spool([...many, view({ id: 'id-5', watch_time: -1 })]);
  expect((await made.engine.writePart({ spool, part })).rows).toBe(10_000);
  expect(await read(made, [part], 'count(DISTINCT id), min(watch_time), max(watch_time), sum(watch_time)')).toEqual([
    [10_000, -1, 29_999, 249_995_000 - 20_005 - 1],
  ]);
});

test('of several views with the same id, those of different times are different views', async () => {
  const made = lab();
  const part = made.path('parquet');
  const later = { id: 'a', ts: (START_MS + 2 * DAY_MS) * 1_000 };
  const spool = made.spool([view({ id: 'a', watch_time: 1 }), view({ ...later, watch_time: 2 }), view({ ...later, watch_time: 3 })]);
  expect((await made.engine.writePart({ spool, part })).rows).toBe(2);
  expect(await read(made, [part], 'sum(watch_time)')).toEqual([[4]]);
});

test('queries over an empty part, or over no part, find no views', async () => {
  const made = lab();
  const empty = made.path('parquet');
  expect(await made.engine.writePart({ spool: made.spool([]), part: empty })).toEqual({ rows: 0 });
  expect(await read(made, [empty], 'count(*), max(ts)')).toEqual([[0, null]]);
  expect(await read(made, [], 'count(*), max(ts)')).toEqual([[0, null]]);
});

test('lone surrogates are replaced, and text that looks like an escape is unchanged', async () => {
  const made = lab();
  const check = createRecordCheck(String);
  const checked = check({ id: 'a', date: '2026-03-01T00:00:00Z', geo: { city: 'x\ud800y', region: '\\ud800 \\\\udfff 🎬\udc00' } });
  const file = made.path('spool');
  writeFileSync(file, 'line' in checked ? checked.line : '');
  const part = made.path('parquet');
  await made.engine.writePart({ spool: file, part });
  expect(await read(made, [part], 'city, region')).toEqual([['x\ufffdy', '\\ud800 \\\\udfff 🎬\ufffd']]);
});

test('writing a part from a malformed line fails, and no part is left', async () => {
  const made = lab();
  for (const line of ['nonsense', '["a"', '["a", "not a time"]', `["a", ${START_MS * 1_000}, "v", null, null, -1]`]) {
    const file = made.path('spool');
    const part = made.path('parquet');
    writeFileSync(file, `${line}\n`);
    await expect(made.engine.writePart({ spool: file, part })).rejects.toMatchObject({ code: 'analytics_failed' });
    expect(existsSync(part)).toBe(false);
  }
});

test('the path of a part can contain glob patterns and quotation marks', async () => {
  const made = lab({}, "it's [a] {b,c} 100% * ?-");
  const part = await made.part([view({ id: 'a' })]);
  const other = await made.part([view({ id: 'b' })]);
  // Several parts are read at once, in no particular order.
  expect(await read(made, [part.path, other.path], "string_agg(id, ' ' ORDER BY id)")).toEqual([['a b']]);
  const sandboxed = await made.engine.sandboxed({
    parts: [part, other],
    span: SPAN,
    tables: [],
    offsets: [],
    sql: 'SELECT id FROM views ORDER BY id',
    maxRows: 9,
    ...patience(),
  });
  expect(sandboxed.rows).toEqual([['a'], ['b']]);
});
