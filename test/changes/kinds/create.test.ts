/** New channels and projects: each is sent once, whatever the response, and reported as created only if the service has it. */
import { describe, expect, test } from 'vitest';
import type { Values } from '../../harness/client.ts';
import type { Fault } from '../../harness/faults.ts';
import { type DemoService, startService } from '../../harness/service.ts';
import { freshHome, start } from '../../harness/start.ts';
import { changeIdIn } from '../support/confirm.ts';
import { changeFiles, linesOf } from '../support/journal-files.ts';
import { videoKeysOf, writesOf } from '../support/world.ts';

const LOST: Readonly<Record<string, Fault>> = {
  'a 500 before processing': { kind: 'status', code: 500 },
  'a 500 after processing': { kind: 'status', code: 500, processed: true },
  'a 503 after processing': { kind: 'status', code: 503, processed: true },
  'a 429 before processing': { kind: 'status', code: 429 },
  'a reset before processing': { kind: 'reset-before' },
  'a reset after processing': { kind: 'reset-after' },
  'cut off': { kind: 'truncate' },
  'an HTML page': { kind: 'garbage', shape: 'html' },
  'half a JSON document': { kind: 'garbage', shape: 'half-json' },
  'JSON of another shape': { kind: 'garbage', shape: 'wrong-shape' },
  'the JSON value null': { kind: 'garbage', shape: 'null' },
  'empty after processing': { kind: 'garbage', shape: 'empty' },
  'empty without processing': { kind: 'garbage', shape: 'empty', processed: false },
};

interface Kind {
  readonly tool: string;
  readonly args: (demo: DemoService) => Values;
  /** The number of records with that name. */
  readonly count: (demo: DemoService) => number;
  readonly id: (demo: DemoService) => string | undefined;
}
const NAME = 'Brand new';
const KINDS: readonly Kind[] = [
  {
    tool: 'create_channels',
    args: (demo) => ({ channels: [{ name: NAME, videoKeys: videoKeysOf(demo, 3) }] }),
    count: (demo) => [...demo.world.channels.values()].filter(({ name }) => name === NAME).length,
    id: (demo) => [...demo.world.channels.values()].find(({ name }) => name === NAME)?.id,
  },
  {
    tool: 'create_project',
    args: () => ({ name: NAME, region: 'use-s' }),
    count: (demo) => [...demo.world.projects.values()].filter(({ name }) => name === NAME).length,
    id: (demo) => [...demo.world.projects.values()].find(({ name }) => name === NAME)?.id,
  },
];

describe.each(KINDS)('$tool', ({ tool, args, count, id }) => {
  test.each(Object.entries(LOST))('sends one request and reports the outcome if the response is %s', async (_what, fault) => {
    const demo = await startService({ channels: 3, projects: 3, videos: 20 });
    demo.faults.next({ match: { method: 'POST', api: 'main' }, do: fault });
    const { client } = await start({ demo, env: { VIDEO_HOSTING_CONFIRM: 'never' } });
    const reply = await client.callTool(tool, args(demo));
    expect(writesOf(demo)).toHaveLength(1);
    const there = count(demo);
    if (there === 0) expect(['failed', 'partly_applied'], reply.text).toContain(reply.data?.status);
    else expect(reply.text, 'the one that is there now is named').toContain(String(id(demo)));
    if (reply.data?.status === 'applied') expect(there).toBe(1);
    else expect(reply.data).toMatchObject({ unknown: [{ id: 'new' }] });
  });

  test('what a later look finds is written once, until it finds something else', async () => {
    const demo = await startService({ channels: 3, projects: 3, videos: 20 });
    demo.faults.next({ match: { method: 'POST', api: 'main' }, do: { kind: 'reset-after' } });
    const home = freshHome();
    const { client, dataDir } = await start({ demo, home, env: { VIDEO_HOSTING_CONFIRM: 'never' } });
    const changeId = changeIdIn(await client.callTool(tool, args(demo)));
    const lines = async () => {
      const later = await start({ demo, home });
      const { text } = await later.client.callTool('get_change', { changeId });
      const looks = changeFiles(dataDir)
        .flatMap(linesOf)
        .filter((line) => line.type === 'outcome' && line.found === true);
      return { looks: looks.length, text };
    };
    const first = await lines();
    expect(first.text).toContain(`is there now (${id(demo)})`);
    expect(await lines()).toEqual(first);
    const { channels, projects } = demo.world;
    const records: Map<string, { id: string }> = tool === 'create_channels' ? channels : projects;
    records.delete(String(id(demo)));
    const gone = await lines();
    expect(gone.text).toContain('was probably not created');
    expect(gone.looks).toBe(first.looks + 1);
  });

  test('reports the service’s message if the service refuses the request', async () => {
    const demo = await startService({ channels: 3, projects: 3, videos: 20 });
    demo.faults.next({ match: { method: 'POST' }, do: { kind: 'status', code: 400, body: { message: 'Not on a Sunday.' } } });
    const { client } = await start({ demo, env: { VIDEO_HOSTING_CONFIRM: 'never' } });
    const reply = await client.callTool(tool, args(demo));
    expect([writesOf(demo).length, count(demo)]).toEqual([1, 0]);
    expect(reply).toMatchObject({ isError: true, data: { status: 'failed' } });
    expect(reply.text).toContain('Not on a Sunday.');
  });

  test('names neither an older record nor one of two new records as the created one after a lost response', async () => {
    const demo = await startService({ channels: 3, projects: 3, videos: 20 });
    const { client } = await start({ demo, env: { VIDEO_HOSTING_CONFIRM: 'never' } });
    await client.callTool(tool, args(demo));
    const former = String(id(demo));
    demo.faults.next({ match: { method: 'POST', api: 'main' }, do: { kind: 'reset-before' } });
    const lost = await client.callTool(tool, args(demo));
    expect(count(demo)).toBe(1);
    expect(lost.data).toMatchObject({ unknown: [{ id: 'new' }] });
    expect(lost.text).not.toContain('probably this one');
    const { world } = demo;
    const records: Map<string, { id: string }> = tool === 'create_channels' ? world.channels : world.projects;
    const twin = structuredClone(records.get(former));
    demo.behaviour.onProcessed = ({ method, api }) => {
      if (method === 'POST' && api === 'main' && twin !== undefined) records.set('twin', { ...twin, id: 'twin' });
    };
    demo.faults.next({ match: { method: 'POST', api: 'main' }, do: { kind: 'reset-after' } });
    const doubtful = await client.callTool(tool, args(demo));
    expect(count(demo)).toBe(3);
    expect(doubtful.data).toMatchObject({ unknown: [{ id: 'new' }] });
    expect(doubtful.text).not.toContain('probably this one');
  });
});

test.each([200, 201, 202])(
  'a channel counts as created with status %i, whether the response has its record, its id or no body',
  async (status) => {
    for (const answer of ['record', 'id-only', 'empty'] as const) {
      const demo = await startService({ channels: 3, videos: 20 });
      demo.behaviour.createChannelStatus = status;
      demo.behaviour.createChannelAnswer = answer;
      const { client } = await start({ demo, env: { VIDEO_HOSTING_CONFIRM: 'never' } });
      const videoKeys = videoKeysOf(demo, 3);
      const reply = await client.callTool('create_channels', { channels: [{ name: NAME, videoKeys }] });
      const created = [...demo.world.channels.values()].find(({ name }) => name === NAME);
      expect(created?.videoKeys).toEqual(videoKeys);
      expect(reply.data).toMatchObject({ status: 'applied', after: [{ id: created?.id }] });
      const looked = await client.callTool('get_channel', { channel: created?.id });
      if (answer === 'record') expect(looked.data).toMatchObject({ contents: { known: true, videoKeys } });
    }
  },
);

test('a description that the service ignores at creation is reported', async () => {
  const demo = await startService({ channels: 3, videos: 20 });
  demo.behaviour.createAcceptsDescription = false;
  const { client } = await start({ demo, env: { VIDEO_HOSTING_CONFIRM: 'never' } });
  for (const answer of ['record', 'id-only'] as const) {
    demo.behaviour.createChannelAnswer = answer;
    const args = { name: `${NAME} ${answer}`, videoKeys: videoKeysOf(demo, 1), description: 'Wanted' };
    const reply = await client.callTool('create_channels', { channels: [args] });
    expect(demo.world.channelNamed(args.name).description).toBe('');
    expect(reply.data?.status).toBe('partly_applied');
    expect(reply.text).toContain('description');
  }
});

test('a template that the service does not apply at creation is reported', async () => {
  const demo = await startService({ channels: 3, videos: 20 });
  const { client } = await start({ demo, env: { VIDEO_HOSTING_CONFIRM: 'never' } });
  const templateKey = demo.world.templates.find(({ status, planType }) => status === 1 && planType > demo.world.accountPlanType)?.key;
  demo.behaviour.unknownTemplateKey = 'ignore';
  const reply = await client.callTool('create_channels', {
    channels: [{ name: NAME, videoKeys: videoKeysOf(demo, 1), template: templateKey }],
  });
  expect(demo.world.channelNamed(NAME).templateKey).toBe('');
  expect(reply.data?.status).toBe('partly_applied');
});
