import * as z from 'zod';
import { CHANNEL_STATUS, nameOf, numberOf, PLAN_TYPES, PROJECT_PLAN_TYPES, TEMPLATE_STATUS } from '../account/plan-types.ts';
import { labelOf, type Referable } from '../account/references.ts';
import type { VideoHostingError } from '../errors.ts';
import { isKnownField } from '../privacy/fields.ts';
import type { Page, Pager } from '../service/list.ts';
import type { Channel, Template } from '../service/resources/channels.ts';
import type { Plan } from '../service/resources/plans.ts';
import type { Project } from '../service/resources/projects.ts';
import { cleanText } from '../service/sanitize-text.ts';

/** What tools answer for each record: the service's own field names, with names beside the numbers that have documented ones. */

const text = z.string().optional();
const number = z.number().optional();

export const PagerOut = z.looseObject({ page: number, totalPages: number, totalResults: number, sort: text });
export const ChannelOut = z.looseObject({
  id: z.string(),
  key: text,
  name: text,
  description: text,
  version: number,
  planType: number,
  planTypeName: text,
  templateKey: text,
  status: number,
  statusName: text,
  created: text,
  updated: text,
});
export const TemplateOut = z.looseObject({
  key: z.string(),
  name: text,
  planType: number,
  planTypeName: text,
  status: number,
  statusName: text,
  usable: z.boolean().optional(),
});
export const ProjectOut = z.looseObject({ id: z.string(), key: text, name: text, region: text, planType: number, planTypeName: text });
export const PlanOut = z.looseObject({ id: z.string(), name: text, type: number, status: number });

/** Without the fields that are absent: `undefined` is not JSON. For each record of a page, so it makes nothing else. */
function present<T extends object>(fields: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  const shown = {} as { [K in keyof T]: Exclude<T[K], undefined> }; // only what has no value is left out
  for (const name in fields) if (fields[name] !== undefined) shown[name] = fields[name] as Exclude<T[typeof name], undefined>;
  return shown;
}

export function pagerOut({ page, totalPages, totalResults, sort }: Pager) {
  return present({ page, totalPages, totalResults, sort });
}

/** How many records of a page could not be used, if any. */
export function skippedOut({ skipped, problems }: Pick<Page<unknown>, 'skipped' | 'problems'>) {
  if (skipped === 0) return {};
  const first = problems.slice(0, 3).map(({ field, problem }) => `${field}: ${problem}`);
  return { skipped: `${skipped} records could not be read (${first.join('; ')}).` };
}

/** Of a record that only a list shows: what the service answered when it was asked for by itself. */
export function listedOnlyOut(what: 'channel' | 'project', refusal: VideoHostingError | undefined) {
  if (refusal === undefined) return {};
  return { note: `This is the list’s record: the ${what} can’t be read by itself. ${refusal.message}` };
}

/** What was nearly searched for, where a search found nothing. */
export function nearestOut({ items, near, searched }: { items: readonly unknown[]; near: readonly Referable[]; searched: number }) {
  if (items.length > 0 || searched === 0) return {};
  const none = `None of the ${searched} names comes near that; without search they are listed.`;
  return { nearest: near.length === 0 ? none : `The nearest names: ${near.map(labelOf).join(', ')}.` };
}

/** Says so where a list came in another order than the one that was asked for. */
export function sortedOut(asked: string | undefined, { sort }: Pager) {
  const [wanted, applied] = [orderOf(asked), orderOf(sort)];
  if (wanted === '' || applied === '' || applied === wanted) return {};
  return { sorted: `Not in the order that was asked for: the service says it is ${JSON.stringify(cleanText(applied, 60))}.` };
}

/** The documented ways to write the same order: `name`, `name:1`; `-name`, `name:-1`. */
const orderOf = (sort = ''): string =>
  sort
    .trim()
    .toLowerCase()
    .replace(/^-(.*)/, '$1:-1')
    .replace(/:1$/, '');

export function channelOut({ id, key, name, description, version, planType, templateKey, status, created, updated }: Channel) {
  const planTypeName = nameOf(PLAN_TYPES, planType);
  const statusName = nameOf(CHANNEL_STATUS, status);
  return present({ id, key, name, description, version, planType, planTypeName, templateKey, status, statusName, created, updated });
}

export function templateOut({ key, name, planType, status, created }: Template, accountPlanType: number | undefined) {
  const usable = accountPlanType === undefined ? undefined : isUsable({ planType, status }, accountPlanType);
  return present({
    key,
    name,
    planType,
    planTypeName: nameOf(PLAN_TYPES, planType),
    status,
    statusName: nameOf(TEMPLATE_STATUS, status),
    created,
    usable,
  });
}

/** The documented rule ("Plan types"). What a template doesn't tell of itself makes it unusable. */
function isUsable({ planType, status }: { planType?: number | undefined; status?: number | undefined }, accountPlanType: number): boolean {
  return status === 1 && planType !== undefined && planType <= accountPlanType;
}

export function projectOut(project: Project, detail: 'short' | 'full') {
  const { id, key, name, description, region, planType, status, created, updated, options, videoOptions } = project;
  const planTypeName = nameOf(PROJECT_PLAN_TYPES, planType);
  const short = { id, key, name, description, region, planType, planTypeName, status, created, updated };
  return present(
    detail === 'short'
      ? short
      : { ...short, options: optionsOut('options', options), videoOptions: optionsOut('videoOptions', videoOptions) },
  );
}

/** Options that are not documented are shown as long as they are no text: of that nobody can tell what it tells. */
function optionsOut(within: 'options' | 'videoOptions', options: object | undefined): Readonly<Record<string, unknown>> | undefined {
  if (options === undefined) return undefined;
  const shown = Object.entries(options).filter(
    ([name, value]) => isKnownField('project', `${within}.${name}`) || typeof value === 'boolean' || typeof value === 'number',
  );
  return present(Object.fromEntries(shown));
}

export function planOut({ id, name, description, type, storePlanType, frequency, status, channelKeys, videoKeys, created, updated }: Plan) {
  return present({ id, name, description, type, storePlanType, frequency, status, channelKeys, videoKeys, created, updated });
}

// Arguments that several tools share.

const accountPlanNames = Object.values(PLAN_TYPES);

/** A plan type of accounts, by name or number. */
export const planTypeArgument = z
  .union([z.enum(accountPlanNames), z.literal([1, 2, 3, 4])], { error: `expected one of ${accountPlanNames.join(', ')} or 1 to 4` })
  .transform((value) => numberOf(PLAN_TYPES, value))
  .optional();

/** A project's plan type, by name or number. */
export const projectPlanTypeArgument = z
  .union([z.enum(['standard', 'edge']), z.literal([1, 2])], { error: 'expected standard (1) or edge (2)' })
  .transform((value): 1 | 2 => (numberOf(PROJECT_PLAN_TYPES, value) === 2 ? 2 : 1))
  .optional();

export const referenceArgument = (what: string) => z.string().min(1).max(500).describe(`${what} id, key or exact name`);
export const pageArgument = z.int().min(1).max(1_000_000).optional();
export const sizeArgument = z.int().min(1).max(100).optional();
export const sortArgument = z.string().max(60).optional().describe('Created:1, Created:-1');
