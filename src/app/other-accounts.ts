import { join } from 'node:path';
import { addressOf } from '../account/identity.ts';
import { createJournal } from '../changes/journal/journal.ts';
import { createDiskBackEnd } from '../changes/proposals/disk.ts';
import { SETTINGS, type Settings } from '../config/settings.ts';
import { counted } from '../text/counted.ts';
import { joined, type Sentence, sentence, word } from '../text/sentence.ts';
import { accountsIn, changesIn, keptIn } from './folders.ts';
import { type KnownAccount, knownAccounts } from './known-accounts.ts';

/**
 * How much is kept here of other accounts of the address, in numbers alone: whoever set another account’s key would take it for lost.
 * `name`: that of the account’s own folder. Undefined where nothing is.
 */
export async function otherAccountsText(
  { dataDir, baseUrl, demo }: Pick<Settings, 'dataDir' | 'baseUrl' | 'demo'>,
  name: string,
): Promise<Sentence | undefined> {
  if (demo || baseUrl === undefined) return undefined;
  const others = (await knownAccounts(dataDir, addressOf(baseUrl))).filter(({ folder }) => folder !== name);
  const kept = (await Promise.all(others.map(({ folder }) => keptOf(dataDir, folder)))).filter((one) => one.changes + one.waiting > 0);
  if (kept.length === 0) return undefined;
  const sum = (of: 'changes' | 'waiting') => kept.reduce((total, one) => total + one[of], 0);
  const [changes, waiting] = [sum('changes'), sum('waiting')];
  const who =
    kept.length === 1 ? sentence`Another account of this address has` : sentence`${kept.length} other accounts of this address have`;
  const waits = waiting === 0 ? sentence`` : sentence` and ${waiting} that ${waiting === 1 ? 'waits' : 'wait'}`;
  return sentence`${who} ${counted(changes, 'change')}${waits} here, which its own key shows.`;
}

/**
 * The same of accounts at other addresses, where that may be what somebody misses: an address may be another service’s, so nothing is
 * joined. `account`: the one that the key is of; of one that is not known, all that is kept elsewhere may be meant.
 */
export async function elsewhereText(
  { dataDir, baseUrl, demo }: Pick<Settings, 'dataDir' | 'baseUrl' | 'demo'>,
  account: Pick<KnownAccount, 'accountId'> | undefined,
): Promise<Sentence | undefined> {
  if (demo || baseUrl === undefined) return undefined;
  const address = addressOf(baseUrl);
  const others = (await knownAccounts(dataDir)).filter(
    (one) => one.address !== address && one.accountId === (account?.accountId ?? one.accountId),
  );
  const kept = await Promise.all(others.map(async (one) => ({ ...one, ...(await keptOf(dataDir, one.folder)) })));
  const changes = kept.reduce((total, one) => total + one.changes + one.waiting, 0);
  if (changes === 0) return undefined;
  const addresses = new Set(kept.flatMap((one) => (one.changes + one.waiting > 0 ? [one.address] : [])));
  const where = joined(
    [...addresses].map((one) => word(one, MAX_ADDRESS)),
    ', ',
  );
  const known = sentence`${counted(changes, 'change')} ${changes === 1 ? 'is' : 'are'} known here at ${where}, and ${changes === 1 ? 'stays' : 'stay'} with ${addresses.size === 1 ? 'that address' : 'those addresses'}`;
  return account === undefined
    ? sentence`Nothing is known here of an account at ${word(address, MAX_ADDRESS)}; ${known}. If that is this account, check ${SETTINGS.baseUrl.variable}.`
    : sentence`Of an account with the same id ${known}: nothing is joined. If you miss them, check ${SETTINGS.baseUrl.variable}.`;
}

const MAX_ADDRESS = 300;

async function keptOf(dataDir: string, folder: string): Promise<{ readonly changes: number; readonly waiting: number }> {
  const path = join(accountsIn(dataDir), folder);
  const journal = createJournal(changesIn(path));
  const { stored } = await createDiskBackEnd({ folder: keptIn(path), accountId: folder, journal }).list();
  const waiting = stored.filter(({ ending, proposal }) => ending === undefined && proposal.expiresAt > Date.now()).length;
  return { changes: await journal.count(), waiting };
}
