import { checkStandingFile, reportText, useText } from '../app/standing.ts';
import { openWorkspace } from '../app/workspace.ts';
import { SETTINGS } from '../config/settings.ts';
import { VideoHostingError } from '../errors.ts';
import { EXIT, type ExitCode, SET_HERE, type Surroundings } from './surroundings.ts';

/** `approvals`: what a person allowed in advance, what is left of it, and what ends it. */
export async function approvals({ config, version, print, log }: Surroundings): Promise<ExitCode> {
  const { settings, options } = config;
  if (options.action === 'check') return printed(await checkStandingFile(options.operand ?? '', settings), print);
  if (settings.standingApprovals === undefined)
    throw new VideoHostingError(
      'settings_missing',
      `Not set: ${SETTINGS.standingApprovals.variable}. It names the file of what is allowed in advance.`,
      {
        hint: `${SET_HERE} A file that no server uses yet is looked at with: video-hosting-mcp approvals check FILE`,
      },
    );
  const workspace = await openWorkspace({ config, version, log });
  try {
    const standing = workspace.standing;
    if (standing === undefined) throw new RangeError('No file of standing approvals.');
    const { problems, rules } = await standing.report();
    if (options.action === undefined)
      return printed({ problems, lines: rules.map((rule) => `${reportText(rule)} ${useText(rule)}`) }, print);
    const known = [...new Set(rules.map(({ approval }) => approval))];
    if (options.action === 'stop' && problems.length > 0) {
      log('The file can’t be used, so nothing is covered now, and its approvals are not known. Revoke them by their ids.');
      return EXIT.failed;
    }
    const ids = options.action === 'stop' ? known : [options.operand ?? ''];
    await standing.revoke(ids);
    const unknown = ids.filter((id) => problems.length === 0 && !known.includes(id));
    print(`Revoked for good: ${ids.join(', ')}. What is being carried out under it stops before its next request.\n`);
    if (unknown.length > 0) log(`The file has no such approval now; one of that id will never count. It has: ${known.join(', ')}.`);
    return EXIT.done;
  } finally {
    await workspace.close();
  }
}

function printed(
  { problems, lines }: { readonly problems: readonly string[]; readonly lines: readonly string[] },
  print: Surroundings['print'],
): ExitCode {
  if (problems.length > 0) print(`Nothing is covered until this is corrected:\n${problems.map((line) => `- ${line}\n`).join('')}`);
  else print(lines.map((line) => `- ${line}\n`).join(''));
  return problems.length > 0 ? EXIT.failed : EXIT.done;
}
