/** Calls every listed tool, resource, prompt and completion. */
import { listing } from '../../src/mcp/listing/listing.ts';
import { confirmPreview } from '../changes/support/confirm.ts';
import type { TestClient, ToolReply, Values } from '../harness/client.ts';
import type { DemoService } from '../harness/service.ts';
import { everyCallOf } from '../mcp/tools/calls.ts';

const DAYS = { from: '2026-10-01', to: '2026-11-01' };

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
  const [changeId] = await changeIds();
  const callAll = async (tool: string): Promise<void> => {
    for (const args of everyCallOf(tool, demo, changeId)) await call(tool, args);
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
