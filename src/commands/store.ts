import { join } from 'node:path';
import { accountFingerprint } from '../account/identity.ts';
import { createEngine } from '../analytics/engine/engine.ts';
import { type Connection, createConnection } from '../analytics/storage/clickhouse/connection.ts';
import { initStore } from '../analytics/storage/clickhouse/init.ts';
import { hasSql, sqlGrant, sqlStatements } from '../analytics/storage/clickhouse/sql.ts';
import { importFolder } from '../analytics/storage/import-folder.ts';
import { missingSettings, SETTINGS, type Settings } from '../config/settings.ts';
import { readStoreAddress, type StoreAddress, storeAddressText } from '../config/store-address.ts';
import { VideoHostingError } from '../errors.ts';
import { createProgress } from './progress.ts';
import { EXIT, type ExitCode, SET_HERE, type Surroundings } from './surroundings.ts';

/** What is done once for a store on ClickHouse, by whoever runs it. */
export function store(surroundings: Surroundings): Promise<ExitCode> {
  const address = storeAddress(surroundings.config.settings);
  return surroundings.config.options.action === 'import' ? importInto(address, surroundings) : init(address, surroundings);
}

/** The store that the settings name; there has to be one. */
function storeAddress({ analyticsStore }: Settings): StoreAddress {
  const address = analyticsStore === undefined ? undefined : readStoreAddress(analyticsStore);
  if (address !== undefined && !('problem' in address)) return address;
  throw new VideoHostingError('settings_missing', `Not set: ${SETTINGS.analyticsStore.variable}. It tells which store is meant.`, {
    hint: 'Set it to clickhouse://user@host:8123/database?cluster=name; docs/scale.md says how to set a store up.',
  });
}

/** Makes the tables. May be run again: what is there stays. */
async function init(address: StoreAddress, { config, print, log, signal }: Surroundings): Promise<ExitCode> {
  const connection = await createConnection({ address, password: config.settings.analyticsStorePassword, log });
  try {
    const { version, shards } = await initStore(connection, signal);
    const where = address.cluster === undefined ? '' : ` on each of the ${shards} shards of ${address.cluster}`;
    print(`${storeAddressText(address)} (ClickHouse ${version}) is ready: its tables are there${where}.\n`);
    await initSql(connection, config.settings, print);
    return EXIT.done;
  } finally {
    await connection.close();
  }
}

/** Makes the view of the account's views that its SQL user may read, where there is such a user, and says what is left to do. */
async function initSql(
  connection: Connection,
  { baseUrl, apiKey, analyticsSqlUser: user }: Settings,
  print: Surroundings['print'],
): Promise<void> {
  if (user === undefined) return;
  if (baseUrl === undefined || apiKey === undefined) return print('Nothing was made for SQL: the settings name no account.\n');
  if (!hasSql(await connection.server())) return print('Nothing was made for SQL: this version of ClickHouse can’t hold it in.\n');
  const account = accountFingerprint(baseUrl, apiKey);
  for (const [at] of sqlStatements(connection, account, '').entries())
    await connection.runEverywhere((onCluster) => sqlStatements(connection, account, onCluster)[at] ?? '');
  print(`For SQL, let the user ${user} read this account, and nothing else:\n  ${sqlGrant(connection.address.database, account, user)}\n`);
}

/** Brings views there that are kept on this machine. What was brought before is not brought again. */
async function importInto(address: StoreAddress, { config, print, log, status, signal }: Surroundings): Promise<ExitCode> {
  const { settings } = config;
  const { baseUrl, apiKey } = settings;
  if (baseUrl === undefined || apiKey === undefined)
    throw new VideoHostingError('settings_missing', `Not set: ${missingSettings(settings).join(', ')}. They tell which account is meant.`, {
      hint: SET_HERE,
    });
  const account = accountFingerprint(baseUrl, apiKey);
  const folder = join(settings.dataDir, 'accounts', account);
  const connection = await createConnection({ address, password: settings.analyticsStorePassword, log });
  const engine = createEngine({ tempFolder: join(folder, 'tmp'), log });
  const progress = createProgress(status);
  try {
    const source = { folder: join(folder, 'views'), engine };
    const done = await importFolder({ connection, account, secret: apiKey, source, signal, progress: progress.show });
    progress.end();
    const before = done.before === 0 ? '' : ` ${done.before.toLocaleString('en')} were there already.`;
    print(`${done.views.toLocaleString('en')} views were brought to ${storeAddressText(address)}.${before}\n`);
    print('The folder on this machine was not changed. It is no longer used; `video-hosting-mcp forget` without the store removes it.\n');
    return EXIT.done;
  } finally {
    progress.end();
    await Promise.all([connection.close(), engine.close()]);
  }
}
