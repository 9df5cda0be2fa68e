import type { Account } from '../account/account.ts';
import type { Catalogue } from '../account/catalogue.ts';
import type { SentLookup } from '../account/contents.ts';
import type { SeenVideosLookup } from '../account/viewed-videos.ts';
import type { Renderer } from '../analytics/chart/renderer.ts';
import type { Reports } from '../analytics/reports.ts';
import type { Journal } from '../changes/journal/journal.ts';
import type { EmailDownloads } from '../changes/kinds/emails/email-downloads.ts';
import type { Guard } from '../changes/life/guard.ts';
import type { Jobs } from '../changes/life/jobs.ts';
import type { Reader } from '../changes/plan/confirmed-by.ts';
import type { ContentsDeps, PlanDeps } from '../changes/plan/plan-deps.ts';
import type { Decisions } from '../changes/proposals/decisions.ts';
import type { ProposalStore } from '../changes/proposals/store.ts';
import type { Standing } from '../changes/standing/standing.ts';
import type { Intervals } from '../platform/intervals.ts';
import type { ServiceClient } from '../service/client.ts';
import type { Channel } from '../service/resources/channels.ts';
import type { Sentence } from '../text/sentence.ts';

/** One account, as the page works on it. */
export interface PageDeps {
  readonly version: string;
  /** The account in words. */
  readonly accountName: string;
  readonly readOnly: boolean;
  /** Who looks: one person, or any of several. */
  readonly reader: Extract<Reader, 'person' | 'people'>;
  readonly client: ServiceClient;
  readonly account: Account;
  readonly journal: Journal;
  readonly movesByKey: PlanDeps['movesByKey'];
  readonly videosJwt: PlanDeps['videosJwt'];
  readonly emailDownloads: EmailDownloads;
  readonly jobs: Jobs;
  readonly proposals: ProposalStore;
  readonly decisions: Decisions;
  readonly propose: Guard['propose'];
  /** What was allowed in advance; undefined where no file of it is set. */
  readonly standing: Standing | undefined;
  readonly catalogue: () => Promise<Catalogue | undefined>;
  readonly sentContents: (channels?: readonly Channel[]) => SentLookup;
  readonly formerContents: ContentsDeps['formerContents'];
  readonly seenVideos: SeenVideosLookup;
  readonly readings: ContentsDeps['readings'];
  readonly reports: Reports;
  readonly renderer: Renderer;
  readonly intervals: Intervals;
  /** What is said of a credential that a value holds. */
  readonly credentialIn: (value: unknown) => Sentence | undefined;
  /** Throws where the account’s folder was removed since. */
  readonly assertKept: () => void;
  readonly log: (message: string) => void;
}
