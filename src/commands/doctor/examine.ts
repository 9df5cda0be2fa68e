import { checkAccount } from '../../app/setup/check-account.ts';
import { checkStore } from '../../app/setup/check-apis.ts';
import { keptFinding } from '../../app/setup/check-kept.ts';
import { accountFinding } from '../../app/setup/check-known.ts';
import { checkMachine } from '../../app/setup/check-machine.ts';
import { type Finding, fine, note } from '../../app/setup/finding.ts';
import { selfConfirmedText } from '../../app/standing.ts';
import { type AppContext, openWorkspace, type Workspace } from '../../app/workspace.ts';
import type { ParsedConfig } from '../../config/parse-config.ts';
import { SETTINGS, type Settings } from '../../config/settings.ts';
import { type Sentence, sentence } from '../../text/sentence.ts';
import type { Surroundings } from '../surroundings.ts';
import { checkEngine, checkRenderer } from './native-parts.ts';
import { checkServerSettings } from './server-settings.ts';

export interface Examined {
  readonly findings: readonly Finding[];
  /** With `--demo`, those of the demo account. */
  readonly settings: Settings;
  /** Where a server for several people is meant: as it has them. */
  readonly shared?: Settings | undefined;
  /** The variables whose values can’t be used. */
  readonly unusable: readonly string[];
  /** By the service’s clock, where it told it: milliseconds since the epoch. */
  readonly serviceNowMs?: number;
}

/**
 * Checks everything with these settings. `where` tells the person where to set a missing setting; `shared`: those of the server for several
 * people that works with them.
 */
export async function examine(config: ParsedConfig, surroundings: Surroundings, where: Sentence, shared?: Settings): Promise<Examined> {
  const { log, signal } = surroundings;
  return withApp(config, surroundings, async (app) => {
    const [account, store, machine, engine, renderer, server] = await Promise.all([
      checkAccount(app, signal, where),
      checkStore(config.settings, signal, log),
      checkMachine(config.settings),
      checkEngine(signal),
      checkRenderer(signal),
      checkServerSettings(config),
    ]);
    signal.throwIfAborted();
    const known = account.workspace && (await accountFinding(account.workspace));
    const kept = account.workspace && (await keptFinding(account.workspace));
    const {
      settings,
      problems,
      mainApi,
      analyticsApi,
      clock,
      serviceNowMs,
      credential,
      moving,
      otherAddress,
      whoseViews,
      proxy,
      catalogue,
      standingFile,
    } = account;
    const selfConfirmed = selfConfirmedText(shared ?? settings);
    const findings = [
      ...(problems.length > 0 ? problems : [fine('Settings', sentence`nothing is missing or mistyped.`)]),
      mainApi,
      ...(known === undefined ? [] : [known]),
      ...(kept === undefined ? [] : [kept]),
      ...(otherAddress === undefined ? [] : [otherAddress]),
      analyticsApi,
      ...(whoseViews === undefined ? [] : [whoseViews]),
      ...(proxy === undefined ? [] : [proxy]),
      ...(clock === undefined ? [] : [clock]),
      ...(credential === undefined ? [] : [credential]),
      ...(moving === undefined ? [] : [moving]),
      ...(catalogue === undefined ? [] : [catalogue]),
      ...(standingFile === undefined ? [] : [standingFile]),
      ...(selfConfirmed === undefined ? [] : [note(SETTINGS.standingApprovals.title, ...selfConfirmed)]),
      ...store,
      ...machine,
      engine,
      renderer,
      ...server,
    ];
    return { findings, settings, shared, unusable: config.malformed, serviceNowMs };
  });
}

/** Runs `act` with an account that is opened when it is needed, and closed. */
export async function withApp<T>(config: ParsedConfig, { version, log }: Surroundings, act: (app: AppContext) => Promise<T>): Promise<T> {
  let workspace: Promise<Workspace> | undefined;
  const open = (): Promise<Workspace> => {
    workspace ??= openWorkspace({ config, version, log });
    return workspace;
  };
  try {
    return await act({ config, version, log, open, opened: async () => workspace });
  } finally {
    await workspace?.then((opened) => opened.close()).catch(() => undefined);
  }
}
