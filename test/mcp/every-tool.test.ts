import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import type { ListedTool } from '../../src/mcp/app-contract.ts';
import { inputSchema } from '../../src/mcp/define-tool.ts';
import { listing } from '../../src/mcp/listing/listing.ts';
import { tools } from '../../src/mcp/tools/index.ts';
import { CLIENT_KINDS } from '../harness/client.ts';
import { freshHome, start } from '../harness/start.ts';
import { missingCalls } from './tools/calls.ts';

/** Arguments whose names need no description. */
const PLAIN = new Set(
  'search planType accountPlanType page size status limit waitSeconds changeId projectId parentId from to timezone name description region template videoKey videoKeys channel showRecords exportAs groupBy metrics countries browsers operatingSystems deviceTypes embedDomains orderBy sql compareTo started ended changes setVideoKeys addVideoKeys removeVideoKeys videoIds videoIdsFile sourceVideoId targetVideoIds targetVideoIdsFile channels file projectKeys videoKeysFile setVideoKeysFile currentVideoKeysFile kind chart metric muted weekdays projects emailDomain report what confirmationToken title'.split(
    ' ',
  ),
);

/** Limits in tokens. */
const MAX_OF_ONE = 550;
const MAX_OF_ALL = 4_800;
const MAX_AS_LISTED = 8_000;

/** What programs read of the answers, by tool: each output schema has it. */
const OF_CHANGES = 'status changeId confirmationToken preview before after failed unknown undo';
const PROMISED: Readonly<Record<string, string>> = {
  list_channels: 'pager channels',
  get_channel: 'channel contents',
  list_channel_templates: 'templates',
  list_projects: 'pager projects',
  get_project: 'project',
  list_plans: 'pager plans',
  get_collected_emails: 'total groups path records',
  query_analytics: 'columns rows totals coverage report',
  explain_change: 'total rows mix since nothingStandsOut',
  run_analytics_sql: 'columns rows truncated report coverage',
  list_changes: 'changes',
  get_change: `${OF_CHANGES} pager done notDone`,
  check_setup: 'ok mainApi analyticsApi credential settings',
  show_to_user: 'shown',
  stop_change: 'changeId status',
  move_videos: `${OF_CHANGES} moved`,
  copy_cta: `${OF_CHANGES} copied`,
};

const PropertiesSchema = z.record(z.string(), z.unknown());
const NodeSchema = z.looseObject({ description: z.string(), properties: PropertiesSchema, items: z.unknown() }).partial();

const tokensOf = (value: unknown): number => encode(typeof value === 'string' ? value : JSON.stringify(value)).length;
/** Tokens of what a model sees of a tool. */
const modelTokens = ({ name, description, inputSchema }: ListedTool): number => tokensOf({ name, description, inputSchema });

describe.each(listing().tools.map((tool) => [tool.name, tool] as const))('%s', (name, tool) => {
  const definition = tools.find((candidate) => candidate.name === name);

  test('has a name, a title and a short description', () => {
    expect(name).toMatch(/^[a-z]+(_[a-z]+)+$/);
    expect(tool.title).toMatch(/^[A-Z][^.]{3,40}$/);
    expect(tool.description).toMatch(/\.$/);
    expect(tool.description.length).toBeLessThanOrEqual(400);
  });

  test('has annotations that match its effect', () => {
    const isConfirmation = definition?.effect === 'confirm';
    const isChange = definition?.effect === 'change';
    expect(tool.annotations.readOnlyHint).toBe(definition?.effect === 'read' || definition?.effect === 'setup');
    expect(tool.annotations.destructiveHint).toBe(isConfirmation || (isChange && definition.destructive));
    expect(tool.annotations.openWorldHint).toBe(true);
    expect(tool.annotations.idempotentHint).toBe(!isChange && !isConfirmation && definition?.effect !== 'export');
  });

  test('has schemas that are objects, refuse unknown arguments and allow unknown fields', () => {
    expect(tool.inputSchema).toMatchObject({ type: 'object', additionalProperties: false });
    // A tool that returns a picture has no output schema, because some clients then drop the picture.
    expect(tool.outputSchema?.type).toBe(name === 'draw_chart' ? undefined : 'object');
    expect(tool.outputSchema?.additionalProperties).not.toBe(false);
    expect(JSON.stringify(tool)).not.toContain('"$ref"');
    // Some clients can’t convert a schema that has several types, or none, in one place.
    expect(JSON.stringify(tool)).not.toMatch(/"type":\[|"items":\{\}/);
  });

  test('promises what programs read of its answer, and no sentence', () => {
    if (tool.outputSchema === undefined) return;
    const { properties = {} } = NodeSchema.parse(tool.outputSchema);
    expect(Object.keys(properties)).toEqual(expect.arrayContaining((PROMISED[name] ?? OF_CHANGES).split(' ')));
    const listed = JSON.stringify(tool.outputSchema);
    for (const field of ['message', 'notes', 'lines', 'warnings', 'next', 'summary']) expect(listed).not.toContain(`"${field}"`);
  });

  test('has arguments in camelCase with a description or a self-explanatory name', () => {
    const bad: string[] = [];
    const walk = (node: unknown, path: string): void => {
      const { properties = {}, items } = NodeSchema.parse(node);
      if (items !== undefined) walk(items, `${path}[]`);
      for (const [field, inner] of Object.entries(properties)) {
        if (!/^[a-z][A-Za-z0-9]*$/.test(field)) bad.push(`${path}.${field} is not camelCase`);
        if (NodeSchema.parse(inner).description === undefined && !PLAIN.has(field)) bad.push(`${path}.${field} is not described`);
        walk(inner, `${path}.${field}`);
      }
    };
    walk(tool.inputSchema, name);
    expect(bad, 'Describe it in a few words, or add a self-explanatory name to PLAIN.').toEqual([]);
  });

  test(`costs a model at most ${MAX_OF_ONE} tokens`, () => {
    const { name, description, inputSchema } = tool;
    const ofArguments = Object.entries(inputSchema.properties ?? {}).map(([argument, schema]) => `${argument} ${tokensOf(schema)}`);
    const advice =
      'Every conversation pays for them. Cut words of its description, or of an argument, that say what names or types say already, and ' +
      'that no assistant needs in order to call it right at once: what only the answer needs goes into a note of the answer. Tokens by part: ' +
      `description ${tokensOf(description ?? '')}, ${ofArguments.join(', ')}.`;
    expect(modelTokens(tool), `Tokens of the name, description and arguments of ${name}. ${advice}`).toBeLessThanOrEqual(MAX_OF_ONE);
  });
});

test('each is called by the tests that cover every tool', () => {
  expect(missingCalls(), 'Add it in test/mcp/tools/calls.ts: many tests take their calls from it.').toEqual([]);
});

test('each has a file of tests, and each file of tests has its tool', () => {
  const ofTools = readdirSync(join(import.meta.dirname, 'tools')).flatMap(
    (file) => /^(.+?)(\.integration)?\.test\.ts$/.exec(file)?.[1] ?? [],
  );
  expect(ofTools.toSorted()).toEqual(tools.map(({ name }) => name.replaceAll('_', '-')).toSorted());
});

test('each refuses an unknown argument and suggests the right one', async () => {
  const env = { VIDEO_HOSTING_PERSONAL_DATA: 'allowed', VIDEO_HOSTING_FILES_DIR: freshHome() };
  const { client, demo } = await start({ env });
  for (const tool of tools) {
    const [field] = Object.keys(inputSchema(tool).shape);
    const reply = await client.callTool(tool.name, { [`${field ?? 'nothing'}X`]: 1 });
    expect(reply.isError).toBe(true);
    expect(reply.text).toMatch(field === undefined ? 'nothingX: there is no such argument' : new RegExp(`Did you mean .*\\b${field}\\?`));
  }
  expect(demo.requests).toEqual([]);
});

test(`all tools together cost a model at most ${MAX_OF_ALL} tokens`, () => {
  const { tools: listed } = listing();
  const costs = listed.map((tool) => ({ name: tool.name, tokens: modelTokens(tool) }));
  const dearest = costs.toSorted((a, b) => b.tokens - a.tokens).map(({ name, tokens }) => `${name} ${tokens}`);
  const advice =
    'Every conversation pays for this list, whether the tool is used or not. Is the new one an argument or a field of a tool that is there? ' +
    `If not, make room: shorter descriptions, and none for what a name says (PLAIN above). Tokens by tool: ${dearest.join(', ')}`;
  expect(
    costs.reduce((sum, { tokens }) => sum + tokens, 0),
    `Names, descriptions and arguments. ${advice}`,
  ).toBeLessThanOrEqual(MAX_OF_ALL);
  expect(tokensOf(listed), `With output schemas and annotations. ${advice}`).toBeLessThanOrEqual(MAX_AS_LISTED);
});

test.each(CLIENT_KINDS)('%s lists exactly what the definitions declare', async (kind) => {
  const { tools, prompts, resources, resourceTemplates } = listing();
  const { client, demo } = await start({
    client: kind,
    env: { VIDEO_HOSTING_PERSONAL_DATA: 'allowed', VIDEO_HOSTING_FILES_DIR: freshHome() },
  });
  const listed = {
    tools: await client.listTools(),
    prompts: await client.listPrompts(),
    resources: await client.listResources(),
    resourceTemplates: await client.listResourceTemplates(),
  };
  expect(listed).toEqual(JSON.parse(JSON.stringify({ tools, prompts, resources, resourceTemplates })));
  expect(demo.requests).toEqual([]);
});

test.each(CLIENT_KINDS)('%s can neither list nor call changes on a read-only server', async (kind) => {
  const { client } = await start({ client: kind, env: { VIDEO_HOSTING_READ_ONLY: '1' } });
  const offered = (await client.listTools()).map(({ name }) => name);
  expect(offered).toEqual(tools.filter(({ effect }) => effect !== 'change').map(({ name }) => name));
  for (const { name } of tools.filter(({ effect }) => effect === 'change'))
    await expect(client.callTool(name)).rejects.toMatchObject({ code: -32602 });
});
