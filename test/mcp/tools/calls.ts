/**
 * For every tool, calls of it. The tests that walk through all tools take them from here, and one of them fails for a tool without
 * a row: a new tool can't be left out.
 */
import { listing } from '../../../src/mcp/listing/listing.ts';
import { tools } from '../../../src/mcp/tools/index.ts';
import { agree, changeIdIn } from '../../changes/support/confirm.ts';
import { channelAt, videoKeysOf } from '../../changes/support/world.ts';
import { CLIENT_KINDS, type ClientKind, type Values } from '../../harness/client.ts';
import type { DemoService } from '../../harness/service.ts';
import { start } from '../../harness/start.ts';

export interface Sample {
  readonly args: Values;
  /** The same with one argument changed; it too would change something. */
  readonly other: Values;
  /** Somebody else changes what the call depends on. All of `DEPENDENT_TOOLS` have it. */
  readonly disturb?: Disturbance;
}

interface Disturbance {
  readonly act: () => void | Promise<void>;
  /** What the answer of the call then says. */
  readonly answer: string;
}

export const CHANGE_TOOLS: readonly string[] = Object.entries(listing().effects).flatMap(([name, effect]) =>
  effect === 'change' ? [name] : [],
);

/** Those whose plan depends on the account. A copy goes to the videos that its call names. */
export const DEPENDENT_TOOLS = CHANGE_TOOLS.filter((tool) => tool !== 'copy_cta');

/** Two kinds of clients for each tool that changes the account; all kinds occur. Every change takes the same way through the guard. */
export const clientKindsFor = (tool: string): readonly ClientKind[] => {
  const first = 2 * CHANGE_TOOLS.indexOf(tool);
  return [first, first + 1].flatMap((at) => CLIENT_KINDS[at % CLIENT_KINDS.length] ?? []);
};

interface CallsOfTool {
  /** Of a tool that reads: where from. */
  readonly reads?: 'account' | 'views' | 'this machine';
  /** One for each code path that is answered without asking anybody. */
  readonly calls?: (demo: DemoService, changeId: string) => readonly Values[];
  /** Those that are refused, or ask first. */
  readonly others?: (demo: DemoService, changeId: string) => readonly Values[];
  /** Of a tool that changes the account. */
  readonly sample?: (demo: DemoService, home: string) => Sample | Promise<Sample>;
}

const DAYS = { from: '2026-10-01', to: '2026-11-01' };
const UNKNOWN_CHANGE = 'chg-000000000-none';
const isOf = (_demo: DemoService, changeId: string) => [{ changeId }];
const projectAt = (demo: DemoService, at: number) => [...demo.world.projects.values()][at];

const CALLS: Readonly<Record<string, CallsOfTool>> = {
  list_channels: {
    reads: 'account',
    calls: () => [{}, { size: 100 }, { search: 'e' }],
  },
  get_channel: {
    reads: 'account',
    calls: (demo) => [{ channel: channelAt(demo, 0).id }, { channel: channelAt(demo, 1).name }],
    others: () => [{ channel: 'no such' }],
  },
  list_channel_templates: {
    reads: 'account',
    calls: () => [{}, { accountPlanType: 'Business' }],
  },
  list_projects: {
    reads: 'account',
    calls: () => [{}, { size: 100 }, { search: 'e' }],
  },
  get_project: {
    reads: 'account',
    calls: ({ world }) => [
      ...[...world.projects.keys()].map((project) => ({ project })),
      { project: [...world.projects.values()][0]?.name },
    ],
  },
  list_plans: {
    reads: 'account',
    calls: () => [{}],
  },
  get_collected_emails: {
    calls: ({ world }) => [
      {},
      ...['video', 'channel', 'day', 'month', 'emailDomain'].map((groupBy) => ({ groupBy })),
      { videoKey: [...world.videosByKey.keys()][0] },
    ],
    others: () => [{ showRecords: true }, { exportAs: 'xlsx' }, { exportAs: 'csv' }],
  },
  query_analytics: {
    reads: 'views',
    calls: () => [
      DAYS,
      { ...DAYS, metrics: ['views', 'unique_viewers'], groupBy: ['video', 'embed_url'] },
      { ...DAYS, metrics: ['views', 'play_rate', 'watch_time'], groupBy: ['city', 'embed_domain', 'browser'] },
      { ...DAYS, groupBy: ['country'], compareTo: 'previous_period' },
      { ...DAYS, groupBy: ['day'], channels: ['Onboarding'] },
    ],
    others: () => [{ ...DAYS, metrics: ['views'], groupBy: ['viewerId'] }],
  },
  explain_change: {
    reads: 'views',
    calls: () => [DAYS, { ...DAYS, metric: 'unique_viewers', compareTo: 'previous_year' }],
  },
  draw_chart: {
    reads: 'views',
    others: () => [{ report: 'no such' }],
  },
  run_analytics_sql: {
    reads: 'views',
    calls: () => [{ ...DAYS, sql: 'SELECT country, count(*) AS views FROM views GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT 5' }],
    others: () => [
      { ...DAYS, sql: 'SELECT * FROM views' },
      { ...DAYS, sql: 'DESCRIBE views' },
      { ...DAYS, sql: 'SELECT viewer FROM views' },
      { ...DAYS, sql: 'SELECT nothing, "geo.ip" FROM views' },
    ],
  },
  list_changes: {
    reads: 'this machine',
    calls: () => [{}],
  },
  get_change: {
    reads: 'this machine',
    calls: (_demo, changeId) => [{ changeId }, { changeId, list: 'done' }],
    others: () => [{ changeId: UNKNOWN_CHANGE }],
  },
  check_setup: {
    calls: () => [{}, { details: true }],
  },
  show_to_user: {
    reads: 'this machine',
    calls: () => [{ what: 'changes' }],
  },
  state_contents: {
    others: (demo) => [{ channels: [{ channel: channelAt(demo, 1).id, videoKeys: videoKeysOf(demo, 2) }] }],
  },
  create_channels: {
    others: (demo) => [{ channels: [{ name: 'Brand new', videoKeys: videoKeysOf(demo, 2) }] }],
    sample(demo) {
      const videoKeys = videoKeysOf(demo, 3);
      return {
        args: { channels: [{ name: 'Brand new', videoKeys }] },
        other: { channels: [{ name: 'Brand new', videoKeys: videoKeys.slice(1) }] },
        disturb: {
          act: () => void demo.world.addChannel({ name: 'Brand new' }),
          answer: 'There is already a channel called "Brand new"',
        },
      };
    },
  },
  update_channels: {
    others: (demo) => [{ changes: [{ channel: channelAt(demo, 0).id, name: 'Renamed', setVideoKeys: videoKeysOf(demo, 2) }] }],
    sample(demo) {
      const { id } = channelAt(demo, 0);
      const change = { channel: id, name: 'Renamed', setVideoKeys: videoKeysOf(demo, 2) };
      return {
        args: { changes: [change] },
        other: { changes: [{ ...change, name: 'Renamed otherwise' }] },
        disturb: {
          act: () => void demo.world.editChannel(id, { videoKeys: videoKeysOf(demo, 4) }),
          answer: 'was changed meanwhile: ',
        },
      };
    },
  },
  create_project: {
    others: () => [{ name: 'Brand new', region: 'use-s' }],
    sample: (demo) => ({
      args: { name: 'Brand new', region: 'use-s' },
      other: { name: 'Brand new', region: 'usw-s' },
      disturb: {
        act: () => void demo.world.addProject({ name: 'Brand new' }),
        answer: 'There is already a project called "Brand new"',
      },
    }),
  },
  move_videos: {
    others: (demo) => [
      {
        videoIds: [...demo.world.videos.keys()].slice(0, 5),
        targetProject: projectAt(demo, 1)?.id,
        fromProject: projectAt(demo, 0)?.id,
      },
    ],
    sample(demo) {
      const videoIds = [...demo.world.videos.keys()].slice(0, 5);
      const [, first, second] = [...demo.world.projects.values()];
      return {
        args: { videoIds, targetProject: first?.id },
        other: { videoIds, targetProject: second?.id },
        disturb: {
          act: () => void Object.assign(first ?? {}, { name: 'Renamed elsewhere' }),
          answer: 'Move 5 videos into "Renamed elsewhere"',
        },
      };
    },
  },
  copy_cta: {
    others: ({ world }) => {
      const [sourceVideoId, ...rest] = [...world.videos.keys()];
      return [{ sourceVideoId, targetVideoIds: rest.slice(0, 1) }];
    },
    sample(demo) {
      const [sourceVideoId, ...rest] = [...demo.world.videos.keys()];
      return { args: { sourceVideoId, targetVideoIds: rest.slice(0, 3) }, other: { sourceVideoId, targetVideoIds: rest.slice(1, 3) } };
    },
  },
  resume_change: {
    others: isOf,
    async sample(demo, home) {
      const args = { changeId: await stuckMove(demo, home, 0) };
      return {
        args,
        other: { changeId: await stuckMove(demo, home, 5) },
        disturb: {
          async act() {
            const { client, stop } = await start({ demo, home, env: { VIDEO_HOSTING_CONFIRM: 'never' } });
            await client.callTool('resume_change', args);
            await stop();
          },
          answer: 'lapsed when the same request was answered otherwise',
        },
      };
    },
  },
  confirm_change: {
    others: (_demo, changeId) => [{ changeId, confirmationToken: 't000000000000000000', summary: 'Move 5 videos.' }],
  },
  stop_change: {
    calls: isOf,
  },
  undo_change: {
    others: isOf,
    async sample(demo, home) {
      const first = await changed(demo, home, 1);
      const second = await changed(demo, home, 2);
      return {
        args: { changeId: first },
        other: { changeId: second },
        disturb: {
          act: () => void demo.world.editChannel(channelAt(demo, 1).id, { description: 'changed elsewhere' }),
          answer: 'It was changed since ',
        },
      };
    },
  },
};

/** What a test that walks through all tools would not find here. */
export function missingCalls(): string[] {
  const gone = Object.keys(CALLS).filter((name) => !tools.some((tool) => tool.name === name));
  const missing = tools.flatMap(({ name, effect }) => {
    const row = CALLS[name];
    if (row === undefined) return [`${name}: a row`];
    return [
      ...((row.calls ?? row.others) ? [] : [`${name}: calls or others`]),
      ...(effect === 'read' && row.reads === undefined ? [`${name}: what it reads`] : []),
      ...(effect === 'change' && row.sample === undefined ? [`${name}: a sample`] : []),
    ];
  });
  return [...missing, ...gone.map((name) => `${name}: there is no such tool`)];
}

/** Calls that are answered without asking anybody. */
export const callsOf = (tool: string, demo: DemoService, changeId: string): readonly Values[] => CALLS[tool]?.calls?.(demo, changeId) ?? [];

/** All calls of a tool; some are refused, and some ask first. */
export const everyCallOf = (tool: string, demo: DemoService, changeId = UNKNOWN_CHANGE): readonly Values[] => [
  ...callsOf(tool, demo, changeId),
  ...(CALLS[tool]?.others?.(demo, changeId) ?? []),
];

/** Calls of every tool that reads the account. */
export const readsOf = (demo: DemoService): readonly (readonly [tool: string, args: Values])[] =>
  Object.entries(CALLS).flatMap(([tool, { reads }]) =>
    reads === 'account' ? callsOf(tool, demo, UNKNOWN_CHANGE).map((args) => [tool, args] as const) : [],
  );

/** A move of which nothing was done, by its id. */
async function stuckMove(demo: DemoService, home: string, from: number): Promise<string> {
  demo.faults.always({ match: { method: 'POST', path: '/v1/videos/change-project' }, do: { kind: 'status', code: 401 } });
  const { client, stop } = await start({ demo, home, env: { VIDEO_HOSTING_CONFIRM: 'never' } });
  const videoIds = [...demo.world.videos.keys()].slice(from, from + 5);
  const reply = await client.callTool('move_videos', { videoIds, targetProject: [...demo.world.projects.values()][1]?.id });
  await stop();
  demo.faults.clear();
  return changeIdIn(reply);
}

/** A change that was carried out, by its id. */
async function changed(demo: DemoService, home: string, at: number): Promise<string> {
  demo.behaviour.channelRecordsShowContents = true;
  const { client, stop } = await start({ demo, home, env: { VIDEO_HOSTING_CONFIRM: 'never' } });
  const reply = await agree(client, 'update_channels', { changes: [{ channel: channelAt(demo, at).id, name: `Changed ${at}` }] });
  await stop();
  return changeIdIn(reply);
}

export async function sampleOf(tool: string, demo: DemoService, home: string): Promise<Sample> {
  const make = CALLS[tool]?.sample;
  if (make === undefined)
    throw new Error(`There is no sample of ${tool} in test/mcp/tools/calls.ts: add one, so that the guard's tests cover it.`);
  return make(demo, home);
}
