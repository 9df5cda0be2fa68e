import { originText, readApiAddress } from '../../config/api-address.ts';
import { proxyUrl } from '../../config/proxy.ts';
import { missingSettings, type Settings } from '../../config/settings.ts';
import { VideoHostingError } from '../../errors.ts';
import { toTakeEffect } from '../../text/own-command.ts';
import { type Sentence, sentence, word } from '../../text/sentence.ts';
import type { AppContext, Workspace } from '../workspace.ts';
import { expected, tryAnalytics, tryMain } from './check-apis.ts';
import { tryCatalogue } from './check-catalogue.ts';
import { clockFinding } from './check-clock.ts';
import { checkCredential, movingFinding } from './check-credential.ts';
import { elsewhereFinding } from './check-known.ts';
import { allowedOut, standingFinding } from './check-standing.ts';
import { unreadFinding, whoseViewsFinding } from './check-views.ts';
import { type Finding, fine, wrong } from './finding.ts';

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
