import * as z from 'zod';
import { definedFields } from '../../platform/defined-fields.ts';
import { ProcessSchema } from '../../platform/process-liveness.ts';
import { digestOf } from '../../platform/stable-json.ts';
import { CHANGE_ID } from '../journal/file-names.ts';
import { DescribedPlanSchema } from '../journal/format.ts';
import { plannedUndo } from '../kinds/earlier/undoable.ts';
import { kindOf } from '../kinds/index.ts';
import { AskedSchema, DecidedSchema } from '../plan/asked-and-decided.ts';
import { kindFactsOf } from '../plan/facts.ts';
import { ours } from '../plan/notice.ts';
import type { ShownPlan } from '../plan/plan.ts';
import { descriptionIn } from '../plan/preview.ts';
import { Time } from '../plan/records.ts';
import { FileCopySchema } from './file-copies.ts';
import type { Proposal } from './proposal.ts';
import { DISK_ROUTES } from './routes/index.ts';

/**
 * What ended the wait of a change that is kept. `started`: the journal has the rest. `withdrawn`: by the agent, or the same was begun by
 * another call; `by`: as that change. `expired`: its time was over when it was looked at, so that it does not wait again where the clock is set back.
 */
export const EndingSchema = z.object({
  status: z.enum(['started', 'declined', 'withdrawn', 'needless', 'expired']),
  at: Time,
  /** The person’s words; empty if there are none. */
  note: z.string(),
  by: z.string().regex(CHANGE_ID).optional().catch(undefined),
  /** Of one that is withdrawn: the same was begun or declined otherwise. */
  isAnswered: z.boolean().optional().catch(undefined),
  /** Who decided and how; absent where no person did, and in files of earlier versions. */
  decided: DecidedSchema.optional().catch(undefined),
  /** Of the proposal that it is about; absent in files of earlier versions. */
  digest: z.string().optional(),
  /** Of one that was approved: the process that was to begin it. */
  process: ProcessSchema.optional().catch(undefined),
});
export type Ending = z.output<typeof EndingSchema>;

/** A plan as its file has it, and as it is shown again; `total`: of a bulk change. */
const PlanSchema = DescribedPlanSchema.and(
  z.object({ basis: z.record(z.string(), z.unknown()).optional(), total: z.int().min(0).optional() }),
).transform(({ basis, total, ...described }): ShownPlan => {
  const { kind: _, facts: _facts, items, ...description } = described;
  const preview = { ...description, undo: plannedUndo(described), records: kindOf(described.kind).differences(items, described.facts) };
  const base = { ...kindFactsOf(described), ...definedFields({ basis }), preview };
  return total === undefined ? { ...base, items } : { ...base, ids: [], total };
});

/** The form in which files are written. In the first one a change that is to be carried on waits under its own id. */
export const FORMAT = 2;

/** The file of a change that waits, without what may be long, which is kept beside it. */
export const ProposalFileSchema = z.object({
  format: z.union([z.literal(1), z.literal(FORMAT)]),
  changeId: z.string().regex(CHANGE_ID),
  resumes: z.string().regex(CHANGE_ID).optional(),
  /** Of the account, the tool and the arguments. */
  requestDigest: z.string(),
  /** Of what it would do: the same that is asked for again is the same waiting change. */
  action: z.string(),
  /** Absent in files of earlier versions, which have its agent alone. */
  asked: AskedSchema.optional(),
  agent: z.string().optional(),
  /** In milliseconds since the epoch once it is read. */
  at: Time.transform(Date.parse),
  expiresAt: Time.transform(Date.parse),
  /** Absent in files of earlier versions. */
  route: z.enum(DISK_ROUTES).default('wait'),
  tool: z.string(),
  /** Of one that a call asks about: the process of that. */
  process: ProcessSchema.optional().catch(undefined),
  /** What the files held that its call names. Absent where it names none, and in files of earlier versions, where they are read anew. */
  files: z.array(FileCopySchema).optional(),
  /** SHA-256 of the file with the arguments and the ids of the records. */
  lists: z.string(),
  /** Why no standing approval covered it, in a sentence. */
  why: ours.optional(),
  /** By which argument of its call one would have. */
  lacks: ours.optional(),
  /** Changes that waited for a person already, and are about the same records. */
  overtakes: z.array(z.string()),
  /** When a person declined the same, the last time. */
  declinedAt: Time.optional(),
  /** As it was planned when it was asked for, without what its preview tells of a bulk change, and the ids of that. */
  plan: PlanSchema,
});
type ProposalFile = z.output<typeof ProposalFileSchema>;

export const ListsSchema = z.object({ args: z.record(z.string(), z.unknown()), records: z.array(z.string()) });

export function jsonOfPlan(plan: ShownPlan): unknown {
  const { kind, facts, basis, preview } = plan;
  return { kind, facts, basis, ...descriptionIn(preview), ...('ids' in plan ? { items: [], total: plan.total } : { items: plan.items }) };
}

/** What a file says: a change that waits. */
export function proposalOf({ format, lists, files: _files, agent, ...file }: ProposalFile): Proposal {
  const { asked = { ...(agent !== undefined && { by: { name: agent } }), at: new Date(file.at).toISOString() } } = file;
  // Not of its request, whose digest is another one in the folder of another account.
  const digest = digestOf(file.changeId, lists, file.action, file.at);
  const resumes = format === 1 && file.tool === 'resume_change' ? file.changeId : file.resumes;
  return {
    ...file,
    ...{ asked, resumes, digest, store: 'disk', isAskedHere: false, isOwn: asked.onPage === true },
    ...{ conflicts: [], status: 'waiting', isAnswered: false, note: '' },
  };
}
