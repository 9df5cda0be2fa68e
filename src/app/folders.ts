import { join } from 'node:path';
import type { Settings } from '../config/settings.ts';

export type FolderSettings = Pick<Settings, 'dataDir' | 'filesDirs'>;

/** In the data folder, a folder for each account, and for each credential whose account is not known. */
export const accountsIn = (dataDir: string): string => join(dataDir, 'accounts');

/** The journal, in the folder of an account. */
export const changesIn = (accountFolder: string): string => join(accountFolder, 'changes');

/** The chain of records of the changes. */
export const auditIn = (accountFolder: string): string => join(accountFolder, 'audit');

/** What waits on disk for a person. */
export const keptIn = (accountFolder: string): string => join(accountFolder, 'kept');

/** Decisions on requests, for all processes. */
export const decidedIn = (accountFolder: string): string => join(accountFolder, 'decided');

/** Collected emails that people download, on a server for several. */
export const emailsIn = (accountFolder: string): string => join(accountFolder, 'emails');

export const viewsIn = (accountFolder: string): string => join(accountFolder, 'views');
/** In the folder of a credential, what follows from views that were asked for with it: the service may show others of the account fewer. */
export const withKeyIn = (credentialFolder: string): string => join(credentialFolder, 'with-key');
/** A file of earlier versions: the views and reports beside it were asked for with the credential that the folder is named after. */
export const viewsOfKeyIn = (accountFolder: string): string => join(accountFolder, 'views-of-one-key');
export const reportsIn = (accountFolder: string): string => join(accountFolder, 'reports');

/** The folders in that of an account, which need not be there. */
export function partsOf(accountFolder: string): readonly string[] {
  const withKey = withKeyIn(accountFolder);
  const ofViews = [accountFolder, withKey].flatMap((folder) => [viewsIn(folder), reportsIn(folder), join(folder, 'tmp')]);
  return [
    changesIn(accountFolder),
    auditIn(accountFolder),
    keptIn(accountFolder),
    decidedIn(accountFolder),
    emailsIn(accountFolder),
    withKey,
    ...ofViews,
  ];
}

/** What was revoked, for all accounts. */
export const revokedIn = (dataDir: string): string => join(dataDir, 'revoked-approvals.jsonl');

/** The folders that this server writes to, where no file of approvals may lie. */
export const ownFolders = ({ dataDir, filesDirs }: FolderSettings): readonly string[] => [dataDir, ...filesDirs];
