import { expect, test } from 'vitest';
import { DAY_MS, lab, patience, SPAN, START_MS, view } from './support.ts';

test('views go into a part, and questions are answered from it', async () => {
  const { engine, spool, path } = lab();
  const part = path('parquet');
  const rows = [
    view({ id: 'b', ts: (START_MS + DAY_MS) * 1_000 + 123_456, video_key: 'v2', watch_time: 7, viewer: '18446744073709551615' }),
    view({ id: 'a', started: true, city: 'Zürich \u2028"; DROP' }),
  ];
  expect(await engine.writePart({ spool: [spool(rows)], part, except: [] })).toEqual({
    rows: 2,
    minMs: START_MS,
    maxMs: START_MS + DAY_MS + 123,
  });
  const query = {
    parts: [part],
    sql: 'SELECT id, ts, viewer, started, city FROM views ORDER BY id',
    params: [],
    maxRows: 10,
    ...patience(),
  };
  expect(await engine.query(query)).toEqual({
    columns: [
      { name: 'id', type: 'text' },
      { name: 'ts', type: 'time' },
      { name: 'viewer', type: 'integer' },
      { name: 'started', type: 'boolean' },
      { name: 'city', type: 'text' },
    ],
    rows: [
      ['a', '2026-03-01T00:00:00', null, true, 'Zürich \u2028"; DROP'],
      ['b', '2026-03-02T00:00:00.123456', '18446744073709551615', null, null],
    ],
    truncated: false,
  });
  expect(
    (await engine.sandboxed({ parts: [part], span: SPAN, tables: [], sql: 'SELECT count(*) AS n FROM views', maxRows: 10, ...patience() }))
      .rows,
  ).toEqual([[2]]);
});
