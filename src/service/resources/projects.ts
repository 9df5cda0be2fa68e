import * as z from 'zod';
import type { Approval } from '../approval.ts';
import type { Http } from '../http.ts';
import { type ProjectId, ProjectIdSchema, ProjectKeySchema } from '../ids.ts';
import type { ListQuery } from '../list.ts';
import { createListMethods } from '../paging.ts';
import { path } from '../path.ts';
import { type Created, createdSchema, maybe } from '../response-schema.ts';

const flag = maybe(z.boolean());
/** Target bitrate of a rendition; 0 means the defaults; the unit is not documented. */
const bitrate = maybe(z.number());
/** Empty means unset. */
const text = maybe(z.string());

/** A project's `options`: how its videos are encoded. */
export const EncodingOptionsSchema = z.looseObject({
  convertToHls: flag,
  convertToMp4: flag,
  convertToOneMp4: flag,
  useOriginalMp4: flag,
  hlsEncrypt: flag,
  bitrate240p: bitrate,
  bitrate360p: bitrate,
  bitrate540p: bitrate,
  bitrate720p: bitrate,
  bitrate1080p: bitrate,
  bitrate1440p: bitrate,
  bitrate2160p: bitrate,
  saveOriginalVideos: flag,
});
export type EncodingOptions = z.output<typeof EncodingOptionsSchema>;

/** A project's `videoOptions`: how its player looks and behaves. */
export const PlayerOptionsSchema = z.looseObject({
  autoplay: flag,
  seekButtons: flag,
  volumeControl: flag,
  fullscreenControl: flag,
  controls: flag,
  captionsOn: flag,
  bigPlayControl: flag,
  qualityControl: flag,
  speedControl: flag,
  fastForward: flag,
  loop: flag,
  muted: flag,
  landscapeFullscreen: flag,
  modal: flag,
  resumePlayback: flag,
  hideLogo: flag,
  cast: flag,
  extraSecurity: flag,
  stickyPlayer: flag,
  pauseOnScroll: flag,
  storeAuth: flag,
  contextMenu: flag,
  playerSkin: text,
  controlsColor: text,
  primaryColor: text,
  preload: text,
  defaultQuality: text,
  /** 1.0 is full volume. */
  volume: maybe(z.number()),
});
export type PlayerOptions = z.output<typeof PlayerOptionsSchema>;

/** "Project" in the API document. `planType` means 1 standard, 2 edge here; values of `status` are not documented. */
export const ProjectSchema = z.looseObject({
  id: ProjectIdSchema,
  key: maybe(ProjectKeySchema),
  name: maybe(z.string()),
  description: maybe(z.string()),
  region: maybe(z.string()),
  planType: maybe(z.number()),
  options: maybe(EncodingOptionsSchema),
  videoOptions: maybe(PlayerOptionsSchema),
  status: maybe(z.number()),
  created: maybe(z.string()),
  updated: maybe(z.string()),
});
export type Project = z.output<typeof ProjectSchema>;

export interface ProjectQuery extends ListQuery {
  readonly projectId?: ProjectId | undefined;
  readonly parentId?: ProjectId | undefined;
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

/** The largest page of projects is not documented: a service that sends fewer than asked for is followed. */
const PROJECTS_PER_PAGE = 100;

/** "Create project", "List projects" and "Get project" in the API document. */
export function projectEndpoints(http: Http) {
  return {
    ...createListMethods<Project, ProjectQuery>(http, {
      path: path`/v1/projects`,
      name: 'projects',
      schema: ProjectSchema,
      size: PROJECTS_PER_PAGE,
    }),

    /** Throws `service_not_found` with the service's problem details. */
    get(id: ProjectId, signal?: AbortSignal): Promise<Project> {
      return http.send({ method: 'GET', path: path`/v1/projects/${id}`, retry: 'idempotent', expect: ProjectSchema, signal });
    },

    /** Never sent twice: nothing documents it as idempotent. The record may hold its `id` alone. */
    create(approval: Approval, project: NewProject, signal?: AbortSignal): Promise<Created<Project>> {
      const { name, description, region, planType, options, videoOptions } = project;
      const body = { name, description, region, planType, options, videoOptions } satisfies Record<keyof NewProject, unknown>;
      return http.send({
        method: 'POST',
        path: path`/v1/projects`,
        body,
        retry: 'never',
        expect: createdSchema(ProjectSchema),
        approval,
        signal,
      });
    },
  };
}
