import type { DemoRequest, Exchange } from './requests.ts';

/** The kinds of record that `extraFields`, `nullFields` and `missingFields` may act on. */
export type DistortedKind = 'channels' | 'templates' | 'projects' | 'plans' | 'emails' | 'views' | 'pager';

/**
 * Switches for what the API document leaves open, with their defaults; where a misreading would lose data, the default is
 * the reading that loses most. A switch may be set at any time and applies from the next request on.
 */
export class Behaviour {
  // Channels
  /** An update that sends one of videoKeys/projectKeys empties the other. */
  updateClearsUnsentList: boolean = true;
  /** Channel records carry `videoKeys` and `projectKeys`. */
  channelRecordsShowContents: boolean = false;
  /** … but not those of the list. */
  channelListOmitsContents: boolean = false;
  /** An empty list alone satisfies "one of videoKeys or projectKeys". */
  emptyListCountsAsGiven: boolean = false;
  unknownTemplateKey: 'accept' | 'reject' | 'ignore' = 'reject';
  /** Fields that an update silently leaves as they were. */
  updateIgnores: ReadonlySet<string> = new Set();
  /** For so many calls after an update, Get channel still answers the former record. */
  staleReads: number = 0;
  /** Ids of channels that the caller has no access to: absent from lists, 404 elsewhere. */
  inaccessibleChannels: ReadonlySet<string> = new Set();
  createChannelStatus: number = 200;
  createChannelAnswer: 'record' | 'id-only' | 'empty' = 'record';
  createAcceptsDescription: boolean = true;

  // Projects, plans, lists
  createProjectStatus: number = 201;
  createProjectAnswer: 'record' | 'id-only' = 'record';
  getProjectIsBrief: boolean = false;
  /** A `size` over the maximum. */
  oversizedPage: 'clamp' | 'reject' = 'clamp';
  maxPageSize: number = 100;
  pageBeyondEnd: 'empty' | 'last' | 'not-found' = 'empty';
  /** `totalPages` of a list without records. */
  pagesWhenEmpty: number = 0;
  unknownSort: 'ignore' | 'reject' = 'ignore';
  sortEcho: 'sent' | 'normalised' = 'sent';

  // Videos
  moveUnknownIds: 'fail' | 'ignore' = 'fail';
  /** When set, the caller is a manager who may take videos only from these project ids. */
  managerProjects?: ReadonlySet<string>;
  /** When set, a copy of CTAs answers `ok: false` after so many targets. */
  ctaFailsAfter?: number;
  /** The status of that answer, in place of `ok: false`. */
  ctaFailsWith?: number;
  ctaData: 'counts' | 'empty' | 'null' = 'counts';

  // Analytics
  toInclusive: boolean = false;
  /** Minutes east of UTC that a `from`/`to` without an offset is read in. */
  statsTimezoneOffsetMinutes: number = 0;
  statsDefaultSize: number = 50;
  statsMaxSize: number = 1000;
  statsOversizedPage: 'clamp' | 'reject' = 'clamp';
  viewsNewestFirst: boolean = true;
  /** The time in the header `Date` of responses; without it they have none. */
  date?: () => number;
  /** After each page so many new views appear at the recent end of the requested span. */
  newViewsBetweenPages: number = 0;
  /** Each page begins with the last N records of the page before. */
  repeatedViewsPerPage: number = 0;
  /** A malformed record follows every Nth record of a page; 0 for none. */
  malformedViewEvery: number = 0;
  /** `total` and `pages` differ from page to page. */
  movingTotal: boolean = false;
  hitsMeans: 'page' | 'total' = 'page';
  /** As in search engines: `total` is capped here and pages past it are a 400; 0 for none. */
  statsResultWindow: number = 0;
  /** Minutes east of UTC in which records write their date; each record has one of them. */
  viewDateOffsets: readonly number[] = [0];
  viewDateFractionDigits: number = 3;
  /** Most records lack some of the optional keys. */
  sparseViews: boolean = true;

  // Bodies
  extraFields: boolean = false;
  /** Share (0–1) of the fields other than id and key that are sent as null. */
  nullFields: number = 0;
  /** Share (0–1) of the fields other than id and key that are left out. */
  missingFields: number = 0;
  distorts: ReadonlySet<DistortedKind> = new Set<DistortedKind>(['channels', 'templates', 'projects', 'plans', 'emails', 'pager']);
  /** Channel and project ids are sent as numbers, and accepted as such. */
  numericIds: boolean = false;

  // Hooks
  /** Called when a request has been read, before it is carried out. */
  onRequest?: (request: DemoRequest) => void | Promise<void>;
  /** Called when a request has been carried out, before its answer is sent. */
  onProcessed?: (request: DemoRequest) => void | Promise<void>;
  /** Called in the place of answering, for requests that are made to fail. */
  onExchange?: (exchange: Exchange) => Promise<void>;
}
