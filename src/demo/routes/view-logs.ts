import type { Behaviour } from '../behaviour.ts';
import { type Call, isRecord, type Route } from '../call.ts';
import { DAY_MS } from '../content/times.ts';
import { distort } from '../distort.ts';
import { wholeNumber } from '../lists.ts';
import { itemAt, mix } from '../random.ts';
import { type Reply, refusal } from '../requests.ts';
import type { ViewQuery } from '../views/store.ts';
import type { DemoWorld } from '../world.ts';

/** The API document, section Get video analytics, in both of the forms it shows. */
export const VIEW_LOG_ROUTES: readonly Route[] = [
  { api: 'stats', method: 'POST', path: '/v1/logs/data', access: 'stats', handle: (call) => pageOfViews(call, call.request.body) },
  { api: 'stats', method: 'GET', path: '/v1/logs/data', access: 'stats', handle: (call) => pageOfViews(call, call.request.query) },
];

/** What a page of views is asked with, once it is checked. */
interface PageQuery {
  views: ViewQuery;
  page: number;
  size: number;
}

function pageOfViews(call: Call, asked: unknown): Reply {
  const { world, behaviour } = call;
  const query = isRecord(asked) ? readQuery(asked, behaviour) : 'The body must be a JSON object.';
  if (typeof query === 'string') return refusal(400, query);
  const found = world.views.select(query.views);
  const { total, pages, first } = pageBounds(found.length, query, call);
  const window = behaviour.statsResultWindow;
  if (window > 0 && first >= window) return refusal(400, `Result window is too large: at most ${window}.`);
  const records = writePage(found, first, window > 0 ? Math.min(query.size, window - first) : query.size, call);
  const hits = behaviour.hitsMeans === 'page' ? records.length : total;
  const pager = { page: query.page, size: query.size, hits, total, pages };
  addNewViews(world, behaviour.newViewsBetweenPages, query.views.to);
  return { status: 200, text: `{"pager":${JSON.stringify(distort('pager', pager, behaviour))},"views":[${records.join(',')}]}` };
}

function pageBounds(count: number, query: PageQuery, { behaviour, request }: Call): { total: number; pages: number; first: number } {
  const repeated = Math.min(behaviour.repeatedViewsPerPage, query.size - 1);
  const stride = query.size - repeated;
  const shift = behaviour.movingTotal ? (mix(request.number, query.page) % 21) - 10 : 0;
  const counted = Math.max(0, count + shift);
  const total = behaviour.statsResultWindow > 0 ? Math.min(counted, behaviour.statsResultWindow) : counted;
  const pages = total === 0 ? 0 : Math.max(1, Math.ceil((total - repeated) / stride));
  return { total, pages, first: (query.page - 1) * stride };
}

function writePage(found: Uint32Array, first: number, size: number, { world, behaviour }: Call): string[] {
  const writing = { sparse: behaviour.sparseViews, offsets: behaviour.viewDateOffsets, fractionDigits: behaviour.viewDateFractionDigits };
  const texts: string[] = [];
  for (let place = first; place < Math.min(first + size, found.length); place += 1) {
    const index = itemAt(found, behaviour.viewsNewestFirst ? found.length - 1 - place : place);
    texts.push(JSON.stringify(distort('views', world.views.at(index, writing), behaviour)));
    const every = behaviour.malformedViewEvery;
    if (every > 0 && (place + 1) % every === 0) texts.push(itemAt(MALFORMED, Math.floor(place / every) % MALFORMED.length));
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

function readQuery(asked: Record<string, unknown>, behaviour: Behaviour): PageQuery | string {
  const from = readTime(asked.from, behaviour);
  if (from === undefined) return 'from is required, as YYYY-MM-DDThh:mm:ss.';
  const isOpen = asked.to === undefined || asked.to === null || asked.to === '';
  const end = isOpen ? { time: Number.MAX_SAFE_INTEGER, isDateOnly: false } : readTime(asked.to, behaviour);
  if (end === undefined) return 'to must be YYYY-MM-DDThh:mm:ss.';
  const page = wholeNumber(textOf(asked.page), 1);
  const size = wholeNumber(textOf(asked.size), behaviour.statsDefaultSize);
  if (page === undefined || size === undefined || page < 1 || size < 1) return 'page and size must be positive integers.';
  if (size > behaviour.statsMaxSize && behaviour.statsOversizedPage === 'reject') return `size must be at most ${behaviour.statsMaxSize}.`;
  const covered = end.isDateOnly && behaviour.dateOnlyToCoversDay ? end.time + DAY_MS : end.time;
  const views = {
    from: from.time,
    to: behaviour.toInclusive ? covered + 1 : covered,
    videoKey: textOf(asked.videoKey),
    channelKey: textOf(asked.channelKey),
    projectKey: textOf(asked.projectKey),
  };
  return { views, page, size: Math.min(size, behaviour.statsMaxSize) };
}

function readTime(value: unknown, behaviour: Behaviour): { time: number; isDateOnly: boolean } | undefined {
  const parts = /^(\d{4}-\d\d-\d\d)(T\d\d:\d\d:\d\d(?:\.\d+)?)?(Z|[+-]\d\d:\d\d)?$/.exec(typeof value === 'string' ? value : '');
  if (parts === null) return undefined;
  const [, date, clock, zone] = parts;
  const time = Date.parse(`${date}${clock ?? 'T00:00:00'}${zone ?? 'Z'}`);
  if (Number.isNaN(time)) return undefined;
  const shift = zone === undefined ? behaviour.statsTimezoneOffsetMinutes * 60_000 : 0;
  return { time: time - shift, isDateOnly: clock === undefined };
}

function textOf(value: unknown): string | undefined {
  if (value === undefined || value === null || value === '') return undefined;
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function addNewViews(world: DemoWorld, count: number, to: number): void {
  const newest = Math.min(to, world.now) - 1;
  for (let i = 0; i < count; i += 1) world.addView({ date: new Date(newest).toISOString().replace('Z', '+00:00') });
}
