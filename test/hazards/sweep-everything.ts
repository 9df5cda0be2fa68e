/** Calls every listed tool, resource, prompt and completion with valid arguments. A new tool without a call here fails the test. */
import { listing } from '../../src/mcp/listing.ts';
import { confirmPreview } from '../changes/support/confirm.ts';
import { videoKeysOf } from '../changes/support/world.ts';
import type { TestClient, ToolReply, Values } from '../harness/client.ts';
import type { DemoService } from '../harness/service.ts';

type Make = (demo: DemoService, changeId: string) => readonly Values[];

const at = <T>(items: Iterable<T>, index: number): T => {
  const item = [...items][index];
  if (item === undefined) throw new RangeError('The account is too small.');
  return item;
};

const DAYS = { from: '2026-10-01', to: '2026-11-01' };

/** Calls that return many fields, and calls that write. */
const CALLS: Readonly<Record<string, Make>> = {
  list_channels: () => [{ size: 100 }, { search: 'e' }],
  get_channel: ({ world }) => [
    { channel: at(world.channels.keys(), 0) },
    { channel: at(world.channels.values(), 1).name },
    { channel: 'no such' },
  ],
  list_channel_templates: () => [{}],
  list_projects: () => [{ size: 100 }, { search: 'e' }],
  get_project: ({ world }) => [...world.projects.keys()].map((project) => ({ project })),
  list_plans: () => [{}],
  get_collected_emails: ({ world }) => [
    ...['video', 'channel', 'day', 'month', 'emailDomain'].map((groupBy) => ({ groupBy })),
    { videoKey: at(world.videosByKey.keys(), 0) },
    { showRecords: true },
    { exportAs: 'xlsx' },
    { exportAs: 'csv' },
  ],
  query_analytics: () => [
    { ...DAYS, metrics: ['views', 'unique_viewers'], groupBy: ['video', 'embed_url'] },
    { ...DAYS, metrics: ['views'], groupBy: ['city', 'embed_domain', 'browser'] },
    { ...DAYS, metrics: ['views'], groupBy: ['viewerId'] },
  ],
  explain_change: () => [{ ...DAYS }, { ...DAYS, metric: 'unique_viewers', compareTo: 'previous_year' }],
  draw_chart: () => [{ report: 'no such' }],
  run_analytics_sql: () => [
    { ...DAYS, sql: 'SELECT * FROM views' },
    { ...DAYS, sql: 'SELECT viewer FROM views' },
    { ...DAYS, sql: 'SELECT nothing, "geo.ip" FROM views' },
    { ...DAYS, sql: 'DESCRIBE views' },
  ],
  list_changes: () => [{}],
  get_change: (_demo, changeId) => [{ changeId }, { changeId: 'chg-000000000-none' }],
  check_setup: () => [{}],
  show_to_user: () => [{ what: 'changes' }],
  create_channels: (demo) => [{ channels: [{ name: 'Brand new', videoKeys: videoKeysOf(demo, 2) }] }],
  state_contents: (demo) => [{ channels: [{ channel: at(demo.world.channels.keys(), 1), videoKeys: videoKeysOf(demo, 2) }] }],
  update_channels: (demo) => [
    { changes: [{ channel: at(demo.world.channels.keys(), 0), name: 'Renamed', setVideoKeys: videoKeysOf(demo, 2) }] },
  ],
  create_project: () => [{ name: 'Brand new', region: 'use-s' }],
  move_videos: ({ world }) => [
    {
      videoIds: [...world.videos.keys()].slice(0, 5),
      targetProject: at(world.projects.keys(), 1),
      fromProject: at(world.projects.keys(), 0),
    },
  ],
  copy_cta: ({ world }) => [{ sourceVideoId: at(world.videos.keys(), 0), targetVideoIds: [at(world.videos.keys(), 1)] }],
  resume_change: (_demo, changeId) => [{ changeId }],
  confirm_change: (_demo, changeId) => [{ changeId, confirmationToken: 't000000000000000000', summary: 'Move 5 videos.' }],
  stop_change: (_demo, changeId) => [{ changeId }],
  undo_change: (_demo, changeId) => [{ changeId }],
};

export const SWEPT_TOOLS: ReadonlySet<string> = new Set(Object.keys(CALLS));

const GIVEN_UP: ToolReply = { isError: true, data: undefined, text: '', content: [] };

/** Calls everything; answers and errors are in the session's output. Returns the number of calls. */
export async function callEverything(client: TestClient, demo: DemoService): Promise<number> {
  let calls = 0;
  const call = async (tool: string, args: Values) => {
    calls += 1;
    const reply = await client.callTool(tool, args).catch(() => GIVEN_UP);
    if (reply.data?.confirmationToken !== undefined) await confirmPreview(client, reply).catch(() => undefined);
    return reply;
  };
  const changeIds = async (): Promise<string[]> => {
    const reply = await client.callTool('list_changes', { limit: 200 }).catch(() => undefined);
    const changes: unknown = reply?.data?.changes;
    return Array.isArray(changes) ? changes.map((change: Values) => String(change.changeId)) : [];
  };
  const [changeId = 'chg-000000000-none'] = await changeIds();
  const callAll = async (tool: string): Promise<void> => {
    const make = CALLS[tool];
    if (make === undefined) throw new Error(`There is no call of ${tool} in CALLS of test/hazards/sweep-everything.ts: add one.`);
    for (const args of make(demo, changeId)) await call(tool, args);
  };
  // In parallel: where everything fails, most of the time is spent waiting for retries.
  await Promise.all((await client.listTools()).map(({ name }) => callAll(String(name))));
  const [last = changeId] = await changeIds();
  for (const tool of ['get_change', 'resume_change', 'stop_change', 'undo_change']) await call(tool, { changeId: last });
  const { resources, resourceTemplates, prompts } = listing();
  const ids: Readonly<Record<string, readonly string[]>> = {
    channels: [...demo.world.channels.keys()].slice(0, 5),
    projects: [...demo.world.projects.keys()],
    changes: await changeIds(),
  };
  const uris = [
    ...resources.map(({ uri }) => uri),
    ...resourceTemplates.flatMap(({ uriTemplate }) => {
      const prefix = uriTemplate.slice(0, uriTemplate.indexOf('{'));
      return [...(ids[prefix.split('/')[2] ?? ''] ?? []), 'none'].map((id) => `${prefix}${encodeURIComponent(id)}`);
    }),
  ];
  const { data: drawable } = await call('query_analytics', { ...DAYS, groupBy: ['city', 'browser'] });
  if (drawable !== undefined) await call('draw_chart', { report: drawable.report, kind: 'bar' });
  const rest: Promise<unknown>[] = [
    ...uris.map((uri) => client.readResource(uri)),
    ...prompts.map(({ name, arguments: args }) =>
      client.getPrompt(name, Object.fromEntries(args.map((argument) => [argument.name, 'Something']))),
    ),
    ...prompts.flatMap(({ name, arguments: args }) => args.map((argument) => client.complete({ prompt: name }, argument.name, ''))),
    ...resourceTemplates.map(({ uriTemplate }) => client.complete({ template: uriTemplate }, /\{(\w+)\}/.exec(uriTemplate)?.[1] ?? '', '')),
  ];
  await Promise.allSettled(rest);
  return calls + rest.length;
}
