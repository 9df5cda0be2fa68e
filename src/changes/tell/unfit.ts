import type { ErrorCode } from '../../errors/codes.ts';
import type { MissingRecord, VideoHostingError } from '../../errors.ts';
import { definedFields } from '../../platform/defined-fields.ts';
import { counted } from '../../text/counted.ts';
import { inQuotes, type Sentence, sentence } from '../../text/sentence.ts';
import { moveIn } from '../plan/facts.ts';
import { listed } from '../plan/notice.ts';
import { itemsOf, type ShownPlan } from '../plan/plan.ts';
import { TRAITS } from '../plan/traits/index.ts';

/** Why what waits can’t be applied, for a person. */
export interface Unfit {
  /** What is in its way, and what that means. */
  readonly reason: Sentence;
  /** What can be done about it, in sentences. */
  readonly steps: readonly Sentence[];
  /** What whoever set this server up does about it. */
  readonly setup?: Sentence;
  /** It may be gone by itself: nothing tells that the change can’t be applied. */
  readonly isPassing?: true;
  /** What the service asked to be left alone for. */
  readonly retryAfterMs?: number;
}

/** What may be over in a moment. */
const PASSING: ReadonlySet<ErrorCode> = new Set([
  'rate_limited',
  'service_failed',
  'timed_out',
  'unreachable',
  'connection_lost',
  'unexpected_body',
]);

/** In a row of a list, in the place of its status. */
export const UNFIT = { needless: sentence`Nothing left to do`, now: sentence`Can’t be applied now` } as const;

/** What an error says of a change that was to be planned again. */
export function unfitOf(error: VideoHostingError, plan: ShownPlan): Unfit {
  const missing = (error.facts.fields ?? []).flatMap((field) => field.missing ?? []);
  // Beside other problems, what is missing is not all there is to tell.
  if (missing.length > 0 && missing.length === error.facts.fields?.length) return whereMissing(missing, plan);
  const steps = error.advice === undefined ? [] : [error.advice];
  const { retryAfterMs } = error.facts;
  const told = { reason: error.reason, steps, ...definedFields({ setup: error.setup }) };
  return PASSING.has(error.code) ? { ...told, isPassing: true, ...definedFields({ retryAfterMs }) } : told;
}

/** Records in one sentence. */
const MAX_NAMED = 3;

function whereMissing(missing: readonly MissingRecord[], plan: ShownPlan): Unfit {
  const labels = missing.map(({ reference }) => labelIn(plan, reference));
  const isOne = missing.length === 1;
  const all = missing.every(({ what }) => what === 'channel') ? itemsOf(plan).length : 0;
  const others = all - missing.length;
  const record = sentence`${TRAITS[plan.kind].record}`;
  const rest =
    others <= 0
      ? ''
      : sentence` Since it is one change, the other ${others === 1 ? sentence`${record} is` : sentence`${counted(others, record)} are`} not changed either.`;
  const [are, them] = isOne ? (['is', 'it'] as const) : (['are', 'them'] as const);
  return {
    reason: sentence`${listed(labels, MAX_NAMED)} ${are} gone, or this server’s key has no access to ${them} any more, so nothing can be sent.${rest}`,
    steps: [
      others > 0
        ? sentence`If ${isOne ? 'it was' : 'they were'} deleted, turn this down, and say in the note that the rest is to be asked for without ${them}.`
        : sentence`If ${isOne ? 'it was' : 'they were'} deleted, turn this down: nothing is left of it.`,
      sentence`If not, see in the dashboard whether the key may still see ${them}, then open this again.`,
    ],
  };
}

/** What the plan calls the record that an error names. */
function labelIn(plan: ShownPlan, reference: string): Sentence {
  const { targetProjects = [], fromProjects = [] } = moveIn(plan.facts) ?? {};
  const named = [...itemsOf(plan), ...targetProjects, ...fromProjects].find(({ id }) => id === reference);
  return named?.label ?? inQuotes(reference);
}
