import type { Behaviour } from './behaviour.ts';
import { type Access, type Call, isRecord, type Route } from './call.ts';
import { type Reply, refusal } from './requests.ts';
import { CHANNEL_ROUTES } from './routes/channels.ts';
import { PROJECT_ROUTES } from './routes/projects-and-plans.ts';
import { VIDEO_ROUTES } from './routes/videos.ts';
import { VIEW_LOG_ROUTES } from './routes/view-logs.ts';

/** What the service accepts as a credential. */
export interface Credentials {
  apiKey: string;
  accessToken: string | undefined;
  requireListAuth: boolean;
}

const ROUTES = [...CHANNEL_ROUTES, ...PROJECT_ROUTES, ...VIDEO_ROUTES, ...VIEW_LOG_ROUTES].map((route) => ({
  route,
  segments: route.path.split('/'),
}));

/** Carries a request out and says what to answer; never throws. */
export function answer(call: Omit<Call, 'id'>, credentials: Credentials, isJson: boolean): Reply {
  try {
    return withErrorBody(answerRoute(call, credentials, isJson), call);
  } catch {
    return withErrorBody(refusal(500, 'An unexpected error occurred.'), call);
  }
}

function answerRoute(call: Omit<Call, 'id'>, credentials: Credentials, isJson: boolean): Reply {
  const { request } = call;
  const fitting = fittingRoutes(request.api, request.path);
  if (fitting.length === 0) return refusal(404, 'There is nothing here.');
  const chosen = fitting.find(({ route }) => route.method === request.method);
  if (chosen === undefined) {
    const allow = fitting.map(({ route }) => route.method).join(', ');
    return { ...refusal(405, 'Method not allowed.'), headers: { allow } };
  }
  const refused = checkCredential(chosen.route.access, call.request.headers.authorization, credentials, call.behaviour);
  if (refused !== undefined) return refused;
  if (request.method !== 'GET' && !/^application\/json\b/i.test(request.headers['content-type'] ?? '')) {
    return refusal(415, 'Content-Type must be application/json.');
  }
  if (request.method !== 'GET' && !isJson) return refusal(400, 'Invalid JSON.');
  return chosen.route.handle({ ...call, id: chosen.id });
}

interface Fitting {
  route: Route;
  id: string;
}

/** Routes for a path; those without variable parts win, so that `templates` is no channel id. */
function fittingRoutes(api: 'main' | 'stats', path: string): Fitting[] {
  const parts = path.split('/');
  const fitting = ROUTES.flatMap(({ route, segments }): Fitting[] => {
    const id = route.api === api ? matchSegments(segments, parts) : undefined;
    return id === undefined ? [] : [{ route, id }];
  });
  const fixed = fitting.filter(({ id }) => id === '');
  return fixed.length > 0 ? fixed : fitting;
}

function matchSegments(segments: readonly string[], parts: readonly string[]): string | undefined {
  if (segments.length !== parts.length) return undefined;
  let id = '';
  for (const [index, segment] of segments.entries()) {
    const part = parts[index] ?? '';
    if (!segment.startsWith('{')) {
      if (segment !== part) return undefined;
    } else if (part === '') return undefined;
    else id = decoded(part);
  }
  return id;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** The API document, section Authentication. */
function checkCredential(access: Access, header: string | undefined, credentials: Credentials, behaviour: Behaviour): Reply | undefined {
  if (access === 'list' && !credentials.requireListAuth) return undefined;
  if (access === 'stats' && behaviour.statsAuth === 'ignored') return undefined;
  if (access === 'stats' && behaviour.statsAuth === 'refused') {
    return header === undefined ? undefined : refusal(401, 'No credential may be sent here.');
  }
  const sent = /^Bearer (.+)$/i.exec(header ?? '')?.[1];
  const { apiKey, accessToken } = credentials;
  if (accessToken !== undefined && sent === accessToken && (access === 'move' || access === 'videos')) return undefined;
  if (sent !== apiKey) return refusal(401, sent === undefined ? 'Missing API key.' : 'Invalid API key.');
  if (access === 'move' && accessToken !== undefined) return refusal(403, 'This endpoint requires an access token.');
  return undefined;
}

function withErrorBody(reply: Reply, { behaviour, world }: Omit<Call, 'id'>): Reply {
  if (reply.status < 400) return reply;
  const { status, headers = {} } = reply;
  if (behaviour.errorBodies === 'empty') return { status, headers };
  if (behaviour.errorBodies === 'text') return { status, headers, text: 'The request failed.', contentType: 'text/plain' };
  if (behaviour.errorBodies === 'html') {
    return { status, headers, text: `<!doctype html><html><body><h1>Error ${status}</h1></body></html>`, contentType: 'text/html' };
  }
  const { body } = reply;
  if (!isRecord(body) || typeof body.message !== 'string') return reply;
  return { ...reply, body: { ...body, message: body.message + world.messageSuffix } };
}
