import { join } from 'node:path';
import type { Settings } from '../config/settings.ts';

export type FolderSettings = Pick<Settings, 'dataDir' | 'filesDirs'>;

/** In the data folder, a folder for each account. */
export const accountsIn = (dataDir: string): string => join(dataDir, 'accounts');

/** The journal, in the folder of an account. */
export const changesIn = (accountFolder: string): string => join(accountFolder, 'changes');

/** What was revoked, for all accounts. */
export const revokedIn = (dataDir: string): string => join(dataDir, 'revoked-approvals.jsonl');

/** The folders that this server writes to, where no file of approvals may lie. */
export const ownFolders = ({ dataDir, filesDirs }: FolderSettings): readonly string[] => [dataDir, ...filesDirs];
