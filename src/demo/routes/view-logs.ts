import type { Behaviour } from '../behaviour.ts';
import { type DemoCall, type Endpoint, isObject } from '../call.ts';
import { distort } from '../distort.ts';
import { wholeNumber } from '../lists.ts';
import { itemAt, mix } from '../random.ts';
import { failure, type Reply } from '../requests.ts';
import type { ViewSelection } from '../views/store.ts';

/** The API document, section Get video analytics, in both of the forms it shows. */
export const VIEW_LOG_ROUTES: readonly Endpoint[] = [
  { api: 'stats', method: 'POST', path: '/v1/logs/data', access: 'none', handle: (call) => pageOfViews(call, call.request.body) },
  { api: 'stats', method: 'GET', path: '/v1/logs/data', access: 'none', handle: (call) => pageOfViews(call, call.request.query) },
];

interface PageQuery {
  views: ViewSelection;
  page: number;
  size: number;
}

function pageOfViews(call: DemoCall, parameters: unknown): Reply {
  const { world, behaviour } = call;
  const query = isObject(parameters) ? readQuery(parameters, behaviour) : 'The body must be a JSON object.';
  if (typeof query === 'string') return failure(400, query);
  const selected = world.views.select(query.views);
  const { total, pages, first } = pageBounds(selected.length, query, call);
  const maxResults = behaviour.statsResultWindow || Number.POSITIVE_INFINITY;
  if (first >= maxResults) return failure(400, `Result window is too large: at most ${maxResults}.`);
  const records = writePage(selected, first, Math.min(query.size, maxResults - first), call);
  const hits = behaviour.hitsMeans === 'page' ? records.length : total;
  const pager = { page: query.page, size: query.size, hits, total, pages };
  const newest = new Date(Math.min(query.views.to, world.now) - 1).toISOString().replace('Z', '+00:00');
  for (let i = 0; i < behaviour.newViewsBetweenPages; i += 1) world.addView({ date: newest });
  return { status: 200, text: `{"pager":${JSON.stringify(distort('pager', pager, behaviour))},"views":[${records.join(',')}]}` };
}

function pageBounds(count: number, query: PageQuery, { behaviour, request }: DemoCall): { total: number; pages: number; first: number } {
  const repeated = Math.min(behaviour.repeatedViewsPerPage, query.size - 1);
  const stride = query.size - repeated;
  const shift = behaviour.movingTotal ? (mix(request.number, query.page) % 21) - 10 : 0;
  const total = Math.min(Math.max(0, count + shift), behaviour.statsResultWindow || Number.POSITIVE_INFINITY);
  const pages = total === 0 ? 0 : Math.max(1, Math.ceil((total - repeated) / stride));
  return { total, pages, first: (query.page - 1) * stride };
}

function writePage(selected: Uint32Array, first: number, size: number, { world, behaviour }: DemoCall): string[] {
  const texts: string[] = [];
  for (let position = first; position < Math.min(first + size, selected.length); position += 1) {
    const index = itemAt(selected, behaviour.viewsNewestFirst ? selected.length - 1 - position : position);
    texts.push(JSON.stringify(distort('views', world.views.at(index, behaviour), behaviour)));
    const every = behaviour.malformedViewEvery;
    if (every > 0 && (position + 1) % every === 0) texts.push(itemAt(MALFORMED, Math.floor(position / every) % MALFORMED.length));
  }
  return texts;
}

const MALFORMED = [
  'null',
  '"view"',
  '{}',
  '[]',
  '{"id":"bad-date","videoKey":"x","date":"yesterday","started":true}',
  '{"id":"bad-types","videoKey":7,"date":"2026-03-01T00:00:00.000+00:00","started":"yes","watchTime":"12","geo":"DE"}',
  '{"id":"no-date","videoKey":"x","started":true,"duration":-1,"watchTime":1e999}',
  '{"id":null,"date":null}',
];

function readQuery(parameters: Record<string, unknown>, behaviour: Behaviour): PageQuery | string {
  const text = (name: string): string | undefined => textOf(parameters[name]);
  const from = readTime(text('from'), behaviour);
  if (from === undefined) return 'from is required, as YYYY-MM-DDThh:mm:ss.';
  const to = text('to') === undefined ? Number.MAX_SAFE_INTEGER : readTime(text('to'), behaviour);
  if (to === undefined) return 'to must be YYYY-MM-DDThh:mm:ss.';
  const page = wholeNumber(text('page'), 1);
  const size = wholeNumber(text('size'), behaviour.statsDefaultSize);
  if (page === undefined || size === undefined || page < 1 || size < 1) return 'page and size must be positive integers.';
  if (size > behaviour.statsMaxSize && behaviour.statsOversizedPage === 'reject') return `size must be at most ${behaviour.statsMaxSize}.`;
  const filters = { videoKey: text('videoKey'), channelKey: text('channelKey'), projectKey: text('projectKey') };
  return { views: { from, to: behaviour.toInclusive ? to + 1 : to, ...filters }, page, size: Math.min(size, behaviour.statsMaxSize) };
}

/** Milliseconds since 1970; undefined when it is no date, with or without a time. */
function readTime(text: string | undefined, behaviour: Behaviour): number | undefined {
  const [, date, clock = 'T00:00:00', zone] = /^(\d{4}-\d\d-\d\d)(T\d\d:\d\d:\d\d(?:\.\d+)?)?(Z|[+-]\d\d:\d\d)?$/.exec(text ?? '') ?? [];
  const time = Date.parse(`${date}${clock}${zone ?? 'Z'}`);
  if (Number.isNaN(time)) return undefined;
  return zone === undefined ? time - behaviour.statsTimezoneOffsetMinutes * 60_000 : time;
}

function textOf(value: unknown): string | undefined {
  if (value === undefined || value === null || value === '') return undefined;
  return typeof value === 'string' ? value : JSON.stringify(value);
}
