/**
 * What the client is to those who use it as a library. Its own shapes of the records, since those of the schemas can't be
 * had without the schemas' package; `test/client/types.test.ts` holds the two together.
 */

import type { ChannelId, ChannelKey, PlanId, ProjectId, ProjectKey, TemplateKey, VideoId, VideoKey } from '../service/ids.ts';
import type { ListQuery, Records } from '../service/list.ts';
import type { Whole } from '../service/paging.ts';
import type { ReadOptions, ReadResult } from '../service/paging-state.ts';
import type { ChannelUpdate, NewChannel } from '../service/resources/channels.ts';
import type { EmailReading } from '../service/resources/emails.ts';
import type { ProjectQuery } from '../service/resources/projects.ts';
import type { ViewQuery } from '../service/resources/view-logs.ts';
import type { Created } from '../service/response-schema.ts';
import type { Timeouts } from '../service/send-once.ts';

/** Where the service is, and what it is called with. Nothing is read from the environment. */
export interface ClientOptions {
  /** Root of the main API; a path and a trailing slash are fine. `https`, save on loopback. */
  readonly baseUrl: string;
  /** Root of the analytics API. Without it `viewLogs` throws `settings_missing`. */
  readonly statsUrl?: string | undefined;
  /** Bearer credential. Sent to these two addresses alone; never part of an error or of any answer. */
  readonly apiKey: string;
  /** A JWT for the `videos` endpoints, where the service wants one in the key's place. */
  readonly accessToken?: string | undefined;
  /** Whether the analytics API gets the credential. Default: `none`. */
  readonly statsAuth?: 'none' | 'bearer' | undefined;
  /** Milliseconds, each; those that are not given keep their defaults. */
  readonly timeouts?: Partial<Timeouts> | undefined;
  /** Largest body accepted, in bytes. Default: 64 MiB. */
  readonly maxBytes?: number | undefined;
  readonly userAgent?: string | undefined;
  /** The proxy that leads to the service, and the hosts that are reached without it, separated by commas. None unless given. */
  readonly proxy?: { readonly address: string; readonly noProxy?: string | undefined } | undefined;
}

/** Where a page is in its list, as the service says; what it left out is absent. */
export interface Pager {
  readonly page?: number | undefined;
  readonly totalPages?: number | undefined;
  readonly totalResults?: number | undefined;
  readonly sort?: string | undefined;
}

/** One page of a list. */
export interface Page<T> extends Records<T> {
  readonly pager: Pager;
}

/** A record of the service. Fields that its documentation does not name are there too, as they came. */
interface Loose {
  readonly [field: string]: unknown;
}

/** Dates stay text as they came. `status` 1 is published, other values are not documented. */
export interface Channel extends Loose {
  readonly id: ChannelId;
  readonly key?: ChannelKey | undefined;
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  readonly accountId?: string | undefined;
  readonly version?: number | undefined;
  readonly planType?: number | undefined;
  /** Empty when the channel uses the default system template. */
  readonly templateKey?: string | undefined;
  readonly status?: number | undefined;
  readonly created?: string | undefined;
  readonly updated?: string | undefined;
  /** What the channel holds. Not documented in an answer: absence does not mean that it is empty. */
  readonly videoKeys?: readonly VideoKey[] | undefined;
  readonly projectKeys?: readonly ProjectKey[] | undefined;
}

/** `status` 1 is active; `planType` is the least plan type that may use it. */
export interface Template extends Loose {
  readonly key: TemplateKey;
  readonly name?: string | undefined;
  readonly planType?: number | undefined;
  readonly status?: number | undefined;
  readonly created?: string | undefined;
}

/** How a project's videos are encoded. 0 means the default bitrate; the unit is not documented. */
export interface EncodingOptions extends Loose {
  readonly convertToHls?: boolean | undefined;
  readonly convertToMp4?: boolean | undefined;
  readonly convertToOneMp4?: boolean | undefined;
  readonly useOriginalMp4?: boolean | undefined;
  readonly hlsEncrypt?: boolean | undefined;
  readonly bitrate240p?: number | undefined;
  readonly bitrate360p?: number | undefined;
  readonly bitrate540p?: number | undefined;
  readonly bitrate720p?: number | undefined;
  readonly bitrate1080p?: number | undefined;
  readonly bitrate1440p?: number | undefined;
  readonly bitrate2160p?: number | undefined;
  readonly saveOriginalVideos?: boolean | undefined;
}

/** How a project's player looks and behaves. An empty text means unset. */
export interface PlayerOptions extends Loose {
  readonly autoplay?: boolean | undefined;
  readonly seekButtons?: boolean | undefined;
  readonly volumeControl?: boolean | undefined;
  readonly fullscreenControl?: boolean | undefined;
  readonly controls?: boolean | undefined;
  readonly captionsOn?: boolean | undefined;
  readonly bigPlayControl?: boolean | undefined;
  readonly qualityControl?: boolean | undefined;
  readonly speedControl?: boolean | undefined;
  readonly fastForward?: boolean | undefined;
  readonly loop?: boolean | undefined;
  readonly muted?: boolean | undefined;
  readonly landscapeFullscreen?: boolean | undefined;
  readonly modal?: boolean | undefined;
  readonly resumePlayback?: boolean | undefined;
  readonly hideLogo?: boolean | undefined;
  readonly cast?: boolean | undefined;
  readonly extraSecurity?: boolean | undefined;
  readonly stickyPlayer?: boolean | undefined;
  readonly pauseOnScroll?: boolean | undefined;
  readonly storeAuth?: boolean | undefined;
  readonly contextMenu?: boolean | undefined;
  readonly playerSkin?: string | undefined;
  readonly controlsColor?: string | undefined;
  readonly primaryColor?: string | undefined;
  readonly preload?: string | undefined;
  readonly defaultQuality?: string | undefined;
  /** 1.0 is full volume. */
  readonly volume?: number | undefined;
}

/** A folder of videos. `planType` 1 is standard, 2 edge; values of `status` are not documented. */
export interface Project extends Loose {
  readonly id: ProjectId;
  readonly key?: ProjectKey | undefined;
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  readonly region?: string | undefined;
  readonly planType?: number | undefined;
  readonly options?: EncodingOptions | undefined;
  readonly videoOptions?: PlayerOptions | undefined;
  readonly status?: number | undefined;
  readonly created?: string | undefined;
  readonly updated?: string | undefined;
}

export interface NewProject {
  readonly name: string;
  readonly region: string;
  /** 1 standard, 2 edge. */
  readonly planType?: 1 | 2 | undefined;
  readonly description?: string | undefined;
  readonly options?: EncodingOptions | undefined;
  readonly videoOptions?: PlayerOptions | undefined;
}

/** The meaning of `type`, `storePlanType`, `status` and `interval` is not documented. */
export interface Plan extends Loose {
  readonly id: PlanId;
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  readonly type?: number | undefined;
  readonly storePlanType?: number | undefined;
  readonly frequency?: { readonly interval?: number | undefined; readonly count?: number | undefined } | undefined;
  readonly status?: number | undefined;
  readonly channelKeys?: readonly ChannelKey[] | undefined;
  readonly videoKeys?: readonly VideoKey[] | undefined;
  readonly created?: string | undefined;
  readonly updated?: string | undefined;
}

/** What a viewer left. Personal data, all of it, and nothing of it is masked here. */
export interface CollectedEmail extends Loose {
  readonly fullName?: string | undefined;
  readonly email?: string | undefined;
  readonly mobileNumber?: string | undefined;
  readonly videoKey?: VideoKey | undefined;
  readonly channelKey?: ChannelKey | undefined;
  readonly created?: string | undefined;
}

/** A page of the view log. Each record as it came, with what tells who the viewer is: IP address, ids. */
export interface ViewPage extends Loose {
  readonly pager: {
    readonly page?: number | undefined;
    readonly size?: number | undefined;
    readonly hits?: number | undefined;
    readonly total?: number | undefined;
    readonly pages?: number | undefined;
  };
  readonly views: readonly unknown[];
}

/** `ok` is false when one or more videos failed; which ones is not told. */
export interface Moved extends Loose {
  readonly ok: boolean;
}

/** What `data` holds is not documented. */
export interface CtaCopied extends Loose {
  readonly ok: boolean;
  readonly message?: string | undefined;
  readonly data?: Readonly<Record<string, unknown>> | undefined;
}

/**
 * What can be read of an account. Every method rejects with a `VideoHostingError` alone. Requests have time limits, are
 * retried with backoff, and keep to what the service bears.
 */
export interface Client {
  readonly channels: {
    /** One page; `size` is at most 100. */
    list(query?: ListQuery, signal?: AbortSignal): Promise<Page<Channel>>;
    /** Every channel, once, also while channels come and go; what it returns says whether the reading was complete. */
    each(options?: ReadOptions<ListQuery>): AsyncGenerator<Channel, ReadResult>;
    /** Every channel at once. */
    all(options?: ReadOptions<ListQuery>): Promise<Whole<Channel>>;
    /** Throws `service_not_found` also where the caller has no access. */
    get(id: ChannelId, signal?: AbortSignal): Promise<Channel>;
  };
  readonly templates: {
    /** All channel templates: the list has no pages. */
    list(signal?: AbortSignal): Promise<Records<Template>>;
  };
  readonly projects: {
    /** One page. */
    list(query?: ProjectQuery, signal?: AbortSignal): Promise<Page<Project>>;
    /** Every project, once, also while projects come and go; what it returns says whether the reading was complete. */
    each(options?: ReadOptions<ProjectQuery>): AsyncGenerator<Project, ReadResult>;
    /** Every project at once. */
    all(options?: ReadOptions<ProjectQuery>): Promise<Whole<Project>>;
    /** Throws `service_not_found` with the service's problem details. */
    get(id: ProjectId, signal?: AbortSignal): Promise<Project>;
  };
  readonly plans: {
    /** One page. */
    list(query?: ListQuery, signal?: AbortSignal): Promise<Page<Plan>>;
    /** Every plan, once; what it returns says whether the reading was complete. */
    each(options?: ReadOptions<ListQuery>): AsyncGenerator<Plan, ReadResult>;
    /** Every plan at once. */
    all(options?: ReadOptions<ListQuery>): Promise<Whole<Plan>>;
  };
  readonly emails: {
    /** The email addresses collected in the last year, each record as it arrives. After a failure in the middle, what came is not all. */
    collected(signal?: AbortSignal): AsyncGenerator<CollectedEmail, EmailReading>;
  };
  readonly viewLogs: {
    /** One page of the view log. */
    page(query: ViewQuery, signal?: AbortSignal): Promise<ViewPage>;
  };
  /** Nothing more is sent; what is under way gets a moment to finish. */
  close(): Promise<void>;
}

/**
 * As {@link Client}, and what changes the account. None of the server's safeguards apply to these methods: there is no
 * plan, no question to a person, no check that nothing moved meanwhile, no journal, and no undo. What they do is done.
 */
export interface UnguardedClient extends Client {
  readonly channels: Client['channels'] & {
    /** Never sent twice: nothing documents it as idempotent. A channel can't be deleted through this API. */
    create(channel: NewChannel, signal?: AbortSignal): Promise<Created<Channel>>;
    /**
     * Replaces a channel in full: what it holds becomes exactly `videoKeys` and `projectKeys`, also where only its name was
     * meant to change, and no answer of the service is sure to tell what it held before. Never sent twice.
     */
    update(id: ChannelId, update: ChannelUpdate, signal?: AbortSignal): Promise<Channel>;
  };
  readonly projects: Client['projects'] & {
    /** Never sent twice. A project can't be deleted through this API. */
    create(project: NewProject, signal?: AbortSignal): Promise<Created<Project>>;
  };
  readonly videos: {
    /** Moves up to 1,000 videos into a project. Documented as idempotent, so it is retried. `ok: false` is an answer, no error. */
    move(projectId: ProjectId, videoIds: readonly VideoId[], signal?: AbortSignal): Promise<Moved>;
    /** Copies all calls to action of a video to up to 100 others. Never sent twice. Can't be undone. */
    copyCta(source: VideoId, targetVideos: readonly VideoId[], signal?: AbortSignal): Promise<CtaCopied>;
  };
}
