// Runs the tests of the store on ClickHouse, with the servers that this machine can have: embedded ClickHouse from npm, and
// two server processes from Debian's packages, unpacked into a cache folder and never installed. What can't be had is said.
import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { getChdb } from './cluster/chdb.mjs';
import { had } from './cluster/run.mjs';
import { getServer } from './cluster/server.mjs';
import { root } from './root.mjs';

const cache = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'video-hosting-mcp-tests');
mkdirSync(cache, { recursive: true });

const found = {
  CLUSTER_CHDB: await had('embedded ClickHouse (chdb)', () => getChdb(cache)),
  CLUSTER_SERVER: await had('the two-shard cluster (Debian’s clickhouse-server)', () => getServer(cache)),
};
if (Object.values(found).every((path) => path === '')) {
  console.log('\nNothing was tested: there is no ClickHouse to be had here.');
} else {
  const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
  const args = [vitest, 'run', '--config', 'vitest.cluster.config.ts', ...process.argv.slice(2)];
  const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit', env: { ...process.env, ...found } });
  process.exitCode = status ?? 1;
}
