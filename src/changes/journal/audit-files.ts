import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isShortage } from '../../platform/files.ts';

/** Where a chain lies, and the changes that it tells of. */
export interface ChainFiles {
  /** Of the account, for the chain alone. */
  readonly folder: string;
  readonly file: string;
  /** The folder of the journal. */
  readonly changes: string;
  fileOf(changeId: string): string;
}

/** The file, in a folder of the account’s own. */
export const chainFileIn = (folder: string): string => join(folder, 'chain.jsonl');

export const chainFiles = (folder: string, changes: string): ChainFiles => ({
  ...{ folder, file: chainFileIn(folder), changes },
  fileOf: (changeId) => join(changes, `${changeId}.jsonl`),
});

/** Undefined for what is no file, is not there, or can’t be read; a machine that is short of something tells nothing of it. */
export function changeBytes(file: string): Buffer | undefined {
  try {
    // To open a pipe would wait for whoever writes into it.
    return statSync(file).isFile() ? readFileSync(file) : undefined;
  } catch (error) {
    if (isShortage(error)) throw error;
    return undefined;
  }
}
