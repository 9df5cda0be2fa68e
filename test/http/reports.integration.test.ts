/** Reports over HTTP: a link in the answer in place of a path, behind which the rows and their file are. */
import { expect, test } from 'vitest';
import { browse } from '../harness/browse.ts';
import { startHttp } from '../harness/http.ts';

test('an answer that is cut has a link to its report, and so has a chart; the page gives the file', async () => {
  const session = await startHttp();
  const { url, people, connect, dataDir } = session;
  const bob = await connect(people.bob);
  const { data, text } = await bob.callTool('query_analytics', { from: '90d', groupBy: ['video'], limit: 3, chart: 'bar' });
  const id = String(data?.report).split('/').at(-1);
  expect(data?.link).toBe(`${url}/app/reports/${id}`);
  expect(data?.chart).toContain(`${url}/app/reports/${id}`);
  expect(text).not.toContain(dataDir);
  const sql = await bob.callTool('run_analytics_sql', { sql: 'SELECT ts FROM views', from: '90d', limit: 3 });
  expect(sql.data?.link).toMatch(`${url}/app/reports/`);
  const whole = await bob.callTool('query_analytics', { from: '90d' });
  expect(whole.data?.link).toBeUndefined();
  const drawn = await bob.callTool('draw_chart', { report: data?.report });
  expect(drawn.text).toContain(`${url}/app/reports/${id}`);
  expect(drawn.text).not.toContain(dataDir);
  const eve = await browse(session, people.eve.secrets.pageKey);
  const file = await eve.get(`/app/api/reports/${id}/rows.csv`);
  expect([file.status, file.headers.get('content-disposition'), file.headers.get('cache-control')]).toEqual([
    200,
    `attachment; filename="report-${id}.csv"`,
    'no-store',
  ]);
  expect((await file.text()).trim().split('\n').length).toBeGreaterThan(4);
});
