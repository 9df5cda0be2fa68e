import { createEmailCounter, type EmailFilter, eachMatching, MIN_PEOPLE, type SkippedEmails } from '../../../account/collected-emails.ts';
import { createExportFile, exportFolder, type Fill } from '../../../files/export-file.ts';
import { EMAIL_FILES } from '../../../files/named-files.ts';
import { definedFields } from '../../../platform/defined-fields.ts';
import type { ServiceClient } from '../../../service/client.ts';
import type { CollectedEmail } from '../../../service/resources/emails.ts';
import { inFull } from '../../../text/counted.ts';
import { inQuotes, joined, type Sentence, sentence, word } from '../../../text/sentence.ts';
import type { Notice, NoticeOf } from '../../notices/notices.ts';
import type { ChangePlanner, ItemOutcome, ItemPlan, ItemRun } from '../../plan/plan.ts';
import type { Result } from '../../plan/records.ts';
import type { EMAIL_TRAITS } from '../../plan/traits/emails.ts';
import type { EmailDownloads } from './email-downloads.ts';
import { apostrophesIn, EMAIL_FIELDS, type EmailFormat, writeEmails } from './email-file.ts';
import type { FoundFilter } from './email-filter.ts';

export interface EmailRelease extends FoundFilter {
  readonly client: ServiceClient;
}

/** Where a file of emails goes. */
export interface EmailTarget {
  readonly goes: NoticeOf<'goes_into_folder' | 'goes_onto_page'>;
  /** What of it the journal keeps. */
  readonly create: (name: string, ending: string, fill: Fill) => Promise<Pick<Result, 'path' | 'download'>>;
}

/** Into the folder for files. Throws `file_refused` where there is none. */
export async function intoFolder(filesDirs: readonly string[]): Promise<EmailTarget> {
  const folder = await exportFolder(filesDirs);
  return {
    goes: { kind: 'goes_into_folder', folder: inQuotes(folder, folder.length) },
    create: async (...file) => ({ path: await createExportFile(folder, ...file) }),
  };
}

/** To the people whose browsers may save it. */
export const ontoPage = (downloads: Pick<EmailDownloads, 'create'>): EmailTarget => ({
  goes: { kind: 'goes_onto_page' },
  create: async (...file) => ({ download: await downloads.create(...file) }),
});

/** Plans a file of collected emails. It changes nothing in the account, and is confirmed all the same. */
export function planEmailExport(
  release: EmailRelease,
  format: EmailFormat,
  targetOf: () => Promise<EmailTarget> | EmailTarget,
): ChangePlanner {
  return async ({ signal }) => {
    const { goes, create } = await targetOf();
    return releasePlan(release, signal, {
      kind: 'export_emails',
      summary: (emails) => sentence`Write ${emails} to a ${word(format.as.toUpperCase())} file${fieldsText(format)}`,
      goes,
      ifNone: sentence`to export, and no file is written`,
      apostrophesIn: (record) => apostrophesIn(format, record),
      apply: async ({ stop }) => {
        const skipped: SkippedEmails = { unreadable: 0, undated: 0 };
        const { pass, people } = createPeopleCounter();
        const day = new Date().toISOString().slice(0, 10);
        let records = 0;
        let apostrophes = 0;
        const file = await create(`${EMAIL_FILES}-${day}`, format.as, async (write) => {
          const tallied = tally(pass(matching(release, stop, skipped)), (record) => {
            apostrophes += apostrophesIn(format, record);
          });
          records = await writeEmails(format, tallied, write);
        });
        const { unreadable } = skipped;
        if (isSmallDomain(release.filter, people())) return { ...file, unreadable };
        return { ...file, records, people: people(), apostrophes, ...skipped };
      },
    });
  };
}

/** `, of each only email and created`; nothing where the file has all fields. */
const fieldsText = ({ fields }: EmailFormat): Sentence =>
  fields.length === EMAIL_FIELDS.length
    ? sentence``
    : sentence`, of each only ${joined(
        fields.map((field) => word(field)),
        ' and ',
      )}`;

/** Plans to show the first collected emails to the assistant. They are given to `show` and written nowhere. */
export function planEmailShow(release: EmailRelease, max: number, show: (records: readonly CollectedEmail[]) => void): ChangePlanner {
  return async ({ signal }) =>
    releasePlan(release, signal, {
      kind: 'show_emails',
      max,
      summary: (emails) => sentence`Show ${emails} to the assistant, with names, addresses and numbers`,
      goes: { kind: 'goes_into_conversation' },
      ifNone: sentence`to show`,
      apply: async ({ stop }, { most, isSmall }) => {
        const shown: CollectedEmail[] = [];
        // More may have been collected since the plan.
        for await (const record of matching(release, stop)) if (shown.push(record) >= most) break;
        show(shown);
        return isSmall ? {} : { records: shown.length };
      },
    });
}

interface ReleaseSteps {
  readonly kind: keyof typeof EMAIL_TRAITS;
  readonly max?: number;
  /** `emails`: how many, by which filter. */
  readonly summary: (emails: Sentence) => Sentence;
  /** Where they go. */
  readonly goes: NoticeOf<'goes_into_folder' | 'goes_onto_page' | 'goes_into_conversation'>;
  /** The end of the sentence that there is nothing. */
  readonly ifNone: Sentence;
  /** How many of its values are given out with an apostrophe. */
  readonly apostrophesIn?: (record: CollectedEmail) => number;
  readonly apply: (run: ItemRun, told: Told) => Promise<ItemOutcome['result']>;
}

/** What the person was told of how many they are. */
interface Told {
  readonly most: number;
  /** They are of one domain and of so few people that their number is not told. */
  readonly isSmall: boolean;
}

export const NO_UNDO = sentence`Nothing in the account changes; what is given out can’t be taken back.`;

async function releasePlan(release: EmailRelease, signal: AbortSignal, steps: ReleaseSteps): Promise<ItemPlan> {
  const { described, filter, channelId } = release;
  const facts = definedFields({ channel: channelId });
  const { kind, max = Number.POSITIVE_INFINITY, ifNone } = steps;
  const skipped = { unreadable: 0, undated: 0 };
  const { pass, people } = createPeopleCounter();
  let [matches, apostrophes] = [0, 0];
  for await (const record of pass(matching(release, signal, skipped))) {
    matches += 1;
    apostrophes += steps.apostrophesIn?.(record) ?? 0;
  }
  // A domain that nobody has is asked about like one of few people: else every guess of a domain would be answered.
  const isSmall = isSmallDomain(filter, people());
  const records = isSmall ? max : Math.min(max, matches);
  const common = { onFailure: sentence``, undo: { possible: 'no', how: NO_UNDO } as const };
  if (records === 0) {
    const total = skipped.unreadable + skipped.undated;
    const meaning = total === 0 ? undefined : sentence`${total} could not be judged: unreadable, or without a time.`;
    const summary = sentence`There are no collected emails (${described}): nothing ${ifNone}`;
    return { kind, facts, preview: { summary, meaning, notices: [], ...common }, items: [], apply: async () => {} };
  }
  const emails = isSmall
    ? sentence`${Number.isFinite(max) ? sentence`up to ${max}` : 'the'} collected emails of fewer than ${MIN_PEOPLE} people, or none (${described})`
    : sentence`${inFull(records)} collected emails (${described})`;
  const told: Notice[] = isSmall ? [{ kind: 'emails_not_counted' }] : apostrophes > 0 ? [{ kind: 'apostrophes', count: apostrophes }] : [];
  const after = { filter: described, ...(isSmall ? {} : { records }) };
  return {
    kind,
    facts,
    preview: {
      summary: steps.summary(emails),
      notices: [{ kind: 'personal_data' }, steps.goes, ...told],
      ...common,
    },
    items: [{ id: 'emails', label: sentence`Collected emails`, seen: null, before: {}, after }],
    apply: async (run) => {
      await run.sending('emails');
      await run.record('emails', { outcome: 'done', result: await steps.apply(run, { most: records, isSmall }) });
    },
  };
}

/** Whether so few people of one domain match that their number would tell of a person. */
const isSmallDomain = ({ emailDomain }: EmailFilter, people = Number.POSITIVE_INFINITY): boolean =>
  emailDomain !== undefined && people < MIN_PEOPLE;

function matching({ client, filter }: EmailRelease, signal: AbortSignal, skipped?: SkippedEmails): AsyncGenerator<CollectedEmail> {
  return eachMatching(client.emails.collected(signal), filter, skipped);
}

async function* tally(records: AsyncIterable<CollectedEmail>, add: (record: CollectedEmail) => void) {
  for await (const record of records) {
    add(record);
    yield record;
  }
}

/** Counts the people of records that pass through; undefined if they are more than can be counted. */
function createPeopleCounter() {
  let counter: ReturnType<typeof createEmailCounter> | undefined = createEmailCounter();
  return {
    people: () => counter?.total().people,
    async *pass(records: AsyncIterable<CollectedEmail>) {
      for await (const record of records) {
        try {
          counter?.add(record);
        } catch {
          counter = undefined;
        }
        yield record;
      }
    },
  };
}
