/** `video-hosting-mcp/client`: the service's typed client, for programs. Loads nothing of the server. */

export { type ErrorCode, type ErrorFacts, type FieldProblem, type Retry, VideoHostingError } from '../errors.ts';
export type { ChannelId, ChannelKey, PlanId, ProjectId, ProjectKey, TemplateKey, VideoId, VideoKey } from '../service/ids.ts';
export type { ListQuery, Pager, Records } from '../service/list.ts';
export type { ReadOptions, ReadResult, Whole } from '../service/paging.ts';
export type { Channel, ChannelContent, ChannelUpdate, NewChannel, Template } from '../service/resources/channels.ts';
export type { CollectedEmail, EmailReading } from '../service/resources/emails.ts';
export type { Plan } from '../service/resources/plans.ts';
export type { EncodingOptions, NewProject, PlayerOptions, Project, ProjectQuery } from '../service/resources/projects.ts';
export type { CtaCopied, Moved } from '../service/resources/videos.ts';
export type { ViewPage, ViewQuery } from '../service/resources/view-logs.ts';
export type { Created } from '../service/response-schema.ts';
export type { Client, ClientOptions, Page, UnguardedClient } from './contract.ts';
export { createClient, createUnguardedClient } from './create-client.ts';
