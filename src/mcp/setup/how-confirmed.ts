import { type UnseenForm, unseenFormsIn, unseenText } from '../../changes/confirm/unseen-forms.ts';
import type { Settings } from '../../config/settings.ts';
import { findBrowser } from '../../platform/find-browser.ts';
import { asSentence, inQuotes, type Sentence, sentence, word } from '../../text/sentence.ts';
import type { Call } from '../app-contract.ts';

const BY_TOKEN = sentence`the assistant shows a preview and sends a token once the user agreed`;
const BY_PAGE = sentence`the approval page asks the user, in a browser that is opened on this machine`;

/** How this client is asked to confirm a change, and why so. */
export async function howConfirmed(settings: Settings, call: Pick<Call, 'forms'>): Promise<Sentence> {
  const route = await routeText(settings, call);
  if (!settings.readOnly) return route;
  return sentence`read-only: none are offered (VIDEO_HOSTING_READ_ONLY). Contents can still be stated (state_contents), and emails exported; these are confirmed: ${route}`;
}

async function routeText(settings: Settings, { forms }: Pick<Call, 'forms'>): Promise<Sentence> {
  const { confirm } = settings;
  if (confirm === 'never') return sentence`not confirmed by anyone (VIDEO_HOSTING_CONFIRM is never); the journal says so.`;
  const noBrowser = whyNoBrowser(settings);
  if (confirm === 'page')
    return noBrowser === undefined
      ? sentence`${BY_PAGE} (VIDEO_HOSTING_CONFIRM is page).`
      : sentence`refused: VIDEO_HOSTING_CONFIRM is page. ${noBrowser}`;
  const otherwise = noBrowser === undefined && confirm === 'ask' ? BY_PAGE : BY_TOKEN;
  const why = confirm === 'ask' && noBrowser !== undefined ? sentence` ${noBrowser}` : '';
  if (forms.kind === 'none') {
    if (confirm === 'form') return sentence`refused: VIDEO_HOSTING_CONFIRM is form, and this client shows no forms.`;
    return sentence`${otherwise} (this client shows no forms; VIDEO_HOSTING_CONFIRM is ${confirm}).${why}`;
  }
  if (confirm === 'token') return sentence`${BY_TOKEN} (this client shows forms; VIDEO_HOSTING_CONFIRM is token).`;
  const unseen = await unseenFormsIn(settings).find(forms.client);
  if (unseen === undefined) return sentence`a form asks the user (this client shows forms).`;
  const memory = memoryText(forms.client.version, unseen);
  if (confirm === 'form') return sentence`a form asks the user, since VIDEO_HOSTING_CONFIRM is form. ${memory}`;
  return sentence`${otherwise}.${why} ${memory} To be asked by form all the same, set VIDEO_HOSTING_CONFIRM to form and restart the server.`;
}

function whyNoBrowser({ browser, desktop }: Settings): Sentence | undefined {
  const found = findBrowser(browser, desktop);
  return 'missing' in found ? asSentence(found.missing) : undefined;
}

/** What is remembered of this client, and until when. */
const memoryText = (version: string, { how, at }: UnseenForm): Sentence =>
  sentence`${asSentence(unseenText(how))} That was on ${word(at.slice(0, 10))}, and holds until a person answers a form or its version is no longer ${inQuotes(version)}.`;
