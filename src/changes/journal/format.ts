import * as z from 'zod';
import { ProcessSchema } from '../../platform/process-liveness.ts';
import { CHANGE_KINDS } from '../plan.ts';

/** The lines of a change's file in the journal: one intent, then what was sent and what became of it, then the end. */

const Seen = z.object({ version: z.number().nullable(), updated: z.string().nullable() }).nullable();
const Fields = z.record(z.string(), z.unknown());

/** What sums and comparisons of times rest on. */
const Time = z.string().refine((text) => !Number.isNaN(Date.parse(text)));

/** More than any change may have; a number that was damaged can be anything. */
const MAX_IDS = 2 ** 24;
const Place = z.int().min(0).max(MAX_IDS);

const OutcomeName = z.enum(['done', 'failed', 'unknown', 'not_done']);

const Item = z.object({
  id: z.string(),
  label: z.string(),
  seen: Seen,
  before: Fields,
  after: Fields,
  /** Of a channel: the list that was not known and not sent, so that nobody knows whether it was lost. */
  unsure: z.enum(['videoKeys', 'projectKeys']).optional(),
});

export const IntentSchema = z.object({
  type: z.literal('intent'),
  format: z.literal(1),
  changeId: z.string(),
  kind: z.enum(CHANGE_KINDS),
  at: Time,
  /** Who agreed: a person in a form, a person through the assistant's token, or the operator's setting for all. */
  confirmedBy: z.enum(['form', 'token', 'never']),
  process: ProcessSchema,
  summary: z.string(),
  warnings: z.array(z.string()),
  undo: z.object({ possible: z.enum(['yes', 'partly', 'no']), how: z.string() }),
  onFailure: z.string(),
  facts: Fields,
  items: z.array(Item),
  /** How many ids a bulk change has; they are in a file of their own, one a line. */
  ids: Place.optional(),
});

/** A bulk change that another process carries on. */
const ResumedSchema = z.object({ type: z.literal('resumed'), at: Time, turn: z.int().min(0), process: ProcessSchema });

/** Whose turn it was when the line was written: a process that lost its turn may still write before it notices. */
const turn = z.int().min(0).optional();

const RangeSendingSchema = z.object({ type: z.literal('range-sending'), turn, from: Place, to: Place });

const RangeSchema = z.object({
  type: z.literal('range'),
  turn,
  at: Time,
  from: Place,
  to: Place,
  outcome: OutcomeName,
  reason: z.string().optional(),
  /** Parts of it are to be sent again, and tell more. */
  retrying: z.boolean().optional(),
});

const SendingSchema = z.object({ type: z.literal('sending'), at: Time, id: z.string() });

const OutcomeSchema = z.object({
  type: z.literal('outcome'),
  at: Time,
  id: z.string(),
  outcome: OutcomeName,
  reason: z.string().optional(),
  note: z.string().optional(),
  seen: Seen.optional(),
  result: Fields.optional(),
});

const EndSchema = z.object({
  type: z.literal('end'),
  turn,
  at: Time,
  status: z.enum(['applied', 'partly_applied', 'stopped', 'failed']),
  message: z.string().optional(),
  /** Requests sent for a bulk change, since it began or was carried on. */
  requests: z.number().optional(),
});

export const LineSchema = z.discriminatedUnion('type', [
  IntentSchema,
  ResumedSchema,
  SendingSchema,
  OutcomeSchema,
  RangeSendingSchema,
  RangeSchema,
  EndSchema,
]);

export type Intent = z.output<typeof IntentSchema>;
export type Line = z.output<typeof LineSchema>;
export type JournalItem = z.output<typeof Item>;
