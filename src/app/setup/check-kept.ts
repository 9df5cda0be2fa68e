import { undefinedIfRefused } from '../../errors.ts';
import { counted } from '../../text/counted.ts';
import { sentence } from '../../text/sentence.ts';
import type { Workspace } from '../workspace.ts';
import { type Finding, note } from './finding.ts';

const REMEDY = sentence`Make the call of each anew. A person may remove their files from the folder “kept” of the account.`;

const REMEDY_OF_NEWER = sentence`See them with that version, and decide there. A person may remove their files from the folder “kept” of the account.`;

/** That what waited for a person can’t be relied on, or not be read here. Undefined where all can. */
export async function keptFinding({ decisions }: Pick<Workspace, 'decisions'>): Promise<Finding | undefined> {
  // A folder that can’t be read is told with the data folder.
  const { damaged = [] } = (await decisions.list().catch(undefinedIfRefused)) ?? {};
  const [first] = damaged;
  if (first === undefined) return undefined;
  const more = damaged.length > 1 ? sentence` So ${damaged.length === 2 ? 'is' : 'are'} ${counted(damaged.length - 1, 'other')}.` : '';
  return note('Waiting changes', sentence`${first.problem}${more}`, damaged.every(({ isNewer }) => isNewer) ? REMEDY_OF_NEWER : REMEDY);
}
