import * as z from 'zod';
import type { Approval } from '../approval.ts';
import type { Http } from '../http.ts';
import {
  type ChannelId,
  ChannelIdSchema,
  ChannelKeySchema,
  type ProjectKey,
  ProjectKeySchema,
  type TemplateKey,
  TemplateKeySchema,
  type VideoKey,
  VideoKeySchema,
} from '../ids.ts';
import { type ListQuery, type Records, recordsSchema } from '../list.ts';
import { createListMethods } from '../paging.ts';
import { path } from '../path.ts';
import { type Created, createdSchema, maybe } from '../response-schema.ts';

/** "Channel" in the API document. Dates stay text as they came; `status` 1 is published, other values are not documented. */
export const ChannelSchema = z.looseObject({
  id: ChannelIdSchema,
  key: maybe(ChannelKeySchema),
  name: maybe(z.string()),
  description: maybe(z.string()),
  accountId: maybe(z.string()),
  version: maybe(z.number()),
  planType: maybe(z.number()),
  /** Empty when the channel uses the default system template. */
  templateKey: maybe(z.string()),
  status: maybe(z.number()),
  created: maybe(z.string()),
  updated: maybe(z.string()),
  /** Not documented in a response; kept when they are lists of keys, since nothing else tells what a channel holds. */
  videoKeys: z.array(VideoKeySchema).optional().catch(undefined),
  projectKeys: z.array(ProjectKeySchema).optional().catch(undefined),
});
export type Channel = z.output<typeof ChannelSchema>;

/** Longest channel name and description ("Limits"), in characters. */
export const MAX_CHANNEL_NAME_LENGTH = 100;
export const MAX_CHANNEL_DESCRIPTION_LENGTH = 250;
const MAX_CHANNELS_PER_PAGE = 100;

/** What a channel is created with. `description` has a documented limit for creation but is not among the fields seen there. */
export interface NewChannel {
  readonly name: string;
  readonly videoKeys: readonly VideoKey[];
  readonly description?: string | undefined;
  readonly templateKey?: TemplateKey | undefined;
}

interface ChannelFields {
  readonly name: string;
  readonly description?: string | undefined;
  readonly templateKey?: TemplateKey | undefined;
  readonly privateLinkEnabled?: boolean | undefined;
}

/** What a channel holds: it is replaced entirely by what is sent, so one of the two lists is always there. */
export type ChannelContent =
  | { readonly videoKeys: readonly VideoKey[]; readonly projectKeys?: readonly ProjectKey[] | undefined }
  | { readonly videoKeys?: readonly VideoKey[] | undefined; readonly projectKeys: readonly ProjectKey[] };

/** A full replacement of a channel: absent fields keep their values, the content lists do not. */
export type ChannelUpdate = ChannelFields & ChannelContent;

/** "List channels" to "Update channel" in the API document. */
export function channelEndpoints(http: Http) {
  return {
    ...createListMethods<Channel, ListQuery>(http, {
      path: path`/v1/channels`,
      name: 'channels',
      schema: ChannelSchema,
      size: MAX_CHANNELS_PER_PAGE,
    }),

    /** Throws `service_not_found` also where the caller has no access. */
    get(id: ChannelId, signal?: AbortSignal): Promise<Channel> {
      return http.send({ method: 'GET', path: path`/v1/channels/${id}`, retry: 'idempotent', expect: ChannelSchema, signal });
    },

    /** Never sent twice: nothing documents it as idempotent. The record is absent where the service sent none. */
    create(approval: Approval, channel: NewChannel, signal?: AbortSignal): Promise<Created<Channel>> {
      const { name, videoKeys, description, templateKey } = channel;
      const body = { name, videoKeys, description, templateKey } satisfies Record<keyof NewChannel, unknown>;
      return http.send({
        method: 'POST',
        path: path`/v1/channels`,
        body,
        retry: 'never',
        expect: createdSchema(ChannelSchema),
        approval,
        signal,
      });
    },

    /**
     * Replaces a channel in full. Never sent again by itself: whoever calls it looks first whether the channel is still the same, and
     * throws `cancelled` where it had to wait until after `notAfterMs`.
     */
    update(approval: Approval, id: ChannelId, update: ChannelUpdate, signal?: AbortSignal, notAfterMs?: number): Promise<Channel> {
      const { name, description, templateKey, videoKeys, projectKeys, privateLinkEnabled } = update;
      const body = { name, description, templateKey, videoKeys, projectKeys, privateLinkEnabled } satisfies Record<
        keyof ChannelUpdate,
        unknown
      >;
      return http.send({
        method: 'PUT',
        path: path`/v1/channels/${id}`,
        body,
        retry: 'never',
        expect: ChannelSchema,
        approval,
        signal,
        notAfterMs,
      });
    },
  };
}

/** "Channel template" in the API document. `status` 1 is active; `planType` is the least plan type that may use it. */
export const TemplateSchema = z.looseObject({
  key: TemplateKeySchema,
  name: maybe(z.string()),
  planType: maybe(z.number()),
  status: maybe(z.number()),
  created: maybe(z.string()),
});
export type Template = z.output<typeof TemplateSchema>;

/** "List channel templates" in the API document. */
export function templateEndpoints(http: Http) {
  const records = recordsSchema(TemplateSchema);
  return {
    /** All of them: the list has no pages. */
    list(signal?: AbortSignal): Promise<Records<Template>> {
      return http.send({ method: 'GET', path: path`/v1/channels/templates`, retry: 'idempotent', expect: records, signal });
    },
  };
}
