import * as z from 'zod';
import { isTimeZone } from '../../platform/time-zones.ts';
import { type Sentence, sentence, word } from '../../text/sentence.ts';
import { RULED_TEXTS } from '../plan/channel-fields.ts';
import { dayIn, daysBetween } from './days.ts';

/** The file of standing approvals: what a person allowed in advance. Each object is strict: what is not known here allows nothing. */

/** An approval ends within so many days. */
const MAX_DAYS_AHEAD = 92;

const Name = z.string().min(1).max(200);
/** An id binds; the name is for whoever reads the file. */
const Ref = z.strictObject({
  id: Name.describe('The id of the record, from list_projects or list_channels; of a video, its id. It binds: a name does not count here.'),
  name: Name.optional().describe('For whoever reads the file; it does not bind.'),
});
const Limit = z.int().min(1);
const limits = {
  perChange: Limit.optional().describe('At most so many in one change.'),
  perDay: Limit.describe('At most so many in one calendar day of the file’s time zone.'),
  total: Limit.optional().describe('At most so many in all, for as long as the approval has this id.'),
};
/** Absolute, of this system. */
const Path = z.string().min(1).max(4_096).describe('Absolute path of a list of video ids: only those count.');

const refs = (what: string) => z.array(Ref).min(1).describe(what);
const channels = refs('The channels that it is about.');
const fields = z.array(z.enum(RULED_TEXTS)).min(1).describe('Which of their texts.');

const rule = <Kind extends string, Scope extends z.ZodRawShape>(kind: Kind, allows: string, scope: Scope) =>
  z.strictObject({ kind: z.literal(kind).describe(allows), ...scope, ...limits });

const Rule = z.discriminatedUnion('kind', [
  rule('move_videos', 'Moves of videos into projects, where it is said where they come from. Its limits count videos.', {
    to: refs('The projects that videos may be moved into.'),
    onlyIdsIn: Path.optional(),
  }),
  rule('add_videos', 'Videos that are added to channels. Its limits count videos.', { channels }),
  rule('reorder_videos', 'Another order of the videos in channels. Its limits count channels.', { channels }),
  rule('change_texts', `Another ${RULED_TEXTS.join(' or ')} of channels. Its limits count channels.`, { channels, fields }),
  rule('copy_cta', 'Copies of CTAs to videos that never had them. Its limits count the videos that get them.', {
    from: refs('The videos whose CTAs may be copied.'),
  }),
  rule('undo_own', 'The undo of what this agent did under a standing approval. Its limits count changes.', {}),
]);
export type Rule = z.output<typeof Rule>;
export type RuleKind = Rule['kind'];
export const RULE_KINDS: readonly RuleKind[] = Rule.options.map(({ shape }) => shape.kind.value);
export type RuleOf<Kind extends RuleKind> = Extract<Rule, { kind: Kind }>;

/** The records that a rule names. */
export function namedIn(rule: Rule) {
  if ('to' in rule) return { record: 'project', refs: rule.to } as const;
  if ('channels' in rule) return { record: 'channel', refs: rule.channels } as const;
  return { record: 'video', refs: 'from' in rule ? rule.from : [] } as const;
}

const Approval = z.strictObject({
  id: z
    .string()
    .regex(/^[a-z0-9][a-z0-9-]{0,63}$/, 'must be small letters, digits and hyphens')
    .describe('Names the approval in receipts, and revokes it. An id that was revoked never counts again.'),
  /** The name in the agent’s own setting. */
  for: Name.describe('VIDEO_HOSTING_AGENT of the agent’s server. Capital letters count.'),
  /** It ends as this day begins, in the file’s time zone. */
  until: z.iso.date().describe('The approval ends as this day begins, so the day before is its last; at most 92 days ahead.'),
  note: z.string().max(500).optional().describe('For whoever reads the file.'),
  allow: z.array(Rule).min(1).describe('What the agent may do unasked.'),
});
export type StandingApproval = z.output<typeof Approval>;

/** In the words of `schemaProblem` where it is no greater one. */
const versionProblem = ({ input }: { readonly input?: unknown }): string | undefined =>
  Number.isSafeInteger(input) && Number(input) > 1 ? 'is of a newer version of this program, and this one knows 1 alone' : undefined;

export const StandingFileSchema = z.strictObject({
  $schema: z.string().optional().describe('For editors.'),
  version: z.literal(1, { error: versionProblem }).describe('Of this format.'),
  timeZone: z
    .string()
    .refine(isTimeZone, 'must be a time zone such as Europe/Berlin')
    .describe('Days begin and end in it, whatever the zone of the machine.'),
  approvals: z.array(Approval).describe('None: nothing is covered.'),
});
export type StandingFile = z.output<typeof StandingFileSchema>;

/** `problem`: with a full stop. */
export interface FileProblem {
  readonly path: readonly PropertyKey[];
  readonly problem: Sentence;
}

/** What is wrong with a file whose shape is right. */
export function problemsIn({ approvals, timeZone }: StandingFile, now: Date): FileProblem[] {
  const today = dayIn(timeZone, now);
  return approvals.flatMap(({ id, until }, index) => [
    ...(approvals.findIndex((other) => other.id === id) < index
      ? [{ path: ['approvals', index, 'id'], problem: sentence`${word(id)} is that of an earlier approval.` }]
      : []),
    ...(daysBetween(today, until) > MAX_DAYS_AHEAD
      ? [{ path: ['approvals', index, 'until'], problem: sentence`must be a day at most ${MAX_DAYS_AHEAD} days ahead of ${word(today)}.` }]
      : []),
  ]);
}
