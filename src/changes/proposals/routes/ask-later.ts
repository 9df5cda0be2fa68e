import { refusal } from '../../../errors.ts';
import { fieldsIn } from '../../../platform/is-object.ts';
import { sentence } from '../../../text/sentence.ts';
import { type Decision, NOTHING_SENT, type Question } from '../../confirm/decision.ts';
import { canBeKept } from '../../kinds/planners.ts';
import type { RouteDeps } from './route-deps.ts';

const PERSONAL = sentence`Personal data is given out only while a person is asked, so this can’t wait. ${NOTHING_SENT}`;
const WITH_A_PERSON = 'Have a person ask for it in a client of their own, where VIDEO_HOSTING_CONFIRM is not wait.';

/** Keeps a change until a person decides on it, which nobody waits for. */
export async function askLater(question: Question, { kept, decided }: Pick<RouteDeps, 'kept' | 'decided'>): Promise<Decision> {
  const { changeId, asked, requestDigest, tool, args, plan, signal, action = '' } = question;
  if (!canBeKept(tool)) throw refusal('not_approved', PERSONAL, WITH_A_PERSON);
  const { standing: why, lacks } = plan.preview;
  const declinedAt = await decided.declinedAt(() => action);
  const proposed = { changeId, requestDigest, action, tool, args: fieldsIn(args), plan, asked, why, lacks, declinedAt };
  return { reply: { kind: 'kept', ...(await kept.keep(proposed, signal)) } };
}
