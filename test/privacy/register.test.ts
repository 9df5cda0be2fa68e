/** The register of fields: every field that the service sends, and that we read or answer, has its privacy class. */
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { SETTINGS } from '../../src/config/settings.ts';
import { inputSchema, outputSchema } from '../../src/mcp/define-tool.ts';
import { tools } from '../../src/mcp/tools/index.ts';
import { FIELD_PRIVACY, type RecordKind } from '../../src/privacy/fields.ts';
import { PagerSchema } from '../../src/service/list.ts';
import { ChannelSchema, TemplateSchema } from '../../src/service/resources/channels.ts';
import { CollectedEmailSchema } from '../../src/service/resources/emails.ts';
import { PlanSchema } from '../../src/service/resources/plans.ts';
import { ProjectSchema } from '../../src/service/resources/projects.ts';
import { plantPersonalTokens } from '../harness/planting.ts';
import { API_KEY, startService } from '../harness/service.ts';

/** The only tools whose answer can have personal fields: under `list`, if `argument` asks for them and a person confirms it. */
const APPROVED_ANSWERS: Readonly<Record<string, { readonly argument: string; readonly list: string }>> = {
  get_collected_emails: { argument: 'showRecords', list: 'records' },
};

/** Names of personal fields, without their path. */
const PERSONAL_NAMES: ReadonlySet<string> = new Set(
  Object.values(FIELD_PRIVACY)
    .flatMap((fields) => Object.entries(fields))
    .flatMap(([field, kind]) => (kind === 'personal' ? [field.split('.').at(-1) ?? field] : [])),
);

/** Every field of a value, those of objects in it by their path. */
function fieldsOf(value: unknown, within = ''): string[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return within === '' ? [] : [within];
  return Object.entries(value).flatMap(([name, inner]) => fieldsOf(inner, within === '' ? name : `${within}.${name}`));
}

const PropertiesSchema = z.record(z.string(), z.unknown());
const NodeSchema = z.looseObject({ properties: PropertiesSchema, items: z.unknown(), anyOf: z.array(z.unknown()) }).partial();

/** Every field of a JSON Schema by its path; for a list, the fields of its entries. */
function fieldsIn(schema: unknown, within = ''): string[] {
  const { properties, items, anyOf } = NodeSchema.parse(schema ?? {});
  const inner = (name: string) => (within === '' ? name : `${within}.${name}`);
  const found = [
    ...Object.entries(properties ?? {}).flatMap(([name, node]) => fieldsIn(node, inner(name))),
    ...(anyOf ?? []).flatMap((node) => fieldsIn(node, within)),
    ...(items === undefined ? [] : fieldsIn(items, within)),
  ];
  return found.length > 0 ? found : within === '' ? [] : [within];
}

const unregistered = (kind: RecordKind, fields: readonly string[]): string[] =>
  [...new Set(fields)].filter((field) => !Object.hasOwn(FIELD_PRIVACY[kind], field));

const SCHEMAS: readonly (readonly [RecordKind, z.ZodType])[] = [
  ['pager', PagerSchema],
  ['channel', ChannelSchema],
  ['template', TemplateSchema],
  ['project', ProjectSchema],
  ['plan', PlanSchema],
  ['collectedEmail', CollectedEmailSchema],
];

test.each(SCHEMAS)('every field of %s that the client reads is in the register', (kind, schema) => {
  const fields = fieldsIn(z.toJSONSchema(schema, { io: 'output', unrepresentable: 'any' }));
  expect(fields.length).toBeGreaterThan(3);
  expect(unregistered(kind, fields)).toEqual([]);
});

/** Asks the service itself, without our client. */
async function ask(url: string, init: RequestInit = {}): Promise<Record<string, unknown>> {
  const answer = await fetch(url, { ...init, headers: { authorization: `Bearer ${API_KEY}`, 'content-type': 'application/json' } });
  return z.record(z.string(), z.unknown()).parse({ status: answer.status, body: await answer.json() });
}

const ListSchema = z.looseObject({}).catchall(z.unknown());
const recordsIn = (body: unknown, name: string): unknown[] => z.array(z.unknown()).parse(name === '' ? body : ListSchema.parse(body)[name]);

describe('every field that the service sends is in the register:', () => {
  const LISTS: readonly (readonly [RecordKind, string, string])[] = [
    ['channel', '/v1/channels', 'channels'],
    ['template', '/v1/channels/templates', ''],
    ['project', '/v1/projects', 'projects'],
    ['plan', '/v1/plans', 'plans'],
    ['collectedEmail', '/v1/videos/collected-emails', ''],
  ];
  test.each(LISTS)('%s', async (kind, path, name) => {
    const demo = await startService();
    demo.behaviour.channelRecordsShowContents = true;
    const { body } = await ask(demo.baseUrl + path);
    const records = recordsIn(body, name);
    expect(records.length).toBeGreaterThan(0);
    const sent = new Set(records.flatMap((record) => fieldsOf(record)));
    expect(unregistered(kind, [...sent])).toEqual([]);
    // Every registered field occurs in a record; otherwise a renamed field would go unnoticed.
    expect(Object.keys(FIELD_PRIVACY[kind]).filter((field) => !sent.has(field))).toEqual([]);
    if (name !== '') expect(unregistered('pager', fieldsOf(ListSchema.parse(body).pager))).toEqual([]);
  });

  test('view', async () => {
    const demo = await startService({ views: 2_000 });
    plantPersonalTokens(demo.world);
    const question = { method: 'POST', body: JSON.stringify({ from: '2020-01-01', size: 1_000 }) };
    const { body } = await ask(`${demo.statsUrl}/v1/logs/data`, question);
    const records = recordsIn(body, 'views');
    const sent = new Set(records.flatMap((record) => fieldsOf(record)));
    expect(unregistered('view', [...sent])).toEqual([]);
    expect(Object.keys(FIELD_PRIVACY.view).filter((field) => !sent.has(field))).toEqual([]);
    expect(unregistered('viewPager', fieldsOf(ListSchema.parse(body).pager))).toEqual([]);
  });

  test('error, moveAnswer and copyAnswer', async () => {
    const demo = await startService();
    const post = (path: string, body: unknown) => ask(demo.baseUrl + path, { method: 'POST', body: JSON.stringify(body) });
    const [channel = ''] = demo.world.channels.keys();
    const update = { method: 'PUT', body: JSON.stringify({ name: 'x', videoKeys: ['none'] }) };
    const errors = [
      await ask(`${demo.baseUrl}/v1/projects/none`),
      await ask(`${demo.baseUrl}/v1/channels/none`),
      await ask(`${demo.baseUrl}/v1/channels/${channel}`, update),
    ];
    for (const { status, body } of errors) {
      expect(status).toBeGreaterThanOrEqual(400);
      expect(unregistered('error', fieldsOf(body))).toEqual([]);
    }
    const [first = '', second = ''] = demo.world.videos.keys();
    const moved = await post('/v1/videos/change-project', { projectId: [...demo.world.projects.keys()][0], videoIds: [first] });
    const copied = await post(`/v1/videos/${first}/cta/copy`, { targetVideos: [second] });
    expect(unregistered('moveAnswer', fieldsOf(moved.body))).toEqual([]);
    expect(unregistered('copyAnswer', fieldsOf(copied.body))).toEqual([]);
  });
});

test('every planted personal value is in a field classed as personal, or is cut out of its field', async () => {
  const demo = await startService();
  const fields = new Set(plantPersonalTokens(demo.world).map(({ field }) => field));
  const personal = new Set(
    [...entriesOf('view'), ...entriesOf('collectedEmail')].flatMap(([field, kind]) => (kind === 'personal' ? [field] : [])),
  );
  // The query, fragment and user are removed from the URL of an embedding page; the rest is not personal.
  expect([...fields].filter((field) => !personal.has(field))).toEqual(['embed.url']);
  expect([...personal].filter((field) => !fields.has(field))).toEqual([]);
});

const entriesOf = (kind: RecordKind) => Object.entries(FIELD_PRIVACY[kind]);

test('secret settings are marked as secret, and have no flag, which the process list would show', () => {
  const secret = Object.values(SETTINGS).filter((row) => 'secret' in row);
  expect(secret.map(({ variable }) => variable)).toEqual([
    'VIDEO_HOSTING_API_KEY',
    'VIDEO_HOSTING_ACCESS_TOKEN',
    'VIDEO_HOSTING_ANALYTICS_STORE_PASSWORD',
    'VIDEO_HOSTING_ANALYTICS_SQL_PASSWORD',
    'VIDEO_HOSTING_CLIENT_TOKEN',
  ]);
  for (const row of secret) expect('flag' in row).toBe(false);
});

describe.each(tools.map((tool) => [tool.name, tool] as const))('%s', (name, tool) => {
  test('has no personal field in its answer, except in an approved list', () => {
    const list = APPROVED_ANSWERS[name]?.list;
    const fields = fieldsIn(z.toJSONSchema(outputSchema(tool) ?? z.object(), { io: 'output', unrepresentable: 'any' }));
    const personal = fields.filter(
      (field) => PERSONAL_NAMES.has(field.split('.').at(-1) ?? '') && !(list !== undefined && field.startsWith(`${list}.`)),
    );
    expect(personal).toEqual([]);
  });

  test('takes no personal field as an argument, which would put it into the conversation', () => {
    const fields = fieldsIn(z.toJSONSchema(inputSchema(tool), { io: 'input', unrepresentable: 'any' }));
    expect(fields.filter((field) => PERSONAL_NAMES.has(field.split('.').at(-1) ?? ''))).toEqual([]);
  });
});

test('only export tools, which a person confirms, can answer with personal fields', () => {
  for (const [name, { argument }] of Object.entries(APPROVED_ANSWERS)) {
    const tool = tools.find((candidate) => candidate.name === name);
    expect(tool?.effect).toBe('export');
    expect(Object.keys(tool?.input ?? {})).toContain(argument);
  }
});

test('the helpers of these tests find unregistered, nested and personal fields', () => {
  expect(unregistered('channel', ['id', 'ownerEmail'])).toEqual(['ownerEmail']);
  expect(fieldsIn(z.toJSONSchema(z.object({ rows: z.array(z.object({ geo: z.object({ ip: z.string() }) })) })))).toEqual(['rows.geo.ip']);
  expect(PERSONAL_NAMES.has('ip')).toBe(true);
});
