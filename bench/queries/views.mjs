import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';

export const DAYS = 90;
export const FROM_MS = Date.UTC(2026, 0, 1);
const DAY_MS = 86_400_000;

/** Values of the columns, of a number `i` alone: some videos are watched far more than others, and much is missing. */
const VALUES = {
  id: `to_hex(hash(i)) || '-' || to_hex(hash(i + 1)) || '-' || i`,
  ts: 'make_timestamp(day_us + (u(i, 1) * 86399999999)::BIGINT)',
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

/** Makes a part a day, each sorted as the engine sorts; answers their files. */
export async function makeViews(folder, columns, views, onPart = () => {}) {
  const instance = await DuckDBInstance.create(':memory:', { memory_limit: '1GB', temp_directory: folder });
  const connection = await instance.connect();
  await connection.run(`CREATE MACRO u(i, salt) AS (hash(i * 100 + salt) >> 11)::DOUBLE / 9007199254740992`);
  const select = columns.map(({ name, sql }) => `(${VALUES[name]})::${sql} AS ${name}`).join(', ');
  const perDay = Math.ceil(views / DAYS);
  const parts = [];
  for (let day = 0; day < DAYS; day++) {
    const part = join(folder, `${day}.parquet`);
    const dayUs = (FROM_MS + day * DAY_MS) * 1_000;
    const rows = `SELECT range AS i, ${dayUs} AS day_us FROM range(${day * perDay}, ${Math.min(views, (day + 1) * perDay)})`;
    await connection.run(`COPY (SELECT ${select} FROM (${rows}) ORDER BY video_key, ts) TO '${part}' (FORMAT parquet, COMPRESSION zstd)`);
    parts.push(part);
    onPart(part);
  }
  connection.closeSync();
  instance.closeSync();
  return parts;
}

/** Hands on all views, some thousands at a time, as arrays of values. */
export async function eachChunk(parts, columns, onRows) {
  const instance = await DuckDBInstance.create(':memory:', { memory_limit: '500MB' });
  const connection = await instance.connect();
  // Times as milliseconds, and a viewer as a signed number: SQLite knows no other.
  const as = {
    TIMESTAMP: (name) => `epoch_ms(${name})`,
    UBIGINT: (name) => `(${name} >> 1)::BIGINT`,
    BOOLEAN: (name) => `${name}::INTEGER`,
  };
  const select = columns.map(({ name, sql }) => as[sql]?.(name) ?? name).join(', ');
  for (const part of parts) {
    const result = await connection.stream(`SELECT ${select} FROM read_parquet('${part}')`);
    for (let chunk = await result.fetchChunk(); chunk !== null && chunk.rowCount > 0; chunk = await result.fetchChunk())
      onRows(chunk.getRows());
  }
  connection.closeSync();
  instance.closeSync();
}
