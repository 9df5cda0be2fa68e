import { type EmailFilter, eachMeant, type LeftOut } from '../../account/collected-emails.ts';
import type { Client } from '../../service/client.ts';
import type { CollectedEmail } from '../../service/resources/emails.ts';
import type { ChangePlanner, ItemPlan, Run } from '../plan.ts';
import { type EmailFormat, writeEmails } from './email-file.ts';
import { createExportFile, exportFolder } from './export-file.ts';

export interface EmailRelease {
  readonly client: Client;
  readonly filter: EmailFilter;
  /** The filter in words, for a person and the journal. */
  readonly described: string;
  /** How many are meant; adds to `leftOut` what could not be judged. */
  readonly count: (leftOut: LeftOut) => Promise<number>;
}

const NOTHING_CHANGES = { possible: 'no' as const, how: 'Nothing in the account changes.' };

/** Plans a file of collected emails for people: it changes nothing in the account, and is confirmed all the same. */
export function planEmailExport(release: EmailRelease, format: EmailFormat, filesDirs: readonly string[]): ChangePlanner {
  return async () => {
    const folder = await exportFolder(filesDirs);
    const leftOut = { unreadable: 0, undated: 0 };
    const records = await release.count(leftOut);
    if (records === 0) return nothingPlan(release, 'export_emails', 'to export, and no file is written', leftOut);
    return releasePlan(release, 'export_emails', records, {
      summary: `Write ${records} collected emails (${release.described}) to a ${format.toUpperCase()} file.`,
      lines: [`Into the folder ${JSON.stringify(folder)}, readable by its owner alone.`],
      apply: async (run) => {
        const skipped = { unreadable: 0, undated: 0 };
        const day = new Date().toISOString().slice(0, 10);
        const { path, written } = await createExportFile(folder, `collected-emails-${day}`, format, (write) =>
          writeEmails(format, meant(release, run.stop, skipped), write),
        );
        return { path, records: written, ...skipped };
      },
    });
  };
}

/** Plans to show some collected emails to the assistant. They are handed to `show`, and nowhere else. */
export function planEmailShow(release: EmailRelease, most: number, show: (records: readonly CollectedEmail[]) => void): ChangePlanner {
  return async () => {
    const leftOut = { unreadable: 0, undated: 0 };
    const records = Math.min(most, await release.count(leftOut));
    if (records === 0) return nothingPlan(release, 'show_emails', 'to show', leftOut);
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

/** Nobody is asked about nothing. */
function nothingPlan({ described }: EmailRelease, kind: ItemPlan['kind'], end: string, { unreadable, undated }: LeftOut): ItemPlan {
  const unsure = unreadable + undated === 0 ? '' : ` ${unreadable + undated} could not be judged: unreadable, or without a time.`;
  const summary = `There are no collected emails (${described}): nothing ${end}.${unsure}`;
  const preview = { summary, warnings: [], lines: [], onFailure: '', undo: NOTHING_CHANGES };
  return { kind, preview, items: [], apply: async () => {} };
}

function meant({ client, filter }: EmailRelease, signal: AbortSignal, leftOut?: LeftOut): AsyncGenerator<CollectedEmail> {
  return eachMeant(client.emails.collected(signal), filter, leftOut);
}
