import { routesFor } from '../../changes/confirm/routes.ts';
import { type UnseenForm, unseenFormsIn, unseenText } from '../../changes/confirm/unseen-forms.ts';
import { CONFIRM_ROUTES, withoutRoute } from '../../config/confirm-routes.ts';
import type { Settings } from '../../config/settings.ts';
import { findBrowser } from '../../platform/find-browser.ts';
import { inQuotes, type Sentence, sentence, word } from '../../text/sentence.ts';
import type { Call } from '../app-contract.ts';

/** How this client is asked to confirm a change, and why so. */
export async function howConfirmed(settings: Settings, call: Pick<Call, 'forms'>): Promise<Sentence> {
  const route = await routeText(settings, call);
  const { readOnly, standingApprovals, agent } = settings;
  if (!readOnly) return standingApprovals === undefined || agent === undefined ? route : sentence`what is not allowed in advance: ${route}`;
  return sentence`read-only: none are offered (VIDEO_HOSTING_READ_ONLY). Contents can still be stated (state_contents), and emails exported; these are confirmed: ${route}`;
}

/** Whether this client is asked by token. */
export const isByToken = async (settings: Settings, call: Pick<Call, 'forms'>): Promise<boolean> =>
  (await firstRoute(settings, call)).route === 'token';

async function firstRoute(settings: Settings, { forms }: Pick<Call, 'forms'>) {
  const { confirm, browser, desktop } = settings;
  const found = findBrowser(browser, desktop);
  const hasBrowser = !('missing' in found);
  const unseen = forms.kind === 'none' ? undefined : await unseenFormsIn(settings).find(forms.client);
  const [route] = routesFor(confirm, {
    forms: { areDeclared: forms.kind !== 'none', areUnseen: unseen !== undefined },
    page: { hasBrowser, isMissed: false },
  });
  return { route, unseen, noBrowser: hasBrowser ? sentence`` : sentence` ${found.missing}` };
}

async function routeText(settings: Settings, call: Pick<Call, 'forms'>): Promise<Sentence> {
  const { confirm } = settings;
  const { forms } = call;
  const { route, unseen, noBrowser } = await firstRoute(settings, call);
  if (route === undefined) return sentence`refused: ${withoutRoute(confirm)}${confirm === 'page' ? noBrowser : ''}`;
  const { how } = CONFIRM_ROUTES[route];
  const setting = sentence`VIDEO_HOSTING_CONFIRM is ${confirm}`;
  if (route === 'never' || route === 'wait' || confirm === 'page') return sentence`${how} (${setting}).`;
  const memory = forms.kind === 'none' || unseen === undefined ? undefined : memoryText(forms.client.version, unseen);
  if (route === 'form')
    return memory === undefined ? sentence`${how} (this client shows forms).` : sentence`${how}, since ${setting}. ${memory}`;
  const why = confirm === 'ask' ? noBrowser : sentence``;
  if (memory === undefined || confirm === 'token')
    return sentence`${how} (${forms.kind === 'none' ? CONFIRM_ROUTES.form.needs.without : 'this client shows forms'}; ${setting}).${why}`;
  return sentence`${how}.${why} ${memory} To be asked by form all the same, set VIDEO_HOSTING_CONFIRM to form and restart the server.`;
}

/** What is remembered of this client, and until when. */
const memoryText = (version: string, { how, at }: UnseenForm): Sentence =>
  sentence`${unseenText(how)} That was on ${word(at.slice(0, 10))}, and holds until a person answers a form or its version is no longer ${inQuotes(version)}.`;
