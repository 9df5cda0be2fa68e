import * as z from 'zod';
import { CONTENTS } from '../../account/contents.ts';
import { ERRORS, type ErrorCode } from '../../errors/codes.ts';
import { definedFields } from '../../platform/defined-fields.ts';
import { fieldsIn } from '../../platform/is-object.ts';
import { parseJsonOrUndefined } from '../../platform/parse-json.ts';
import { ProcessSchema } from '../../platform/process-liveness.ts';
import { isOfNewerVersion } from '../../text/zod-problem.ts';
import { NoticeSchema } from '../notices/notices.ts';
import { type Agreed, AskedSchema, ConfirmedByName, DecidedSchema, StoppedSchema } from '../plan/asked-and-decided.ts';
import { type KindFacts, KindFactsSchema } from '../plan/facts.ts';
import { ours } from '../plan/notice.ts';
import { ReceiptSchema } from '../plan/receipt.ts';
import { Fields, Result, Time } from '../plan/records.ts';
import { BULK_KINDS } from '../plan/traits/index.ts';

/** The lines of a change's file in the journal: one intent, then what was sent and what became of it, then the end. */

const Seen = z.object({ version: z.number().nullable(), updated: z.string().nullable() }).readonly();
/** By which the guard notices that a record was changed by somebody else. */
export type Seen = z.output<typeof Seen>;

/** Far more than a change may have: a damaged number could be anything. */
const MAX_IDS = 2 ** 24;
const Index = z.int().min(0).max(MAX_IDS);

const ListName = z.enum(CONTENTS);

const ErrorCodeName = z.enum(Object.keys(ERRORS) as [ErrorCode, ...ErrorCode[]]);
const OutcomeName = z.enum(['done', 'failed', 'unknown', 'not_done']);

const Item = z
  .object({
    /** The id of the record, or a name for one that does not exist yet; unique in its change. */
    id: z.string(),
    /** Its name in a sentence; cleaned, bounded and quoted. */
    label: ours,
    /** Its name alone, where that tells which one it is; cleaned and bounded. */
    name: z.string().optional(),
    /** Its version when the plan was made; null where it has none. */
    seen: Seen.nullable(),
    /** Its present values: only what is changed, and what an undo needs. */
    before: Fields,
    /** What is sent. */
    after: Fields,
    /** Of a channel: the caller stated the whole new list of videos. */
    replaces: z.boolean().optional(),
    /** Of a channel: the list that was neither known nor sent, so that it may have been lost. */
    unsure: ListName.optional(),
    /** Of a channel: the lists that are known by a person's word alone. */
    stated: z.array(ListName).readonly().optional(),
    /** Those of them that this change states, so that whoever agrees to carry it on is shown them too. */
    states: z.array(ListName).readonly().optional(),
    /** The files that those came from, by list; cleaned and bounded. */
    statesFrom: z.partialRecord(ListName, z.string()).readonly().optional(),
    /** Of a channel: the lists that are known only by changes which neither a person nor a standing approval approved. */
    unapproved: z.array(ListName).readonly().optional(),
  })
  .readonly();
/** One record of a change, written to the journal before anything is sent. */
export type PlannedItem = z.output<typeof Item>;

/** What a plan is, besides its kind and facts. */
const described = {
  /** Without a full stop. */
  summary: ours,
  /** The same for people, without ids of changes; absent where it is no other. */
  title: ours.optional(),
  /** What the summary leaves open, in a sentence. */
  meaning: ours.optional(),
  notices: z.array(NoticeSchema),
  onFailure: ours,
  items: z.array(Item),
};

const intent = {
  type: z.literal('intent'),
  format: z.literal(1),
  changeId: z.string(),
  at: Time,
  asked: AskedSchema.optional().catch(undefined),
  standing: ReceiptSchema.optional(),
  /** The digest of the plan that whoever decided was shown; absent where nobody was shown any. */
  shown: z.string().optional(),
  process: ProcessSchema,
  ...described,
};

/** Number of ids of a bulk change; they are in a file of their own, one a line. */
const Ids = z.union([z.object({ kind: z.enum(BULK_KINDS), ids: Index }), z.object({ ids: z.undefined().optional() })]);

/** Journals of earlier versions say how it was confirmed alone. */
const Confirmed = z
  .object({ confirmedBy: ConfirmedByName })
  .transform(({ confirmedBy: how }): Pick<Agreed, 'decided'> => ({ decided: { how } }));
const DecidedOrConfirmed = z.object({ decided: DecidedSchema }).or(Confirmed);

const IntentSchema = z.object(intent).and(DecidedOrConfirmed).and(KindFactsSchema).and(Ids);
/** A plan with what tells whether it is made again as it was. */
export const DescribedPlanSchema = z.object(described).and(KindFactsSchema);

/** Of the writer: a process may still write before it notices that another has taken over. */
const epoch = z.int().min(0);

const ResumedSchema = z
  .object({
    type: z.literal('resumed'),
    at: Time,
    epoch,
    process: ProcessSchema,
    /** Who asked for it to go on and who agreed, and what they were told. */
    asked: AskedSchema.optional().catch(undefined),
    decided: DecidedSchema.optional(),
    shown: z.string().optional(),
    /** Of earlier versions, in the place of `decided`. */
    confirmedBy: ConfirmedByName.optional(),
    notices: z.array(NoticeSchema).optional(),
  })
  .transform(({ confirmedBy: how, decided = how && { how }, ...line }) => ({ ...line, ...definedFields({ decided }) }));

const RangeSendingSchema = z.object({ type: z.literal('range-sending'), epoch, from: Index, to: Index });

const RangeSchema = z.object({
  type: z.literal('range'),
  epoch,
  at: Time,
  from: Index,
  to: Index,
  /** `retrying`: parts of it are sent again. */
  outcome: z.enum([...OutcomeName.options, 'retrying']),
  reason: ours.optional(),
  /** What failed before and was sent again: that told nothing new. */
  kept: z.boolean().optional(),
});

const SendingSchema = z.object({ type: z.literal('sending'), epoch, at: Time, id: z.string() });

const outcome = {
  outcome: OutcomeName,
  /** Why, unless it is done. */
  reason: ours.optional(),
  /** The code of the error that the service refused it with. */
  failedWith: ErrorCodeName.optional().catch(undefined),
  /** Of what is done, but not quite as asked: the fields that the service showed otherwise, or `version` where that is the one from before. */
  differs: z.array(z.string()).readonly().optional(),
  /** What a person should know though it is done. */
  note: ours.optional(),
  /** Its version after the change, where the service showed it. */
  seen: Seen.nullable().optional(),
  /** The service showed all texts that were sent, as they were sent. */
  isShown: z.boolean().optional(),
  /** The same of the lists. */
  areListsShown: z.boolean().optional(),
  /** What was read back, where it differs from what was sent or is new (an id). */
  result: Result.optional(),
  /** Of what may have been created: the ids of the new records of its name. */
  candidates: z.array(z.string()).readonly().optional(),
  /** When its request ended without an answer. */
  lostAt: Time.optional(),
  /**
   * Of what is not known: read afterwards, the record was as it was before. The service may still carry it out, so this is told to
   * people and decides nothing.
   */
  isAsBefore: z.literal(true).optional().catch(undefined),
};
export type ItemOutcome = Readonly<z.output<z.ZodObject<typeof outcome>>>;

const OutcomeSchema = z.object({
  type: z.literal('outcome'),
  epoch,
  at: Time,
  id: z.string(),
  ...outcome,
  /** Found by a later look at what was not known. */
  found: z.boolean().optional(),
});

const EndSchema = z.object({
  type: z.literal('end'),
  epoch,
  at: Time,
  status: z.enum(['applied', 'partly_applied', 'stopped', 'failed']),
  /** What kept it from its end, what an assistant does next, and what a person does. */
  message: ours.optional(),
  hint: ours.optional(),
  advice: ours.optional(),
  /** What whoever set this server up does. */
  setup: ours.optional(),
  /** The service did nothing of it for want of a JWT. */
  wantsJwt: z.literal(true).optional().catch(undefined),
  /** Of a bulk change: a hash of the credential that it was sent with. */
  credential: z.string().optional().catch(undefined),
  /** Who had it stopped; absent where nobody did, and in journals that were written before it was kept. */
  stopped: StoppedSchema.optional().catch(undefined),
  /** Requests sent for a bulk change, since it began or was resumed. */
  requests: z.number().optional(),
  /** Where a busy service kept it from its end: from when on it can be carried on. */
  resumeFrom: Time.optional().catch(undefined),
});

const LaterLineSchema = z.discriminatedUnion('type', [
  ResumedSchema,
  SendingSchema,
  OutcomeSchema,
  RangeSendingSchema,
  RangeSchema,
  EndSchema,
]);

export type Intent = z.output<typeof IntentSchema>;
/** An intent before it is written. `at`: where it is to begin when it was decided. */
export type NewIntent = z.output<z.ZodObject<Omit<typeof intent, 'type' | 'format' | 'at' | 'process'>>> &
  Agreed &
  KindFacts & { readonly at?: string };
export type Line = Intent | z.output<typeof LaterLineSchema>;

const parsed = (value: unknown) => (fieldsIn(value).type === 'intent' ? IntentSchema : LaterLineSchema).safeParse(value);

export const parseLine = (text: string): Line | undefined => parsed(parseJsonOrUndefined(text)).data;

/** Whether a newer version of this program wrote a line that can’t be parsed. */
export function isNewerLine(text: string): boolean {
  const value = parseJsonOrUndefined(text);
  const { error } = parsed(value);
  return error !== undefined && isOfNewerVersion(error.issues, value);
}
