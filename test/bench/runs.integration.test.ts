import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { freshHome } from '../harness/cleanup.ts';

const root = join(import.meta.dirname, '..', '..');

/** As little as they take. `peers` installs other servers, and `cluster` needs a database server. */
const SMALL = {
  startup: ['--runs', '1', '--warmups', '0'],
  calls: ['--calls', '2', '--rounds', '1', '--warmups', '0', '--latency', '0'],
  http: ['--calls', '1', '--views', '500', '--latency', '0', '--rounds', '1', '--warmups', '0'],
  flood: [
    ...['--calls', '1', '--views', '500', '--ids', '1000', '--latency', '0', '--rounds', '1'],
    ...['lists', 'wrong credentials', 'moves of long lists', 'views of large moves that wait'].flatMap((name) => ['--flood', name]),
  ],
  answers: [],
  move: ['--ids', '1000', '--rounds', '1', '--warmups', '0', '--latency', '0'],
  sync: ['--views', '2000', '--rounds', '1'],
  growth: ['--times', '1', '--draw', 'growth.png'],
  standing: ['--changes', '2', '--ids', '1000', '--rounds', '1'],
  refresh: ['--views-a-day', '400', '--zones', '0', '--questions', '1', '--days', '2'],
  queries: ['--views', '20000', '--rounds', '1', '--without-sqlite'],
  charts: ['--rounds', '1'],
};

test.each(Object.entries(SMALL))('the benchmark %s runs to its end', (name, options) => {
  const { status, stderr } = spawnSync(process.execPath, [join(root, 'bench', 'run.mjs'), name, ...options], {
    cwd: freshHome(),
    encoding: 'utf8',
  });
  expect(status, stderr).toBe(0);
});
