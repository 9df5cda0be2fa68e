import { refusal } from '../../errors.ts';
import { sentence } from '../../text/sentence.ts';
import { canBeKept } from '../kinds/planners.ts';
import { type Decision, NOTHING_SENT, type Question } from '../proposals/decision.ts';
import type { LaterRoute } from '../proposals/routes/index.ts';
import type { RouteDeps } from '../proposals/routes/route-deps.ts';

const PERSONAL = sentence`Personal data is given out only while a person is asked, so this can’t wait. ${NOTHING_SENT}`;
const WITH_A_PERSON = 'Have a person ask for it in a client of their own, where VIDEO_HOSTING_CONFIRM is not wait.';

/** Keeps a change until a person decides on it, which nobody waits for. */
export const askLater =
  (route: LaterRoute) =>
  async (question: Question, { proposals }: Pick<RouteDeps, 'proposals'>): Promise<Decision> => {
    if (!canBeKept(question.tool)) throw refusal('not_approved', PERSONAL, WITH_A_PERSON);
    const { proposal, isNew } = await proposals.add({ ...question, route }, question.signal);
    return { reply: { kind: 'kept', change: proposal, isNew } };
  };
