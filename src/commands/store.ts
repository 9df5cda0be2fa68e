import { join } from 'node:path';
import { addressOf, viewsFingerprint } from '../account/identity.ts';
import { createEngine } from '../analytics/engine/engine.ts';
import { type Connection, createConnection } from '../analytics/storage/clickhouse/connection.ts';
import { initStore } from '../analytics/storage/clickhouse/init.ts';
import { SQL_SINCE } from '../analytics/storage/clickhouse/server.ts';
import { createSqlView } from '../analytics/storage/clickhouse/sql.ts';
import { viewsFolderOf } from '../analytics/storage/folder/views-folder.ts';
import { importFolder } from '../analytics/storage/import-folder.ts';
import { notedFolders } from '../app/account-folder.ts';
import { viewsIn } from '../app/folders.ts';
import { missingSettings, SETTINGS, type Settings } from '../config/settings.ts';
import { readStoreAddress, type StoreAddress, storeAddressText } from '../config/store-address.ts';
import { VideoHostingError } from '../errors.ts';
import { counted, inFull } from '../text/counted.ts';
import { ownCommand } from '../text/own-command.ts';
import { sentence } from '../text/sentence.ts';
import { createProgress } from './progress.ts';
import { EXIT, type ExitCode, notSet, type Surroundings, TELLS_ACCOUNT } from './surroundings.ts';

/** `store init` and `store import`: what an operator does once for a store on ClickHouse. */
export function store(surroundings: Surroundings): Promise<ExitCode> {
  const address = storeAddress(surroundings.config.settings);
  return surroundings.config.options.action === 'import' ? importInto(address, surroundings) : init(address, surroundings);
}

function storeAddress({ analyticsStore }: Settings): StoreAddress {
  const address = analyticsStore === undefined ? undefined : readStoreAddress(analyticsStore);
  if (address !== undefined && !('problem' in address)) return address;
  throw new VideoHostingError('settings_missing', sentence`Not set: ${SETTINGS.analyticsStore.variable}. It names the store.`, {
    hint: 'Set it to clickhouse://user@host:8123/database?cluster=name; docs/scale.md says how to set a store up.',
  });
}

/** Creates the tables. May be run again: existing ones stay. */
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

/** Creates what the SQL user may read of this account, if there is such a user, and prints the remaining grant. */
async function initSql(
  connection: Connection,
  { baseUrl, apiKey, statsAuth, analyticsSqlUser: user }: Settings,
  print: Surroundings['print'],
): Promise<void> {
  if (user === undefined) return;
  if (baseUrl === undefined || apiKey === undefined) return print('Nothing was made for SQL: the settings name no account.\n');
  const grant = await createSqlView(connection, viewsFingerprint({ baseUrl, apiKey, statsAuth }), user);
  if (grant === undefined) print(`Nothing was created for SQL, which needs ClickHouse ${SQL_SINCE} or newer.\n`);
  else print(`For SQL, let the user ${user} read this account, and nothing else:\n  ${grant}\n`);
}

/** Copies the cached views of this machine into the store. Views that were copied before are not copied again. */
async function importInto(address: StoreAddress, { config, print, log, status, signal }: Surroundings): Promise<ExitCode> {
  const { settings } = config;
  const { baseUrl, apiKey } = settings;
  if (baseUrl === undefined || apiKey === undefined) throw notSet(missingSettings(settings), TELLS_ACCOUNT);
  const account = viewsFingerprint({ ...settings, baseUrl, apiKey });
  const { viewsPath } = await notedFolders({ ...settings, baseUrl, apiKey });
  const connection = await createConnection({ address, password: settings.analyticsStorePassword, log });
  const engine = createEngine({ tempFolder: join(viewsPath, 'tmp'), log });
  const progress = createProgress(status);
  try {
    const folder = settings.statsUrl === undefined ? viewsIn(viewsPath) : await viewsFolderOf(viewsPath, addressOf(settings.statsUrl));
    const source = { folder, engine };
    const done = await importFolder({ connection, account, secret: apiKey, source, signal, progress: progress.show });
    progress.end();
    const before = done.before === 0 ? '' : ` ${inFull(done.before)} ${done.before === 1 ? 'was' : 'were'} there already.`;
    print(`${counted(done.views, 'view')} ${done.views === 1 ? 'was' : 'were'} brought to ${storeAddressText(address)}.${before}\n`);
    print(`The folder on this machine was not changed. It is no longer used; \`${ownCommand('forget')}\` without the store removes it.\n`);
    return EXIT.done;
  } finally {
    progress.end();
    await Promise.all([connection.close(), engine.close()]);
  }
}
