import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { expect, test } from 'vitest';
import { recordsIn, type ToolReply } from '../harness/client.ts';
import { type DemoService, startService } from '../harness/service.ts';
import { start } from '../harness/start.ts';

const MAX_TOKENS = 25_000;
const MAX_BYTES = 10 * 1_024 * 1_024;

/** The tokens of an answer: clients give the model the text, the structured content, or both. */
const tokensOf = ({ text, data }: ToolReply): number => encode(text).length + encode(JSON.stringify(data ?? {})).length;

function expectBounded(reply: ToolReply): void {
  expect(tokensOf(reply)).toBeLessThanOrEqual(MAX_TOKENS);
  expect(Buffer.byteLength(JSON.stringify(reply))).toBeLessThan(MAX_BYTES);
}

const letters = (length: number, pick: (at: number) => string): string => Array.from({ length }, (_, at) => pick(at)).join('');

/** Texts that cost more tokens than most. */
const COSTLY: Readonly<Record<string, string>> = {
  'rare ideographs': letters(250, (at) => String.fromCodePoint(0x4e00 + ((at * 7_919) % 20_000))),
  'ideographs beyond the first plane': letters(125, (at) => String.fromCodePoint(0x20000 + ((at * 7_919) % 10_000))),
  Ethiopic: letters(250, (at) => String.fromCodePoint(0x1200 + ((at * 31) % 0x50))),
  emoji: '👩‍💻🏳️‍🌈🧜🏽‍♂️'.repeat(12),
  'digits and signs': letters(250, (at) => '~^}{|`7#@%&$!?<>'.charAt((at * 7) % 16)),
  hexadecimal: letters(250, (at) => ((at * 40_503) % 16).toString(16)),
};

test.each(Object.entries(COSTLY))('a page of records described in %s stays within the token limit', async (_name, text) => {
  const demo = await startService({ channels: 100, projects: 100 });
  for (const record of [...demo.world.channels.values(), ...demo.world.projects.values(), ...demo.world.plans])
    Object.assign(record, { name: text.slice(0, 100), description: text });
  const { client } = await start({ demo });
  for (const [tool, list] of [
    ['list_channels', 'channels'],
    ['list_projects', 'projects'],
    ['list_plans', 'plans'],
  ] as const) {
    const reply = await client.callTool(tool, { size: 100 });
    expectBounded(reply);
    const shown = recordsIn(reply.data, list).length;
    expect(shown).toBeGreaterThan(4);
    const all = list === 'plans' ? demo.world.plans.length : 100;
    if (shown === all) expect(reply.data).not.toHaveProperty('omitted');
    else {
      expect(reply.text).toContain(`The last ${all - shown} of ${all} in ${list} are left out`);
      expect(reply.data?.omitted).toContain('ask for a smaller page');
    }
  }
});

test('an ordinary page of a hundred channels is not cut', async () => {
  const { client } = await start({ demo: await startService({ channels: 100 }) });
  const reply = await client.callTool('list_channels', { size: 100 });
  expectBounded(reply);
  expect(reply.data).not.toHaveProperty('omitted');
});

test('an answer about a large channel shows the counts and says what was cut', async () => {
  const { client, demo } = await start();
  demo.behaviour.channelRecordsShowContents = true;
  const videoKeys = Array.from({ length: 30_000 }, (_, at) => `V${((at * 2_654_435_761) % 4_294_967_296).toString(36)}`);
  const { id } = demo.world.addChannel({ name: 'Everything', videoKeys, projectKeys: ['P1'] });
  const reply = await client.callTool('get_channel', { channel: id });
  expectBounded(reply);
  expect(reply.data).toMatchObject({ contents: { known: true, videoCount: 30_000, projectKeys: ['P1'] } });
  expect(reply.text).toContain('videoCount: 30000');
  expect(reply.text).toMatch(/The last \d+ of 30000 in contents\.videoKeys are left out/);
  expect(JSON.parse(await client.readResource(`video-hosting://channels/${id}`)).contents.videoKeys).toEqual(videoKeys);
});

test('a large plan is cut, with a note', async () => {
  const { client, demo } = await start();
  const [plan] = demo.world.plans;
  plan?.videoKeys.push(...Array.from({ length: 50_000 }, (_, at) => `video-key-${at}`));
  const reply = await client.callTool('list_plans', {});
  expectBounded(reply);
  expect(reply.text).toContain('are left out');
});

test.each<[string, (demo: DemoService) => void]>([
  ['a name of 10 MB', (demo) => void demo.world.addChannel({ name: 'n'.repeat(10_000_000) })],
  ['a description of 10 MB of marks', (demo) => void demo.world.addChannel({ description: 'a\u0301\u0300 \u200b'.repeat(2_000_000) })],
  ['10 MB of terminal sequences', (demo) => void demo.world.addChannel({ name: '\u001b]0;'.repeat(2_500_000) })],
  [
    '100,000 options',
    (demo) =>
      void demo.world.addProject({ name: 'Wide', options: Object.fromEntries(Array.from({ length: 100_000 }, (_, at) => [`o${at}`, at])) }),
  ],
])('with %s in a record, answers are bounded and the server ends normally', async (_name, plant) => {
  const demo = await startService();
  plant(demo);
  const { client, server, stop } = await start({ demo, via: 'process' });
  for (const [tool, args] of [
    ['list_channels', { sort: 'Created:-1' }],
    ['list_channels', { search: 'n' }],
    ['list_projects', {}],
    ['get_project', { project: 'Wide' }],
  ] as const)
    expectBounded(await client.callTool(tool, args));
  const [, ...channels] = demo.world.channels.keys();
  expect((await client.readResource(`video-hosting://channels/${channels.at(-1)}`)).length).toBeLessThan(5_000);
  const wide = [...demo.world.projects.values()].find(({ name }) => name === 'Wide');
  if (wide !== undefined) expect((await client.readResource(`video-hosting://projects/${wide.id}`)).length).toBeLessThan(MAX_BYTES / 2);
  expect((await client.callTool('get_channel', { channel: 'Onboarding' })).isError).toBe(false);
  await stop();
  expect(await server?.exit).toEqual({ code: 0, signal: null });
});

test('an answer is cut if the service ignores the page size', async () => {
  const { client, demo } = await start();
  const [sample] = demo.world.channels.values();
  const channels = Array.from({ length: 10_000 }, (_, at) => ({ ...sample, id: `id-${at}`, name: `Channel ${at}` }));
  demo.faults.always({
    match: { path: '/v1/channels' },
    do: { kind: 'status', code: 200, body: { pager: { page: 1, totalPages: 1, totalResults: 10_000 }, channels } },
  });
  const reply = await client.callTool('list_channels', { size: 10 });
  expectBounded(reply);
  expect(reply.text).toMatch(/The last \d+ of 10000 in channels are left out/);
  expect((await client.callTool('get_channel', { channel: 'Channel 9999' })).data).toMatchObject({ channel: { id: 'id-9999' } });
});

test('a long list of templates is cut', async () => {
  const { client, demo } = await start();
  demo.world.templates.push(
    ...Array.from({ length: 20_000 }, (_, at) => ({ key: `t${at}`, name: 'T', planType: 1, status: 1, created: '' })),
  );
  expectBounded(await client.callTool('list_channel_templates', {}));
  expect((await client.readResource('video-hosting://templates')).length).toBeLessThan(MAX_BYTES / 2);
});
