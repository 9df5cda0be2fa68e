import {
  checkStandingFile,
  hasHistory,
  noneForText,
  readApprovals,
  reportText,
  revokeApprovals,
  selfConfirmedText,
  useText,
} from '../app/standing.ts';
import { openWorkspace } from '../app/workspace.ts';
import { missingSettings, SETTINGS } from '../config/settings.ts';
import { VideoHostingError } from '../errors.ts';
import { EXIT, type ExitCode, SET_HERE, type Surroundings, wrapping } from './surroundings.ts';

/** `approvals`: what a person allowed in advance, what is left of it, and what ends it. */
export async function approvals(given: Surroundings): Promise<ExitCode> {
  const surroundings = { ...given, print: wrapping(given) };
  const { settings, options } = surroundings.config;
  if (options.action === 'check') return check(options.operand ?? '', surroundings);
  if (settings.demo)
    throw notSet('No real account is set, since --demo is given: of the demo account nothing is kept that could be shown or revoked.');
  return options.action === undefined ? list(surroundings) : end(surroundings);
}

const SAME_SETTINGS = `${SET_HERE} They have to be those of the agent’s server.`;
const notSet = (problem: string, hint = SAME_SETTINGS) => new VideoHostingError('settings_missing', problem, { hint });

const FILE_NOT_SET = `Not set: ${SETTINGS.standingApprovals.variable}. It names the file of what is allowed in advance.`;

async function check(path: string, { config, print, log }: Surroundings): Promise<ExitCode> {
  const { problems, lines } = await checkStandingFile(path, config.settings);
  if (problems.length === 0) log('Ids were not looked up in the account: a rule for an id that the account doesn’t have never counts.');
  return printed({ problems, lines, path }, print);
}

async function list({ config, version, print, log }: Surroundings): Promise<ExitCode> {
  const { settings } = config;
  const { standingApprovals: path, agent, dataDir } = settings;
  if (path === undefined)
    throw notSet(FILE_NOT_SET, `${SAME_SETTINGS} A file that no server uses yet is looked at with: video-hosting-mcp approvals check FILE`);
  const missing = missingSettings(settings);
  if (missing.length > 0) throw notSet(`Not set: ${missing.join(', ')}. What is used is counted for one account.`);
  const workspace = await openWorkspace({ config, version, log });
  try {
    const { problems = [], rules = [] } = (await workspace.standing?.report()) ?? {};
    if (!(await hasHistory(settings)))
      log(
        `No change was made from the data folder ${dataDir} with this key so far. With another folder or key than the agent’s, what is left here tells nothing.`,
      );
    if (problems.length === 0 && agent !== undefined && !rules.some((rule) => rule.agent === agent)) log(noneForText(agent, rules));
    const selfConfirmed = selfConfirmedText(settings);
    if (selfConfirmed !== undefined) log(selfConfirmed.join(' '));
    return printed({ problems, lines: rules.map((rule) => `${reportText(rule)} ${useText(rule)}`), path }, print);
  } finally {
    await workspace.close();
  }
}

/** Ends one approval, or all of the file. It takes the data folder alone. */
async function end({ config: { settings, options }, print, log }: Surroundings): Promise<ExitCode> {
  const { standingApprovals: path, dataDir } = settings;
  const { action, operand = '' } = options;
  const found = path === undefined ? undefined : await readApprovals(path, settings);
  const known = found?.ok === true ? [...new Set(found.file.approvals.map(({ id }) => id))] : undefined;
  if (action === 'stop' && found === undefined)
    throw notSet(
      `${FILE_NOT_SET} Nothing was revoked.`,
      `${SAME_SETTINGS} One approval is revoked without the file: video-hosting-mcp approvals revoke ID`,
    );
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
  const isUsed = await revokeApprovals(ids, settings);
  print(
    `Revoked for good, for servers with the data folder ${dataDir}: ${ids.join(', ')}. What is being carried out under it stops before its next request.\n`,
  );
  if (isUsed) return EXIT.done;
  log(
    `But no server has made a change from that folder so far. If the agent’s ${SETTINGS.dataDir.variable} is another, nothing was revoked there.`,
  );
  return EXIT.failed;
}

interface Printed {
  readonly problems: readonly string[];
  readonly lines: readonly string[];
  readonly path: string;
}

function printed({ problems, lines, path }: Printed, print: Surroundings['print']): ExitCode {
  if (problems.length > 0) print(`Nothing is covered until ${path} is corrected:\n${problems.map((line) => `- ${line}\n`).join('')}`);
  else if (lines.length === 0) print(`${path} has no approvals: nothing is covered.\n`);
  else print(lines.map((line) => `- ${line}\n`).join(''));
  return problems.length > 0 ? EXIT.failed : EXIT.done;
}
