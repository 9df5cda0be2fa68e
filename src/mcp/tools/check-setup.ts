import * as z from 'zod';
import { isRendererInstalled } from '../../analytics/chart/installed.ts';
import { isDuckInstalled } from '../../analytics/engine/installed.ts';
import { ERRORS } from '../../errors.ts';
import { defineSetupTool } from '../define-tool.ts';
import { checkAccount, checkStore } from '../setup/check-account.ts';
import { checkMachine } from '../setup/check-machine.ts';
import { changedSettingsOut, credentialsOut, hiddenOut, settingsOut } from '../setup/describe.ts';
import { type Finding, wrong } from '../setup/finding.ts';
import { howConfirmed } from '../setup/how-confirmed.ts';

const ApiOut = z.looseObject({ ok: z.boolean(), detail: z.string() });

export const checkSetup = defineSetupTool({
  name: 'check_setup',
  title: 'Check the setup',
  description:
    'Settings, whether both APIs answer, the credential’s kind and expiry, how changes are confirmed in this client, what is hidden and why.',
  input: { details: z.boolean().optional().describe('All settings, not only those that are set') },
  output: {
    ok: z.boolean(),
    problems: z.array(z.string()).optional(),
    mainApi: ApiOut,
    analyticsApi: ApiOut,
    proxy: z.string().optional(),
    credential: z.looseObject({ kind: z.string() }).optional(),
    confirmation: z.string(),
    hidden: z.array(z.string()).optional(),
    settings: z.looseObject({}),
  },
  run: async ({ details = false }, { app, call, signal }) => {
    const { config, version } = app;
    const [account, folders, store] = await Promise.all([
      checkAccount(app, signal),
      checkMachine(config.settings),
      checkStore(config.settings, signal, app.log),
    ]);
    const { settings, usable, mainApi, analyticsApi, proxy, catalogue } = account;
    const others = [...(catalogue === undefined ? [] : [catalogue]), ...store, ...folders, ...missingParts()];
    const problems = [
      ...account.problems.map(({ detail }) => detail),
      ...others.filter(({ level }) => level !== 'fine').map((finding) => `${finding.about}: ${textOf(finding)}`),
    ];
    const hidden = hiddenOut(config.settings);
    const machine = { version, node: process.versions.node, demo: config.settings.demo };
    return {
      ok: usable && mainApi.level === 'fine',
      problems: problems.length === 0 ? undefined : problems,
      mainApi: apiOut(mainApi),
      analyticsApi: apiOut(analyticsApi),
      proxy: proxy?.detail,
      ...credentialsOut(settings),
      confirmation: await howConfirmed(settings, call),
      hidden: hidden.length === 0 ? undefined : hidden,
      settings: { ...machine, ...(details ? settingsOut(settings) : changedSettingsOut(settings)) },
    };
  },
});

const textOf = ({ detail, remedy }: Finding): string => (remedy === undefined ? detail : `${detail} ${remedy}`);

const apiOut = (finding: Finding): z.input<typeof ApiOut> => ({ ok: finding.level === 'fine', detail: textOf(finding) });

/** Optional packages that are missing. The packages themselves are not loaded, because they are large. */
function missingParts(): Finding[] {
  const missing = 'is not installed for this machine.';
  return [
    ...(isDuckInstalled() ? [] : [wrong('Analytics engine (DuckDB)', missing, ERRORS.analytics_unavailable.hint)]),
    ...(isRendererInstalled() ? [] : [wrong('Charts', `the renderer ${missing}`, ERRORS.chart_unavailable.hint)]),
  ];
}
