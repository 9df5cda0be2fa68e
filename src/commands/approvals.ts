import { checkStandingFile } from '../app/check-approvals.ts';
import { noHistoryText, noneForText, readApprovals, reportText, revokeApprovals, selfConfirmedText, useText } from '../app/standing.ts';
import type { Workspace } from '../app/workspace.ts';
import { missingSettings, SETTINGS } from '../config/settings.ts';
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

/** What is not set, and has to be as it is for the agent. */
const missingHere = (missing: readonly string[], why: string, next: readonly string[] = []) =>
  notSet(missing, why, [`${missing.length === 1 ? 'It has to be that' : 'They have to be those'} of the agent’s server.`, ...next]);
const fileMissing = (why: readonly string[], next: string) =>
  missingHere([SETTINGS.standingApprovals.variable], ['It names the file of what is allowed in advance.', ...why].join(' '), [next]);

/** Looks ids up only where an account is set: the rest takes neither address nor key. */
async function check(path: string, surroundings: Surroundings): Promise<ExitCode> {
  const { config, print, log, signal } = surroundings;
  const look = (workspace?: Workspace) => checkStandingFile(path, config.settings, workspace, signal);
  const isSet = missingSettings(config.settings).length === 0;
  const { problems, lines, isIdMissing, notLookedUp } = await (isSet ? withWorkspace(surroundings, look) : look());
  if (problems.length === 0) for (const line of notLookedUp) log(line);
  const code = printed(path, problems, lines, print);
  return isIdMissing ? EXIT.failed : code;
}

async function list(surroundings: Surroundings): Promise<ExitCode> {
  const { config, print, log } = surroundings;
  const { settings } = config;
  const { standingApprovals: path, agent } = settings;
  if (path === undefined) throw fileMissing([], 'A file that no server uses yet is looked at with: video-hosting-mcp approvals check FILE');
  const missing = missingSettings(settings);
  if (missing.length > 0) throw missingHere(missing, 'What is used is counted for one account.');
  return withWorkspace(surroundings, async ({ standing }) => {
    const { problems = [], rules = [] } = (await standing?.report()) ?? {};
    const noHistory = await noHistoryText(settings, 'what is left here tells nothing.');
    if (noHistory !== undefined) log(noHistory);
    if (problems.length === 0 && !rules.some((rule) => rule.agent === agent)) log(noneForText(agent, rules));
    const selfConfirmed = selfConfirmedText(settings);
    if (selfConfirmed !== undefined) log(selfConfirmed.join(' '));
    const lines = rules.map((rule) => `${reportText(rule)} ${useText(rule)}`);
    return printed(path, problems, lines, print);
  });
}

/** Ends one approval, or all of the file. It takes the data folder alone. */
async function end({ config: { settings, options }, print, log }: Surroundings): Promise<ExitCode> {
  const { standingApprovals: path, dataDir } = settings;
  const { action, operand = '' } = options;
  const found = path === undefined ? undefined : await readApprovals(path, settings);
  const known = found?.ok === true ? found.file.approvals.map(({ id }) => id) : undefined;
  if (action === 'stop' && found === undefined)
    throw fileMissing(['Nothing was revoked.'], 'One approval is revoked without the file: video-hosting-mcp approvals revoke ID');
  if (action === 'stop' && known === undefined) {
    log(
      `${path} can’t be used, so nothing is covered now, and its approvals are not known. Nothing was revoked. Revoke them by their ids.`,
    );
    return EXIT.failed;
  }
  if (known !== undefined && (known.length === 0 || (action === 'revoke' && !known.includes(operand)))) {
    log(`${path} has ${known.length === 0 ? 'no approvals' : `no approval of that id; it has: ${known.join(', ')}`}. Nothing was revoked.`);
    return known.length === 0 && action === 'stop' ? EXIT.done : EXIT.failed;
  }
  const ids = action === 'stop' ? (known ?? []) : [operand];
  const { fresh, already, isUsed } = await revokeApprovals(ids, settings);
  if (!isUsed) {
    log(
      `${ids.join(', ')}: noted as revoked in the data folder ${dataDir}, but no server has made a change from it so far. If the agent’s ${SETTINGS.dataDir.variable} is another, nothing was revoked there, and the agent goes on.`,
    );
    return EXIT.failed;
  }
  const where = `for servers with the data folder ${dataDir}`;
  if (fresh.length > 0)
    print(`Revoked for good, ${where}: ${fresh.join(', ')}. What is being carried out under it stops before its next request.\n`);
  const since = [...already].map(([id, at]) => (at === undefined ? id : `${id} (since ${at.slice(0, 16).replace('T', ' ')} UTC)`));
  if (since.length > 0) print(`Was revoked already, ${where}: ${since.join(', ')}. Nothing was added.\n`);
  return EXIT.done;
}

function printed(path: string, problems: readonly string[], lines: readonly string[], print: Surroundings['print']): ExitCode {
  if (problems.length > 0) print(`Nothing is covered until ${path} is corrected:\n${problems.map((line) => `- ${line}\n`).join('')}`);
  else if (lines.length === 0) print(`${path} has no approvals: nothing is covered.\n`);
  else print(lines.map((line) => `- ${line}\n`).join(''));
  return problems.length > 0 ? EXIT.failed : EXIT.done;
}
