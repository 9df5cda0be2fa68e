import type { DemoRequest } from './requests.ts';

/** The kinds of record that `extraFields`, `nullFields` and `missingFields` may act on. */
export type DistortedKind = 'channels' | 'templates' | 'projects' | 'plans' | 'emails' | 'views' | 'pager';

/** Switches for what the API document leaves open. Set one at any time; it counts from the next request. */
export interface Behaviour {
  // Channels
  /** An update that sends one of videoKeys/projectKeys empties the other. */
  updateClearsUnsentList: boolean;
  /** Channel records carry `videoKeys` and `projectKeys`. */
  channelRecordsShowContents: boolean;
  /** … but only a record that was asked for by itself, and the answer to an update: the list leaves them out. */
  channelListOmitsContents: boolean;
  /** An empty list alone satisfies "one of videoKeys or projectKeys". */
  emptyListCountsAsGiven: boolean;
  unknownTemplateKey: 'accept' | 'reject' | 'ignore';
  unknownProjectKeys: 'accept' | 'reject';
  repeatedVideoKeys: 'keep' | 'dedupe';
  nameLengthUnit: 'utf16' | 'codepoint';
  /** Fields of an update that are silently left as they were. */
  updateIgnores: ReadonlySet<string>;
  /** After an update, so many calls of Get channel still answer the former record. */
  staleReads: number;
  /** Ids of channels that the caller has no access to: absent from lists, 404 elsewhere. */
  inaccessibleChannels: ReadonlySet<string>;
  createChannelStatus: number;
  createChannelAnswer: 'record' | 'id-only' | 'empty';
  createAcceptsDescription: boolean;
  /** Creating a channel without any videoKey or projectKey is a 400. */
  createNeedsContents: boolean;

  // Projects, plans, lists
  createProjectStatus: number;
  createProjectAnswer: 'record' | 'id-only';
  /** Get project sends only id, key, name, description and region. */
  getProjectIsBrief: boolean;
  /** A `size` over the maximum. */
  oversizedPage: 'clamp' | 'reject';
  /** Largest page of the main API's lists. */
  maxPageSize: number;
  pageBeyondEnd: 'empty' | 'last' | 'not-found';
  /** `totalPages` of a list without records. */
  pagesWhenEmpty: number;
  /** The order applied when none, or an unknown one, is asked for. */
  defaultSort: string;
  unknownSort: 'ignore' | 'reject';
  sortEcho: 'sent' | 'normalised';

  // Videos
  /** Of a batch with failing ids, the others still move. */
  moveAppliesGoodOnes: boolean;
  moveUnknownIds: 'fail' | 'ignore';
  /** When set, the caller is a manager who may take videos only from these project ids. */
  managerProjects?: ReadonlySet<string>;
  ctaUnknownTargets: 'fail' | 'ignore';
  ctaTargetsAre: 'id' | 'key' | 'either';
  /** So many targets of a copy are done, then it answers `ok: false`. */
  ctaFailsAfter?: number;
  ctaData: 'counts' | 'empty' | 'null';

  // Analytics
  /** `ignored`: answers with or without a credential; `refused`: 401 when one is sent. */
  statsAuth: 'ignored' | 'required' | 'refused';
  toInclusive: boolean;
  /** A `to` without a time takes in the whole of that day. */
  dateOnlyToCoversDay: boolean;
  /** Minutes east of UTC that a `from`/`to` without an offset is read in. */
  statsTimezoneOffsetMinutes: number;
  statsDefaultSize: number;
  statsMaxSize: number;
  statsOversizedPage: 'clamp' | 'reject';
  viewsNewestFirst: boolean;
  /** After each page so many new views appear at the recent end of the span that was asked for. */
  newViewsBetweenPages: number;
  /** Each page begins with the last N records of the page before. */
  repeatedViewsPerPage: number;
  /** After every Nth record of a page a malformed one is put in; 0 for none. */
  malformedViewEvery: number;
  /** `total` and `pages` differ from page to page. */
  movingTotal: boolean;
  hitsMeans: 'page' | 'total';
  /** As search engines do: `total` is capped here and pages past it are a 400; 0 for none. */
  statsResultWindow: number;
  /** Minutes east of UTC in which records write their date; each record has one of them. */
  viewDateOffsets: readonly number[];
  viewDateFractionDigits: number;
  /** Most records lack some of the optional keys. */
  sparseViews: boolean;

  // Bodies
  extraFields: boolean;
  /** Share (0–1) of the fields other than id and key that are sent as null. */
  nullFields: number;
  /** Share (0–1) of the fields other than id and key that are left out. */
  missingFields: number;
  distorts: ReadonlySet<DistortedKind>;
  /** Channel and project ids are sent as numbers, and taken back in paths. */
  numericIds: boolean;
  errorBodies: 'json' | 'html' | 'text' | 'empty';

  // Hooks
  /** Called when a request has been read, before anything is done: a place to change the world between pages. */
  onRequest?: (request: DemoRequest) => void | Promise<void>;
  /** Called when a request has been carried out, before its answer is sent. */
  onProcessed?: (request: DemoRequest) => void | Promise<void>;
}

const CHANNELS = {
  updateClearsUnsentList: true,
  channelRecordsShowContents: false,
  channelListOmitsContents: false,
  emptyListCountsAsGiven: false,
  unknownTemplateKey: 'reject',
  unknownProjectKeys: 'reject',
  repeatedVideoKeys: 'keep',
  nameLengthUnit: 'utf16',
  staleReads: 0,
  createChannelStatus: 200,
  createChannelAnswer: 'record',
  createAcceptsDescription: true,
  createNeedsContents: true,
} as const;

const LISTS_AND_VIDEOS = {
  createProjectStatus: 201,
  createProjectAnswer: 'record',
  getProjectIsBrief: false,
  oversizedPage: 'clamp',
  maxPageSize: 100,
  pageBeyondEnd: 'empty',
  pagesWhenEmpty: 0,
  defaultSort: 'Created:-1',
  unknownSort: 'ignore',
  sortEcho: 'sent',
  moveAppliesGoodOnes: true,
  moveUnknownIds: 'fail',
  ctaUnknownTargets: 'fail',
  ctaTargetsAre: 'id',
  ctaData: 'counts',
} as const;

const ANALYTICS = {
  statsAuth: 'ignored',
  toInclusive: false,
  dateOnlyToCoversDay: false,
  statsTimezoneOffsetMinutes: 0,
  statsDefaultSize: 50,
  statsMaxSize: 1000,
  statsOversizedPage: 'clamp',
  viewsNewestFirst: true,
  newViewsBetweenPages: 0,
  repeatedViewsPerPage: 0,
  malformedViewEvery: 0,
  movingTotal: false,
  hitsMeans: 'page',
  statsResultWindow: 0,
  viewDateOffsets: [0],
  viewDateFractionDigits: 3,
  sparseViews: true,
} as const;

/** The behaviour a demo service starts with; where the document is silent on a loss, the harsher reading. */
export function createBehaviour(): Behaviour {
  return {
    ...CHANNELS,
    ...LISTS_AND_VIDEOS,
    ...ANALYTICS,
    updateIgnores: new Set(),
    inaccessibleChannels: new Set(),
    extraFields: false,
    nullFields: 0,
    missingFields: 0,
    distorts: new Set<DistortedKind>(['channels', 'templates', 'projects', 'plans', 'emails', 'pager']),
    numericIds: false,
    errorBodies: 'json',
  };
}
