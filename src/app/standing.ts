import { resolve } from 'node:path';
import type { Journal } from '../changes/journal/journal.ts';
import { givesTokens } from '../changes/proposals/routes/index.ts';
import type { Notify } from '../changes/standing/notify.ts';
import type { StandingFileRead } from '../changes/standing/read-file.ts';
import type { Settings } from '../config/settings.ts';
import { openPeople, peopleFileIn } from '../people/people.ts';
import { definedFields } from '../platform/defined-fields.ts';
import { type Sentence, sentence, word } from '../text/sentence.ts';
import { type FolderSettings, ownFolders, revokedIn } from './folders.ts';

export { nothingText, reportText, useText } from '../changes/standing/rule-words.ts';

/** What a person allowed in advance; undefined where no file of it is set. */
export async function openStanding(
  settings: FolderSettings & Pick<Settings, 'standingApprovals' | 'agent' | 'people'>,
  journal: Journal,
  notify: Notify | undefined,
) {
  const { standingApprovals, agent, dataDir } = settings;
  if (standingApprovals === undefined) return undefined;
  const { createStanding } = await import('../changes/standing/standing.ts');
  return createStanding({
    ...{ path: standingApprovals, agent, journal, outside: ownFolders(settings) },
    revoked: revokedIn(dataDir),
    addedAt: openPeople(settings.people ?? peopleFileIn(dataDir)).addedAt,
    ...definedFields({ notify }),
  });
}

/** That an agent may confirm what no standing approval covers itself, and what keeps it from that. Undefined where it can’t, or none are set. */
export function selfConfirmedText({
  standingApprovals,
  confirm,
}: Pick<Settings, 'standingApprovals' | 'confirm'>): readonly [problem: Sentence, remedy: Sentence] | undefined {
  if (standingApprovals === undefined || !givesTokens(confirm)) return undefined;
  return [
    sentence`what is not covered is confirmed by token where neither form nor page is shown (VIDEO_HOSTING_CONFIRM is ${word(confirm)}), and an agent without a person can send a token back itself.`,
    sentence`For such an agent, set VIDEO_HOSTING_CONFIRM to "wait", "form" or "page".`,
  ];
}

/** A file as it is now, whether or not this server uses it. */
export async function readApprovals(path: string, settings: FolderSettings): Promise<StandingFileRead> {
  const { readStandingFile } = await import('../changes/standing/read-file.ts');
  return readStandingFile(resolve(path), ownFolders(settings), new Date());
}

/** Revokes approvals for all servers with a data folder. */
export async function revokeApprovals(ids: readonly string[], { dataDir }: Pick<Settings, 'dataDir'>): Promise<void> {
  const { revoke } = await import('../changes/standing/revocations.ts');
  await revoke(revokedIn(dataDir), ids, new Date());
}
