import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { getPackage } from './debian.mjs';

const PACKAGE = 'clickhouse-server';

/** Debian's ClickHouse server with its libraries. Answers the folder. */
export async function getServer(cache) {
  const folder = await getPackage(cache, PACKAGE, (needed) => needed.startsWith('lib') || needed.startsWith('clickhouse'));
  if (!existsSync(join(folder, 'usr', 'sbin', PACKAGE))) throw new Error('its package has no server');
  return folder;
}
