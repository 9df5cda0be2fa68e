import type { Account } from '../../account/account.ts';
import type { Catalogue } from '../../account/catalogue.ts';
import type { FormerLookup, SentLookup } from '../../account/contents.ts';
import type { SeenVideosLookup } from '../../account/viewed-videos.ts';
import type { NamedFiles } from '../../files/named-files.ts';
import type { ServiceClient } from '../../service/client.ts';
import type { Channel } from '../../service/resources/channels.ts';
import type { Journal } from '../journal/journal.ts';
import type { ChannelReadings } from '../kinds/channels/list-age.ts';
import type { EmailDownloads } from '../kinds/emails/email-downloads.ts';
import type { PlanReading } from './plan.ts';

/** What planners of changes are given: an account and its history. */
export interface PlanDeps {
  readonly client: ServiceClient;
  readonly account: Account;
  readonly catalogue: () => Promise<Catalogue | undefined>;
  readonly journal: Journal;
  /** Whether moves are asked for with a key that is no JWT, which some services want for them. */
  readonly movesByKey: boolean;
  /** Of the JWT that is sent for videos, where it says when it expires: that time, and the setting that it is in. */
  readonly videosJwt: { readonly expires: string; readonly setting: string } | undefined;
}

/** Of changes that may name files. */
export interface FileDeps extends PlanDeps {
  /** Where files of collected emails are for people who don’t sit at this machine. */
  readonly emailDownloads: EmailDownloads;
  /** The folders that files may be in, or what was kept of them. */
  readonly filesDirs: NamedFiles;
  /** Ends a change that is carried out now, in whichever process, after its requests in flight; absent where what runs is left alone. */
  readonly endRunning?: (changeId: string, read: PlanReading) => Promise<unknown>;
}

/** Of changes that start from what channels hold. */
export interface ContentsDeps extends FileDeps {
  /** To be called again for each reading of channels; those that are named are looked up at once. */
  readonly sentContents: (channels?: readonly Channel[]) => SentLookup;
  readonly formerContents: FormerLookup;
  readonly seenVideos: SeenVideosLookup;
  readonly readings: ChannelReadings;
}
