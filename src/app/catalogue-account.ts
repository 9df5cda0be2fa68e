import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Catalogue } from '../account/catalogue.ts';
import { createFile, type KnownAccount, knownIn } from './known-accounts.ts';

interface CatalogueAccount {
  readonly read: () => Promise<Catalogue | undefined>;
  readonly file: string | undefined;
  readonly dataDir: string;
  /** The account, where it is known. */
  readonly account: () => Promise<KnownAccount | undefined>;
}

/**
 * Reads a catalogue with whether it is another account’s. The service lists no videos, so nothing tells whose ids a list has; what is known is
 * with which account the file, as it is now, was first used. A file that is exported anew begins anew.
 */
export function ofItsAccount({ read, file, dataDir, account }: CatalogueAccount): () => Promise<Catalogue | undefined> {
  let known: { readonly stamp: string; readonly isOfOther: boolean } | undefined;

  async function isOfOther(path: string): Promise<boolean> {
    const info = await stat(path).catch(() => undefined);
    const stamp = `${path}\0${info?.mtimeMs}\0${info?.size}`;
    if (known?.stamp === stamp) return known.isOfOther;
    const own = await account();
    if (own === undefined) return false;
    const name = `${createHash('sha256').update(stamp).digest('hex').slice(0, 24)}.catalogue`;
    // Without the note it is not told; nothing else depends on it.
    const isNew = await createFile(knownIn(dataDir), name, own.accountId).catch(() => true);
    const first = isNew ? own.accountId : await readFile(join(knownIn(dataDir), name), 'utf8').catch(() => '');
    known = { stamp, isOfOther: first !== '' && first !== own.accountId };
    return known.isOfOther;
  }

  return async () => {
    const catalogue = await read();
    if (catalogue === undefined || file === undefined || catalogue.unusable !== undefined) return catalogue;
    return (await isOfOther(file)) ? { ...catalogue, isOfOther: true } : catalogue;
  };
}
