import { expect, test } from 'vitest';
import { confirmPreview } from '../../changes/support/confirm.ts';
import type { Values } from '../../harness/client.ts';
import { start, startRaw } from '../../harness/start.ts';

const WEEKDAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];

const WRONG: readonly (readonly [tool: string, args: Values, says: readonly string[]])[] = [
  ['list_channels', { size: 0 }, ['size: ', '>=1']],
  ['list_channels', { size: 101 }, ['size: ', '<=100']],
  ['list_channels', { size: 1.5 }, ['size: ', 'int']],
  ['list_channels', { size: 'ten' }, ['size: ', 'expected number, received string']],
  ['list_channels', { size: '0' }, ['size: ', '>=1']],
  ['list_channels', { size: '1e9' }, ['size: ', 'expected number, received string']],
  ['list_channels', { planType: 'Busines' }, ['planType: ', 'Free, Pro, Business, Enterprise']],
  ['list_channels', { planType: 5 }, ['planType: ', '1 to 4']],
  ['list_channels', { search: ['a'] }, ['search: ', 'expected string, received array']],
  ['list_channels', { search: 'x'.repeat(201) }, ['search: ', '200']],
  ['list_channels', { serach: 'a', pageSize: 3, Size: 4 }, ['serach: ', 'mean search?', 'pageSize: ', 'Size: ', 'Did you mean size?']],
  ['list_channels', { size: 0, page: 'x', nope: 1 }, ['3 arguments are wrong', '- size: ', '- page: ', '- nope: ']],
  ['get_channel', {}, ['channel: is missing; expected string']],
  ['get_channel', { channel: '' }, ['channel: ']],
  ['get_channel', { channel: { id: 'x' } }, ['channel: ', 'expected string, received object']],
  ['get_channel', { channel: 'x'.repeat(501) }, ['channel: ', '500']],
  ['get_channel', { id: 'x' }, ['channel: is missing', 'id: there is no such argument']],
  ['get_project', { name: 'Archive' }, ['project: is missing', 'There are: project']],
  ['list_plans', { planType: 'Pro' }, ['planType: ', 'expected number, received string']],
  ['list_channel_templates', { usableOnly: 'yes' }, ['usableOnly: ', 'expected boolean, received string']],
  ['get_channel', { channel: null }, ['channel: is missing; expected string']],
  ['update_channels', { changes: 'rename them' }, ['changes: ', 'expected array, received string']],
  ['update_channels', { changes: '[{"channel"' }, ['changes: ', 'expected array, received string']],
  ['update_channels', { changes: '[{"chanel":"x"}]' }, ['changes[0].channel: is missing', 'Did you mean channel?']],
  ['move_videos', { targetProject: 'Archive', videoIds: 'a, b' }, ['videoIds: ', 'expected array, received string']],
  ['move_videos', { targetProject: 'Archive', videoIds: ['a', null] }, ['videoIds[1]: ', 'expected string, received null']],
  ['query_analytics', { from: '7d', compareTo: 'previous_month' }, ['expected one of previous_period, previous_year.\n']],
  ['draw_chart', { report: 'x', kind: 'pie' }, ['expected one of auto, line, bar, stacked_bar, heatmap.\n']],
  ['query_analytics', { from: '7d', metrics: ['viewers'] }, ['Did you mean unique_viewers?']],
  ['query_analytics', { from: '7d', groupBy: 'day,country' }, ['muted. Several are a list: ["day", "country"].']],
  ['query_analytics', { from: '7d', timezone: 'Berlin' }, ['Did you mean Europe/Berlin?\n']],
  ['query_analytics', { from: '7d', weekdays: ['satuday'] }, ['Did you mean saturday?']],
  ['query_analytics', { from: '7d', weekdays: ['!monday', 'sunday'] }, ['weekdays: begin all of its']],
  ['query_analytics', { from: '7d', weekdays: WEEKDAYS.map((day) => `!${day}`) }, ['weekdays: leaves out every day of the week']],
  [
    'query_analytics',
    { from: '7d', countries: ['!DE', 'FR'], channels: ['a', '!b'] },
    ['countries: begin all of its values with !', 'channels: begin all of its values with !'],
  ],
  ...Object.entries({
    '-watch_time': 'which has video, video_title, views. Ask for watch_time in metrics too.',
    '-views_change': 'Add compareTo',
    view: 'Did you mean views? One column; with - before it, descending.',
    'views desc': 'orderBy: write -views.',
    'video:1': 'orderBy: write video.',
    'views:-1': 'orderBy: write -views.',
    'views ASC': 'orderBy: write views.',
  }).map(([orderBy, says]) => ['query_analytics', { from: '7d', groupBy: ['video'], orderBy }, [says]] as const),
  [
    'query_analytics',
    { startDate: '7d', endDate: '7d' },
    ['startDate: there is no such argument.\n', 'endDate: there is no such argument. There are: from,'],
  ],
  [
    'update_channels',
    { changes: [{ channel: 'x', videoKeys: ['a'] }] },
    ['Did you mean setVideoKeys or addVideoKeys or lastVideoKeys or firstVideoKeys or removeVideoKeys?'],
  ],
  ['move_videos', { project: 'Archive' }, ['project: there is no such argument. Did you mean fromProject or targetProject']],
  ['check_setup', { verbose: true }, ['verbose: there is no such argument']],
  // What the API lacks.
  ['query_analytics', { from: '7d', metrics: ['likes'] }, ['metrics[0]', 'expected one of views', 'no likes, comments, ratings']],
  ['query_analytics', { from: '7d', metrics: ['comments'] }, ['no likes, comments']],
  ['query_analytics', { from: '7d', metrics: ['avgRating'] }, ['no likes, comments']],
  ['query_analytics', { from: '7d', groupBy: ['viewer'] }, ['Viewers have no names', 'unique_viewers']],
  ['explain_change', { from: '7d', metric: 'likes' }, ['no likes, comments']],
  ['get_collected_emails', { viewerId: 'x' }, ['Collected emails are not linked to viewers or views']],
  ['get_collected_emails', { sendNewsletter: true }, ['No mail can be sent']],
  ['update_channels', { changes: [{ channel: 'Onboarding', delete: true }] }, ['can’t be deleted']],
];

test('an error lists all wrong arguments at once, and nothing is sent to the service', async () => {
  const { client, demo, log } = await start();
  for (const [tool, args, says] of WRONG) {
    const reply = await client.callTool(tool, args);
    expect(reply.isError).toBe(true);
    for (const words of says) expect(reply.text).toContain(words);
    expect(reply.text).toMatch(/nothing was changed\./i);
    expect(reply.text).toContain('Next: Correct the named fields and call again.');
  }
  // A question about views asks first whose key it is, before anything is kept of it.
  expect(demo.requests.filter(({ path }) => path !== '/v1/channels')).toEqual([]);
  expect(demo.requests.length).toBeLessThan(2);
  expect(log()).toBe('');
});

test('the protocol error for an unknown tool names the nearest tool', async () => {
  const { client, demo } = await start();
  const nearest = expect.stringContaining('Did you mean list_channels?');
  await expect(client.callTool('list_chanels')).rejects.toMatchObject({ code: -32602, message: nearest });
  for (const name of ['', '__proto__', 'constructor', 'toString', 'x'.repeat(100_000), '\u202e\u200b\u001b[31m'])
    await expect(client.callTool(name)).rejects.toMatchObject({ code: -32602 });
  expect(demo.requests).toEqual([]);
});

/** Arguments as some clients send them, and what they mean. */
const PLAIN: readonly (readonly [tool: string, sent: Values, meant: Values])[] = [
  ['list_channels', { size: '3', page: '2', search: null }, { size: 3, page: 2 }],
  ['list_channels', { size: 3, planType: '2' }, { size: 3, planType: 2 }],
  ['list_channels', { size: 3, planType: 'pro' }, { size: 3, planType: 'Pro' }],
  ['list_channels', { size: 3, search: 2026 }, { size: 3, search: '2026' }],
  ['list_channel_templates', { accountPlanType: 'ENTERPRISE', usableOnly: 'true' }, { accountPlanType: 4, usableOnly: true }],
  ['query_analytics', { from: '2026-03', groupBy: 'country', limit: '5' }, { from: '2026-03', groupBy: ['country'], limit: 5 }],
  ['query_analytics', { from: 2026, groupBy: '["Month","country"]' }, { from: '2026', groupBy: ['month', 'country'] }],
  ['query_analytics', { from: '2026-03', countries: 'DE', started: 'false' }, { from: '2026-03', countries: ['DE'], started: false }],
];

test('what some clients send is converted to what it means', async () => {
  const { client } = await start();
  for (const [tool, sent, meant] of PLAIN) {
    const [given, plain] = [await client.callTool(tool, sent), await client.callTool(tool, meant)];
    expect(plain.isError).toBe(false);
    const rows = ({ data: content }: typeof plain) => content?.rows ?? content?.channels ?? content?.templates;
    expect(rows(given), JSON.stringify(sent)).toEqual(rows(plain));
    expect(rows(plain)).toBeDefined();
  }
});

test('changes sent as JSON text, or as a single change without a list, are planned like others', async () => {
  const { client, demo } = await start();
  const channel = demo.world.channelNamed('Press');
  const change = { channel: 'Press', name: 'Newsroom', setVideoKeys: channel.videoKeys };
  const previews = [];
  for (const changes of [[change], change, JSON.stringify([change]), [JSON.stringify(change)]]) {
    const { data: structured = {} } = await client.callTool('update_channels', { changes });
    expect(structured.status).toBe('confirmation_required');
    previews.push(structured.preview);
  }
  expect(new Set(previews.map((preview) => JSON.stringify(preview))).size).toBe(1);
  const done = await confirmPreview(client, await client.callTool('update_channels', { changes: JSON.stringify([change]) }));
  expect(demo.world.channels.get(channel.id)?.name).toBe('Newsroom');
  expect(done.data?.status).toBe('applied');
});

test('property names of Object.prototype are not taken for arguments', async () => {
  const { client, demo, output } = await startRaw();
  for (const name of ['constructor', 'prototype', 'toString', 'hasOwnProperty']) {
    const { isError, text } = await client.callTool('list_channels', { [name]: { polluted: true } });
    expect(isError).toBe(true);
    expect(text).toContain(`${name}: there is no such argument`);
  }
  expect(demo.requests).toEqual([]);
  await client.callTool('list_channels', JSON.parse('{"__proto__": {"polluted": true, "size": 1}}'));
  expect(demo.requests.filter(({ path }) => path === '/v1/channels').map(({ query }) => query)).toEqual([{}]);
  expect('polluted' in {}).toBe(false);
  expect(output()).not.toContain('polluted');
});

test('arguments that are deeply nested, huge or no object are refused', async () => {
  const { client, demo } = await startRaw();
  const nested = (depth: number): unknown => JSON.parse(`${'['.repeat(depth)}${']'.repeat(depth)}`);
  for (const args of [{ search: nested(1_000) }, { search: 'x'.repeat(2_000_000) }, { ['k'.repeat(1_000_000)]: 1 }]) {
    const { isError, text } = await client.callTool('list_channels', args);
    expect(isError).toBe(true);
    expect(text.length).toBeLessThan(1_000);
  }
  const many = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`argument${index}`, index]));
  const { text } = await client.callTool('list_channels', many);
  expect(text).toContain('5000 arguments are wrong');
  expect(text).toContain('and 4960 more');
  expect(text.length).toBeLessThan(10_000);
  for (const args of [[], 'x', 7, true])
    await expect(client.request('tools/call', { name: 'list_channels', arguments: args })).rejects.toMatchObject({ code: -32602 });
  // Too deep for the SDK to parse: the message is dropped, and the connection stays open.
  const params = { name: 'list_channels', arguments: { search: nested(20_000) } };
  client.send({ jsonrpc: '2.0', id: 'deep', method: 'tools/call', params });
  expect(demo.requests).toEqual([]);
  expect((await client.callTool('list_channels', { size: 1 })).isError).toBe(false);
});

test('an error quotes the caller’s text sanitized', async () => {
  const { client, output } = await startRaw();
  const hostile = '\u001b[31m\u202eevil\u202c\u200b\u{e0041}';
  await client.callTool('list_channels', { [hostile]: 1, planType: hostile });
  await client.callTool('get_channel', { channel: hostile });
  await client.callTool(hostile).catch(() => undefined);
  await client.getPrompt(hostile).catch(() => undefined);
  await client.getPrompt('reorganise-channels', { goal: hostile });
  const text = output();
  expect(text).toContain('evil');
  expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u200b\u202a-\u202e\u2066-\u2069\u{e0000}-\u{e007f}]|\\u00[01][0-9a-f]|\[31m/u);
});
