/** The page's own server with made-up answers, for huge plans and for states that are hard to reach with an account. */
import { createVideoLists } from '../../../src/page/api/video-lists.ts';
import { json, type PageRequest, type PageResponse } from '../../../src/page/api-messages.ts';
import type {
  ChangeList,
  ChangeSummary,
  ChangeView,
  ChannelList,
  ChannelView,
  PageEvent,
  PageSession,
  ReportList,
  ReportView,
  StandingView,
} from '../../../src/page/contract.ts';
import { PageProblem } from '../../../src/page/page-problem.ts';
import { createEventStreams } from '../../../src/page/server/events.ts';
import { startPageServer } from '../../../src/page/server/http-server.ts';
import { createSessions } from '../../../src/page/server/sessions.ts';
import { definedFields } from '../../../src/platform/defined-fields.ts';
import { sentence } from '../../../src/text/sentence.ts';
import { catalogueOf } from '../../account/catalogue-of.ts';
import { CATALOGUE_TITLES } from './fixtures.ts';

export interface FixtureData {
  readonly changes: ChangeView[];
  readonly channels: ChannelView[];
  readonly reports: ReportView[];
  chart?: Buffer;
  standing?: StandingView;
}

export interface FixtureServer {
  /** An address that opens a view in a new session. */
  open(view: string): string;
  /** The bodies of the statements. */
  readonly stated: unknown[];
  send(event: PageEvent): void;
  close(): void;
}

export async function startFixtureServer(html: string, data: FixtureData): Promise<FixtureServer> {
  const stated: unknown[] = [];
  const [sessions, events] = [createSessions(), createEventStreams()];
  const catalogue = catalogueOf(JSON.stringify(Object.entries(CATALOGUE_TITLES).map(([key, title]) => ({ key, title }))));
  const videos = createVideoLists({ catalogue: () => catalogue });

  const lists: Readonly<Record<string, () => unknown>> = {
    changes: () => ({ changes: data.changes.map(summaryOf), page: 1, pages: 1 }) satisfies ChangeList,
    channels: () => {
      const known = data.channels.filter(({ videoKeys }) => videoKeys !== undefined).length;
      return {
        channels: data.channels.map(listed),
        known,
        stated: 0,
        total: data.channels.length,
        page: 1,
        pages: 1,
      } satisfies ChannelList;
    },
    reports: () =>
      ({
        reports: data.reports.map((report) => ({ ...report, about: '1 to 28 February 2026 (UTC); countries: DE' })),
      }) satisfies ReportList,
  };
  const records: Readonly<Record<string, (id: string) => unknown>> = {
    changes: (id) => data.changes.find(({ changeId }) => changeId === id),
    channels: (id) => data.channels.find((channel) => channel.id === id),
    reports: (id) => data.reports.find(({ reportId }) => reportId === id),
  };
  function answerOf({ path, query, body, token }: PageRequest): unknown {
    const [what = '', id, part] = path;
    const about = { account: 'Demo account', version: '0.1.0', pageCommand: 'node /srv/video-hosting-mcp/dist/main.cjs page' };
    const session = { ...about, isReadOnly: false, hasStandingApprovals: data.standing !== undefined };
    if (what === 'session') return { token: token ?? '', ...session } satisfies PageSession;
    if (what === 'approvals') return data.standing;
    if (what === 'videos') return id === 'read' ? videos.read(body) : videos.find(query.get('search') ?? '');
    if (part === 'statement') {
      stated.push(body);
      return data.changes.find(({ status }) => status === 'waiting');
    }
    return id === undefined ? lists[what]?.() : records[what]?.(id);
  }
  async function api(request: PageRequest): Promise<PageResponse> {
    if (request.path[2] === 'chart.png' && data.chart !== undefined) return { status: 200, contentType: 'image/png', body: data.chart };
    const answer = await answerOf(request);
    if (answer === undefined) throw new PageProblem(404, sentence`There is nothing of this name. Nothing was changed.`);
    return json(answer);
  }

  const server = await startPageServer({
    ...{ sessions, events, api },
    document: async () => html,
    onEntered: () => undefined,
    log(message) {
      throw new Error(message);
    },
  });
  return {
    ...{ stated, send: events.send },
    open: (view) => `${server.origin}/open/${sessions.newCode(view)}`,
    close() {
      events.close();
      server.close();
    },
  };
}

const listed = (channel: ChannelView) => ({ ...channel, isKnown: channel.videoKeys !== undefined, isStated: channel.isStated === true });
const summaryOf = ({
  changeId,
  status,
  summary,
  at,
  undoneBy,
  partlyUndoneBy,
  asked,
  decided,
  counts,
  progress,
  paused,
  weighs,
  unfit,
  why,
  expiresAt,
  isStated,
}: ChangeView): ChangeSummary =>
  definedFields({
    changeId,
    status,
    summary,
    at,
    undoneBy,
    partlyUndoneBy,
    asked,
    decided,
    counts,
    progress,
    paused,
    weighs,
    unfit,
    why,
    expiresAt,
    isStated,
  });
