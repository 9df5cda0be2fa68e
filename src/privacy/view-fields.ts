/**
 * What each field of a view record is ("View record" in the API document), by how it may be handled.
 * - `public`: of the video's use, harmless.
 * - `account`: names something of the account.
 * - `personal`: could tell who a viewer is. Never kept, save as a keyed hash where `kept` says so.
 * - `strangers-text`: anybody could have written it. Kept bounded, on one line, without what can't be seen.
 */
export interface ViewField {
  readonly class: 'public' | 'account' | 'personal' | 'strangers-text';
  readonly kept: 'yes' | 'keyed hash' | 'without query, fragment and user' | 'no';
}

const KEPT_PUBLIC: ViewField = { class: 'public', kept: 'yes' };
const PUBLIC: ViewField = { class: 'public', kept: 'no' };
const ACCOUNT: ViewField = { class: 'account', kept: 'yes' };
const PERSONAL: ViewField = { class: 'personal', kept: 'no' };
const STRANGERS: ViewField = { class: 'strangers-text', kept: 'yes' };

/** Every documented field; of an object each of its own. A field that isn't here is neither kept nor looked at. */
export const VIEW_FIELDS: Readonly<Record<string, ViewField>> = {
  id: KEPT_PUBLIC,
  date: KEPT_PUBLIC,
  videoKey: ACCOUNT,
  accountKey: { class: 'account', kept: 'no' },
  projectKey: ACCOUNT,
  channelKey: ACCOUNT,
  channelViewId: PERSONAL,
  viewerId: { class: 'personal', kept: 'keyed hash' },
  viewId: PERSONAL,
  clientUserId: PERSONAL,
  userKey: PERSONAL,
  planType: KEPT_PUBLIC,
  region: KEPT_PUBLIC,
  started: KEPT_PUBLIC,
  ended: KEPT_PUBLIC,
  muted: KEPT_PUBLIC,
  duration: KEPT_PUBLIC,
  watchTime: KEPT_PUBLIC,
  'browser.family': STRANGERS,
  'browser.major': KEPT_PUBLIC,
  'browser.minor': PUBLIC,
  'device.family': { class: 'strangers-text', kept: 'no' },
  'device.brand': STRANGERS,
  'device.model': { class: 'strangers-text', kept: 'no' },
  'device.type': STRANGERS,
  'os.family': STRANGERS,
  'os.major': KEPT_PUBLIC,
  'os.processor': PUBLIC,
  'geo.ip': PERSONAL,
  'geo.city': STRANGERS,
  'geo.country': STRANGERS,
  'geo.region': STRANGERS,
  'geo.continent': STRANGERS,
  'embed.url': { class: 'strangers-text', kept: 'without query, fragment and user' },
  'embed.domain': STRANGERS,
  'embed.type': PUBLIC,
};
