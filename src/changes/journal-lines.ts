import * as z from 'zod';

/** The lines of a change's file in the journal: one intent, then what was sent and what became of it, then the end. */

const Seen = z.object({ version: z.number().nullable(), updated: z.string().nullable() }).nullable();
const Fields = z.record(z.string(), z.unknown());

const Item = z.object({ id: z.string(), label: z.string(), seen: Seen, before: Fields, after: Fields });

export const IntentSchema = z.object({
  type: z.literal('intent'),
  format: z.literal(1),
  changeId: z.string(),
  kind: z.enum(['create_channel', 'update_channels', 'create_project', 'undo_change', 'move_videos', 'copy_cta']),
  at: z.string(),
  /** Who agreed: a person in a form, a person through the assistant's token, or the operator's setting for all. */
  confirmedBy: z.enum(['form', 'token', 'never']),
  process: z.object({ pid: z.number(), host: z.string(), started: z.string() }),
  summary: z.string(),
  warnings: z.array(z.string()),
  undo: z.object({ possible: z.enum(['yes', 'partly', 'no']), how: z.string() }),
  onFailure: z.string(),
  facts: Fields,
  items: z.array(Item),
});

const SendingSchema = z.object({ type: z.literal('sending'), at: z.string(), id: z.string() });

const OutcomeSchema = z.object({
  type: z.literal('outcome'),
  at: z.string(),
  id: z.string(),
  outcome: z.enum(['done', 'failed', 'unknown', 'not_done']),
  reason: z.string().optional(),
  seen: Seen.optional(),
  result: Fields.optional(),
});

const EndSchema = z.object({
  type: z.literal('end'),
  at: z.string(),
  status: z.enum(['applied', 'partly_applied', 'stopped', 'failed']),
  message: z.string().optional(),
});

export const LineSchema = z.discriminatedUnion('type', [IntentSchema, SendingSchema, OutcomeSchema, EndSchema]);

export type Intent = z.output<typeof IntentSchema>;
export type Line = z.output<typeof LineSchema>;
export type JournalItem = z.output<typeof Item>;
