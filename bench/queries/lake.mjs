import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';

export const DAYS = 90;
export const FROM_MS = Date.UTC(2026, 0, 1);
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const TO_MS = FROM_MS + DAYS * DAY_MS;
const EMPTY_DAYS = 30;

/** Values of the columns, of a number `i` alone: some videos are watched far more than others, and much is missing. */
const VALUES = {
  id: `to_hex(hash(i)) || '-' || to_hex(hash(i + 1)) || '-' || i`,
  ts: `make_timestamp(${FROM_MS}000 + (i // per_day) * 86400000000 + (u(i, 1) * 86399999999)::BIGINT)`,
  video_key: `'video-' || floor(500 * u(i, 2) ** 3)::INTEGER`,
  channel_key: `'channel-' || (floor(500 * u(i, 2) ** 3)::INTEGER % 40)`,
  project_key: `'project-' || (floor(500 * u(i, 2) ** 3)::INTEGER % 8)`,
  viewer: '(hash(floor(2000000 * u(i, 3) ** 2)))::UBIGINT',
  started: 'u(i, 4) < 0.8',
  ended: 'u(i, 4) < 0.3',
  muted: 'u(i, 5) < 0.1',
  duration: '(u(i, 2) * 3600)::BIGINT',
  watch_time: '(u(i, 6) * u(i, 2) * 3600)::BIGINT',
  plan_type: '1',
  region_code: `'eu'`,
  browser: `['Chrome', 'Safari', 'Firefox', 'Edge', 'Samsung Internet', NULL][1 + floor(6 * u(i, 7) ** 2)::INTEGER]`,
  browser_major: '(100 + u(i, 8) * 40)::INTEGER',
  os: `['Windows', 'Android', 'iOS', 'macOS', 'Linux'][1 + floor(5 * u(i, 9))::INTEGER]`,
  os_major: '(u(i, 10) * 17)::INTEGER',
  device_type: `['desktop', 'smartphone', 'tablet'][1 + floor(3 * u(i, 11) ** 2)::INTEGER]`,
  device_brand: `CASE WHEN u(i, 12) < 0.3 THEN 'brand-' || floor(30 * u(i, 13))::INTEGER END`,
  country: `'C' || floor(60 * u(i, 14) ** 3)::INTEGER`,
  continent: `['EU', 'NA', 'AS', 'SA', 'AF', 'OC'][1 + (floor(60 * u(i, 14) ** 3)::INTEGER % 6)]`,
  region: `CASE WHEN u(i, 15) < 0.7 THEN 'region-' || floor(300 * u(i, 15))::INTEGER END`,
  city: `CASE WHEN u(i, 16) < 0.6 THEN 'city-' || floor(2000 * u(i, 16))::INTEGER END`,
  embed_url: `CASE WHEN u(i, 17) < 0.5 THEN 'https://site-' || floor(50 * u(i, 18))::INTEGER || '.example/page/' || floor(400 * u(i, 19))::INTEGER END`,
  embed_domain: `CASE WHEN u(i, 17) < 0.5 THEN 'site-' || floor(50 * u(i, 18))::INTEGER || '.example' END`,
};

/** Fills a lake as a sync does that has read everything: parts of as many views, sorted alike, committed one by one. */
export async function makeLake(folder, views, { VIEW_COLUMNS, copySql, createFolderStorage, groupsOf }) {
  const lake = createFolderStorage(folder, Date.now);
  const opened = await lake.open();
  const perDay = Math.ceil(views / DAYS);
  const commit = (window) => lake.commit({ fetchedMs: Date.now(), rows: 0, rejected: [], ...window }, opened);
  // Days of a time zone begin before those of the views, or end after them.
  await commit({ fromMs: FROM_MS - EMPTY_DAYS * DAY_MS, toMs: FROM_MS });
  await commit({ fromMs: TO_MS, toMs: TO_MS + EMPTY_DAYS * DAY_MS });
  const temporary = join(folder, 'tmp');
  mkdirSync(temporary, { recursive: true });
  await withDuckDb({ memory_limit: '1GB', temp_directory: temporary }, async (connection) => {
    await connection.run('CREATE MACRO u(i, salt) AS (hash(i * 100 + salt) >> 11)::DOUBLE / 9007199254740992');
    const select = VIEW_COLUMNS.map(({ name, sql }) => `(${VALUES[name]})::${sql} AS ${name}`).join(', ');
    for (const group of groupsOf(hours(perDay), () => true, { isLast: true, recentMs: TO_MS })) {
      const [fromMs, toMs] = [group[0].fromMs, group.at(-1).toMs];
      const dayOf = (ms) => Math.floor((ms - FROM_MS) / DAY_MS);
      const range = `range(${dayOf(fromMs) * perDay}, ${Math.min(views, (dayOf(toMs - 1) + 1) * perDay)})`;
      const rows = `SELECT ${select} FROM (SELECT range AS i, ${perDay} AS per_day FROM ${range})`;
      const temporaryPart = join(temporary, 'part.parquet');
      await connection.run(copySql(`SELECT * FROM (${rows}) WHERE epoch_ms(ts) >= ${fromMs} AND epoch_ms(ts) < ${toMs}`, temporaryPart));
      const facts = await connection.runAndReadAll(`SELECT count(*), epoch_ms(min(ts)), epoch_ms(max(ts)) FROM '${temporaryPart}'`);
      const [count, minMs, maxMs] = facts.getRows()[0].map(Number);
      const outcome = await commit({ fromMs, toMs, rows: count, minMs, maxMs, temporaryPart });
      if (outcome !== 'committed') throw new Error(`A part was not committed: ${outcome}.`);
    }
  });
}

/** What a sync would have read, as it is put together into parts. */
function hours(perDay) {
  const fetchedMs = Date.now();
  return Array.from({ length: DAYS * 24 }, (_, hour) => {
    const fromMs = FROM_MS + hour * HOUR_MS;
    return { fromMs, toMs: fromMs + HOUR_MS, rows: perDay / 24, problem: undefined, fetchedMs };
  });
}

/** Hands on all views, some thousands at a time, as arrays of values. */
export async function eachChunk(parts, columns, onRows) {
  // Times as milliseconds, and a viewer as a signed number: SQLite knows no other.
  const as = {
    TIMESTAMP: (name) => `epoch_ms(${name})`,
    UBIGINT: (name) => `(${name} >> 1)::BIGINT`,
    BOOLEAN: (name) => `${name}::INTEGER`,
  };
  const select = columns.map(({ name, sql }) => as[sql]?.(name) ?? name).join(', ');
  await withDuckDb({ memory_limit: '500MB' }, async (connection) => {
    for (const part of parts) {
      const result = await connection.stream(`SELECT ${select} FROM read_parquet('${part}')`);
      for (let chunk = await result.fetchChunk(); chunk !== null && chunk.rowCount > 0; chunk = await result.fetchChunk())
        onRows(chunk.getRows());
    }
  });
}

async function withDuckDb(options, act) {
  const instance = await DuckDBInstance.create(':memory:', options);
  const connection = await instance.connect();
  try {
    return await act(connection);
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}
