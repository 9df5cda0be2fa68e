import { checkAccount, checkStore } from '../app/setup/check-account.ts';
import { accountFinding } from '../app/setup/check-known.ts';
import { checkMachine } from '../app/setup/check-machine.ts';
import { credentialsOut, hiddenOut, settingsOut } from '../app/setup/describe.ts';
import { type Finding, fine, note } from '../app/setup/finding.ts';
import { selfConfirmedText } from '../app/standing.ts';
import { type AppContext, openWorkspace, type Workspace } from '../app/workspace.ts';
import { confirmationText } from '../config/confirm-routes.ts';
import { SETTINGS, type Settings } from '../config/settings.ts';
import { sentence } from '../text/sentence.ts';
import { checkEngine, checkRenderer } from './doctor/native-parts.ts';
import { toText, wantsColours } from './doctor/report.ts';
import { EXIT, type ExitCode, type Surroundings } from './surroundings.ts';

/** The findings of `check_setup`, as text for people: each with its remedy. Fails where anything is wrong. */
export async function doctor(surroundings: Surroundings): Promise<ExitCode> {
  const { config, version, print, isTerminal, machine } = surroundings;
  const { findings, settings } = await examine(surroundings);
  const wrongs = findings.filter(({ level }) => level === 'wrong').length;
  const report = {
    ok: wrongs === 0,
    version,
    node: process.versions.node,
    platform: `${process.platform} ${process.arch}`,
    findings,
    ...credentialsOut(settings),
    confirmation: howConfirmed(settings),
    hidden: hiddenOut(settings),
    settings: { demo: config.settings.demo, ...settingsOut(settings) },
  };
  if (config.options.json === true) print(`${JSON.stringify(report, null, 2)}\n`);
  else print(toText(report, wantsColours(machine.env, isTerminal)));
  return report.ok ? EXIT.done : EXIT.failed;
}

async function examine({ config, version, log, signal }: Surroundings): Promise<{ findings: Finding[]; settings: Settings }> {
  let workspace: Promise<Workspace> | undefined;
  const app: AppContext = {
    config,
    version,
    log,
    open() {
      workspace ??= openWorkspace({ config, version, log });
      return workspace;
    },
  };
  try {
    const [account, store, machine, engine, renderer] = await Promise.all([
      checkAccount(app, signal, sentence`in the environment of this command, which knows nothing of what clients’ configurations hold`),
      checkStore(config.settings, signal, log),
      checkMachine(config.settings),
      checkEngine(signal),
      checkRenderer(signal),
    ]);
    signal.throwIfAborted();
    const known = account.workspace && (await accountFinding(account.workspace));
    const { settings, problems, mainApi, analyticsApi, credential, moving, proxy, catalogue, standingFile } = account;
    const selfConfirmed = selfConfirmedText(settings);
    const findings = [
      ...(problems.length > 0 ? problems : [fine('Settings', sentence`nothing is missing or mistyped.`)]),
      mainApi,
      ...(known === undefined ? [] : [known]),
      analyticsApi,
      ...(proxy === undefined ? [] : [proxy]),
      ...(credential === undefined ? [] : [credential]),
      ...(moving === undefined ? [] : [moving]),
      ...(catalogue === undefined ? [] : [catalogue]),
      ...(standingFile === undefined ? [] : [standingFile]),
      ...(selfConfirmed === undefined ? [] : [note(SETTINGS.standingApprovals.title, ...selfConfirmed)]),
      ...store,
      ...machine,
      engine,
      renderer,
    ];
    return { findings, settings };
  } finally {
    await workspace?.then((opened) => opened.close()).catch(() => undefined);
  }
}

const howConfirmed = ({ readOnly, confirm }: Settings): string =>
  readOnly
    ? `read-only: none are offered (${SETTINGS.readOnly.variable}).`
    : `${confirmationText(confirm)} (${SETTINGS.confirm.variable} is ${confirm}).`;
