import * as z from 'zod';
import type { Contents } from '../../account/contents.ts';
import { nameOf, numberFor, PLAN_TYPES, PROJECT_PLAN_TYPES, TEMPLATE_STATUS } from '../../account/plan-types.ts';
import type { SearchResult } from '../../account/record-finder.ts';
import { candidatesText, type Referable, renamedText } from '../../account/references.ts';
import { foundPage } from '../../account/search.ts';
import { contentsOut } from '../../changes/kinds/channels/contents-out.ts';
import type { VideoHostingError } from '../../errors.ts';
import { isKnownField } from '../../privacy/fields.ts';
import type { Pager, RecordPage } from '../../service/list.ts';
import type { Channel, Template } from '../../service/resources/channels.ts';
import type { Plan } from '../../service/resources/plans.ts';
import type { Project } from '../../service/resources/projects.ts';
import { counted, inFull } from '../../text/counted.ts';
import { cleanText } from '../../text/sanitize-text.ts';
import { inQuotes, joined, type Sentence, sentence } from '../../text/sentence.ts';
import { listed, sentenceOut, unlisted } from '../answer/answer-schema.ts';
import { emptyIsAValue } from '../call/coerce-arguments.ts';

// The records in answers: the service's own field names. A number that has a documented name is shown by it, and what is
// empty is left out. Lists show days, single records times.

export const text = z.string().optional();
export const number = z.number().optional();
/** The documented name of a number, or the number. */
export const named = z.union([z.string(), z.number()]).optional();

export const PagerOut = z.looseObject({ page: number, totalPages: number, totalResults: number, sort: text });
export const TemplateOut = z.looseObject({
  key: z.string(),
  name: text,
  planType: named,
  status: named,
  usable: z.boolean().optional(),
  /** What tells it apart from others of its name. */
  sameName: unlisted(sentenceOut()),
});
export const ProjectOut = z.looseObject({
  id: listed(z.string()),
  key: text,
  name: listed(z.string().optional()),
  region: text,
  planType: named,
});
export const PlanOut = z.looseObject({ id: z.string(), name: text, type: number, status: number });

/** What there may be to note about a list. */
export const listNotes = {
  sorted: unlisted(sentenceOut()),
  skipped: unlisted(sentenceOut()),
  nearest: unlisted(sentenceOut()),
  renamed: unlisted(sentenceOut()),
};

/** A page of a list, with what there is to note about it; `sort` is the order that was asked for. */
export function pageOut<T>(found: RecordPage<T>, sort: string | undefined) {
  const { page, totalPages, totalResults, sort: applied } = found.pager;
  const pager = { page, totalPages, totalResults, sort: applied };
  return { pager, items: found.items, ...sortedOut(sort, found.pager), ...skippedOut(found) };
}

/** A note if records of a page did not match the schema. */
export function skippedOut({ skipped, problems }: Pick<RecordPage<unknown>, 'skipped' | 'problems'>) {
  if (skipped === 0) return {};
  const first = problems.slice(0, 3).map(({ field, problem }) => sentence`${field}: ${problem}`);
  return { skipped: sentence`${counted(skipped, 'record')} could not be read (${joined(first, '; ')}).` };
}

/** A page of a list, or of the matches of a search over all pages, with what there is to note about it. */
export async function listOrSearch<T extends Referable>(
  text: string | undefined,
  query: Parameters<typeof foundPage>[1],
  list: () => Promise<RecordPage<T>>,
  search: (text: string) => Promise<SearchResult<T>>,
) {
  if (text === undefined || text.trim() === '') return pageOut(await list(), query.sort);
  const found = await search(text);
  return { ...foundPage(found.items, query), ...skippedOut(found), ...nearestOut(found), ...renamedOut(found) };
}

/** What was found by names that it has no more. */
const renamedOut = ({ former }: SearchResult<Referable>) =>
  former.length === 0 ? {} : { renamed: joined(former.map((one) => renamedText(one.former, one.record))) };

/** The nearest names, if a search found nothing. */
function nearestOut({ items, near, searched }: SearchResult<Referable>) {
  if (items.length > 0 || searched === 0) return {};
  const none = sentence`None of the ${searched} names comes near that; without search they are listed.`;
  return { nearest: near.length === 0 ? none : sentence`The nearest names: ${candidatesText(near)}.` };
}

/** For a record that only the list shows: the service's error when it was read by itself. */
export function listedOnlyNotes(what: 'channel' | 'project', refusal: VideoHostingError | undefined): Sentence[] {
  return refusal === undefined ? [] : [sentence`This is the list’s record: the ${what} can’t be read by itself. ${refusal.message}`];
}

/** A note if the service did not apply the order that was asked for. */
function sortedOut(asked: string | undefined, { sort }: Pager) {
  const [wanted, applied] = [orderOf(asked), orderOf(sort)];
  if (wanted === '' || applied === '' || applied === wanted) return {};
  return { sorted: sentence`Not in the order that was asked for: the service says it is ${inQuotes(applied, 60)}.` };
}

/** The documented ways to write the same order: `name`, `name:1`; `-name`, `name:-1`. */
const orderOf = (sort = ''): string =>
  sort
    .trim()
    .toLowerCase()
    .replace(/^-(.*)/, '$1:-1')
    .replace(/:1$/, '');

/** Whose word a channel's contents are, and what to do where they are not known. */
export function contentsSource(contents: Contents, channel: Channel) {
  const found = contentsOut(contents, channel);
  return { ...found, source: found.source, next: found.next };
}

/** One number is documented; no other template can be used. */
function templateStatus(status: number | undefined): string | undefined {
  if (status === undefined) return undefined;
  return status === 1 ? TEMPLATE_STATUS[status] : `not active (${status})`;
}

export function templateOut({ key, name, planType, status }: Template, accountPlanType: number | undefined) {
  // The documented rule ("Plan types").
  const usable = accountPlanType === undefined ? undefined : status === 1 && planType !== undefined && planType <= accountPlanType;
  return filled({ key, name, planType: nameOf(PLAN_TYPES, planType), status: templateStatus(status), usable });
}

export function projectOut(project: Project) {
  const { id, key, name, description, region, planType, status, created, updated, options, videoOptions } = project;
  return filled({
    ...{ id, key, name, description, region, planType: nameOf(PROJECT_PLAN_TYPES, planType), status, created, updated },
    options: optionsOut('options', options),
    videoOptions: optionsOut('videoOptions', videoOptions),
  });
}

/** A project in a list. */
export function listedProjectOut({ id, key, name, description, region, planType, created, updated }: Project) {
  const names = { planType: nameOf(PROJECT_PLAN_TYPES, planType) };
  return filled({ id, key, name, region, ...names, created: dayOf(created), updated: dayOf(updated), description: briefText(description) });
}

/** The documented options, and undocumented numbers and booleans. An undocumented text could hold personal data. */
function optionsOut(within: 'options' | 'videoOptions', options: object | undefined): Readonly<Record<string, unknown>> | undefined {
  if (options === undefined) return undefined;
  const shown = Object.entries(options).filter(
    ([name, value]) => isKnownField('project', `${within}.${name}`) || typeof value === 'boolean' || typeof value === 'number',
  );
  return filled(Object.fromEntries(shown));
}

export function planOut({ id, name, description, type, storePlanType, frequency, status, channelKeys, videoKeys, created, updated }: Plan) {
  const days = { created: dayOf(created), updated: dayOf(updated) };
  return filled({ id, name, description, type, storePlanType, frequency, status, channelKeys, videoKeys, ...days });
}

/** Without what is empty. */
export function filled<T extends object>(record: T): T {
  const kept: Partial<T> = {};
  for (const name in record) if (!isEmpty(record[name])) kept[name] = record[name];
  // A field that is left out has no value in the type either.
  return kept as T;
}

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);

export const dayOf = (time: unknown): string | undefined => (typeof time === 'string' ? time.slice(0, 'YYYY-MM-DD'.length) : undefined);

const MAX_BRIEF = 60;
/** A description as a list shows it. */
export const briefText = (text: unknown): string | undefined => (typeof text === 'string' ? cleanText(text, MAX_BRIEF) : undefined);

// Arguments that several tools share.

const accountPlanNames = Object.values(PLAN_TYPES);

/** A plan type of accounts, by name or number. */
export const planTypeArgument = z
  .union([z.enum(accountPlanNames), z.literal([1, 2, 3, 4])], { error: `expected one of ${accountPlanNames.join(', ')} or 1 to 4.` })
  .transform((value) => numberFor(PLAN_TYPES, value))
  .optional();

/** A project's plan type, by name or number. */
export const projectPlanTypeArgument = z
  .union([z.enum(['standard', 'edge']), z.literal([1, 2])], { error: 'expected standard (1) or edge (2).' })
  .transform((value): 1 | 2 => (numberFor(PROJECT_PLAN_TYPES, value) === 2 ? 2 : 1))
  .optional();

// Limits of these are left out of the schema, which every user's context pays for many times.
// The words are made when they are needed: a number in words has Node load what it knows of languages, which takes milliseconds.
export const textOf = (min: number, max: number) =>
  z.string().refine(({ length }) => length >= min && length <= max, { error: () => `must have ${min} to ${inFull(max)} characters.` });
export const referenceArgument = (what: string) => textOf(1, 500).describe(`${what} id, key or exact name`);
/** A list of videos or projects. */
export const keysArgument = z
  .array(textOf(1, 200))
  .refine((keys) => keys.length <= 20_000, 'must have at most 20,000 entries.')
  .optional();
/** Empty where none is wanted. */
export const descriptionArgument = (max: number) => emptyIsAValue(z.string().max(max).optional());
/** How long a call waits for a change that runs. */
export const waitSecondsArgument = z.number().min(0).max(3_600).optional();
/** The name of a column of a file. */
export const columnArgument = textOf(1, 200).optional();
export const fileArgument = textOf(0, 1_000).optional();
export const pageArgument = z.int().min(1).max(1_000_000).optional();
export const sizeArgument = z.int().min(1).max(100).optional();
export const sortArgument = z.string().max(60).optional().describe('Created:-1 is newest first');
