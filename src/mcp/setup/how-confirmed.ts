import { unopenedPage } from '../../changes/asking/approval-page.ts';
import type { FormSupport } from '../../changes/asking/form.ts';
import { type UnseenForm, unseenFormsIn, unseenText } from '../../changes/asking/unseen-forms.ts';
import { isByAssistant, routesBefore, routesFor, withoutRoute } from '../../changes/proposals/routes/index.ts';
import type { Ways } from '../../changes/proposals/routes/route.ts';
import { waysOfCall } from '../../changes/proposals/routes/ways.ts';
import type { Settings } from '../../config/settings.ts';
import { toTakeEffect } from '../../text/own-command.ts';
import { inQuotes, joined, type Sentence, sentence, word } from '../../text/sentence.ts';
import type { Call } from '../app-contract.ts';

/** How this client is asked to confirm a change, and why so. */
export async function howConfirmed(settings: Settings, call: Pick<Call, 'forms'>): Promise<Sentence> {
  const route = await routeText(settings, call);
  const { readOnly, standingApprovals, agent } = settings;
  if (!readOnly) return standingApprovals === undefined || agent === undefined ? route : sentence`what is not allowed in advance: ${route}`;
  return sentence`read-only: none are offered (VIDEO_HOSTING_READ_ONLY). Contents can still be stated (state_contents), and emails exported; these are confirmed: ${route}`;
}

const waysOf = (settings: Settings, forms: FormSupport): Promise<Ways> =>
  waysOfCall(forms, unseenFormsIn(settings), unopenedPage(settings));

/** Whether an agent without a person could confirm a change of this client itself. */
export async function confirmsItself(settings: Settings, { forms }: Pick<Call, 'forms'>): Promise<boolean> {
  const [route] = routesFor(settings.confirm, await waysOf(settings, forms));
  return route !== undefined && isByAssistant(route);
}

async function routeText(settings: Settings, { forms }: Pick<Call, 'forms'>): Promise<Sentence> {
  const { confirm } = settings;
  const ways = await waysOf(settings, forms);
  const [route] = routesFor(confirm, ways);
  if (route === undefined) return sentence`refused: ${withoutRoute(confirm, ways)}`;
  const { how, needs } = route.words;
  // Nobody set it: a server for several people has no other way.
  if (route.name === 'link') return how;
  const setting = sentence`VIDEO_HOSTING_CONFIRM is ${confirm}`;
  const { unseen } = ways.forms;
  const memory = forms.kind === 'none' || unseen === undefined ? undefined : memoryText(forms.client.version, unseen);
  const before = routesBefore(confirm, route);
  if (before.length === 0)
    return memory !== undefined && route.hasFailed(ways)
      ? sentence`${how}, since ${setting}. ${memory}`
      : sentence`${how} (${needs?.with ?? setting}).`;
  const reasons = before.map((other) => [other.words.needs?.without, other.works(ways)] as const);
  const absent = reasons.flatMap(([without, why]) => (why === true || why !== without ? [] : [why]));
  const why = joined(reasons.flatMap(([without, text]) => (text === true || text === without ? [] : [text])));
  const because = why === '' ? why : sentence` ${why}`;
  if (memory === undefined) return sentence`${how} (${joined([...absent, setting], '; ')}).${because}`;
  return sentence`${how}.${because} ${memory} To be asked by form all the same, set VIDEO_HOSTING_CONFIRM to form and ${toTakeEffect()}.`;
}

/** What is remembered of this client, and until when. */
const memoryText = (version: string, { how, at }: UnseenForm): Sentence =>
  sentence`${unseenText(how)} That was on ${word(at.slice(0, 10))}, and holds until a person answers a form or its version is no longer ${inQuotes(version)}.`;
