import { createHash, randomBytes } from 'node:crypto';
import { type FileHandle, open, realpath, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { stringify } from 'csv-stringify/sync';
import { type EmailFilter, isMeant } from '../account/collected-emails.ts';
import { VideoHostingError } from '../errors.ts';
import type { Client } from '../service/client.ts';
import type { CollectedEmail } from '../service/emails.ts';
import type { ChangePlanner, ItemPlan, Run } from './plan.ts';

export interface EmailRelease {
  readonly client: Client;
  readonly filter: EmailFilter;
  /** The filter in words, for a person and the journal. */
  readonly described: string;
  readonly count: () => Promise<number>;
}

const FIELDS = ['fullName', 'email', 'mobileNumber', 'videoKey', 'channelKey', 'created'] as const;
const ROWS_AT_ONCE = 1_000;

const NOTHING_CHANGES = { possible: 'no' as const, how: 'Nothing in the account changes.' };

/** Plans a file of collected emails for people: it changes nothing in the account, and is confirmed all the same. */
export function planEmailExport(release: EmailRelease, format: 'csv' | 'json', filesDirs: readonly string[]): ChangePlanner {
  return async () => {
    const [folder] = filesDirs;
    if (folder === undefined)
      throw new VideoHostingError('file_refused', 'No folder for files is set, so nothing can be exported.', {
        hint: 'Set VIDEO_HOSTING_FILES_DIR to the folder that exports go to and restart the server.',
        facts: { outcome: 'nothing-sent' },
      });
    const records = await release.count();
    return releasePlan(release, 'export_emails', records, {
      summary: `Write ${records} collected emails (${release.described}) to a ${format.toUpperCase()} file.`,
      lines: [`Into the folder ${JSON.stringify(folder)}, readable by its owner alone.`],
      apply: async (run) => {
        const path = await writeExport(release, format, folder, run.stop);
        return { path: path.path, records: path.records };
      },
    });
  };
}

/** Plans to show some collected emails to the assistant. They are handed to `show`, and nowhere else. */
export function planEmailShow(release: EmailRelease, most: number, show: (records: readonly CollectedEmail[]) => void): ChangePlanner {
  return async () => {
    const records = Math.min(most, await release.count());
    return releasePlan(release, 'show_emails', records, {
      summary: `Show ${records} collected emails (${release.described}) to the assistant, with names, addresses and numbers.`,
      lines: ['They become part of the conversation, and go wherever it goes.'],
      apply: async (run) => {
        const shown: CollectedEmail[] = [];
        for await (const record of meant(release, run.stop)) {
          shown.push(record);
          if (shown.length >= most) break;
        }
        show(shown);
        return { records: shown.length };
      },
    });
  };
}

interface ReleaseSteps {
  readonly summary: string;
  readonly lines: readonly string[];
  readonly apply: (run: Run) => Promise<Record<string, unknown>>;
}

function releasePlan(
  { described }: EmailRelease,
  kind: ItemPlan['kind'],
  records: number,
  { summary, lines, apply }: ReleaseSteps,
): ItemPlan {
  const item = { id: 'emails', label: 'Collected emails', seen: null, before: {}, after: { filter: described, records } };
  return {
    kind,
    preview: { summary, warnings: ['This is personal data of viewers.'], lines, onFailure: '', undo: NOTHING_CHANGES },
    items: [item],
    apply: async (run) => {
      await run.sending(item.id);
      const result = await apply(run);
      await run.record(item.id, { outcome: 'done', result });
    },
  };
}

async function* meant({ client, filter }: EmailRelease, signal: AbortSignal): AsyncGenerator<CollectedEmail> {
  for await (const record of client.emails.collected(signal)) if (isMeant(record, filter)) yield record;
}

/** Written under another name first, so that half a file never looks like a whole one. */
async function writeExport(
  release: EmailRelease,
  format: 'csv' | 'json',
  folder: string,
  signal: AbortSignal,
): Promise<{ path: string; records: number }> {
  const day = new Date().toISOString().slice(0, 10);
  const name = `collected-emails-${day}-${createHash('sha256').update(randomBytes(16)).digest('hex').slice(0, 8)}.${format}`;
  const path = join(await realpath(folder), name);
  const partial = `${path}.part`;
  const handle = await open(partial, 'wx', 0o600);
  try {
    const records = await (format === 'csv' ? writeCsv(handle, meant(release, signal)) : writeJson(handle, meant(release, signal)));
    await handle.sync();
    await handle.close();
    await rename(partial, path);
    return { path, records };
  } catch (error) {
    await handle.close().catch(() => undefined);
    await rm(partial, { force: true });
    throw error;
  }
}

async function inBatches(
  records: AsyncIterable<CollectedEmail>,
  write: (batch: readonly CollectedEmail[], first: boolean) => Promise<void>,
): Promise<number> {
  let batch: CollectedEmail[] = [];
  let written = 0;
  for await (const record of records) {
    batch.push(record);
    if (batch.length < ROWS_AT_ONCE) continue;
    await write(batch, written === 0);
    written += batch.length;
    batch = [];
  }
  await write(batch, written === 0);
  return written + batch.length;
}

function writeCsv(handle: FileHandle, records: AsyncIterable<CollectedEmail>): Promise<number> {
  return inBatches(records, async (batch, first) => {
    const rows = batch.map((record) => FIELDS.map((field) => record[field] ?? ''));
    const header = first ? stringify([[...FIELDS]]) : '';
    // What a spreadsheet would take for a formula is kept from being one.
    await handle.appendFile(header + stringify(rows, { escape_formulas: true }));
  });
}

async function writeJson(handle: FileHandle, records: AsyncIterable<CollectedEmail>): Promise<number> {
  await handle.appendFile('[');
  const count = await inBatches(records, async (batch, first) => {
    const texts = batch.map((record) => JSON.stringify(Object.fromEntries(FIELDS.map((field) => [field, record[field]]))));
    if (texts.length > 0) await handle.appendFile(`${first ? '\n' : ',\n'}${texts.join(',\n')}`);
  });
  await handle.appendFile('\n]\n');
  return count;
}
