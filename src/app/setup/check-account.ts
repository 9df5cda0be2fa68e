import { lackingText, OF_OTHER, setAsideText } from '../../account/catalogue.ts';
import { credentialInfo, viewsFingerprint } from '../../account/identity.ts';
import type { FailedSpan } from '../../analytics/contract.ts';
import { triesText } from '../../analytics/questions/read-views.ts';
import { spansText } from '../../analytics/resolve/dates.ts';
import { union } from '../../analytics/spans.ts';
import { lastTried } from '../../changes/kinds/videos/untried-credential.ts';
import { originText, readApiAddress } from '../../config/api-address.ts';
import { proxyUrl } from '../../config/proxy.ts';
import { missingSettings, SETTINGS, type Settings } from '../../config/settings.ts';
import { readStoreAddress, storeAddressText } from '../../config/store-address.ts';
import { VideoHostingError } from '../../errors.ts';
import { limitedSignal } from '../../platform/limited-signal.ts';
import { counted } from '../../text/counted.ts';
import { ownCommand, setAnew, toReaders, toTakeEffect, withInstall } from '../../text/own-command.ts';
import { joined, type Sentence, sentence, word } from '../../text/sentence.ts';
import type { AppContext, Workspace } from '../workspace.ts';
import { clockFinding } from './check-clock.ts';
import { elsewhereFinding } from './check-known.ts';
import { allowedOut, standingFinding } from './check-standing.ts';
import { whoseViewsFinding } from './check-views.ts';
import { type CredentialOut, credentialsOut } from './describe.ts';
import { type About, type Finding, fine, note, wrong } from './finding.ts';

/** The checks of the settings, the two APIs and the video catalogue. */
export interface AccountCheck {
  /** With `--demo`, those of the demo account. */
  readonly settings: Settings;
  /** Whether no required setting is missing or wrong. */
  readonly usable: boolean;
  /** One for each wrong setting. */
  readonly problems: readonly Finding[];
  readonly mainApi: Finding;
  readonly analyticsApi: Finding;
  /** What each credential says of itself, such as its expiry, and whether the main API refused it. Undefined if none is set. */
  readonly credential: Finding | undefined;
  /** That this machine’s clock and the service’s differ, where they do. */
  readonly clock: Finding | undefined;
  /** The time by the service’s clock, or by this machine’s where the service told none: milliseconds since the epoch. */
  readonly serviceNowMs: number;
  /** That nothing tells whether videos can be moved, where that is so. */
  readonly moving: Finding | undefined;
  /** That the account is known here at another address too. */
  readonly otherAddress: Finding | undefined;
  /** The account, if it could be opened. */
  readonly workspace: Workspace | undefined;
  /** Undefined if no request goes through a proxy. */
  readonly proxy: Finding | undefined;
  /** Undefined if no catalogue is set, or the account could not be opened. */
  readonly catalogue: Finding | undefined;
  /** Views that could not be read lately, where there are some. */
  readonly unread: Finding | undefined;
  /** That views may be another account’s, where nothing tells whose they are. */
  readonly whoseViews: Finding | undefined;
  /** Undefined if no file of standing approvals is set; what is wrong with one is among the problems. */
  readonly standingFile: Finding | undefined;
  /** What was allowed in advance for this agent, and what is left of it. Undefined if no file is set. */
  readonly standing: Sentence[] | undefined;
}

/** Checks the settings and sends one small request to each API. `where` tells the user where to set a missing setting. */
export async function checkAccount(
  app: AppContext,
  signal: AbortSignal,
  where: Sentence = sentence`in the client’s configuration of this server`,
): Promise<AccountCheck> {
  const { settings, problems, malformed } = app.config;
  const missing = missingSettings(settings);
  const usable = problems.length === 0 && missing.length === 0;
  const opened = usable ? await app.open().catch(expected) : undefined;
  const workspace = opened instanceof VideoHostingError ? undefined : opened;
  // The service was asked for the account of a key that is new here.
  const unanswered = opened instanceof VideoHostingError && opened.facts.operation !== undefined ? opened : undefined;
  const [{ mainApi, accountId }, analyticsApi, catalogue, standing] = await Promise.all([
    unanswered === undefined
      ? tryMain(workspace, signal)
      : { mainApi: wrong('Main API', unanswered.message, unanswered.hint, unanswered.code), accountId: undefined },
    tryAnalytics(workspace, signal),
    tryCatalogue(workspace),
    workspace?.standing?.report(),
  ]);
  const standingFile = standing && standingFinding(standing, settings);
  const differenceMs = workspace?.client.serviceClock.differenceMs() ?? 0;
  const serviceNowMs = Date.now() + differenceMs;
  return {
    settings: workspace?.settings ?? settings,
    usable,
    problems: [
      ...problems.map((problem) => wrong('Settings', problem, sentence`Correct it where it is set, and ${toTakeEffect()}.`)),
      ...missing
        .filter((variable) => !malformed.includes(variable))
        .map((variable) => wrong('Settings', sentence`${word(variable)} is not set.`, sentence`Set it ${where}, or try --demo.`)),
      ...(opened instanceof VideoHostingError && unanswered === undefined ? [wrong('Settings', opened.message, opened.hint)] : []),
      ...(standingFile?.level === 'wrong' ? [standingFile] : []),
    ],
    mainApi,
    analyticsApi,
    clock: clockFinding(differenceMs),
    serviceNowMs,
    credential: checkCredential(workspace?.settings ?? settings, mainApi, serviceNowMs),
    otherAddress: workspace && accountId !== undefined ? await elsewhereFinding(workspace.settings, accountId) : undefined,
    moving: mainApi.level === 'fine' ? await movingFinding(settings, workspace) : undefined,
    workspace,
    proxy: proxyInUse(workspace?.settings ?? settings),
    catalogue,
    unread: workspace && unreadFinding(await workspace.unreadViews()),
    whoseViews: workspace && (await whoseViewsFinding(workspace, signal)),
    standingFile: standingFile?.level === 'wrong' ? undefined : standingFile,
    standing: standing && allowedOut(standing, settings.agent),
  };
}

function checkCredential(settings: Settings, mainApi: Finding, nowMs: number): Finding | undefined {
  const { credential } = credentialsOut(settings, nowMs);
  if (credential === undefined) return undefined;
  const about = 'Credential';
  const { accessToken } = credential;
  const isRefused = mainApi.code === 'unauthorized';
  // The key is what the main API is tried with; the token of moves is not.
  const key =
    isRefused && !credential.expired ? sentence`${credentialText(credential)}, which the main API refused` : credentialText(credential);
  const words = accessToken === undefined ? key : sentence`${key}; for videos: ${credentialText(accessToken)}`;
  const remedy = (name: 'apiKey' | 'accessToken') =>
    withInstall(sentence`Have a new one issued, ${setAnew(SETTINGS[name].variable)}.`, name === 'apiKey' ? 'key' : 'access token');
  if (credential.expired || accessToken?.expired)
    return wrong(about, sentence`${words}.`, remedy(credential.expired || isRefused ? 'apiKey' : 'accessToken'));
  if (isRefused) return wrong(about, sentence`${words}.`, remedy('apiKey'));
  if (accessToken?.kind === 'no JWT')
    return note(
      about,
      sentence`${words}.`,
      sentence`${SETTINGS.accessToken.variable} is no JWT: set it to a whole one, or unset it if the API key may do all.`,
    );
  return fine(about, sentence`${words}.`);
}

const credentialText = ({ kind, expires, expired }: CredentialOut): Sentence =>
  sentence`${kind}${expires === undefined ? '' : sentence`, expires ${word(expires)}`}${expired ? ' (expired!)' : ''}`;

/** An empty move can’t be tried, so what it takes is known from those that were asked for. */
async function movingFinding(
  { demo, readOnly, apiKey = '', accessToken }: Settings,
  workspace: Workspace | undefined,
): Promise<Finding | undefined> {
  if (demo || readOnly || accessToken !== undefined || credentialInfo(apiKey).kind === 'JWT') return undefined;
  const about = 'Moving videos';
  const { variable } = SETTINGS.accessToken;
  const last = workspace && (await lastTried(workspace.journal, workspace.videosCredential));
  if (last?.worked) return fine(about, sentence`worked on ${word(last.on)}.`);
  if (last !== undefined)
    return note(
      about,
      sentence`refused on ${word(last.on)}: the service may want a JWT for it, and the API key is none.`,
      sentence`Set ${word(variable)} to one${byInstall()}.`,
    );
  const remedy = sentence`Where a move is refused, set ${variable} to one${byInstall()}.`;
  return note(about, sentence`not tried; some accounts need a JWT for it, and the API key is none.`, remedy);
}

const byInstall = (): Sentence => toReaders(() => sentence`: \`${ownCommand('install')}\`, run again, asks for it`, '');

/** The proxy, without its credentials. A malformed one is among the problems of the settings. */
function proxyInUse({ baseUrl, statsUrl, proxy }: Settings): Finding | undefined {
  const isRemote = [baseUrl, statsUrl].some((url) => {
    const address = url === undefined ? undefined : readApiAddress(url);
    return address !== undefined && 'loopback' in address && !address.loopback;
  });
  const url = isRemote && proxy !== undefined ? proxyUrl(proxy) : undefined;
  if (proxy === undefined || url === undefined || 'problem' in url) return undefined;
  const save = proxy.noProxy === '' ? '' : ', save those to the hosts in NO_PROXY';
  return fine('Proxy', sentence`requests go through ${originText(url)} (${word(proxy.variable)})${save}.`);
}

/** Returns an error of ours and throws any other. */
function expected(error: unknown): VideoHostingError {
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
async function tryMain(
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

async function tryAnalytics(workspace: Workspace | undefined, call: AbortSignal): Promise<Finding> {
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

/** Of each reason, the times that could not be read, and when trying again makes sense. */
function unreadFinding(spans: readonly FailedSpan[]): Finding | undefined {
  if (spans.length === 0) return undefined;
  const reasons = [...new Map(spans.map((one) => [one.why, one])).values()];
  const parts = reasons.map(
    ({ why, tries }) => sentence`${spansText(union(spans.filter((one) => one.why === why)))} (${why}) ${triesText(tries)}`,
  );
  return note('Views', sentence`not read when it was last tried: ${joined(parts)}`, sentence`Other times are not affected.`);
}

const EXPORT_IT = sentence`Export this account’s list from its dashboard, and set ${SETTINGS.videoCatalogue.variable} to it.`;

async function tryCatalogue(workspace: Workspace | undefined): Promise<Finding | undefined> {
  const about = 'Video catalogue';
  const catalogue = await workspace?.catalogue();
  if (catalogue === undefined) return undefined;
  const { size, setAside, unusable, lacks } = catalogue;
  if (unusable === undefined) {
    const words = joined([
      sentence`${counted(size, 'video')}.`,
      ...(setAside.count === 0 ? [] : [setAsideText(catalogue)]),
      ...(lacks === undefined ? [] : [lackingText(lacks)]),
    ]);
    if (catalogue.isOfOther === true) return note(about, sentence`${words} ${OF_OTHER}`, EXPORT_IT);
    return lacks === undefined
      ? fine(about, words)
      : note(about, words, sentence`If you want that, export the list anew, with a column of ${lacks}s.`);
  }
  const lines = (unusable.facts.fields ?? []).map(({ field, problem }) => sentence`${field} ${problem}`);
  return wrong(about, joined([unusable.message, ...lines]), unusable.hint);
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
