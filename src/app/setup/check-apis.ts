import { viewsFingerprint } from '../../account/identity.ts';
import { readApiAddress } from '../../config/api-address.ts';
import { SETTINGS, type Settings } from '../../config/settings.ts';
import { readStoreAddress, storeAddressText } from '../../config/store-address.ts';
import { VideoHostingError } from '../../errors.ts';
import { limitedSignal } from '../../platform/limited-signal.ts';
import { type Sentence, sentence, word } from '../../text/sentence.ts';
import type { Workspace } from '../workspace.ts';
import { type About, type Finding, fine, note, wrong } from './finding.ts';

/** Returns an error of ours and throws any other. */
export function expected(error: unknown): VideoHostingError {
  if (error instanceof VideoHostingError) return error;
  throw error;
}

const notTried = (about: About): Finding => ({ level: 'note', about, detail: sentence`not tried: the settings come first.` });

/** An API's address as it is used; that of the demo account is another one at each start. */
function addressOf(url: string, { demo }: Settings): Sentence {
  const address = demo ? undefined : readApiAddress(url);
  return address === undefined || 'problem' in address ? sentence`The demo account` : sentence`${address.origin}${address.prefix}`;
}

/** `accountId`: of the channel that was read, where its record names one. */
export async function tryMain(
  workspace: Workspace | undefined,
  call: AbortSignal,
): Promise<{ readonly mainApi: Finding; readonly accountId: string | undefined }> {
  const about = 'Main API';
  if (workspace === undefined) return { mainApi: notTried(about), accountId: undefined };
  const { settings } = workspace;
  const target = { address: addressOf(settings.baseUrl ?? '', settings), variable: SETTINGS.baseUrl.variable };
  let accountId: string | undefined;
  const mainApi = await reach(about, settings, call, target, async (signal) => {
    const { pager, items } = await workspace.client.channels.list({ size: 1 }, signal);
    accountId = items[0]?.accountId;
    return sentence`answers; ${pager.totalResults ?? 'an unknown number of'} channels.`;
  });
  return { mainApi, accountId };
}

export async function tryAnalytics(workspace: Workspace | undefined, call: AbortSignal): Promise<Finding> {
  const about = 'Analytics API';
  if (workspace === undefined) return notTried(about);
  const { settings, client } = workspace;
  if (settings.statsUrl === undefined)
    return note(
      about,
      sentence`not set: ${SETTINGS.statsUrl.variable}. Questions about views can’t be answered.`,
      sentence`Set it, if you want to ask them.`,
    );
  const target = { address: addressOf(settings.statsUrl, settings), variable: SETTINGS.statsUrl.variable };
  return reach(about, settings, call, target, async (signal) => {
    const today = new Date().toISOString().slice(0, 10);
    await client.viewLogs.page({ from: today, size: 1 }, signal);
    return sentence`answers${settings.statsAuth === 'bearer' ? ', with the credential' : ''}.`;
  });
}

/** The time limit of one check, unless the call's budget is smaller. */
const REACH_MS = 10_000;

/** Runs a check of an address with a time limit. `variable` is the setting that has the address. */
async function reach(
  about: About,
  { callBudgetMs }: Settings,
  call: AbortSignal,
  { address, variable }: { readonly address: Sentence; readonly variable: string },
  attempt: (signal: AbortSignal) => Promise<Sentence>,
): Promise<Finding> {
  const limitMs = Math.min(REACH_MS, Math.floor(callBudgetMs * 0.8));
  const { signal, release } = limitedSignal(limitMs, call);
  try {
    return fine(about, sentence`${address} ${await attempt(signal)}`);
  } catch (error) {
    if (signal.aborted && !call.aborted)
      return wrong(
        about,
        sentence`${address} did not answer within ${limitMs} ms.`,
        sentence`Check its address (${word(variable)}) and the network, then try again.`,
      );
    const { message, hint, facts, code } = expected(error);
    // Of a request, it has the path alone; that of the store names the store.
    return wrong(about, facts.operation === undefined ? message : sentence`${address}: ${message}`, hint, code);
  } finally {
    release();
  }
}

/** Checks the analytics store, if one is set: whether it answers, has its tables and accepts SQL. Changes nothing. */
export async function checkStore(settings: Settings, signal: AbortSignal, log: (message: string) => void): Promise<Finding[]> {
  const { demo, analyticsStore, analyticsStorePassword: password, analyticsSqlUser: name, baseUrl, apiKey } = settings;
  // The demo account does not use it. A malformed address is among the problems of the settings.
  const address = demo || analyticsStore === undefined ? undefined : readStoreAddress(analyticsStore);
  if (address === undefined || 'problem' in address || baseUrl === undefined || apiKey === undefined) return [];
  const sqlUser = name === undefined ? undefined : { name, password: settings.analyticsSqlPassword };
  const account = viewsFingerprint({ ...settings, baseUrl, apiKey });
  const { examineStore } = await import('../../analytics/storage/clickhouse/open.ts');
  const others: Finding[] = [];
  const target = { address: storeAddressText(address), variable: SETTINGS.analyticsStore.variable };
  const store = await reach('Analytics store', settings, signal, target, async (limited) => {
    const { version, shards, sqlProblem } = await examineStore({ address, password, sqlUser, account, log }, limited);
    if (sqlProblem !== undefined) others.push(wrong('SQL on the store', sqlProblem.message, sqlProblem.hint));
    const where = address.cluster === undefined ? '' : sentence` on each of the ${shards} shards of ${word(address.cluster)}`;
    return sentence`(ClickHouse ${word(version)}) answers; its tables are there${where}.`;
  });
  return [store, ...others];
}
