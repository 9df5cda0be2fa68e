/**
 * The privacy class of a field, which decides how it may be handled.
 * - `public`: harmless everywhere.
 * - `account`: information about the account, for its users.
 * - `personal`: identifies a viewer, or could. It is in an answer only after a person confirmed it; of a view record at
 *   most a keyed hash is stored.
 * - `strangers-text`: anybody could have written it. It is shown cleaned, bounded and quoted.
 */
type FieldClass = 'public' | 'account' | 'personal' | 'strangers-text';

export type RecordKind =
  | 'pager'
  | 'channel'
  | 'template'
  | 'project'
  | 'plan'
  | 'collectedEmail'
  | 'view'
  | 'viewPager'
  | 'error'
  | 'moveAnswer'
  | 'copyAnswer';

type Fields = Readonly<Record<string, FieldClass>>;

const RECORD_OPTIONS = of(
  'account',
  'convertToHls convertToMp4 convertToOneMp4 useOriginalMp4 hlsEncrypt bitrate240p bitrate360p bitrate540p bitrate720p bitrate1080p bitrate1440p bitrate2160p saveOriginalVideos',
);
const PLAYER_OPTIONS = {
  ...of(
    'account',
    'autoplay seekButtons volumeControl fullscreenControl controls captionsOn bigPlayControl qualityControl speedControl fastForward loop muted landscapeFullscreen modal resumePlayback hideLogo cast extraSecurity stickyPlayer pauseOnScroll storeAuth contextMenu volume',
  ),
  ...of('strangers-text', 'playerSkin controlsColor primaryColor preload defaultQuality'),
};

/** Every documented field of every record, by its path: `options.hlsEncrypt`. A field that a record has and this table lacks fails a test. */
export const FIELD_PRIVACY: Readonly<Record<RecordKind, Fields>> = {
  pager: { ...of('public', 'page totalPages totalResults'), sort: 'strangers-text' },
  channel: {
    ...of('account', 'id key accountId version planType templateKey status created updated'),
    ...of('strangers-text', 'name description'),
    // Not documented in a response.
    ...of('account', 'videoKeys projectKeys'),
  },
  template: { ...of('account', 'key planType status created'), name: 'strangers-text' },
  project: {
    ...of('account', 'id key planType status created updated'),
    ...of('strangers-text', 'name description region'),
    ...within('options', RECORD_OPTIONS),
    ...within('videoOptions', PLAYER_OPTIONS),
  },
  plan: {
    ...of('account', 'id type storePlanType frequency.interval frequency.count status channelKeys videoKeys created updated'),
    ...of('strangers-text', 'name description'),
  },
  collectedEmail: { ...of('personal', 'fullName email mobileNumber'), ...of('account', 'videoKey channelKey created') },
  view: {
    ...of(
      'public',
      'id date planType region started ended muted duration watchTime browser.major browser.minor os.major os.processor embed.type',
    ),
    ...of('account', 'videoKey accountKey projectKey channelKey'),
    ...of('personal', 'channelViewId viewerId viewId clientUserId userKey geo.ip'),
    ...of('strangers-text', 'browser.family device.family device.brand device.model device.type os.family'),
    ...of('strangers-text', 'geo.city geo.country geo.region geo.continent embed.url embed.domain'),
  },
  viewPager: of('public', 'page size hits total pages'),
  error: {
    ...of('strangers-text', 'message title detail error type traceId invalidVideoKeys'),
    status: 'public',
  },
  moveAnswer: { ok: 'public' },
  copyAnswer: { ok: 'public', message: 'strangers-text', 'data.copied': 'public', 'data.failed': 'public' },
};

function of(kind: FieldClass, names: string): Fields {
  return Object.fromEntries(names.split(' ').map((name) => [name, kind]));
}

function within(name: string, fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).map(([field, kind]) => [`${name}.${field}`, kind]));
}

export const isKnownField = (kind: RecordKind, field: string): boolean => Object.hasOwn(FIELD_PRIVACY[kind], field);
