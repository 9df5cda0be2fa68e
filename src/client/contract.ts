/** The client as a library. scripts/build/types.mjs writes its declarations, with the records' types spelled out from their schemas. */

import type { ChannelId, ProjectId, VideoId } from '../service/ids.ts';
import type { ListQuery, Pager, Records } from '../service/list.ts';
import type { ReadOptions, ReadResult, Whole } from '../service/paging.ts';
import type { Channel, ChannelUpdate, NewChannel, Template } from '../service/resources/channels.ts';
import type { CollectedEmail, EmailReading } from '../service/resources/emails.ts';
import type { Plan } from '../service/resources/plans.ts';
import type { NewProject, Project, ProjectQuery } from '../service/resources/projects.ts';
import type { CtaCopied, Moved } from '../service/resources/videos.ts';
import type { ViewPage, ViewQuery } from '../service/resources/view-logs.ts';
import type { Created } from '../service/response-schema.ts';
import type { Timeouts } from '../service/send-once.ts';

/** Addresses, credentials and limits. Nothing is read from the environment. */
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

/** One page of a list. */
export interface Page<T> extends Records<T> {
  readonly pager: Pager;
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
