/**
 * The other side of the comparison: one tool for each endpoint, as a server generated from an API description has them. The
 * arguments are the request's, the answer is the response's body.
 */
import { Server } from '@modelcontextprotocol/server';
import type { DemoService } from '../../test/harness/demo.ts';

const text = { type: 'string' };
const integer = { type: 'integer' };
const flag = { type: 'boolean' };
const list = { type: 'array', items: { type: 'string' } };
const object = { type: 'object' };
const PAGE = { page: integer, size: integer, planType: integer, sort: text };
const CHANNEL = { name: text, description: text, templateKey: text, videoKeys: list, projectKeys: list, privateLinkEnabled: flag };

/** Arguments that occur in the path go there; of a GET the others are the query, else the body. */
const ENDPOINTS: readonly [string, string, string, string, object, string[]][] = [
  ['list_channels', 'List channels.', 'GET', '/v1/channels', PAGE, []],
  ['get_channel', 'Get a channel by id.', 'GET', '/v1/channels/{id}', { id: text }, ['id']],
  ['create_channel', 'Create a channel.', 'POST', '/v1/channels', CHANNEL, ['name', 'videoKeys']],
  [
    'update_channel',
    'Update a channel. name is required, and one of videoKeys or projectKeys. This is a full replacement: videoKeys and projectKeys are replaced by what is sent, other fields that are omitted keep their values.',
    'PUT',
    '/v1/channels/{id}',
    { id: text, ...CHANNEL },
    ['id', 'name'],
  ],
  ['list_channel_templates', 'List channel templates.', 'GET', '/v1/channels/templates', {}, []],
  ['list_projects', 'List projects.', 'GET', '/v1/projects', { ...PAGE, projectId: text, parentId: text }, []],
  ['get_project', 'Get a project by id.', 'GET', '/v1/projects/{id}', { id: text }, ['id']],
  [
    'create_project',
    'Create a project. planType: 1 standard, 2 edge.',
    'POST',
    '/v1/projects',
    { name: text, description: text, region: text, planType: integer, options: object, videoOptions: object },
    ['name'],
  ],
  ['list_plans', 'List plans.', 'GET', '/v1/plans', PAGE, []],
  [
    'move_videos',
    'Move videos to a project, at most 1,000 ids per request.',
    'POST',
    '/v1/videos/change-project',
    { projectId: text, videoIds: list },
    ['projectId', 'videoIds'],
  ],
  [
    'copy_cta',
    'Copy all calls to action of a video to others, at most 100 per request.',
    'POST',
    '/v1/videos/{videoId}/cta/copy',
    { videoId: text, targetVideos: list },
    ['videoId', 'targetVideos'],
  ],
  ['get_collected_emails', 'Get the emails collected in the last year.', 'GET', '/v1/videos/collected-emails', {}, []],
  [
    'get_video_analytics',
    'Get view records, paged. from and to are YYYY-MM-DDThh:mm:ss.',
    'POST',
    '/v1/logs/data',
    { from: text, to: text, page: integer, size: integer, videoKey: text, channelKey: text, projectKey: text },
    ['from'],
  ],
];
const TOOLS = ENDPOINTS.map(([name, description, method, path, properties, required]) => ({
  listed: { name, description, inputSchema: { type: 'object' as const, properties: { ...properties }, required } },
  method,
  path,
}));

type Account = Pick<DemoService, 'baseUrl' | 'statsUrl' | 'apiKey'>;

export function createWrapper(account: Account): Server {
  const server = new Server({ name: 'wrapper', version: '1.0.0' }, { capabilities: { tools: {} } });
  server.setRequestHandler('tools/list', () => ({ tools: TOOLS.map(({ listed }) => listed) }));
  server.setRequestHandler('tools/call', async ({ params: { name, arguments: args = {} } }) => {
    const tool = TOOLS.find(({ listed }) => listed.name === name);
    if (tool === undefined) return answer(`There is no tool ${name}.`, true);
    try {
      const response = await request(account, tool, { ...args });
      return answer(`${response.ok ? '' : `HTTP ${response.status}\n`}${await response.text()}`, !response.ok);
    } catch (error) {
      return answer(`The request failed: ${error instanceof Error ? error.message : String(error)}`, true);
    }
  });
  return server;
}

function request(account: Account, { method, path }: (typeof TOOLS)[number], args: Record<string, unknown>): Promise<Response> {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = encodeURIComponent(String(args[name] ?? ''));
    delete args[name];
    return value;
  });
  const url = new URL(filled, path === '/v1/logs/data' ? account.statsUrl : account.baseUrl);
  const headers = { authorization: `Bearer ${account.apiKey}`, 'content-type': 'application/json' };
  if (method === 'GET') for (const [name, value] of Object.entries(args)) url.searchParams.set(name, String(value));
  return fetch(url, { method, headers, ...(method === 'GET' ? {} : { body: JSON.stringify(args) }) });
}

function answer(body: string, isError: boolean) {
  return { content: [{ type: 'text' as const, text: body }], isError };
}
