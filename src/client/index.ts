/** `video-hosting-mcp/client`: the service's typed client, for programs. Loads nothing of the server. */

export { type ErrorCode, type ErrorFacts, type FieldProblem, type Retry, VideoHostingError } from '../errors.ts';
export type { Timeouts } from '../service/attempt.ts';
export type { ChannelId, ChannelKey, PlanId, ProjectId, ProjectKey, TemplateKey, VideoId, VideoKey } from '../service/ids.ts';
export type { ListQuery, Records } from '../service/list.ts';
export type { Whole } from '../service/paging.ts';
export type { ReadOptions, ReadResult } from '../service/paging-state.ts';
export type { ChannelContent, ChannelUpdate, NewChannel } from '../service/resources/channels.ts';
export type { EmailReading } from '../service/resources/emails.ts';
export type { ProjectQuery } from '../service/resources/projects.ts';
export type { ViewQuery } from '../service/resources/view-logs.ts';
export type { Created } from '../service/response-schema.ts';
export type {
  Channel,
  Client,
  ClientOptions,
  CollectedEmail,
  CtaCopied,
  EncodingOptions,
  Moved,
  NewProject,
  Page,
  Pager,
  Plan,
  PlayerOptions,
  Project,
  Template,
  UnguardedClient,
  ViewPage,
} from './contract.ts';
export { createClient, createUnguardedClient } from './create-client.ts';
