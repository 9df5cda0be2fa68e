import * as z from 'zod';
import {
  createEmailCounter,
  EMAIL_GROUPS,
  type EmailCount,
  type EmailFilter,
  type EmailGroup,
  eachMatching,
  MIN_PEOPLE,
  OTHERS,
  type SkippedEmails,
} from '../../account/collected-emails.ts';
import { shownName } from '../../account/references.ts';
import { askedAs, resolveSpan } from '../../analytics/resolve/dates.ts';
import { EMAIL_FIELDS, type EmailFormat } from '../../changes/kinds/emails/email-file.ts';
import { domainOf, findEmailFilter, yearAgo } from '../../changes/kinds/emails/email-filter.ts';
import { type EmailRelease, intoFolder, planEmailExport, planEmailShow } from '../../changes/kinds/emails/plan-email-export.ts';
import { planOf } from '../../changes/kinds/planners.ts';
import { apostrophesText } from '../../changes/notices/other-notices.ts';
import type { ChangePlanner } from '../../changes/plan/plan.ts';
import { invalidArguments } from '../../errors/field-problems.ts';
import { definedFields } from '../../platform/defined-fields.ts';
import type { Values } from '../../platform/is-object.ts';
import { DAY_MS } from '../../platform/time-units.ts';
import type { CollectedEmail } from '../../service/resources/emails.ts';
import { counted } from '../../text/counted.ts';
import { joined, type Sentence, sentence, word } from '../../text/sentence.ts';
import { sentenceOut, unlisted } from '../answer/answer-schema.ts';
import { assertMayCall } from '../call/assert-role.ts';
import { defineExport, type Release, type ToolContext } from '../define-tool.ts';
import { referenceArgument } from '../schemas/shapes.ts';

const MAX_SHOWN = 50;
const TOO_FEW = sentence`Fewer than ${MIN_PEOPLE} people with that domain match, or none. They are not counted, since such a domain may be a person’s own.`;
const NOT_COUNTED = sentence`Emails of fewer than ${MIN_PEOPLE} people with that domain, or none: how many, the file alone tells.`;
const NOT_ALLOWED = sentence`is only possible where VIDEO_HOSTING_PERSONAL_DATA is "allowed".`;
const WITHOUT_RECORDS = 'Ask for counts, without showRecords';
const PEOPLE = sentence`people: different email addresses; a record without one counts by its number, else its name. Each counts once, and in each group once.`;

const input = {
  groupBy: z.enum(EMAIL_GROUPS).optional(),
  from: z.string().max(40).optional(),
  to: z.string().max(40).optional(),
  videoKey: z.string().max(200).optional(),
  channel: referenceArgument('Channel').optional(),
  emailDomain: z
    .string()
    .refine((domain) => domainOf(domain) !== undefined, 'expected a domain such as example.com, not an address.')
    .optional(),
  exportAs: z.enum(['csv', 'json']).optional().describe('File with whole addresses for people, once a person confirmed'),
  fields: z.array(z.enum(EMAIL_FIELDS)).min(1).optional().describe('Of the file; default all'),
  showRecords: z.boolean().optional().describe('Shows up to 50 whole, once the user confirmed'),
};

type Args = z.output<z.ZodObject<typeof input>>;

export const getCollectedEmails = defineExport({
  name: 'get_collected_emails',
  title: 'Count or export collected emails',
  description:
    'Counts of the emails (leads) that viewers left in the last year, per video and channel; not linked to viewers, views or watch time. Names and addresses stay out of the counts. No mail can be sent.',
  input,
  output: {
    total: z.looseObject({ records: z.number(), people: z.number() }).optional(),
    groups: z.array(z.looseObject({ key: z.string().nullable(), records: z.number(), people: z.number() })).optional(),
    path: z.string().optional(),
    written: z.number().optional(),
    people: z.number().optional(),
    columns: z.array(z.string()).optional(),
    records: z.array(z.looseObject({})).optional(),
    note: sentenceOut().optional(),
    meaning: sentenceOut().optional(),
    filter: unlisted(sentenceOut()),
    skipped: unlisted(sentenceOut()),
  },
  cuttable: ['groups', 'records'],
  run: async (args, context) => {
    const { filter, described } = await filterOf(args, context);
    const isOneDomain = filter.emailDomain !== undefined;
    const counter = createEmailCounter(args.groupBy, isOneDomain ? false : undefined);
    const skipped: SkippedEmails = { unreadable: 0, undated: 0 };
    for await (const record of eachMatching(context.client.emails.collected(context.signal), filter, skipped)) counter.add(record);
    const asked = { period: periodOf(filter), filter: described };
    if (isOneDomain && counter.total().people < MIN_PEOPLE)
      // What was counted of that domain alone would tell whether somebody has it; what can't be read has none.
      return { note: TOO_FEW, ...asked, skipped: skippedText({ unreadable: skipped.unreadable, undated: 0 }) };
    const common = { ...asked, skipped: skippedText(skipped) };
    if (counter.total().records === 0 && (filter.toMs ?? Number.POSITIVE_INFINITY) <= yearAgo())
      return { note: sentence`How many there were is not known.`, ...common };
    const groups = args.groupBy && (await withNames(counter.groups(), args.groupBy, context));
    const without =
      withoutText(skipped.withoutChannel, 'channel') ?? withoutText(groups?.find(({ key }) => key === null)?.records, args.groupBy);
    const others = args.groupBy && groups?.some(({ key }) => key === OTHERS) === true ? [othersText(args.groupBy, isOneDomain)] : [];
    const texts = [...(without === undefined ? [] : [without]), ...others];
    const note = texts.length === 0 ? undefined : joined(texts);
    const meaning = counter.total().people === 0 ? undefined : PEOPLE;
    return { total: counter.total(), groupBy: args.groupBy, groups, meaning, note, ...common };
  },
  release: (args, context) => {
    if (args.exportAs !== undefined && args.showRecords)
      throw invalidArguments([{ field: sentence`showRecords`, problem: sentence`and exportAs are two things: ask for one.` }]);
    if (args.exportAs === undefined && args.fields !== undefined)
      throw invalidArguments([{ field: sentence`fields`, problem: sentence`are those of a file: give exportAs too.` }]);
    if (args.exportAs !== undefined) {
      const format = { as: args.exportAs, fields: [...new Set(args.fields ?? EMAIL_FIELDS)] };
      if (context.settings.sharedAt !== undefined) return downloadOf(args, format, context);
      let asked: Values = {};
      return {
        planner: async (read) => {
          const release = await releaseOf(args, context, read.signal);
          asked = { period: periodOf(release.filter), filter: release.described };
          return planEmailExport(release, format, () => intoFolder(context.settings.filesDirs))(read);
        },
        result: ({ path, records, people, apostrophes = 0, unreadable = 0, undated = 0, withoutChannel }) => {
          const notes = records === undefined ? [NOT_COUNTED] : [withoutText(withoutChannel, 'channel'), apostrophesText(apostrophes)];
          const note = joined(notes.filter((text) => text !== undefined));
          return {
            ...{ path, written: records, people, columns: format.fields, ...asked },
            ...{ meaning: WHOLE, note: note === '' ? undefined : note, skipped: skippedText({ unreadable, undated }) },
          };
        },
      };
    }
    if (!args.showRecords) return undefined;
    const { personalData, filesDirs, sharedAt } = context.settings;
    if (personalData !== 'allowed') {
      const hint = sentence`${WITHOUT_RECORDS}${filesDirs.length > 0 || sharedAt !== undefined ? ', or use exportAs: people then get a file' : ''}.`;
      throw invalidArguments([{ field: sentence`showRecords`, problem: NOT_ALLOWED }], hint);
    }
    let shown: readonly CollectedEmail[] = [];
    const planner: ChangePlanner = async (read) =>
      planEmailShow(await releaseOf(args, context, read.signal), MAX_SHOWN, (records) => {
        shown = records;
      })(read);
    return {
      planner,
      result: () => ({ records: shown.map((record) => Object.fromEntries(EMAIL_FIELDS.map((name) => [name, record[name]]))) }),
    };
  },
});

/** A file that people download on the page of a server for several, once somebody approved it there. */
function downloadOf({ videoKey, channel, emailDomain, ...args }: Args, format: EmailFormat, context: ToolContext): Release {
  assertMayCall(context.call.person, sentence`exportAs`, 'change');
  const kept = { ...format, ...definedFields({ ...pinned(args), videoKey, channel, emailDomain }) };
  return {
    kept: { tool: 'export_emails', args: kept },
    planner: planOf('export_emails', kept, context),
    // It waits for somebody to approve it: what came of it is told by get_change.
    result: () => ({}),
  };
}

const GROUP_NAMES: Readonly<Record<EmailGroup, string>> = {
  video: 'videos',
  channel: 'channels',
  day: 'days',
  month: 'months',
  emailDomain: 'domains',
};

/** What is masked is masked for the assistant alone. */
const WHOLE = sentence`The file has these columns whole, with nothing masked, for people; this answer has none of it.`;

/** What the group of small groups holds. */
const othersText = (groupBy: EmailGroup, isOneDomain: boolean): Sentence =>
  sentence`${OTHERS}: the ${word(GROUP_NAMES[groupBy])} with fewer than ${MIN_PEOPLE} people${isOneDomain ? ', and the next larger ones that hide how few these are,' : ''} together.`;

/** Says how many records can't be told apart by what was asked for. */
const withoutText = (count = 0, what = ''): Sentence | undefined =>
  count > 0 && (what === 'channel' || what === 'video')
    ? sentence`${count} ${count === 1 ? 'record names' : 'records name'} no ${what}, so where they belong is not known.`
    : undefined;

function skippedText({ unreadable, undated }: SkippedEmails): Sentence | undefined {
  const parts = [
    ...(unreadable > 0 ? [sentence`${counted(unreadable, 'record')} could not be read.`] : []),
    ...(undated > 0
      ? [sentence`${counted(undated, 'record')} ${undated === 1 ? 'tells no time, so it is' : 'tell no time, so they are'} left out.`]
      : []),
  ];
  return parts.length === 0 ? undefined : joined(parts);
}

/** Dates and times as they are written, and those that the words mean which `query_analytics` takes. */
function pinned({ from, to }: Args): Pick<Args, 'from' | 'to'> {
  if (from === undefined || /^\d{4}-\d{2}-\d{2}/.test(from)) return { from, to };
  const { fromMs, toMs, isOpen } = resolveSpan({ from, to }, Date.now());
  return { from: new Date(fromMs).toISOString(), to: isOpen ? undefined : new Date(toMs).toISOString() };
}

/** The days that are counted, both included, in UTC; moments where the filter has them. Undefined where none is. */
function periodOf({ fromMs = 0, toMs }: EmailFilter) {
  const [first, end] = [startOfDay(yearAgo()), toMs ?? startOfDay(Date.now()) + DAY_MS];
  if (end <= first) return undefined;
  return askedAs({ fromMs: Math.max(fromMs, first), toMs: end, zone: 'UTC', isOpen: toMs === undefined });
}

const startOfDay = (ms: number): number => ms - (ms % DAY_MS);

const filterOf = (args: Args, context: ToolContext) => findEmailFilter({ ...args, ...pinned(args) }, context);

async function releaseOf(args: Args, context: ToolContext, signal: AbortSignal): Promise<EmailRelease> {
  return { client: context.client, ...(await filterOf(args, { ...context, signal })) };
}

/** Adds the names of channels, and the titles of videos in the catalogue. */
async function withNames(groups: readonly EmailCount[], groupBy: EmailGroup, { account, catalogue, signal, progress }: ToolContext) {
  const channels = groupBy === 'channel' ? await account.allChannels({ signal, progress }) : [];
  const names = new Map<string | undefined, string>(channels.map((channel) => [channel.key, shownName(channel)]));
  const videos = groupBy === 'video' ? await catalogue() : undefined;
  return groups.map(({ key, ...counts }) => ({ key, name: names.get(key ?? '') ?? videos?.byKey(key ?? '')?.title, ...counts }));
}
