import { type ErrorCode, VideoHostingError } from '../../errors.ts';
import { cleanText } from '../../text/sanitize-text.ts';
import { type ApiAnswer, type ApiRequest, json } from '../api-messages.ts';
import type { PageSession } from '../contract.ts';
import type { PageDeps } from '../deps.ts';
import { PageProblem } from '../page-problem.ts';
import { createChanges, type Decided } from './changes.ts';
import { createChannelViews } from './channels.ts';
import { createReportViews } from './reports.ts';
import { createVideoLists } from './video-lists.ts';

/** Answers the requests of `contract.ts`, and adds the changes that it shows as running. Throws `PageProblem`. */
export function createApi(deps: PageDeps, shownRunning = new Set<string>()): (request: ApiRequest) => Promise<ApiAnswer> {
  const route = createRoutes(deps, shownRunning);
  return async (request) => {
    try {
      const answer = await route(request);
      if (answer === undefined) throw new PageProblem(404, 'There is nothing at this address.');
      return answer;
    } catch (error) {
      throw error instanceof VideoHostingError ? problemOf(error) : error;
    }
  };
}

function createRoutes(deps: PageDeps, shownRunning: Set<string>) {
  const changes = createChanges(deps, shownRunning);
  const channels = createChannelViews(deps, changes);
  const reports = createReportViews(deps);
  const videos = createVideoLists(deps);
  const { version, accountName: account, readOnly: isReadOnly } = deps;

  async function read({ path, query, token, signal }: ApiRequest): Promise<ApiAnswer | undefined> {
    const [what, id, part] = path;
    const page = Number.parseInt(query.get('page') ?? '1', 10) || 1;
    const depth = path.length;
    if (what === 'session' && depth === 1) return clean({ token, account, version, isReadOnly } satisfies PageSession);
    if (what === 'changes' && depth === 1) return clean(await changes.list(page));
    if (what === 'channels' && depth === 1) return clean(await channels.list(query.get('search') ?? '', page, signal));
    if (what === 'videos' && depth === 1) return clean(await videos.find(query.get('search') ?? ''));
    if (what === 'reports' && depth === 1) return clean(await reports.list());
    if (id === undefined || id === '') return undefined;
    if (what === 'changes' && depth === 2) return clean(await changes.view(id));
    if (what === 'channels' && depth === 2) return clean(await channels.view(id, signal));
    if (what === 'reports' && depth === 2) return clean(await reports.view(id, page));
    if (what !== 'reports' || depth !== 3) return undefined;
    if (part === 'chart.png') return { status: 200, contentType: 'image/png', body: await reports.chart(id) };
    if (part !== 'rows.csv') return undefined;
    return { status: 200, contentType: 'text/csv; charset=utf-8', body: await reports.csv(id), fileName: `report-${id}.csv` };
  }

  async function act({ path, body, signal }: ApiRequest): Promise<ApiAnswer | undefined> {
    const [what, id, part] = path;
    if (what === 'videos' && id === 'read' && path.length === 2) return clean(await videos.read(body));
    if (path.length !== 3 || id === undefined || id === '') return undefined;
    if (what === 'changes' && part === 'decision') return decided(await changes.decide(id, body, signal));
    if (what === 'changes' && part === 'stop') return clean(await changes.stop(id, signal));
    if (what === 'changes' && part === 'undo') return clean(await changes.undo(id, signal));
    if (what === 'channels' && part === 'statement') return clean(await channels.state(id, body, signal));
    return undefined;
  }

  return (request: ApiRequest): Promise<ApiAnswer | undefined> => (request.method === 'GET' ? read(request) : act(request));
}

const decided = ({ view, isRefused }: Decided): ApiAnswer => ({ ...clean(view), status: isRefused ? 409 : 200 });

const MAX_TEXT = 8_000;

/** JSON whose texts are safe to show: strangers wrote some of them. */
const clean = (value: unknown): ApiAnswer => json(cleanTexts(value));

function cleanTexts(value: unknown): unknown {
  if (typeof value === 'string') return cleanText(value, MAX_TEXT);
  if (Array.isArray(value)) return value.map(cleanTexts);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, cleanTexts(inner)]));
}

const STATUSES: Partial<Record<ErrorCode, number>> = {
  not_found: 404,
  service_not_found: 404,
  invalid_arguments: 422,
  not_approved: 403,
  not_undoable: 409,
  not_resumable: 409,
  running_elsewhere: 409,
  journal_failed: 500,
  internal: 500,
};

function problemOf(error: VideoHostingError): PageProblem {
  const { fields = [] } = error.facts;
  // The message has a single problem already.
  const problems = fields.length === 1 ? [] : fields.map(({ problem }) => problem);
  const message = [error.message, ...problems, 'Nothing was changed by this request.'].join(' ');
  return new PageProblem(STATUSES[error.code] ?? 502, cleanText(message, MAX_TEXT));
}
