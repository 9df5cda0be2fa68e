import { SETTINGS } from '../../config/settings.ts';
import { ownCommand } from '../../text/own-command.ts';
import { sentence } from '../../text/sentence.ts';
import type { Workspace } from '../workspace.ts';
import { type Finding, note, wrong } from './finding.ts';

const about = 'Records for audit';

/** What this process saw of the records of changes that is not as it should be. Undefined where there is nothing to tell. */
export async function auditFinding({ auditTrouble }: Pick<Workspace, 'auditTrouble'>): Promise<Finding | undefined> {
  const { failing, altered } = await auditTrouble();
  if (failing !== undefined)
    return wrong(
      about,
      sentence`what happens to changes can’t be recorded. ${failing}`,
      sentence`Let this server write to its data folder (${SETTINGS.dataDir.variable}), with space left on the disk: what happened since is recorded then.`,
    );
  return (
    altered &&
    note(about, altered, sentence`${ownCommand('audit verify --head')} LINE, with a line that was noted before, tells what is missing.`)
  );
}
