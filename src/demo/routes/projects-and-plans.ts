import { type DemoCall, type Endpoint, isObject } from '../call.ts';
import { distort, findById } from '../distort.ts';
import { listReply } from '../lists.ts';
import type { DemoProject } from '../records.ts';
import { failure, ok, type Reply } from '../requests.ts';

/** The API document, sections Create project to List plans. */
export const PROJECT_ROUTES: readonly Endpoint[] = [
  { api: 'main', method: 'POST', path: '/v1/projects', access: 'key', handle: createProject },
  { api: 'main', method: 'GET', path: '/v1/projects', access: 'key', handle: listProjects },
  { api: 'main', method: 'GET', path: '/v1/projects/{id}', access: 'key', handle: getProject },
  { api: 'main', method: 'GET', path: '/v1/plans', access: 'key', handle: listPlans },
];

function createProject(call: DemoCall): Reply {
  const { body } = call.request;
  if (!isObject(body)) return failure(400, 'The body must be a JSON object.');
  const { name, description = '', region = 'use-s', planType = 1, options = {}, videoOptions = {} } = body;
  if (typeof name !== 'string' || name.trim() === '') return failure(400, 'name is required.');
  if (typeof description !== 'string' || typeof region !== 'string') return failure(400, 'description and region must be strings.');
  if (planType !== 1 && planType !== 2) return failure(400, 'planType must be 1 or 2.');
  if (!isObject(options) || !isObject(videoOptions)) return failure(400, 'options and videoOptions must be objects.');
  const project = call.world.addProject({
    name,
    description,
    region,
    planType,
    // Kept as sent: the document doesn't say what becomes of options that it doesn't list.
    options: options as DemoProject['options'],
    videoOptions: videoOptions as DemoProject['videoOptions'],
  });
  const record = call.behaviour.createProjectAnswer === 'record' ? shown(project) : { id: project.id };
  return { status: call.behaviour.createProjectStatus, body: distort('projects', record, call.behaviour) };
}

function listProjects(call: DemoCall): Reply {
  const { world, behaviour, request } = call;
  const { projectId = '', parentId = '' } = request.query;
  const wanted = findById(world.projects, projectId, behaviour);
  const parent = findById(world.projects, parentId, behaviour);
  const isWanted = (project: DemoProject): boolean =>
    (projectId === '' || project === wanted) && (parentId === '' || project.parentId === parent?.id);
  return listReply(call, 'projects', [...world.projects.values()].filter(isWanted), shown);
}

function getProject({ world, behaviour, id: asked }: DemoCall): Reply {
  const project = findById(world.projects, asked, behaviour);
  if (project === undefined) return { status: 404, body: problem(asked), contentType: 'application/problem+json; charset=utf-8' };
  const { id, key, name, description, region } = project;
  const record = behaviour.getProjectIsBrief ? { id, key, name, description, region } : shown(project);
  return ok(distort('projects', record, behaviour));
}

function listPlans(call: DemoCall): Reply {
  return listReply(call, 'plans', call.world.plans, (plan) => plan);
}

function shown(project: DemoProject): object {
  const { parentId: _hidden, ...record } = project;
  return record;
}

function problem(asked: string): object {
  const digits = Buffer.from(asked.padEnd(16, '0')).toString('hex').slice(0, 32);
  return {
    type: 'https://tools.ietf.org/html/rfc9110#section-15.5.5',
    title: 'Not Found',
    status: 404,
    traceId: `00-${digits}-${digits.slice(0, 16)}-00`,
  };
}
