/** A data folder that is reached through a symbolic link, as everything below /tmp is on macOS. */
import { mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startService } from '../harness/service.ts';
import { freshHome, start } from '../harness/start.ts';
import { answerIn } from './support/ask.ts';

test('query_analytics and run_analytics_sql work with a data folder behind a symbolic link', async () => {
  const demo = await startService({ views: 0, now: '2026-11-01T00:00:00.000Z' });
  demo.world.addView({ date: '2026-10-03T10:00:00.000+00:00' });
  const home = freshHome();
  const real = join(home, 'real');
  mkdirSync(real);
  symlinkSync(real, join(home, 'link'));
  const { client } = await start({ demo, home, env: { VIDEO_HOSTING_DATA_DIR: join(home, 'link', 'data') } });
  const days = { from: '2026-10-01', to: '2026-10-05', timezone: 'UTC' };
  expect(answerIn(await client.callTool('query_analytics', days)).rows).toEqual([[1]]);
  const { data } = await client.callTool('run_analytics_sql', { from: days.from, to: days.to, sql: 'SELECT count(*) AS n FROM views' });
  expect(data).toMatchObject({ rows: [[1]], coverage: { complete: true } });
  expect(readdirSync(real, { recursive: true }).filter((name) => String(name).endsWith('.parquet'))).toHaveLength(1);
});
