import { readdirSync, readFileSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import { createReports } from '../../src/analytics/reports.ts';
import type { Workspace } from '../../src/app/workspace.ts';
import { reportFile } from '../../src/mcp/resources/index.ts';
import { freshHome, start } from '../harness/start.ts';
import { answerIn } from './support/ask.ts';

test('rows past the limit are in a report, and the answer names it', async () => {
  const { client } = await start();
  const args = { from: '2026-10', groupBy: ['hour'], limit: 5 };
  const reply = await client.callTool('query_analytics', args);
  const { rows, report, totals } = answerIn(reply);
  expect(rows).toHaveLength(5);
  expect(reply.text).toContain('The first 5 of 744 rows');
  expect(reply.text).toContain(report);
  const csv: string[][] = parse(await client.readResource(report));
  expect(csv[0]).toEqual(['hour', 'views']);
  expect(csv).toHaveLength(745);
  expect(csv.slice(1).reduce((sum, [, views]) => sum + Number(views), 0)).toBe(totals.views);
  expect(answerIn(await client.callTool('query_analytics', { ...args, limit: 744 })).rows.length).toBeGreaterThan(200);
  const short = await client.callTool('query_analytics', { from: '2026-10', groupBy: ['country'] });
  expect(parse(await client.readResource(answerIn(short).report))).toHaveLength(answerIn(short).rows.length + 1);
});

test('only the owner can read report files, and they expire after a week: the next server removes them with its first report', async () => {
  const { client, demo, home, dataDir } = await start();
  const ask = async (by = client) => answerIn(await by.callTool('query_analytics', { from: '2026-10', groupBy: ['hour'] })).report;
  const old = await ask();
  const [account] = readdirSync(join(dataDir, 'accounts'));
  const folder = join(dataDir, 'accounts', account ?? '', 'reports');
  const files = () => readdirSync(folder).map((name) => join(folder, name));
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  for (const file of files()) {
    expect(statSync(file).mode & 0o777).toBe(0o600);
    utimesSync(file, new Date(), new Date(Date.now() - 8 * 86_400_000));
  }
  await expect(client.readResource(old)).rejects.toMatchObject({ code: expect.any(Number) });
  const fresh = await ask((await start({ demo, home })).client);
  // The CSV file for people, and the rows for draw_chart.
  expect(files()).toHaveLength(2);
  expect(await client.readResource(fresh)).toContain('hour,views');
  for (const id of ['nothing', '..%2f..%2fx', 'aaaaaaaaaaaa', ''])
    await expect(client.readResource(`video-hosting://reports/${id}`)).rejects.toMatchObject({ code: expect.any(Number) });
});

test('a report too long for a message is returned in part, in whole lines, with the path of its file', async () => {
  const reports = createReports(freshHome());
  const rows = Array.from({ length: 60_000 }, (_, row) => [`"${'x'.repeat(150)}"`, row]);
  const columns = [
    { name: 'text', type: 'text' },
    { name: 'row', type: 'integer' },
  ] as const;
  const kept = await reports.saveTable({ columns, rows, drawing: { about: [] } });
  if (kept.id === undefined) throw new Error(kept.unkept);
  const { id, file } = kept;
  expect(parse(readFileSync(file))).toHaveLength(60_001);
  const content = await reportFile(id, { reports, settings: { demo: false } } as Workspace); // reportFile reads nothing else
  if (content === undefined || !('text' in content)) throw new Error('There is no such report.');
  expect(Buffer.byteLength(JSON.stringify(content.text))).toBeLessThan(8_000_000);
  const lines = content.text.trimEnd().split('\n');
  expect(lines.at(-1)).toContain(file);
  expect(parse(lines.slice(0, -1).join('\n')).length).toBeGreaterThan(20_000);
});
