import { addressOf } from '../../account/identity.ts';
import { SETTINGS, type Settings } from '../../config/settings.ts';
import { joined, sentence, word } from '../../text/sentence.ts';
import type { Unknown } from '../account-folder.ts';
import { keptText } from '../kept-of-account.ts';
import { credentialsOf, knownAccounts } from '../known-accounts.ts';
import type { Workspace } from '../workspace.ts';
import { type Finding, fine, note } from './finding.ts';

const about = 'Account';
const ALONE = sentence`What is kept here is kept for this key alone, and a renewed key would not find it.`;

/** Why the account is not known. Where nothing was kept yet, or the service did not answer, there is nothing to say of it. */
const UNKNOWN: Readonly<Record<Unknown, Finding | undefined>> = {
  'no-channels': note(
    about,
    sentence`not known: it has no channels, whose records name it. ${ALONE}`,
    sentence`It becomes known with its first channel.`,
  ),
  several: note(
    about,
    sentence`not known: this key sees channels of several accounts. ${ALONE}`,
    sentence`Use a key of one account, if that is what you want.`,
  ),
  'no-account-id': note(
    about,
    sentence`not known: the channels that this key sees don’t all name it. ${ALONE}`,
    sentence`Nothing can be done about it here.`,
  ),
  'joins-later': note(
    about,
    sentence`known here; this key joins it once no change runs that was begun before.`,
    sentence`Until then it begins none. Wait, or end what runs with stop_change.`,
  ),
  'not-asked': undefined,
  'no-answer': undefined,
};

/** What only this key finds, or, once, that it joined the account that was known. Undefined where there is nothing to tell. */
export async function keyFinding({ takeNotice, unknown }: Pick<Workspace, 'takeNotice' | 'unknown'>): Promise<Finding | undefined> {
  const why = unknown();
  if (why !== undefined) return UNKNOWN[why];
  const joined = await takeNotice();
  return joined && fine(about, joined);
}

/** The same, and how much is kept of an account that is known, if anything is. */
export async function accountFinding(workspace: Workspace): Promise<Finding | undefined> {
  const { settings, folderName, journal, decisions, unknown } = workspace;
  const found = await keyFinding(workspace);
  if (unknown() !== undefined || found !== undefined) return found;
  const kept = await keptText(journal, decisions);
  const others = await othersFinding(workspace);
  if (kept === undefined) return others;
  const keys = await credentialsOf(settings.dataDir, folderName);
  const shared = keys.length > 1 ? sentence`, for ${keys.length} keys of it` : sentence``;
  return fine(about, sentence`known here, with ${kept}${shared}.${others === undefined ? '' : sentence` ${others.detail}`}`);
}

/** What is kept of other accounts of the address, which one whose key is another account’s does not show. */
export async function othersFinding({ othersOfAddress }: Pick<Workspace, 'othersOfAddress'>): Promise<Finding | undefined> {
  const others = await othersOfAddress();
  return others && note(about, others, sentence`If you miss them, set the key of that account.`);
}

/** That what is kept of an account at another address is not shown here: an address may be of another service, so nothing is joined. */
export async function elsewhereFinding(
  { dataDir, baseUrl, demo }: Pick<Settings, 'dataDir' | 'baseUrl' | 'demo'>,
  accountId: string,
): Promise<Finding | undefined> {
  if (demo || baseUrl === undefined || accountId === '') return undefined;
  const others = (await knownAccounts(dataDir)).filter((known) => known.accountId === accountId && known.address !== addressOf(baseUrl));
  if (others.length === 0) return undefined;
  const addresses = joined(
    others.map(({ address }) => word(address, MAX_ADDRESS)),
    ', ',
  );
  return note(
    about,
    sentence`an account with the same id is known here at ${addresses}. Its history and what was stated stay with that address: nothing is joined.`,
    sentence`If it is the same account under a new address, its earlier changes are undone with ${SETTINGS.baseUrl.variable} as it was.`,
  );
}

const MAX_ADDRESS = 300;
