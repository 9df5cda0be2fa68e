import * as z from 'zod';
import { dayIn, daysBetween } from './days.ts';

/** The file of standing approvals: what a person allowed in advance. Each object is strict: what is not known here allows nothing. */

/** An approval ends within so many days. */
const MAX_DAYS_AHEAD = 92;

const Name = z.string().min(1).max(200);
/** An id binds; the name is for whoever reads the file. */
const Ref = z.strictObject({ id: Name, name: Name.optional() });
const Refs = z.array(Ref).min(1);
const Limit = z.int().min(1);
const limits = { perChange: Limit.optional(), perDay: Limit, total: Limit.optional() };
/** Absolute, of this system. */
const Path = z.string().min(1).max(4_096);

const Rule = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('move_videos'), to: Refs, onlyIdsIn: Path.optional(), ...limits }),
  z.strictObject({ kind: z.literal('add_videos'), channels: Refs, ...limits }),
  z.strictObject({ kind: z.literal('reorder_videos'), channels: Refs, ...limits }),
  z.strictObject({
    kind: z.literal('change_texts'),
    channels: Refs,
    fields: z.array(z.enum(['name', 'description'])).min(1),
    ...limits,
  }),
  z.strictObject({ kind: z.literal('copy_cta'), from: Refs, ...limits }),
  z.strictObject({ kind: z.literal('undo_own'), ...limits }),
]);
export type Rule = z.output<typeof Rule>;
export type RuleKind = Rule['kind'];
export type RuleOf<Kind extends RuleKind> = Extract<Rule, { kind: Kind }>;

const Approval = z.strictObject({
  id: z.string().regex(/^[a-z0-9][a-z0-9-]{0,63}$/, 'expected small letters, digits and hyphens'),
  /** The name in the agent’s own setting. */
  for: Name,
  /** It ends as this day begins, in the file’s time zone. */
  until: z.iso.date(),
  note: z.string().max(500).optional(),
  allow: z.array(Rule).min(1),
});
export type StandingApproval = z.output<typeof Approval>;

export const StandingFileSchema = z.strictObject({
  version: z.literal(1),
  /** Days begin and end in it. */
  timeZone: z.string().refine(isTimeZone, 'expected a time zone such as "Europe/Berlin"'),
  approvals: z.array(Approval).min(1),
});
export type StandingFile = z.output<typeof StandingFileSchema>;

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

export interface FileProblem {
  readonly path: readonly PropertyKey[];
  readonly problem: string;
}

/** What is wrong with a file whose shape is right. */
export function problemsIn({ approvals, timeZone }: StandingFile, now: Date): FileProblem[] {
  const today = dayIn(timeZone, now);
  return approvals.flatMap(({ id, until }, index) => [
    ...(approvals.findIndex((other) => other.id === id) < index
      ? [{ path: ['approvals', index, 'id'], problem: `${id} is the id of an earlier approval` }]
      : []),
    ...(daysBetween(today, until) > MAX_DAYS_AHEAD
      ? [{ path: ['approvals', index, 'until'], problem: `expected a day at most ${MAX_DAYS_AHEAD} days ahead of ${today}` }]
      : []),
  ]);
}
