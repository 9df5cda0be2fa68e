import { type DemoCall, type Endpoint, isObject, isTextList } from '../call.ts';
import { findById } from '../distort.ts';
import { bareList } from '../lists.ts';
import { DAY_MS } from '../random.ts';
import { failure, ok, type Reply } from '../requests.ts';

const MAX_MOVED = 1000;
const MAX_COPIED = 100;

/** The API document, sections Move videos between projects to Get collected emails. */
export const VIDEO_ROUTES: readonly Endpoint[] = [
  { api: 'main', method: 'POST', path: '/v1/videos/change-project', access: 'move', handle: moveVideos },
  { api: 'main', method: 'POST', path: '/v1/videos/{id}/cta/copy', access: 'videos', handle: copyCtas },
  { api: 'main', method: 'GET', path: '/v1/videos/collected-emails', access: 'videos', handle: collectedEmails },
];

function moveVideos({ world, behaviour, request }: DemoCall): Reply {
  if (!isObject(request.body)) return failure(400, 'Invalid JSON.');
  const { videoIds } = request.body;
  const projectId = behaviour.numericIds ? String(request.body.projectId ?? '') : request.body.projectId;
  if (typeof projectId !== 'string' || projectId.trim() === '') return failure(400, 'projectId is required.');
  if (!isTextList(videoIds)) return failure(400, 'videoIds must be an array of strings.');
  if (videoIds.length > MAX_MOVED) return failure(400, `At most ${MAX_MOVED} videoIds may be sent.`);
  const ids = distinct(videoIds);
  if (ids.length === 0) return failure(400, 'No videoIds were provided.');
  const target = findById(world.projects, projectId, behaviour);
  if (target === undefined) return failure(400, 'The target project could not be resolved.');
  const found = ids.map((id) => world.videos.get(id)).filter((video) => video !== undefined);
  const { managerProjects } = behaviour;
  if (managerProjects !== undefined && found.some((video) => !managerProjects.has(video.projectId))) {
    return failure(403, 'You have no access to the project of one or more videos.');
  }
  const good = found.filter((video) => !world.poisonedVideoIds.has(video.id));
  const isWhole = good.length === (behaviour.moveUnknownIds === 'ignore' ? found.length : ids.length);
  for (const video of good) video.projectId = target.id;
  return ok({ ok: isWhole });
}

function copyCtas({ world, behaviour, request, id }: DemoCall): Reply {
  const source = world.videos.get(id);
  if (source === undefined) return failure(404, 'Video not found.');
  if (!isObject(request.body) || !isTextList(request.body.targetVideos)) return failure(400, 'targetVideos must be an array of strings.');
  const targets = distinct(request.body.targetVideos);
  if (targets.length === 0) return failure(400, 'No targetVideos were provided.');
  if (request.body.targetVideos.length > MAX_COPIED) return failure(400, `At most ${MAX_COPIED} targetVideos may be sent.`);
  const found = targets.map((target) => world.videos.get(target)).filter((video) => video !== undefined);
  const reached = found.slice(0, behaviour.ctaFailsAfter ?? found.length);
  const at = world.tick();
  for (const target of reached) {
    // Appended: a second copy makes duplicates.
    target.ctas.push(...source.ctas.map((cta) => ({ ...cta, id: `${cta.id}-copy-${target.ctas.length + 1}`, copiedFrom: source.id })));
    target.ctaCopies.push({ sourceId: source.id, at });
  }
  const failed = targets.length - reached.length;
  const message = failed === 0 ? null : `${failed} target videos could not be processed.${world.messageSuffix}`;
  if (message !== null && behaviour.ctaFailsWith !== undefined) return failure(behaviour.ctaFailsWith, message);
  const data = { counts: { copied: reached.length, failed }, empty: {}, null: null }[behaviour.ctaData];
  return ok({ ok: failed === 0, message, data });
}

function collectedEmails({ world, behaviour }: DemoCall): Reply {
  const yearAgo = world.now - 365 * DAY_MS;
  const recent = world.emails.filter((email) => !(Date.parse(email.created) < yearAgo));
  return bareList('emails', recent, behaviour);
}

function distinct(ids: readonly string[]): string[] {
  return [...new Set(ids.map((id) => id.trim()))].filter((id) => id !== '');
}
