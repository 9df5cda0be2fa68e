import { refusal } from '../../errors.ts';
import { fieldsIn } from '../../platform/is-object.ts';
import { sentence } from '../../text/sentence.ts';
import { type Asked, type Decision, NOTHING_SENT } from '../confirm/decision.ts';
import type { KeptChanges } from './kept-changes.ts';
import { canWait } from './planners.ts';

export interface WaitRoute {
  readonly kept: KeptChanges;
  /** For whom this server acts. */
  readonly agent: string | undefined;
}

/** Keeps a change until a person decides on it, which nobody waits for. */
export async function keepForPerson(asked: Asked, action: string, { kept, agent }: WaitRoute): Promise<Decision> {
  const { changeId, requestDigest, tool, args, plan, signal } = asked;
  if (!canWait(tool))
    throw refusal(
      'not_approved',
      sentence`Personal data is given out only while a person is asked, so this can’t wait. ${NOTHING_SENT}`,
      WITH_A_PERSON,
    );
  const why = plan.preview.standing;
  const proposed = { changeId, requestDigest, action, tool, args: fieldsIn(args), plan, agent, why };
  return { reply: { kind: 'kept', ...(await kept.keep(proposed, signal)) } };
}

const WITH_A_PERSON = 'Have a person ask for it in a client of their own, where VIDEO_HOSTING_CONFIRM is not wait.';
