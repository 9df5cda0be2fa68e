import { definedFields } from '../../platform/defined-fields.ts';
import { joined, sentence } from '../../text/sentence.ts';
import type { Decision, Question } from '../proposals/decision.ts';
import { routesBefore } from '../proposals/routes/index.ts';
import type { RouteDeps } from '../proposals/routes/route-deps.ts';
import { tokenRoute } from '../proposals/routes/token.ts';
import { unseenText } from './unseen-forms.ts';

const PAGE_MISSED = sentence`The approval page was opened, but no browser loaded it.`;

/** Gives the assistant a preview, and a token to send once the user agreed; with why the user is not asked in a better way, where that was tried. */
export async function askByToken(
  question: Question,
  { mode, askedHere, waysOf }: Pick<RouteDeps, 'mode' | 'askedHere' | 'waysOf'>,
): Promise<Decision> {
  const { tool, args, waitMs, plan, changeId, forms } = question;
  const {
    forms: { unseen },
    page,
  } = await waysOf(forms);
  const isInstead = routesBefore(mode, tokenRoute).length > 0;
  const why = isInstead ? [...(unseen === undefined ? [] : [unseenText(unseen.how)]), ...(page.isMissed() ? [PAGE_MISSED] : [])] : [];
  const isFurther = await askedHere.hasOn(tokenRoute.name);
  const call = { tool, args, ...definedFields({ waitMs }) };
  const token = await askedHere.issue({ ...question, route: tokenRoute.name }, question.signal, call);
  return { reply: { kind: 'token', isFurther, changeId, plan, token, why: joined(why) } };
}
