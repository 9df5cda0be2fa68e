import { readApiAddress } from '../../config/api-address.ts';
import { proxyUrl } from '../../config/proxy.ts';
import { missingSettings, SETTINGS, type Settings } from '../../config/settings.ts';
import { VideoHostingError } from '../../errors.ts';
import { limited } from '../budget.ts';
import type { AppContext, Workspace } from '../workspace.ts';
import { type Finding, fine, note, wrong } from './finding.ts';

/** What was found out about the account: its settings, its two APIs, its catalogue. */
export interface AccountCheck {
  /** As they are in force: with `--demo`, those of the demo account. */
  readonly settings: Settings;
  /** Whether nothing that the server needs is missing or mistyped. */
  readonly usable: boolean;
  /** What is wrong with the settings, a finding each. */
  readonly problems: readonly Finding[];
  readonly mainApi: Finding;
  readonly analyticsApi: Finding;
  /** Absent where no request goes through one. */
  readonly proxy?: Finding;
  /** Absent where none is set, or nothing could be opened. */
  readonly catalogue?: Finding;
}

/** Looks at the settings, and asks both APIs for as little as there is. `where` settings are set, for whoever is told. Never throws for what it finds. */
export async function checkAccount(
  app: AppContext,
  signal: AbortSignal,
  where = 'in the client’s configuration of this server',
): Promise<AccountCheck> {
  const { settings, problems } = app.config;
  const missing = missingSettings(settings);
  const usable = problems.length === 0 && missing.length === 0;
  const opened = usable ? await tryOpen(app) : undefined;
  const workspace = opened instanceof VideoHostingError ? undefined : opened;
  const [mainApi, analyticsApi, catalogue] = await Promise.all([
    tryMain(workspace, signal),
    tryAnalytics(workspace, signal),
    tryCatalogue(workspace),
  ]);
  return {
    settings: workspace?.settings ?? settings,
    usable,
    problems: [
      ...problems.map((problem) => wrong('Settings', problem, 'Correct it where it is set, and start again.')),
      ...missing
        .filter((variable) => !problems.some((problem) => problem.includes(variable)))
        .map((variable) => wrong('Settings', `${variable} is not set.`, `Set it ${where}, or try --demo.`)),
      ...(opened instanceof VideoHostingError ? [wrong('Settings', opened.message, opened.hint)] : []),
    ],
    mainApi,
    analyticsApi,
    ...optional('proxy', proxyInUse(workspace?.settings ?? settings)),
    ...optional('catalogue', catalogue),
  };
}

const optional = <Name extends string>(name: Name, finding: Finding | undefined) =>
  // The computed key widens to string.
  (finding === undefined ? {} : { [name]: finding }) as { [key in Name]?: Finding };

/** Which proxy leads out, without its credentials; one that is malformed is among the problems. */
function proxyInUse({ baseUrl, statsUrl, proxy }: Settings): Finding | undefined {
  const beyond = [baseUrl, statsUrl].some((url) => {
    const address = url === undefined ? undefined : readApiAddress(url);
    return address !== undefined && 'loopback' in address && !address.loopback;
  });
  const url = beyond && proxy !== undefined ? proxyUrl(proxy) : undefined;
  if (proxy === undefined || url === undefined || 'problem' in url) return undefined;
  const save = proxy.noProxy === '' ? '' : ', save those to the hosts in NO_PROXY';
  return fine('Proxy', `requests go through ${url.origin} (${proxy.variable})${save}.`);
}

/** The account, or what its settings lack that only shows when it is opened. */
async function tryOpen(app: AppContext): Promise<Workspace | VideoHostingError> {
  try {
    return await app.open();
  } catch (error) {
    if (error instanceof VideoHostingError) return error;
    throw error;
  }
}

const notTried = (about: string): Finding => ({ level: 'note', about, detail: 'not tried: the settings come first.' });

async function tryMain(workspace: Workspace | undefined, call: AbortSignal): Promise<Finding> {
  const about = 'Main API';
  if (workspace === undefined) return notTried(about);
  return reach(about, workspace.settings, call, SETTINGS.baseUrl.variable, async (signal) => {
    const { pager } = await workspace.client.channels.list({ size: 1 }, signal);
    return `answers; ${pager.totalResults ?? 'an unknown number of'} channels.`;
  });
}

async function tryAnalytics(workspace: Workspace | undefined, call: AbortSignal): Promise<Finding> {
  const about = 'Analytics API';
  if (workspace === undefined) return notTried(about);
  const { settings, client } = workspace;
  if (settings.statsUrl === undefined)
    return note(
      about,
      `not set: ${SETTINGS.statsUrl.variable}. Questions about views can’t be answered.`,
      'Set it, if you want to ask them.',
    );
  return reach(about, settings, call, SETTINGS.statsUrl.variable, async (signal) => {
    const today = new Date().toISOString().slice(0, 10);
    await client.viewLogs.page({ from: today, size: 1 }, signal);
    return `answers${settings.statsAuth === 'bearer' ? ', with the credential' : ''}.`;
  });
}

async function tryCatalogue(workspace: Workspace | undefined): Promise<Finding | undefined> {
  const about = 'Video catalogue';
  try {
    const catalogue = await workspace?.catalogue();
    return catalogue && fine(about, `${catalogue.size.toLocaleString('en')} videos.`);
  } catch (error) {
    if (!(error instanceof VideoHostingError)) throw error;
    const lines = (error.facts.fields ?? []).map(({ field, problem }) => `${field} ${problem}`);
    return wrong(about, [error.message, ...lines].join(' '), error.hint);
  }
}

/** Longest that one API is waited for; less where the whole call has less. */
const REACH_MS = 10_000;

/** What an attempt finds out, within a time; `variable` has the address. */
export async function reach(
  about: string,
  { callBudgetMs }: Settings,
  call: AbortSignal,
  variable: string,
  attempt: (signal: AbortSignal) => Promise<string>,
): Promise<Finding> {
  const limitMs = Math.min(REACH_MS, Math.floor(callBudgetMs * 0.8));
  const { signal, release } = limited(call, limitMs);
  try {
    return fine(about, await attempt(signal));
  } catch (error) {
    if (signal.aborted && !call.aborted)
      return wrong(about, `did not answer within ${limitMs} ms.`, `Check its address (${variable}) and the network, then try again.`);
    if (!(error instanceof VideoHostingError)) throw error;
    return wrong(about, error.message, error.hint);
  } finally {
    release();
  }
}
