import { basename } from 'node:path';
import type { ErrorCode } from '../../errors/codes.ts';
import { diskError } from '../../errors/disk-error.ts';
import { VideoHostingError } from '../../errors.ts';
import { definedFields } from '../../platform/defined-fields.ts';
import { entriesIn, longPiece } from '../../platform/long-work.ts';
import { ownCommand } from '../../text/own-command.ts';
import { cleanText } from '../../text/sanitize-text.ts';
import { asSentence, joined, type Sentence, sentence, word, wordList } from '../../text/sentence.ts';
import { json, type PageRequest, type PageResponse, type Viewer } from '../api-messages.ts';
import { type PageSession, READ_LIST, type StandingView } from '../contract.ts';
import type { PageDeps } from '../deps.ts';
import { PageProblem, retryAtOf } from '../page-problem.ts';
import { createApprovals } from './approvals.ts';
import { createChanges, type Decided } from './changes.ts';
import { createChannelViews } from './channels.ts';
import { createReportViews } from './reports.ts';
import { createVideoLists } from './video-lists.ts';
import { createLastShown, type LastShown } from './watch-history.ts';

/** Answers the page’s requests, and keeps what it showed. Throws `PageProblem`. */
export function createApi(deps: PageDeps, lastShown: LastShown = createLastShown()): (request: PageRequest) => Promise<PageResponse> {
  const route = createRoutes(deps, lastShown);
  const troubles = createTroubles();
  return async (request) => {
    try {
      deps.assertKept();
      await longPiece(entriesIn(request.body), request.signal);
      assertNoCredential(request, deps);
      const answer = await route(request);
      if (answer === undefined) throw new PageProblem(404, sentence`There is nothing at this address.`);
      troubles.over(request.path[0] === 'channels');
      return answer;
    } catch (error) {
      if (error instanceof VideoHostingError) throw problemOf(error, request.method === 'POST', troubles.since);
      const told = diskError(error);
      throw told === undefined ? error : problemOf(told, false, troubles.since);
    }
  };
}

/** Throws where what was typed holds a credential, which would be kept, and shown to others. A list that is read stays with who reads it. */
function assertNoCredential({ path, query, body }: PageRequest, { credentialIn }: PageDeps): void {
  const problem = credentialIn([path, [...query.values()], path.join('/') === READ_LIST ? {} : body]);
  if (problem !== undefined) throw new PageProblem(422, sentence`What was typed ${problem}`);
}

/** What answers each request; `ID` is the second part of its path. */
function createRoutes(deps: PageDeps, lastShown: LastShown) {
  const changes = createChanges(deps, lastShown);
  const channels = createChannelViews(deps, changes);
  const reports = createReportViews(deps);
  const videos = createVideoLists(deps);
  const approvals = createApprovals(deps);
  const hasStandingApprovals = deps.standing !== undefined;
  const { version, accountName: account, readOnly: isReadOnly } = deps;
  const routes: Readonly<Record<string, (request: PageRequest, id: string) => Promise<PageResponse>>> = {
    'GET session': async ({ token, viewer }) =>
      clean({
        ...definedFields({ token }),
        ...{ account, version, isReadOnly, hasStandingApprovals },
        ...(viewer === undefined && { pageCommand: ownCommand('page') }),
        ...(viewer && { person: { name: viewer.name, mayPropose: may(viewer, 'propose'), mayApprove: may(viewer, 'approve') } }),
      } satisfies PageSession),
    'GET changes': async ({ query, viewer }) => clean(await changes.list(pageIn(query), viewer)),
    'GET changes/ID': async ({ signal, viewer }, id) => clean(await changes.view(id, signal, viewer)),
    'GET changes/ID/outcomes.csv': (_, id) => changes.outcomes(id),
    'GET changes/ID/emails': ({ viewer }, id) => changes.emails(id, viewer),
    'POST changes/ID/decision': async ({ body, signal, viewer }, id) => decided(await changes.decide(id, body, signal, viewer)),
    'POST changes/ID/stop': async ({ signal, viewer }, id) => {
      assertMay(viewer, 'propose', 'approve');
      return clean(await changes.stop(id, signal, viewer));
    },
    'POST changes/ID/undo': async ({ signal, viewer }, id) => {
      assertMay(viewer, 'propose');
      return clean(await changes.undo(id, signal, viewer));
    },
    'POST changes/ID/resume': async ({ body, signal, viewer }, id) => {
      assertMay(viewer, 'propose');
      const args = { changeId: id, retryFailed: body.retryFailed === true };
      return clean(await changes.propose('resume_change', args, 'change', signal, viewer));
    },
    'GET approvals': async ({ viewer }) => clean(standingFor(viewer, await approvals.view())),
    'POST approvals/stop': async ({ viewer }) => {
      assertMay(viewer, 'approve');
      return clean(standingFor(viewer, await approvals.stopAll()));
    },
    'POST approvals/ID/revoke': async ({ viewer }, id) => {
      assertMay(viewer, 'approve');
      return clean(standingFor(viewer, await approvals.revoke(id)));
    },
    'GET channels': async ({ query, signal }) => clean(await channels.list(searchIn(query), pageIn(query), signal)),
    'GET channels/ID': async ({ signal }, id) => clean(await channels.view(id, signal)),
    'POST channels/ID/statement': async ({ body, signal, viewer }, id) => {
      assertMay(viewer, 'propose');
      return clean(await channels.state(id, body, signal, viewer));
    },
    'GET videos': async ({ query }) => clean(await videos.find(searchIn(query))),
    [`POST ${READ_LIST}`]: async ({ body }) => clean(await videos.read(body)),
    'GET reports': async () => clean(await reports.list()),
    'GET reports/ID': async ({ query }, id) => clean(await reports.view(id, pageIn(query))),
    'GET reports/ID/chart.png': async ({ query }, id) => {
      const body = await reports.chart(id, query.get('size') ?? '');
      return { status: 200, contentType: 'image/png', body };
    },
    'GET reports/ID/rows.csv': async (_, id) => {
      const body = await reports.csv(id);
      return { status: 200, contentType: 'text/csv; charset=utf-8', body, fileName: `report-${id}.csv` };
    },
  };
  const find = (name: string) => (Object.hasOwn(routes, name) ? routes[name] : undefined);

  return async (request: PageRequest): Promise<PageResponse | undefined> => {
    const { method, path } = request;
    const [what, id = '', ...part] = path;
    if (what !== 'session') assertMay(request.viewer, 'read');
    const withId = id === '' ? undefined : find(`${method} ${[what, 'ID', ...part].join('/')}`);
    return (find(`${method} ${path.join('/')}`) ?? withId)?.(request, id);
  };
}

/** Whoever looks from another machine has no use for a path of this one. */
function standingFor(viewer: Viewer | undefined, { path, problems, ...view }: StandingView): StandingView {
  if (viewer === undefined) return { path, problems, ...view };
  return { path: basename(path), problems: problems.map((problem) => asSentence(problem.replaceAll(path, basename(path)))), ...view };
}

type Role = Viewer['roles'][number];

const may = (viewer: Viewer | undefined, ...roles: readonly Role[]): boolean =>
  viewer === undefined || roles.some((role) => viewer.roles.includes(role));

/** Throws where a person’s roles don’t let them press something: any of these does. A status 403 would end the page. */
function assertMay(viewer: Viewer | undefined, ...roles: readonly Role[]): void {
  if (viewer === undefined || may(viewer, ...roles)) return;
  throw new PageProblem(
    422,
    sentence`It takes the role ${wordList(roles, ' or ')}, which ${word(viewer.name)} does not have. Nothing was changed.`,
  );
}

const pageIn = (query: URLSearchParams): number => Number.parseInt(query.get('page') ?? '1', 10) || 1;
const searchIn = (query: URLSearchParams): string => query.get('search') ?? '';

const decided = async ({ view, isRefused }: Decided): Promise<PageResponse> => ({
  ...(await clean(view)),
  status: isRefused ? 409 : 200,
});

const MAX_TEXT = 8_000;

/** JSON whose texts are safe to show: strangers wrote some of them. */
async function clean(value: unknown): Promise<PageResponse> {
  const step = () => longPiece(entriesIn(value));
  await step();
  const cleaned = cleanTexts(value);
  await step();
  return json(cleaned);
}

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
  not_approved: 409,
  not_undoable: 409,
  not_resumable: 409,
  running_elsewhere: 409,
  journal_failed: 500,
  data_folder_failed: 500,
  internal: 500,
};

/** What is the matter with this server, or with its key, for a person who did not set it up. */
interface Trouble {
  readonly title: Sentence;
  /** What can’t be done while it lasts. */
  readonly stops: Sentence;
  /** What still can, and what is safe. */
  readonly leaves: Sentence;
}

const NO_SERVICE = {
  stops: sentence`No channel can be shown and no change applied now.`,
  leaves: sentence`Nothing is lost: what waits is kept, and earlier changes and reports can still be read here.`,
};
const NO_FOLDER = {
  stops: sentence`Nothing can be shown or decided here now.`,
  leaves: sentence`This changed nothing in the account; of a change that was being applied, the dashboard shows what became of it. What waited is still there if its folder comes back: don’t ask for it again before.`,
};

/** The hints of these name settings, which are for whoever set it up. */
const TROUBLES: Partial<Readonly<Record<ErrorCode, Trouble>>> = {
  unauthorized: { title: sentence`The video service does not accept this server’s key.`, ...NO_SERVICE },
  forbidden: {
    title: sentence`This server’s key may not do that.`,
    stops: sentence`What the key may do works as before.`,
    leaves: sentence`What waits is kept.`,
  },
  settings_invalid: { title: sentence`Something is wrong in the settings of this server.`, ...NO_SERVICE },
  settings_missing: { title: sentence`Something is missing in the settings of this server.`, ...NO_SERVICE },
  catalogue_unusable: {
    title: sentence`The file with the titles of the videos can’t be used.`,
    stops: sentence`Videos can’t be shown or found by their titles now.`,
    leaves: sentence`Everything else works.`,
  },
  redirect_refused: { title: sentence`The video service has moved to another address.`, ...NO_SERVICE },
  journal_failed: { title: sentence`This server can’t write down what it does.`, ...NO_FOLDER },
  data_folder_failed: { title: sentence`This server can’t reach what it keeps.`, ...NO_FOLDER },
};

/** The key has a day on which it expired, which tells since when. */
const expiredTitle = (expired: string): Sentence =>
  sentence`This server’s key for the video service expired on ${word(expired.slice(0, 10))}.`;

/** Since when each trouble was seen without a break. */
function createTroubles() {
  const sinces = new Map<ErrorCode, string>();
  return {
    since(code: ErrorCode): string {
      const since = sinces.get(code) ?? new Date().toISOString();
      sinces.set(code, since);
      return since;
    },
    /** `asksService`: the service answered to it. */
    over(asksService: boolean): void {
      for (const code of sinces.keys()) if (asksService || OF_DISK.has(code)) sinces.delete(code);
    },
  };
}

/** An answer tells that these are over, whether or not it asked the service. */
const OF_DISK: ReadonlySet<ErrorCode> = new Set(['journal_failed', 'data_folder_failed']);

function problemOf(error: VideoHostingError, mayChange: boolean, since: (code: ErrorCode) => string): PageProblem {
  const { fields = [], expired } = error.facts;
  // The message has a single problem already.
  const problems = fields.length === 1 ? [] : fields.map(({ problem }) => problem);
  const status = STATUSES[error.code] ?? 502;
  const retryAt = retryAtOf(error.facts.retryAfterMs);
  const unchanged = mayChange ? [sentence`Nothing was changed by this request.`] : [];
  const trouble = TROUBLES[error.code];
  if (trouble === undefined) {
    const message = joined([error.reason, ...problems, ...unchanged]);
    return new PageProblem(status, message, definedFields({ retryAt }));
  }
  const title = expired === undefined ? trouble.title : expiredTitle(expired);
  const { stops, leaves } = trouble;
  const message = joined([...(mayChange ? [title] : []), stops, ...[error.advice].flatMap((text) => text ?? []), leaves, ...unchanged]);
  // Without the method and the path of a request.
  const setup = joined([error.reason, ...problems, error.setup ?? error.hint]);
  return new PageProblem(status, message, {
    ...{ title, setup, ...definedFields({ retryAt }) },
    ...(expired === undefined && { since: since(error.code) }),
  });
}
