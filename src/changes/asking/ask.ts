import type { ConfirmRoute } from '../../config/confirm-routes.ts';
import type { Decision, Question } from '../proposals/decision.ts';
import type { RouteDeps } from '../proposals/routes/route-deps.ts';
import { askByForm } from './ask-by-form.ts';
import { askByPage } from './ask-by-page.ts';
import { askByToken } from './ask-by-token.ts';
import { askLater } from './ask-later.ts';

type Ask = (question: Question, deps: RouteDeps) => Promise<Decision | undefined>;

/** Asks a person in each way. Resolves to undefined where nobody could be asked, and the same call goes on in the next way. */
export const ASK: Readonly<Record<ConfirmRoute, Ask>> = {
  form: askByForm,
  page: askByPage,
  token: askByToken,
  wait: askLater('wait'),
  link: askLater('link'),
  never: async ({ asked, changeId, plan }) => ({ confirmed: { how: 'never', asked, changeId, plan } }),
};
