import { createHash, randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { diskError } from '../../../errors/disk-error.ts';
import { refusal } from '../../../errors.ts';
import { exists, linkExclusive, makeFolder } from '../../../platform/files.ts';
import { sentence } from '../../../text/sentence.ts';
import type { ViewWriter } from '../contract.ts';

const FIRST = 'views';
/** In the first folder, the address of the analytics API that its views are from. */
const NOTE = 'stats-address';
const OTHERS = /^views-[0-9a-f]{12}$/;

/**
 * The folder for the views that an analytics API has of an account, in `folder`, which is the account’s: `views` for the first
 * address, and one for each that is set later, since nothing tells whether two of them have the same views. What was stored
 * before addresses were noted is taken for that of the address that is set now.
 */
export async function viewsFolderOf(folder: string, address: string): Promise<string> {
  const first = join(folder, FIRST);
  if ((await addressIn(first)) === undefined && (await exists(join(first, 'manifest'))))
    await noteAddress(first, address).catch((error: unknown) => {
      // What is held is answered on a full disk too.
      if (diskError(error) === undefined) throw error;
    });
  if (((await addressIn(first)) ?? address) === address) return first;
  return join(folder, `${FIRST}-${createHash('sha256').update(address).digest('hex').slice(0, 12)}`);
}

/** All of them that are there. */
export async function viewsFoldersIn(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder).catch(() => []);
  return names.filter((name) => name === FIRST || OTHERS.test(name)).map((name) => join(folder, name));
}

/** The same writer, which notes the address before it stores anything. Another process may have noted another one meanwhile. */
export function notingAddress(writer: ViewWriter, folder: string, address: string): ViewWriter {
  return {
    ...writer,
    async open() {
      if ((await addressIn(folder)) === undefined) await noteAddress(folder, address);
      if ((await addressIn(folder)) !== address)
        throw refusal(
          'data_folder_failed',
          sentence`Views of another analytics API are kept here since this server was started, and the two are kept apart.`,
          'Restart this server.',
        );
      return writer.open();
    },
  };
}

const addressIn = (folder: string): Promise<string | undefined> => readFile(join(folder, NOTE), 'utf8').catch(() => undefined);

async function noteAddress(folder: string, address: string): Promise<void> {
  const temporary = join(folder, 'tmp');
  await makeFolder(temporary);
  await linkExclusive(join(temporary, `${process.pid}-${randomUUID()}.address`), address, join(folder, NOTE));
}
