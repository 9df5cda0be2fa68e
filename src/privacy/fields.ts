/**
 * What every field of every record of the service is, and so how it may be handled. One place for all: a field that
 * stands in a record and not here fails a test.
 */
import { VIEW_FIELDS } from './view-fields.ts';

/**
 * - `public`: harmless, wherever it stands.
 * - `account`: tells something of the account, to those who may read it.
 * - `personal`: tells who a viewer is, or could. It leaves only by the approved ways.
 * - `secret`: lets its holder act for somebody. It leaves for nobody but the service.
 * - `strangers-text`: anybody could have written it. It is shown inert, bounded and quoted.
 */
export type FieldClass = 'public' | 'account' | 'personal' | 'secret' | 'strangers-text';

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

/** By record, every documented field; of an object in a record each of its own: `options.hlsEncrypt`. */
export const FIELDS: Readonly<Record<RecordKind, Fields>> = {
  pager: { ...of('public', 'page totalPages totalResults'), sort: 'strangers-text' },
  channel: {
    ...of('account', 'id key accountId version planType templateKey status created updated'),
    ...of('strangers-text', 'name description'),
    // Not documented in a response; read where they are.
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
  view: Object.fromEntries(Object.entries(VIEW_FIELDS).map(([field, { class: kind }]) => [field, kind])),
  viewPager: of('public', 'page size hits total pages'),
  error: {
    ...of('strangers-text', 'message title detail error type traceId invalidVideoKeys'),
    status: 'public',
  },
  moveAnswer: { ok: 'public' },
  copyAnswer: { ok: 'public', message: 'strangers-text', 'data.copied': 'public', 'data.failed': 'public' },
};

/**
 * The one way in which a tool's answer may hold a personal field: asked for by this argument, where the setting for
 * personal data allows it, and confirmed by a person each time.
 */
export const APPROVED_ANSWERS: Readonly<Record<string, { readonly argument: string; readonly list: string }>> = {
  get_collected_emails: { argument: 'showRecords', list: 'records' },
};

function of(kind: FieldClass, names: string): Fields {
  return Object.fromEntries(names.split(' ').map((name) => [name, kind]));
}

function within(name: string, fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).map(([field, kind]) => [`${name}.${field}`, kind]));
}

/** Names that a personal field has anywhere, without the objects around it. */
export const PERSONAL_NAMES: ReadonlySet<string> = new Set(
  Object.values(FIELDS)
    .flatMap((fields) => Object.entries(fields))
    .flatMap(([field, kind]) => (kind === 'personal' ? [field.split('.').at(-1) ?? field] : [])),
);

/** Whether a record's field is known; of one that isn't nobody has said what it is. */
export const isKnownField = (kind: RecordKind, field: string): boolean => Object.hasOwn(FIELDS[kind], field);
