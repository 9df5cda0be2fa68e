import { type UnseenForm, unseenFormsIn, unseenText } from '../../changes/confirm/unseen-forms.ts';
import type { Settings } from '../../config/settings.ts';
import { findBrowser } from '../../platform/find-browser.ts';
import type { Call } from '../app-contract.ts';

const BY_TOKEN = 'the assistant shows a preview and sends a token once the user agreed';
const BY_PAGE = 'the approval page asks the user, in a browser that is opened on this machine';

/** How this client is asked to confirm a change, and why so. */
export async function howConfirmed(settings: Settings, { forms }: Pick<Call, 'forms'>): Promise<string> {
  const { confirm, readOnly } = settings;
  if (readOnly) return 'read-only: none are offered (VIDEO_HOSTING_READ_ONLY).';
  if (confirm === 'never') return 'not confirmed by anyone (VIDEO_HOSTING_CONFIRM is never); the journal says so.';
  const noBrowser = whyNoBrowser(settings);
  if (confirm === 'page')
    return noBrowser === undefined ? `${BY_PAGE} (VIDEO_HOSTING_CONFIRM is page).` : `refused: VIDEO_HOSTING_CONFIRM is page. ${noBrowser}`;
  const otherwise = noBrowser === undefined && confirm === 'ask' ? BY_PAGE : BY_TOKEN;
  const why = confirm === 'ask' && noBrowser !== undefined ? ` ${noBrowser}` : '';
  if (forms.kind === 'none') {
    if (confirm === 'form') return 'refused: VIDEO_HOSTING_CONFIRM is form, and this client shows no forms.';
    return `${otherwise} (this client shows no forms; VIDEO_HOSTING_CONFIRM is ${confirm}).${why}`;
  }
  if (confirm === 'token') return `${BY_TOKEN} (this client shows forms; VIDEO_HOSTING_CONFIRM is token).`;
  const unseen = await unseenFormsIn(settings).find(forms.client);
  if (unseen === undefined) return 'a form asks the user (this client shows forms).';
  const memory = memoryText(forms.client.version, unseen);
  if (confirm === 'form') return `a form asks the user, since VIDEO_HOSTING_CONFIRM is form. ${memory}`;
  return `${otherwise}.${why} ${memory} To be asked by form all the same, set VIDEO_HOSTING_CONFIRM to form and restart the server.`;
}

function whyNoBrowser({ browser, desktop }: Settings): string | undefined {
  const found = findBrowser(browser, desktop);
  return 'missing' in found ? found.missing : undefined;
}

/** What is remembered of this client, and until when. */
const memoryText = (version: string, { how, at }: UnseenForm): string =>
  `${unseenText(how)} That was on ${at.slice(0, 10)}, and holds until a person answers a form or its version is no longer ${JSON.stringify(version)}.`;
