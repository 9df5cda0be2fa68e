import { type Access, type DemoCall, isObject } from './call.ts';
import { failure, type Reply } from './requests.ts';
import { CHANNEL_ROUTES } from './routes/channels.ts';
import { PROJECT_ROUTES } from './routes/projects-and-plans.ts';
import { VIDEO_ROUTES } from './routes/videos.ts';
import { VIEW_LOG_ROUTES } from './routes/view-logs.ts';
import type { DemoWorld } from './world.ts';

/** An API key of an account. */
export interface DemoKey {
  world: DemoWorld;
  /** Ids of the channels that it has no access to, as a team member has not to all. */
  hiddenChannels?: ReadonlySet<string>;
}

export interface DemoCredentials {
  /** By the key. What is asked without one is answered for the first. */
  keys: ReadonlyMap<string, DemoKey>;
  accessToken: string | undefined;
}

const ROUTES = [...CHANNEL_ROUTES, ...PROJECT_ROUTES, ...VIDEO_ROUTES, ...VIEW_LOG_ROUTES].map((route) => ({
  ...route,
  pattern: new RegExp(`^${route.path.replace('{id}', '(?<id>[^/]+)')}$`),
}));

export function answer(call: Omit<DemoCall, 'id'>, credentials: DemoCredentials, isJson: boolean): Reply {
  try {
    return withMessageSuffix(answerRoute(call, credentials, isJson), call);
  } catch {
    return withMessageSuffix(failure(500, 'An unexpected error occurred.'), call);
  }
}

function answerRoute(call: Omit<DemoCall, 'id'>, credentials: DemoCredentials, isJson: boolean): Reply {
  const { api, method, path, headers } = call.request;
  const routes = ROUTES.filter((route) => route.api === api && route.pattern.test(path));
  if (routes.length === 0) return failure(404, 'There is nothing here.');
  const route = routes.find((candidate) => candidate.method === method);
  if (route === undefined) {
    return { ...failure(405, 'Method not allowed.'), headers: { allow: routes.map((candidate) => candidate.method).join(', ') } };
  }
  const refused = checkCredential(route.access, headers.authorization, credentials);
  if (refused !== undefined) return refused;
  if (method !== 'GET' && !/^application\/json\b/i.test(headers['content-type'] ?? '')) {
    return failure(415, 'Content-Type must be application/json.');
  }
  if (method !== 'GET' && !isJson) return failure(400, 'Invalid JSON.');
  return route.handle({ ...asSeenWith(credentials, call), id: decoded(route.pattern.exec(path)?.groups?.id ?? '') });
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

const sentWith = (header: string | undefined): string | undefined => /^Bearer (.+)$/i.exec(header ?? '')?.[1];

/** The account of the key that was sent, with the channels that it has access to. */
function asSeenWith<C extends Omit<DemoCall, 'id'>>({ keys }: DemoCredentials, call: C): C {
  const key = keys.get(sentWith(call.request.headers.authorization) ?? '');
  if (key === undefined) return call;
  const { world, hiddenChannels } = key;
  const inaccessibleChannels = new Set([...call.behaviour.inaccessibleChannels, ...(hiddenChannels ?? [])]);
  const behaviour = hiddenChannels === undefined ? call.behaviour : Object.assign(Object.create(call.behaviour), { inaccessibleChannels });
  return { ...call, world, behaviour };
}

/** The API document, section Authentication. */
function checkCredential(access: Access, header: string | undefined, credentials: DemoCredentials): Reply | undefined {
  if (access === 'none') return undefined;
  const sent = sentWith(header);
  const { keys, accessToken } = credentials;
  if (accessToken !== undefined && sent === accessToken && (access === 'move' || access === 'videos')) return undefined;
  if (!keys.has(sent ?? '')) return failure(401, sent === undefined ? 'Missing API key.' : 'Invalid API key.');
  if (access === 'move' && accessToken !== undefined) return failure(403, 'This endpoint requires an access token.');
  return undefined;
}

function withMessageSuffix(reply: Reply, { world }: Omit<DemoCall, 'id'>): Reply {
  const { status, body } = reply;
  if (status < 400 || !isObject(body) || typeof body.message !== 'string') return reply;
  return { ...reply, body: { ...body, message: body.message + world.messageSuffix } };
}
