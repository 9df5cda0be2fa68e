import { randomUUID } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import type { Settings } from '../../config/settings.ts';
import { makeFolder, moveFile, removeIfPossible, writeDurably } from '../../platform/files.ts';
import { parseJsonOrUndefined } from '../../platform/parse-json.ts';
import { digestOf } from '../../platform/stable-json.ts';
import { type Sentence, sentence } from '../../text/sentence.ts';
import type { ClientIdentity } from './form-clients.ts';

const RecordSchema = z.object({
  client: z.string(),
  version: z.string(),
  mode: z.string(),
  how: z.enum(['cancelled', 'declined', 'unanswered']),
  at: z.string().refine((text) => !Number.isNaN(Date.parse(text))),
});

/** That a client declares forms and draws none: what it did with one that nobody saw, and when. */
export type UnseenForm = Pick<z.output<typeof RecordSchema>, 'how' | 'at'>;

/** Of one person, so many clients are remembered, and so long. */
const MAX_KEPT = 50;
const MAX_AGE_MS = 90 * 86_400_000;

/** Removes what is too old, and all but the latest. */
async function prune(folder: string): Promise<void> {
  const paths = (await readdir(folder)).map((name) => join(folder, name));
  // Another process may remove one meanwhile.
  const found = await Promise.all(
    paths.map(async (path) =>
      stat(path).then(
        ({ mtimeMs }) => [{ path, mtimeMs }],
        () => [],
      ),
    ),
  );
  const newestFirst = found.flat().toSorted((one, other) => other.mtimeMs - one.mtimeMs);
  const oldest = Date.now() - MAX_AGE_MS;
  for (const [index, { path, mtimeMs }] of newestFirst.entries()) if (index >= MAX_KEPT || mtimeMs < oldest) await removeIfPossible(path);
}

/**
 * The clients that draw no forms, a file for each name, so that processes that write at once lose nothing. A file that
 * can't be read counts as none, so that a form is asked for. `mode`: how the client was started, where that is known. `isBounded`: any
 * number of names may come.
 */
export function createUnseenForms(folder: string, mode = '', isBounded = false) {
  const fileOf = ({ name }: ClientIdentity): string => join(folder, `${digestOf(name, mode).slice(0, 16)}.json`);
  return {
    mode,
    /** What is remembered of this version of the client. */
    async find(client: ClientIdentity): Promise<UnseenForm | undefined> {
      const text = await readFile(fileOf(client), 'utf8').catch(() => '');
      const { data } = RecordSchema.safeParse(parseJsonOrUndefined(text));
      return data?.client === client.name && data.version === client.version && data.mode === mode ? data : undefined;
    },
    /** Returns whether it could be written. */
    async remember(client: ClientIdentity, how: UnseenForm['how']): Promise<boolean> {
      const temporary = `${fileOf(client)}.${randomUUID()}.new`;
      try {
        await makeFolder(folder);
        const record = { client: client.name, version: client.version, mode, how, at: new Date().toISOString() };
        await writeDurably(temporary, JSON.stringify(record));
        await moveFile(temporary, fileOf(client));
        if (isBounded) await prune(folder);
        return true;
      } catch {
        await removeIfPossible(temporary);
        return false;
      }
    },
    /** A person was shown a form. */
    forget: (client: ClientIdentity): Promise<void> => removeIfPossible(fileOf(client)),
  };
}

export type UnseenForms = ReturnType<typeof createUnseenForms>;

/** In the data folder, for all accounts. */
export const unseenFormsIn = ({ dataDir, clientMode }: Pick<Settings, 'dataDir' | 'clientMode'>): UnseenForms =>
  createUnseenForms(join(dataDir, 'unseen-forms'), clientMode);

/**
 * The same of links that a client declines to have opened, for one person: a colleague’s client may ask. `userAgent`: some clients tell in it
 * whether somebody sits at them.
 */
export const unseenLinksIn = ({ dataDir }: Pick<Settings, 'dataDir'>, personId: string, userAgent: string): UnseenForms =>
  createUnseenForms(join(dataDir, 'unseen-forms', personId), `link ${userAgent}`, true);

const DONE = { cancelled: 'cancelled a form at once', declined: 'declined a form at once', unanswered: 'left a form unanswered' } as const;

/** A sentence that tells why a client is asked in another way. */
export const unseenText = (how: UnseenForm['how']): Sentence => sentence`This client ${DONE[how]}, so it seems to show none.`;
