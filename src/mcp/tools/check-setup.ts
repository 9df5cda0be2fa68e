import * as z from 'zod';
import { type CredentialInfo, credentialInfo } from '../../account/identity.ts';
import { missingSettings, SETTINGS, type Settings } from '../../config.ts';
import { VideoHostingError } from '../../errors.ts';
import type { Call } from '../app-contract.ts';
import { limited } from '../budget.ts';
import { type CallContext, defineSetupTool } from '../define-tool.ts';
import type { Workspace } from '../workspace.ts';

const Reach = z.looseObject({ ok: z.boolean(), detail: z.string() });

export const checkSetup = defineSetupTool({
  name: 'check_setup',
  title: 'Check the setup',
  description:
    'Settings, whether both APIs answer, the credential’s kind and expiry, how changes are confirmed in this client, what is hidden and why.',
  output: {
    ok: z.boolean(),
    problems: z.array(z.string()),
    settings: z.looseObject({}),
    mainApi: Reach,
    analyticsApi: Reach,
    credential: z.looseObject({ kind: z.string() }).optional(),
    confirmation: z.string(),
    hidden: z.array(z.string()),
  },
  run: async ({ app, call, signal }) => {
    const { settings, problems } = app.config;
    const missing = missingSettings(settings).map((variable) => `${variable} is not set.`);
    const usable = problems.length === 0 && missing.length === 0;
    const opened = usable ? await tryOpen(app) : undefined;
    const workspace = typeof opened === 'object' ? opened : undefined;
    const [mainApi, analyticsApi] = await Promise.all([tryMain(workspace, signal), tryAnalytics(workspace, settings, signal)]);
    return {
      ok: usable && mainApi.ok,
      problems: [...problems, ...missing, ...(typeof opened === 'string' ? [opened] : [])],
      settings: settingsOut(workspace?.settings ?? settings, app),
      mainApi,
      analyticsApi,
      ...credentialsOut(workspace?.settings ?? settings),
      confirmation: howConfirmed(settings, call),
      hidden: hiddenOut(settings),
    };
  },
  present: ({ ok, problems, settings, mainApi, analyticsApi, credential, confirmation, hidden }) =>
    [
      ok ? 'Ready.' : 'Not ready.',
      ...problems.map((problem) => `! ${problem}`),
      `Main API: ${mainApi.detail}`,
      `Analytics API: ${analyticsApi.detail}`,
      `Credential: ${credential === undefined ? 'none' : describeCredential(credential)}`,
      `Changes: ${confirmation}`,
      ...hidden.map((sentence) => `Hidden: ${sentence}`),
      `Settings: ${JSON.stringify(settings)}`,
    ].join('\n'),
});

/** The account, or what its settings lack that only shows when it is opened. */
async function tryOpen(app: CallContext['app']): Promise<Workspace | string> {
  try {
    return await app.open();
  } catch (error) {
    if (error instanceof VideoHostingError) return error.message;
    throw error;
  }
}

type Reached = z.output<typeof Reach>;

async function tryMain(workspace: Workspace | undefined, call: AbortSignal): Promise<Reached> {
  if (workspace === undefined) return NOT_TRIED;
  return reach(workspace.settings, call, async (signal) => {
    const { pager } = await workspace.client.channels.list({ size: 1 }, signal);
    return `answers; ${pager.totalResults ?? 'an unknown number of'} channels.`;
  });
}

async function tryAnalytics(workspace: Workspace | undefined, settings: Settings, call: AbortSignal): Promise<Reached> {
  if (workspace === undefined) return NOT_TRIED;
  if (workspace.settings.statsUrl === undefined)
    return { ok: false, detail: `not set: ${SETTINGS.statsUrl.variable}. Questions about views can’t be answered.` };
  return reach(settings, call, async (signal) => {
    const today = new Date().toISOString().slice(0, 10);
    await workspace.client.viewLogs.page({ from: today, size: 1 }, signal);
    return `answers${settings.statsAuth === 'bearer' ? ', with the credential' : ''}.`;
  });
}

const NOT_TRIED: Reached = { ok: false, detail: 'not tried: the settings come first.' };

/** Longest that one API is waited for; less where the whole call has less. */
const REACH_MS = 10_000;

async function reach({ callBudgetMs }: Settings, call: AbortSignal, attempt: (signal: AbortSignal) => Promise<string>): Promise<Reached> {
  const limitMs = Math.min(REACH_MS, Math.floor(callBudgetMs * 0.8));
  const { signal, release } = limited(call, limitMs);
  try {
    return { ok: true, detail: await attempt(signal) };
  } catch (error) {
    if (signal.aborted && !call.aborted) return { ok: false, detail: `did not answer within ${limitMs} ms.` };
    if (!(error instanceof VideoHostingError)) throw error;
    return { ok: false, detail: `${error.message} ${error.hint}` };
  } finally {
    release();
  }
}

/** Every setting by its variable: a secret only as set or not. */
function settingsOut(settings: Settings, { config, version }: CallContext['app']): Record<string, unknown> {
  const shown = Object.entries(SETTINGS).map(([name, row]) => {
    const value = settings[name as keyof typeof SETTINGS];
    const set = value === undefined || (Array.isArray(value) && value.length === 0) ? 'not set' : value;
    return [row.variable, 'secret' in row && set !== 'not set' ? 'set' : set];
  });
  return { version, demo: config.settings.demo, ...Object.fromEntries(shown) };
}

function credentialsOut({ apiKey, accessToken }: Settings): { credential?: Record<string, unknown> & CredentialInfo } {
  if (apiKey === undefined) return {};
  return { credential: { ...credentialInfo(apiKey), ...(accessToken === undefined ? {} : { accessToken: credentialInfo(accessToken) }) } };
}

function describeCredential({ kind, expires, accessToken }: Record<string, unknown>): string {
  const expiry = typeof expires === 'string' ? `, expires ${expires}${Date.parse(expires) < Date.now() ? ' (expired!)' : ''}` : '';
  const token = typeof accessToken === 'object' && accessToken !== null ? `; for videos: ${describeCredential({ ...accessToken })}` : '';
  return `${String(kind)}${expiry}${token}`;
}

function howConfirmed({ confirm, readOnly }: Settings, { forms }: Call): string {
  if (readOnly) return 'read-only: none are offered.';
  const form = forms.kind === 'none' ? 'this client shows no forms' : 'this client shows forms';
  if (confirm === 'never') return 'not confirmed by anyone (VIDEO_HOSTING_CONFIRM is never); the journal says so.';
  if (confirm === 'form' && forms.kind === 'none') return `refused: VIDEO_HOSTING_CONFIRM is form, and ${form}.`;
  if (confirm === 'token' || forms.kind === 'none')
    return `the assistant shows a preview and sends a token once the user agreed (${form}).`;
  return `a form asks the user (${form}). If none appears, set VIDEO_HOSTING_CONFIRM to token.`;
}

function hiddenOut({ readOnly, personalData }: Settings): string[] {
  return [
    ...(readOnly ? ['Tools that change the account: VIDEO_HOSTING_READ_ONLY is set.'] : []),
    ...(personalData === 'masked' ? ['Viewers’ personal data: VIDEO_HOSTING_PERSONAL_DATA is masked.'] : []),
  ];
}
