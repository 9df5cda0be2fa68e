import { checkStandingFile } from '../app/check-approvals.ts';
import { nothingText, readApprovals, reportText, revokeApprovals, selfConfirmedText, useText } from '../app/standing.ts';
import type { Workspace } from '../app/workspace.ts';
import { missingSettings, SETTINGS } from '../config/settings.ts';
import { ownCommand } from '../text/own-command.ts';
import { sentence } from '../text/sentence.ts';
import { settingsForSeveral } from './doctor/server-settings.ts';
import { assertNoDemo, EXIT, type ExitCode, notSet, type Surroundings, wrapping } from './surroundings.ts';
import { withWorkspace } from './with-workspace.ts';

/** `approvals`: what a person allowed in advance, what is left of it, and what ends it. */
export async function approvals(given: Surroundings): Promise<ExitCode> {
  const surroundings = { ...given, print: wrapping(given) };
  const { settings, options } = surroundings.config;
  if (options.action === 'check') return check(options.operand ?? '', surroundings);
  assertNoDemo(settings);
  return options.action === undefined ? list(surroundings) : end(surroundings);
}

/** Looks ids up only where an account is set: the rest takes neither address nor key. */
async function check(path: string, surroundings: Surroundings): Promise<ExitCode> {
  const { config, print, log, signal } = surroundings;
  const look = (workspace?: Workspace) => checkStandingFile(path, config.settings, workspace?.account, signal);
  const isSet = missingSettings(config.settings).length === 0;
  const { problems, lines, isIdMissing, notLookedUp } = await (isSet ? withWorkspace(surroundings, look) : look());
  if (problems.length === 0) for (const line of notLookedUp) log(line);
  const code = printed(path, problems, lines, print);
  return isIdMissing ? EXIT.failed : code;
}

async function list(surroundings: Surroundings): Promise<ExitCode> {
  const { config, print, log } = surroundings;
  const { settings } = config;
  const { standingApprovals: path, agent, dataDir } = settings;
  const missing = [...(path === undefined ? [SETTINGS.standingApprovals.variable] : []), ...missingSettings(settings)];
  if (path === undefined || missing.length > 0)
    throw notSet(missing, sentence`What is used is counted for one account.`, [AS_THE_AGENT, checkedBy()]);
  return withWorkspace(surroundings, async ({ standing }) => {
    const report = (await standing?.report()) ?? { problems: [], approvals: [] };
    log(`What is used is counted from the data folder ${dataDir}, for this account.`);
    const nothing = nothingText({ ...report, problems: [] }, agent);
    if (report.problems.length === 0 && nothing !== undefined) log(nothing);
    const selfConfirmed = selfConfirmedText((await settingsForSeveral(config)) ?? settings);
    if (selfConfirmed !== undefined) log(selfConfirmed.join(' '));
    const lines = report.approvals.flatMap(({ state, rules }) => rules.map((rule) => `${reportText(state, rule)} ${useText(rule)}`));
    return printed(path, report.problems, lines, print);
  });
}

const AS_THE_AGENT = sentence`Take what the agent’s server has.`;
const checkedBy = () => sentence`A file that no server uses yet is looked at with: ${ownCommand('approvals check FILE')}`;

/** Ends one approval, or all of the file. It takes the data folder alone. */
async function end({ config: { settings, options }, print, log }: Surroundings): Promise<ExitCode> {
  const { standingApprovals: path, dataDir } = settings;
  const { action, operand = '' } = options;
  const found = path === undefined ? undefined : await readApprovals(path, settings);
  const known = found?.ok === true ? found.file.approvals.map(({ id }) => id) : undefined;
  const ids = action === 'stop' ? known : [operand];
  if (ids === undefined && path === undefined)
    throw notSet([SETTINGS.standingApprovals.variable], sentence`Nothing was revoked.`, [AS_THE_AGENT, revokedBy()]);
  if (ids === undefined || (action === 'revoke' && known?.includes(operand) === false)) {
    const has =
      known === undefined
        ? 'can’t be used, so its approvals are not known'
        : `has no approval of that id; it has: ${known.join(', ') || 'none'}`;
    log(`${path} ${has}. Nothing was revoked. ${revokedBy()}`);
    return EXIT.failed;
  }
  await revokeApprovals(ids, settings);
  print(
    `Revoked for good, for servers with the data folder ${dataDir}: ${ids.join(', ') || 'none, since the file has none'}. What is being carried out under it stops before its next request.\n`,
  );
  return EXIT.done;
}

const revokedBy = () => sentence`One is revoked without the file: ${ownCommand('approvals revoke ID')}`;

function printed(path: string, problems: readonly string[], lines: readonly string[], print: Surroundings['print']): ExitCode {
  if (problems.length > 0) print(`Nothing is covered until ${path} is corrected:\n${problems.map((line) => `- ${line}\n`).join('')}`);
  else if (lines.length === 0) print(`${path} has no approvals: nothing is covered.\n`);
  else print(lines.map((line) => `- ${line}\n`).join(''));
  return problems.length > 0 ? EXIT.failed : EXIT.done;
}
