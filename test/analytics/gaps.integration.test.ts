/** Unknown values are null and not 0: on days that could not be read, and on days without records in the service. */
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { DemoService } from '../harness/demo.ts';
import { startService } from '../harness/service.ts';
import { freshHome, start } from '../harness/start.ts';
import { answerIn } from './support/ask.ts';

const DAY_MS = 86_400_000;
const dayText = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** Views of the demo by day. */
function byDay(demo: DemoService, from: string, to: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (let ms = Date.parse(from); ms <= Date.parse(to); ms += DAY_MS) counts.set(dayText(ms), 0);
  for (const { date } of demo.world.views.each()) {
    const day = dayText(Date.parse(String(date)));
    if (counts.has(day)) counts.set(day, (counts.get(day) ?? 0) + 1);
  }
  return counts;
}

/** The service answers 500 to every request that touches one of these days. */
function failOn(demo: DemoService, days: readonly string[]): void {
  const touches = (body: unknown): boolean => {
    const { from, to } = body as { from: string; to: string };
    return days.some((day) => Date.parse(`${from}Z`) < Date.parse(day) + DAY_MS && Date.parse(`${to}Z`) > Date.parse(day));
  };
  demo.faults.always({ match: { api: 'stats', when: ({ body }) => touches(body) }, do: { kind: 'status', code: 500 } });
}

test.concurrent('days before the first record and after the last are null, other days without views are 0', async () => {
  const demo = await startService({ views: 0 });
  for (const day of ['10', '11', '14']) demo.world.addView({ date: `2026-03-${day}T10:00:00.000+00:00` });
  const { client } = await start({ demo });
  const reply = await client.callTool('query_analytics', { from: '2026-03-08', to: '2026-03-16', groupBy: ['day'] });
  const { rows, totals, coverage } = answerIn(reply);
  expect(rows.map(([, views]) => views)).toEqual([null, null, 1, 1, 0, 0, 1, null, null]);
  expect(totals).toEqual({ views: 3 });
  expect(coverage).toMatchObject({ complete: true, reach: { from: '2026-03-10T10:00:00.000Z', to: '2026-03-14T10:00:00.000Z' } });
  expect(reply.text).toContain('NO RECORDS before 2026-03-10T10:00:00.000Z or after 2026-03-14T10:00:00.000Z');

  const before = await client.callTool('query_analytics', { from: '2026-01', metrics: ['views', 'plays'] });
  expect(answerIn(before)).toMatchObject({ rows: [[null, null]], totals: { views: null, plays: null } });
  expect(before.text).toContain('NO RECORDS before 2026-03-10T10:00:00.000Z');

  const compared = await client.callTool('query_analytics', { from: '2026-03-10', to: '2026-03-14', compareTo: 'previous_period' });
  expect(answerIn(compared).totals).toEqual({ views: 3, views_before: null, views_change: null, views_ratio: null });

  const sql = await client.callTool('run_analytics_sql', { from: '2026-01', sql: 'SELECT count(*) FROM views' });
  expect(sql.text).toContain('NO RECORDS before 2026-03-10T10:00:00.000Z');
});

test.concurrent('five days on which the service fails are null, reported and requested again; other days are read', async () => {
  const demo = await startService({ views: 5_000, now: '2026-11-01T00:00:00.000Z' });
  const bad = ['2026-05-11', '2026-05-12', '2026-05-13', '2026-05-14', '2026-05-15'];
  failOn(demo, bad);
  const { client } = await start({ demo, env: { VIDEO_HOSTING_CALL_BUDGET_MS: '120000' } });
  const args = { from: '2026-01-01', to: '2026-10-30', groupBy: ['day'], limit: 400 };
  const reply = await client.callTool('query_analytics', args);
  const whole = byDay(demo, args.from, args.to);
  const expected = [...whole].map(([day, views]) => [day, bad.includes(day) ? null : views]);
  expect(answerIn(reply).rows).toEqual(expected);
  const { totals, coverage } = answerIn(reply);
  expect(totals.views).toBe(expected.reduce((sum, [, views]) => sum + Number(views), 0));
  expect(coverage).toMatchObject({ complete: false });
  expect(reply.text).toContain('Not read: 2026-05-11 to 2026-05-15 (The service had a problem of its own. The service said:');
  expect(reply.text).toMatch(/^PARTIAL: 98% of the time asked for is read/);
  const inTokyo = await client.callTool('query_analytics', { from: '2026-05-01', to: '2026-05-31', timezone: 'Asia/Tokyo' });
  expect(inTokyo.text).toContain(
    'Not read: 2026-05-11T09:00:00+09:00 until 2026-05-16T09:00:00+09:00 in Asia/Tokyo (The service had a problem of its own',
  );

  const timeIn = (text: string) => /sking the same again makes sense from (\S+Z) on\./.exec(text)?.[1];
  expect(timeIn(reply.text)).toBeDefined();
  const second = await client.callTool('query_analytics', args);
  expect(second.text).toMatch(/Tried 3 times since \S+Z, last at \S+Z; asking the same again makes sense from \S+Z on\./);
  // Neither the question in between nor this one moved the time that was told first.
  expect(timeIn(second.text)).toBe(timeIn(reply.text));
  const setup = await client.callTool('check_setup');
  expect(setup.data).toMatchObject({ ok: true });
  expect(setup.text).toContain(
    `Views: not read when it was last tried: 2026-05-11 to 2026-05-15 (The service had a problem of its own. The service said:`,
  );
  expect(timeIn(setup.text)).toBe(timeIn(reply.text));

  demo.faults.clear();
  const requests = demo.requests.length;
  const again = answerIn(await client.callTool('query_analytics', args));
  expect(again.coverage.complete).toBe(true);
  expect((await client.callTool('check_setup')).text).not.toContain('not read when');
  expect(again.rows).toEqual([...whole]);
  expect(demo.requests.length - requests).toBeLessThan(5);
});

test.concurrent('days before the service’s log begins are null, and all other days are read', async () => {
  const demo = await startService({ views: 3_000, now: '2026-11-01T00:00:00.000Z' });
  const keptSince = '2026-07-20';
  const isTooOld = (body: unknown) => (body as { from: string }).from < keptSince;
  const refusal = { kind: 'status', code: 400, body: { message: 'too old' } } as const;
  demo.faults.always({ match: { api: 'stats', when: ({ body }) => isTooOld(body) }, do: refusal });
  const { client } = await start({ demo });
  const args = { from: '2026-06-01', to: '2026-10-30', groupBy: ['day'], limit: 400 };
  const { rows, coverage } = answerIn(await client.callTool('query_analytics', args));
  expect(rows).toEqual([...byDay(demo, args.from, args.to)].map(([day, views]) => [day, day < keptSince ? null : views]));
  expect(coverage.complete).toBe(false);
});

test.concurrent('a service that is down gets only a few requests', async () => {
  const demo = await startService({ views: 3_000 });
  demo.faults.always({ match: { api: 'stats' }, do: { kind: 'status', code: 500 } });
  const { client } = await start({ demo, env: { VIDEO_HOSTING_CALL_BUDGET_MS: '120000' } });
  expect(await client.callTool('query_analytics', { from: '2026-01', to: '2026-10' })).toMatchObject({ isError: true });
  expect(demo.requests.filter(({ api }) => api === 'stats').length).toBeLessThanOrEqual(8);
});

test.concurrent.each([
  ['lost', (file: string) => rmSync(file)],
  ['damaged', (file: string) => writeFileSync(file, 'no Parquet at all')],
])('a stored file that is %s is reported, and its views are read from the service again', async (_how, harm) => {
  const demo = await startService({ views: 3_000, now: '2026-11-01T00:00:00.000Z' });
  const home = freshHome();
  const { client, stop, dataDir } = await start({ demo, home });
  const args = { from: '2026-08-01', to: '2026-10-20', groupBy: ['day'], limit: 400 };
  const whole = answerIn(await client.callTool('query_analytics', args));
  expect(whole.rows).toEqual([...byDay(demo, args.from, args.to)]);
  await stop();

  const files = readdirSync(dataDir, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.parquet'));
  expect(files.length).toBeGreaterThan(0);
  for (const file of files) harm(join(dataDir, file));
  const { client: later } = await start({ demo, home });
  const sql = await later.callTool('run_analytics_sql', { from: args.from, to: args.to, sql: 'SELECT count(*) FROM views' });
  expect(sql.data).toMatchObject({ rows: [[whole.totals.views]], coverage: { complete: true } });
  expect(sql.text).toContain('their file was lost or damaged. They are read from the service again.');
  const again = await later.callTool('query_analytics', args);
  expect(answerIn(again)).toMatchObject({ rows: whole.rows, coverage: { complete: true } });
  expect(again.text).not.toContain('damaged');
});
