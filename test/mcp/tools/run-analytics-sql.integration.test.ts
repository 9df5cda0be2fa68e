import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { answerIn } from '../../analytics/support/ask.ts';
import { startService } from '../../harness/service.ts';
import { freshHome, start } from '../../harness/start.ts';
import { expectRefused } from './support.ts';

const notesIn = (data: Record<string, unknown> | undefined): readonly unknown[] => (Array.isArray(data?.notes) ? data.notes : []);
/** The notes of an answer, except the one that says that it is complete. */
const otherNotesIn = (data: Record<string, unknown> | undefined): readonly unknown[] =>
  notesIn(data).filter((note) => !/^Complete: all views that the service has are counted/.test(String(note)));
/** A service without views: every number counts only the views that a test adds. */
const emptyService = () => startService({ views: 0, now: '2026-11-01T00:00:00.000Z' });

/** A view at this time, from this country. */
const _at = (date: string, country = 'DE') => ({ date, geo: { ip: '192.0.2.9', country, continent: 'EU' } });

test('the error for an unknown column in SQL lists all columns', async () => {
  const { client } = await start({ demo: await emptyService() });
  const reply = await client.callTool('run_analytics_sql', { from: '2026-03', sql: 'SELECT date FROM views' });
  expect(reply.isError).toBe(true);
  expect(reply.text).toMatch(/ Columns of views: id, ts, video_key, .*embed_domain/);
  expect(reply.text).toContain('viewer, which can only be counted: count(DISTINCT viewer)');
  expect(reply.text).not.toMatch(/\bip\b/);
  const named = await client.callTool('run_analytics_sql', { from: '2026-03', sql: 'SELECT v.video_id FROM views v' });
  expect(named.text).toMatch(/ Columns of views: id, ts, video_key, /);
  const other = await client.callTool('run_analytics_sql', { from: '2026-03', sql: 'SELECT toStartOfDay(ts) FROM views' });
  expect(other.text).toContain('Next: Write one SELECT in DuckDB’s SQL over views');
});

test('run_analytics_sql states the row count and the source of each table that a query uses', async () => {
  const demo = await startService();
  const file = join(freshHome(), 'videos.csv');
  writeFileSync(file, 'id,key,title\n1,k1,One\n2,k2,Two\n');
  const broken = join(freshHome(), 'videos.csv');
  writeFileSync(broken, 'id,key,title\n1,k1,One\n2,k2,Two\n3,k3,Three\n3,k4,Four\n');
  const sql = 'SELECT (SELECT count(*) FROM videos) AS v, (SELECT count(*) FROM channels) AS c';
  const channels = `channels: ${demo.world.channels.size} rows, those that the service lists for this credential now.`;
  for (const [env, count, expectedNote] of [
    [{}, 0, /^videos is EMPTY: no video catalogue is set \(VIDEO_HOSTING_VIDEO_CATALOGUE\).* says nothing of which videos exist/],
    [{ VIDEO_HOSTING_VIDEO_CATALOGUE: file }, 2, /^videos: 2 rows, from the video catalogue file;[^.]*\.$/],
    [{ VIDEO_HOSTING_VIDEO_CATALOGUE: broken }, 2, /^videos: 2 rows, from .*may exist\. 2 rows can’t be used \(line 5 pairs the id/],
  ] as const) {
    const { client } = await start({ demo, env });
    const reply = await client.callTool('run_analytics_sql', { from: '2026-10', sql });
    expect(reply.data).toMatchObject({ rows: [[count, demo.world.channels.size]] });
    expect(otherNotesIn(reply.data)).toEqual([channels, expect.stringMatching(expectedNote)]);
    for (const note of otherNotesIn(reply.data)) expect(reply.text.split('\n').filter((line) => line === note)).toHaveLength(1);
    const bare = await client.callTool('run_analytics_sql', { from: '2026-10', sql: 'SELECT count(*) FROM views' });
    expect(otherNotesIn(bare.data)).toEqual([]);
  }
  const { client } = await start({ demo });
  const tools = await client.listTools();
  expect(JSON.stringify(tools.find(({ name }) => name === 'run_analytics_sql'))).toContain('empty without one');
});

test('run_analytics_sql takes one SELECT over the documented tables, and cuts long answers', async () => {
  const demo = await startService();
  const { client } = await start({ demo });
  const ask = (sql: string, more = {}) => client.callTool('run_analytics_sql', { from: '2026-10', sql, ...more });
  const cut = await ask('SELECT id FROM views ORDER BY id', { limit: 3 });
  const count = [...demo.world.views.each()].filter(({ date }) => String(date).startsWith('2026-10')).length;
  expect(cut.data).toMatchObject({ truncated: true, reportFile: expect.any(String) });
  expect(cut.text).toContain(`The first 3 of ${count} rows`);
  expect((await client.readResource(String(cut.data?.report))).trimEnd().split('\n')).toHaveLength(count + 1);
  const schema = JSON.parse(await client.readResource('video-hosting://analytics/schema'));
  const columns = Object.keys(schema.tables.views);
  const all = await ask(`SELECT ${columns.join(', ')} FROM views LIMIT 1`);
  expect(all.data).toMatchObject({ columns: columns.map((name) => ({ name })) });
  expect(await ask("SELECT * FROM read_csv('/etc/passwd')")).toMatchObject({ isError: true, text: expect.not.stringContaining('root:') });
  const wide = await ask('SELECT a.id || b.id || c.id AS x FROM views a, views b, views c WHERE a.id <> b.id', { limit: 2_000 });
  expect(wide.data).toMatchObject({ truncated: true });
  expect(notesIn(wide.data).join()).toMatch(/The query has more rows than the \d+ that were read/);
});

test('times and days in SQL are local to the requested time zone', async () => {
  const demo = await emptyService();
  demo.world.addViews(
    ['2026-10-04T18:29', '2026-10-04T18:31', '2026-10-05T18:29', '2026-10-05T18:31'].map((minute) => ({ date: `${minute}:00.000+00:00` })),
  );
  const { client } = await start({ demo });
  const sql = "SELECT count(*) AS n, min(ts) AS first, max(hour(ts)) AS latest FROM views WHERE ts >= '2026-10-05' AND ts < '2026-10-06'";
  const asked = { sql, from: '2026-10-05', to: '2026-10-05' };
  const rowsOf = async (more = {}) => (await client.callTool('run_analytics_sql', { ...asked, ...more })).data?.rows;
  expect(await rowsOf({ timezone: 'Asia/Kolkata' })).toEqual([[2, '2026-10-05T00:01:00', 23]]);
  expect(await rowsOf()).toEqual([[2, '2026-10-05T18:29:00', 18]]);
});

test('SQL counts viewers as query_analytics does, and distinguishes NULL from empty text', async () => {
  const demo = await startService({ views: 3_000, now: '2026-11-01T00:00:00.000Z' });
  const { client } = await start({ demo });
  const asked = { from: '2026-08', to: '2026-10' };
  const byCountry = { ...asked, metrics: ['unique_viewers'], groupBy: ['country'], limit: 200 };
  const question = answerIn(await client.callTool('query_analytics', byCountry));
  const sql = 'SELECT country, count(DISTINCT viewer) AS viewers FROM views GROUP BY ALL ORDER BY viewers DESC, country';
  const counted = await client.callTool('run_analytics_sql', { ...asked, sql, limit: 200 });
  expect(question.rows.length).toBeGreaterThan(5);
  expect(counted.data?.rows).toEqual(question.rows.map(([country, , viewers]) => [country, viewers]));
  expect(counted.text).toContain('count(DISTINCT viewer) is NULL for a group of 1 to 4 views');
  const texts = await client.callTool('run_analytics_sql', { ...asked, sql: "SELECT NULL::VARCHAR AS a, '' AS b" });
  expect(texts.data?.rows).toEqual([[null, '']]);
  expect(texts.text).not.toContain('group of 1 to 4 views');
  expect(texts.text).toContain('- | ""');
});

test('wrong arguments are refused', () =>
  expectRefused('run_analytics_sql', [
    [{}, /sql: is missing[\s\S]*from: is missing/],
    [{ sql: 'SELECT 1', from: 'soon' }, 'from: '],
    [{ sql: 'DESCRIBE views', from: '2026-10-01' }, 'Write one SELECT'],
    [{ sql: 'SELECT viewer FROM views', from: '2026-10-01' }, 'viewer'],
    [{ sql: 'SELECT 1', from: '2026-10-01', limit: 0 }, 'limit: '],
    [{ sql: 'SELECT 1', from: '2026-10-01', timezone: 'Mars' }, 'timezone: '],
  ]));
