import { createHash, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile, unlink } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod';
import { diskReason } from '../errors/disk-error.ts';
import { VideoHostingError, writtenByNewer } from '../errors.ts';
import { exists, fsyncFolder, linkExclusive, makeFolder } from '../platform/files.ts';
import { fieldsIn } from '../platform/is-object.ts';
import { parseJsonOrUndefined } from '../platform/parse-json.ts';
import { sentence, word } from '../text/sentence.ts';
import { accountsIn } from './folders.ts';

/** An account that the service has told, with its folder: the one that its first credential had. */
const KnownAccountSchema = z.object({
  format: z.literal(1),
  /** Of the API: origin and path. */
  address: z.string(),
  accountId: z.string(),
  folder: z.string().regex(/^[0-9a-f]{24}$/),
});
export type KnownAccount = z.output<typeof KnownAccountSchema>;

/** What is known of the accounts whose data is kept. */
export const knownIn = (dataDir: string): string => join(dataDir, 'known-accounts');
const credentialsIn = (dataDir: string, folder: string): string => join(accountsIn(dataDir), folder, 'credentials');

/** The accounts that are known here, of an address or of all. A file that is not as it was written names none. */
export async function knownAccounts(dataDir: string, address?: string): Promise<readonly KnownAccount[]> {
  const folder = knownIn(dataDir);
  const names = (await namesIn(folder)).filter((name) => name.endsWith('.json'));
  const found = await Promise.all(names.map((name) => readKnown(join(folder, name))));
  return found.flatMap((account) => (account === undefined || (address ?? account.address) !== account.address ? [] : [account]));
}

async function readKnown(file: string): Promise<KnownAccount | undefined> {
  return KnownAccountSchema.safeParse(parseJsonOrUndefined(await readFile(file, 'utf8').catch(() => ''))).data;
}

/** Whether a newer version of this program wrote what is known of an account. */
async function isNewer(file: string): Promise<boolean> {
  return Number(fieldsIn(parseJsonOrUndefined(await readFile(file, 'utf8').catch(() => ''))).format) > 1;
}

/** The one of some accounts in which a credential is noted. */
export async function accountWith(
  dataDir: string,
  credential: string,
  accounts: readonly KnownAccount[],
): Promise<KnownAccount | undefined> {
  for (const account of accounts)
    if (account.folder === credential || (await exists(join(credentialsIn(dataDir, account.folder), credential)))) return account;
  return undefined;
}

const READ_TRIES = 50;
const READ_PAUSE_MS = 20;

/**
 * Makes an account known, with its folder. Of all processes the first decides which folder that is, by a file that only one can create.
 * A folder is never that of two accounts. Throws `data_folder_failed`.
 */
export async function claimAccount(dataDir: string, wanted: Omit<KnownAccount, 'format'>): Promise<KnownAccount> {
  const { address, accountId } = wanted;
  const name = createHash('sha256').update(`known-account\0${address}\0${accountId}`).digest('hex').slice(0, 24);
  const file = join(knownIn(dataDir), `${name}.json`);
  const account: KnownAccount = { format: 1, ...wanted };
  if ((await readKnown(file)) === undefined) await reserveFolder(dataDir, wanted);
  if (await createFile(knownIn(dataDir), `${name}.json`, JSON.stringify(account))) return account;
  if (await isNewer(file))
    throw writtenByNewer(
      sentence`The file ${word(file, 1_000)}, which tells where an account is kept,`,
      sentence`Start that version with this data folder, or set another data folder (VIDEO_HOSTING_DATA_DIR).`,
      'data_folder_failed',
    );
  for (let tried = 0; tried < READ_TRIES; tried += 1) {
    const known = await readKnown(file);
    if (known?.address === address && known.accountId === accountId) return known;
    // Without hard links, another process may still be writing it.
    await sleep(READ_PAUSE_MS);
  }
  throw new VideoHostingError(
    'data_folder_failed',
    sentence`The file ${word(file, 1_000)} is damaged: it tells where an account is kept.`,
    {
      facts: { outcome: 'nothing-sent' },
      hint: sentence`Remove it while no server runs; the service is asked for the account again.`,
    },
  );
}

const FolderSchema = z.object({ address: z.string(), accountId: z.string() });

/** Throws `data_folder_failed` where another account has the folder, or is getting it. */
async function reserveFolder(dataDir: string, { address, accountId, folder }: Omit<KnownAccount, 'format'>): Promise<void> {
  const isOther = (one: z.output<typeof FolderSchema>) => one.address !== address || one.accountId !== accountId;
  const name = `${folder}.folder`;
  const isNew = await createFile(knownIn(dataDir), name, JSON.stringify({ address, accountId }));
  const text = isNew ? '' : await readFile(join(knownIn(dataDir), name), 'utf8').catch(() => '');
  const reserved = FolderSchema.safeParse(parseJsonOrUndefined(text)).data;
  const known = (await knownAccounts(dataDir)).filter((account) => account.folder === folder);
  if (![...known, ...(reserved === undefined ? [] : [reserved])].some(isOther)) return;
  throw new VideoHostingError(
    'data_folder_failed',
    sentence`The service told two accounts for this key. Nothing was sent, and what is kept of the one is not shown for the other.`,
    { facts: { outcome: 'nothing-sent' }, hint: 'Call again; if that ends in the same way, set a new key of the account.' },
  );
}

/** Is there until somebody was told that the credential joined the account. */
const untoldIn = (dataDir: string, folder: string, credential: string): string =>
  join(credentialsIn(dataDir, folder), `${credential}.untold`);

/** Notes that a credential is of the account with a folder. Returns whether it was new there. Throws `data_folder_failed`. */
export async function noteCredential(dataDir: string, folder: string, credential: string): Promise<boolean> {
  await createFile(credentialsIn(dataDir, folder), basename(untoldIn(dataDir, folder, credential)), '');
  return createFile(credentialsIn(dataDir, folder), credential, '');
}

/** Whether nobody was told yet that a credential joined the account, which of all processes only one learns. */
export async function takeUntold(dataDir: string, folder: string, credential: string): Promise<boolean> {
  const removed = await unlink(untoldIn(dataDir, folder, credential)).catch(() => 'absent');
  return removed === undefined;
}

/** Those that are noted with the account of a folder. */
export async function credentialsOf(dataDir: string, folder: string): Promise<readonly string[]> {
  return [...new Set([folder, ...(await namesIn(credentialsIn(dataDir, folder))).filter((name) => !name.includes('.'))])];
}

/** Creates a file unless it is there, durably. Returns whether it was not. Throws `data_folder_failed`. */
export async function createFile(folder: string, name: string, text: string): Promise<boolean> {
  try {
    await makeFolder(folder);
    const isNew = await linkExclusive(join(folder, `${name}.${randomUUID()}.new`), text, join(folder, name));
    if (isNew) await fsyncFolder(folder);
    return isNew;
  } catch (cause) {
    throw new VideoHostingError(
      'data_folder_failed',
      sentence`Which account a key is of can’t be noted (${diskReason(cause)}). Nothing was sent.`,
      { cause, facts: { outcome: 'nothing-sent' } },
    );
  }
}

/** Each call asks for the accounts that are known, and mostly none is: then nothing is handed to another thread and waited for. */
const namesIn = async (folder: string): Promise<string[]> => (existsSync(folder) ? readdir(folder).catch(() => []) : []);
