import * as z from 'zod';
import type { Approval } from './approval.ts';
import { type Created, createdSchema } from './created.ts';
import type { Http } from './http.ts';
import { type ProjectId, ProjectIdSchema, ProjectKeySchema } from './ids.ts';
import { type ListQuery, type Page, pageSchema } from './list.ts';
import { eachRecord, readAll, type Whole } from './paging.ts';
import { path } from './path.ts';
import { type EncodingOptions, EncodingOptionsSchema, type PlayerOptions, PlayerOptionsSchema } from './project-options.ts';
import type { Reading, ReadOptions } from './reading.ts';
import { maybe } from './shape.ts';

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
export function createProjects(http: Http) {
  const pages = pageSchema('projects', ProjectSchema);

  function list(query: ProjectQuery = {}, signal?: AbortSignal): Promise<Page<Project>> {
    return http.send({ method: 'GET', path: path`/v1/projects`, query: { ...query }, retry: 'idempotent', expect: pages, signal });
  }

  const reader = { list, size: PROJECTS_PER_PAGE };

  return {
    /** One page. */
    list,

    /** Every project, once, also while projects come and go; what it returns says whether the reading was complete. */
    each: (options?: ReadOptions<ProjectQuery>): AsyncGenerator<Project, Reading> => eachRecord(reader, options),

    /** Every project at once. */
    all: (options?: ReadOptions<ProjectQuery>): Promise<Whole<Project>> => readAll(eachRecord(reader, options)),

    /** Throws `service_not_found` with the service's problem details. */
    get(id: ProjectId, signal?: AbortSignal): Promise<Project> {
      return http.send({ method: 'GET', path: path`/v1/projects/${id}`, retry: 'idempotent', expect: ProjectSchema, signal });
    },

    /** Never sent twice: nothing documents it as idempotent. The record may hold its `id` alone. */
    create(approval: Approval, project: NewProject, signal?: AbortSignal): Promise<Created<Project>> {
      const { name, description, region, planType, options, videoOptions } = project;
      const body = { name, description, region, planType, options, videoOptions };
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
