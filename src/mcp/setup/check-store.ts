import { accountFingerprint } from '../../account/identity.ts';
import { SETTINGS, type Settings } from '../../config/settings.ts';
import { readStoreAddress, storeAddressText } from '../../config/store-address.ts';
import { reach } from './check-account.ts';
import { type Finding, wrong } from './finding.ts';

/** Checks the analytics store, if one is set: whether it answers, has its tables and accepts SQL. Changes nothing. */
export async function checkStore(settings: Settings, signal: AbortSignal, log: (message: string) => void): Promise<Finding[]> {
  const { demo, analyticsStore, analyticsStorePassword: password, analyticsSqlUser: name, baseUrl, apiKey } = settings;
  // The demo account does not use it. A malformed address is among the problems of the settings.
  const address = demo || analyticsStore === undefined ? undefined : readStoreAddress(analyticsStore);
  if (address === undefined || 'problem' in address || baseUrl === undefined || apiKey === undefined) return [];
  const sqlUser = name === undefined ? undefined : { name, password: settings.analyticsSqlPassword };
  const account = accountFingerprint(baseUrl, apiKey);
  const { examineStore } = await import('../../analytics/storage/clickhouse/open.ts');
  const others: Finding[] = [];
  const store = await reach('Analytics store', settings, signal, SETTINGS.analyticsStore.variable, async (limited) => {
    const { version, shards, sqlProblem } = await examineStore({ address, password, sqlUser, account, log }, limited);
    if (sqlProblem !== undefined) others.push(wrong('SQL on the store', sqlProblem.message, sqlProblem.hint));
    const where = address.cluster === undefined ? '' : ` on each of the ${shards} shards of ${address.cluster}`;
    return `${storeAddressText(address)} (ClickHouse ${version}) answers; its tables are there${where}.`;
  });
  return [store, ...others];
}
