import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { viewsFingerprint } from '../account/identity.ts';
import { resolveSpan } from '../analytics/resolve/dates.ts';
import { createConnection } from '../analytics/storage/clickhouse/connection.ts';
import { forgetInStore } from '../analytics/storage/clickhouse/forget.ts';
import { forgetViews } from '../analytics/storage/folder/forget.ts';
import { viewsFoldersIn } from '../analytics/storage/folder/views-folder.ts';
import { notedFolders } from '../app/account-folder.ts';
import { accountsIn, emailsIn, reportsIn, viewsIn, withKeyIn } from '../app/folders.ts';
import { credentialsOf } from '../app/known-accounts.ts';
import { missingSettings, type Settings } from '../config/settings.ts';
import { readStoreAddress } from '../config/store-address.ts';
import { counted } from '../text/counted.ts';
import { ownCommand } from '../text/own-command.ts';
import { sentence, word } from '../text/sentence.ts';
import { EXIT, type ExitCode, notSet, type Surroundings, TELLS_ACCOUNT } from './surroundings.ts';

/** Removes the cached views and the reports of the account in the settings. Nothing is sent to the service. */
export async function forget({ config, print, log }: Surroundings): Promise<ExitCode> {
  const { settings, options } = config;
  const { baseUrl, apiKey } = settings;
  if (settings.demo) {
    print('Nothing is kept of the demo account.\n');
    return EXIT.done;
  }
  if (baseUrl === undefined || apiKey === undefined)
    throw notSet(missingSettings(settings), TELLS_ACCOUNT, [
      sentence`Or remove the folder ${word(accountsIn(settings.dataDir), 1_000)} to remove everything of every account.`,
    ]);
  const { all, isNew } = await notedFolders({ ...settings, baseUrl, apiKey });
  const upToMs = options.to === undefined ? undefined : endOf(options.to);
  // The shared store first: if that fails, nothing was removed on this machine yet.
  const inStore = await removeFromStore(settings, { baseUrl, apiKey }, upToMs, log);
  const gone = await forgetIn(all, upToMs);
  const until = gone.upToMs === undefined ? '' : ` up to ${new Date(gone.upToMs - 1).toISOString().slice(0, 10)}`;
  if (gone.views === undefined)
    print(
      'All cached views and all reports of this account were removed from this machine. The list of the views was damaged, so it is not known how many they were.\n',
    );
  else print(`${counted(gone.views, 'view')}${until} and all reports of this account were removed from this machine.\n`);
  const others = upToMs === undefined ? await otherAccounts(settings.dataDir, all) : 0;
  if (others > 0)
    print(
      sentence`What is kept of ${counted(others, 'other account')} stays. Run it with a key of each; to remove everything of every account, its history too, remove the folder ${word(accountsIn(settings.dataDir), 1_000)}.` +
        '\n',
    );
  if (inStore !== undefined) print(`${inStore.views.toLocaleString('en')} views were removed from the analytics store.\n`);
  if (upToMs !== undefined && Math.max(gone.upToMs ?? 0, inStore?.upToMs ?? 0) > upToMs)
    print('Days after the one asked for were kept in the same files; they are read again when a question needs them.\n');
  if (isNew) log(newKey());
  for (const path of gone.left) log(`Could not be removed, perhaps because a program has it open: ${path}. Run the same command again.`);
  return gone.left.length === 0 ? EXIT.done : EXIT.failed;
}

/** How many folders are of other accounts, or of keys whose account is not known. */
async function otherAccounts(dataDir: string, own: readonly string[]): Promise<number> {
  const names = await readdir(accountsIn(dataDir)).catch(() => []);
  const taken = new Set(own.map((path) => basename(path)));
  const joined = await Promise.all(names.map((name) => credentialsOf(dataDir, name)));
  // A key’s own folder, left when the key joined an account, is no other account.
  const noted = new Set(joined.flatMap((credentials, index) => credentials.filter((one) => one !== names[index])));
  return names.filter((name) => /^[0-9a-f]{24}$/.test(name) && !taken.has(name) && !noted.has(name)).length;
}

const newKey = () =>
  sentence`This key is new here, and which account it is of was never read: what other keys of the account have here was not removed. Run \`${ownCommand('doctor')}\` with this key first, which asks the service, then the same command again.`;

/** Removes them from the folders of an account and of its keys. */
async function forgetIn(folders: readonly string[], upToMs: number | undefined) {
  const gone: Awaited<ReturnType<typeof forgetViews>>[] = [];
  for (const folder of folders.flatMap((one) => [one, withKeyIn(one)]))
    for (const views of new Set([viewsIn(folder), ...(await viewsFoldersIn(folder))]))
      gone.push(await forgetViews({ folder: views, alsoEmpty: [reportsIn(folder), emailsIn(folder), join(folder, 'tmp')], upToMs }));
  const counts = gone.map(({ views }) => views);
  const ends = gone.flatMap((one) => one.upToMs ?? []);
  return {
    views: counts.every((views) => views !== undefined) ? counts.reduce((sum, views) => sum + views, 0) : undefined,
    upToMs: ends.length === 0 ? undefined : Math.max(...ends),
    left: gone.flatMap(({ left }) => left),
  };
}

/** Removes them from the store too, if there is one: also for the others who share it. */
async function removeFromStore(
  { analyticsStore, analyticsStorePassword }: Settings,
  key: { readonly baseUrl: string; readonly apiKey: string },
  upToMs: number | undefined,
  log: (message: string) => void,
) {
  const address = analyticsStore === undefined ? undefined : readStoreAddress(analyticsStore);
  if (address === undefined || 'problem' in address) return undefined;
  const connection = await createConnection({ address, password: analyticsStorePassword, log });
  try {
    // Also those of the other setting.
    const without = await forgetInStore(connection, viewsFingerprint({ ...key, statsAuth: 'none' }), upToMs);
    const withKey = await forgetInStore(connection, viewsFingerprint({ ...key, statsAuth: 'bearer' }), upToMs);
    return { views: without.views + withKey.views, upToMs: Math.max(without.upToMs ?? 0, withKey.upToMs ?? 0) };
  } finally {
    await connection.close();
  }
}

/** Before any view. */
const FIRST_DAY = '2000-01-01';

/** The end of the day or period, which is removed as a whole. */
function endOf(to: string): number {
  return resolveSpan({ from: FIRST_DAY, to }, Date.now()).toMs;
}
