/** What the answer to a change of channels says, so that no second call is needed. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { recordsIn, type ToolReply } from '../../../harness/client.ts';
import { startService } from '../../../harness/service.ts';
import { freshHome, type StartOptions, start } from '../../../harness/start.ts';
import { agree, changeIdIn, confirmPreview } from '../../support/confirm.ts';
import { channelAt, videoKeysOf, writesOf } from '../../support/world.ts';

const MAX_TOKENS = 25_000;

async function account({ channels = 3, videos = 320, ...options }: { channels?: number; videos?: number } & StartOptions = {}) {
  const demo = await startService({ channels, videos });
  demo.behaviour.channelRecordsShowContents = true;
  const home = freshHome();
  const folder = join(home, 'files');
  mkdirSync(folder);
  const { client } = await start({ demo, home, ...options, env: { VIDEO_HOSTING_FILES_DIR: folder, ...options.env } });
  const put = (name: string, text: string) => writeFileSync(join(folder, name), text);
  return { demo, client, keys: videoKeysOf(demo, videos), all: [...demo.world.channels.values()], put };
}

/** The lines of the text that begin with the record. */
const lineOf = ({ text }: ToolReply, id: unknown): string | undefined =>
  text.split('\n').find((line) => line.startsWith(`- ${String(id)}`));

test.each(['v2 client, legacy', 'v2 client, modern'] as const)(
  'the answer counts what changed, and says how it was confirmed and that it can be undone (%s)',
  async (client) => {
    const { demo, client: caller, keys, all } = await account({ client, forms: 'accept' });
    const one = channelAt(demo, 0);
    Object.assign(one, { name: 'A', videoKeys: keys.slice(0, 300), projectKeys: [], templateKey: '', planType: 3 });
    const grid = demo.world.templates.find(({ name }) => name === 'Grid');
    const writesBefore = all[1]?.videoKeys.slice(0, 1) ?? [];
    const change = { channel: one.id, name: 'B', template: 'Grid', firstVideoKeys: keys.slice(297, 300) };
    const done = await caller.callTool('update_channels', {
      changes: [change, { channel: all[1]?.id, removeVideoKeys: [all[1]?.videoKeys[0]] }],
    });
    const held = all[1]?.videoKeys.length ?? 0;
    expect(done.data).toMatchObject({
      status: 'applied',
      message: 'Both channels were changed.',
      confirmed: 'The user agreed in a form.',
      warnings: [expect.stringContaining('loses 1 of')],
      undo: { possible: 'yes' },
    });
    const [moved, removed] = [keys.slice(297, 300), writesBefore];
    const template = `"Grid" (${grid?.key})`;
    expect(done.data?.before).toEqual([
      { id: one.id, name: 'A', template: 'default', videoKeys: 300 },
      { id: all[1]?.id, videoKeys: held + 1 },
    ]);
    expect(done.data?.after).toEqual([
      { id: one.id, name: 'B', template, videoKeys: { count: 300, movedToFront: moved } },
      { id: all[1]?.id, name: all[1]?.name, videoKeys: { count: held, removed } },
    ]);
    expect(lineOf(done, one.id)).toBe(
      `- ${one.id}: name "A" → "B"; template default → ${template}; 300 videos → 300: 3 moved to the front, none added, none removed (${moved.join(', ')})`,
    );
    expect(lineOf(done, all[1]?.id)).toBe(
      `- ${all[1]?.id} ${JSON.stringify(all[1]?.name)}: ${held + 1} videos → ${held}: none added, 1 removed (${removed.join(', ')})`,
    );
    expect(done.data).not.toHaveProperty('next');
    const undone = await caller.callTool('undo_change', { changeId: changeIdIn(done) });
    expect(undone.data?.message).toBe(`Undo of ${changeIdIn(done)}: both channels were set back.`);
    expect(lineOf(undone, one.id)).toContain(
      `name "B" → "A"; template ${template} → default; 300 videos → 300: 3 moved, none added, none removed`,
    );
  },
);

test('the answer to a change confirmed by token does not repeat the warnings of the preview', async () => {
  const { client, keys, all } = await account();
  const done = await agree(client, 'update_channels', { changes: [{ channel: all[0]?.id, setVideoKeys: keys.slice(0, 2) }] });
  expect(done.data).toMatchObject({
    confirmed: 'Confirmed by token.',
    message: expect.stringMatching(/^".*" was changed\.$/),
  });
  expect(done.data).not.toHaveProperty('warnings');
  const state = await agree(client, 'state_contents', { channels: [{ channel: all[1]?.id, videoKeys: [] }] });
  expect(state.isError, 'the service shows what it holds').toBe(true);
});

test('the preview and the answer count what was read from a file', async () => {
  const { demo, client, keys, all, put } = await account();
  demo.behaviour.channelRecordsShowContents = false;
  put('lists.csv', `channel,key\n${all[0]?.key},${keys[0]}\n${all[0]?.key},${keys[1]}\n${all[1]?.key},${keys[0]}\n,\n`);
  const note = 'From "lists.csv" (column "key", by channel): 4 read for 2 channels, none repeated, 1 blank.';
  const asked = await client.callTool('state_contents', { file: 'lists.csv' });
  expect(asked.text).toContain(note);
  const done = await confirmPreview(client, asked);
  expect(done.data).toMatchObject({ files: [note], confirmed: 'Confirmed by token.' });
  expect(done.data?.message).toBe('What 2 channels hold was recorded, as stated. Nothing in the account was changed.');
  expect(done.data?.after).toEqual([2, 1].map((videoKeys, at) => ({ id: all[at]?.id, name: all[at]?.name, videoKeys })));
  expect(lineOf(done, all[0]?.id)).toBe(`- ${all[0]?.id} ${JSON.stringify(all[0]?.name)}: 2 videos`);
  expect(recordsIn((await client.callTool('list_changes')).data, 'changes')).toHaveLength(1);
  put('new.txt', `${keys.slice(0, 3).join('\n')}\n`);
  const made = await agree(client, 'create_channels', { channels: [{ name: 'New', videoKeysFile: 'new.txt', template: 'Grid' }] });
  expect(made.data).toMatchObject({ files: ['From "new.txt" (one a line): 3 read, none repeated, none blank.'] });
  const after = { id: expect.any(String), name: 'New', videoKeys: 3, template: expect.stringMatching(/^"Grid" \(tpl-/) };
  expect(made.data).toMatchObject({ after: [after], afterSource: expect.stringContaining('The service took it as sent.') });
});

test('of many channels, the answer adds up what was done, by field, value and verb', async () => {
  const { client, all, keys } = await account({ channels: 12, env: { VIDEO_HOSTING_CONFIRM: 'never' } });
  for (const channel of all) Object.assign(channel, { videoKeys: keys.slice(0, 5), templateKey: 'tpl-other', planType: 3 });
  const changes = all.map(({ id }, at) => ({
    channel: id,
    ...(at < 5 ? { name: `Renamed ${at}` } : {}),
    ...(at >= 4 ? { template: at < 10 ? 'Grid' : '' } : {}),
    ...(at < 3 ? { removeVideoKeys: keys.slice(0, 2) } : {}),
    ...(at === 3 ? { addVideoKeys: keys.slice(10, 14) } : {}),
  }));
  const { data, text } = await client.callTool('update_channels', { changes });
  const held = all.map(({ name, videoKeys }) => [name.startsWith('Renamed'), videoKeys.length]);
  expect(held.filter(([isRenamed]) => isRenamed)).toHaveLength(5);
  expect(held.map(([, count]) => count)).toEqual([3, 3, 3, 9, ...Array.from({ length: 8 }, () => 5)]);
  const totals =
    /^In all: 5 names; template → "Grid" \(tpl-\w+\) 6, default 2; 6 videos removed from 3 channels; 4 videos added to 1 channel\.$/;
  expect(data).toMatchObject({ status: 'applied', message: 'All 12 channels were changed.', totals: expect.stringMatching(totals) });
  expect(text).toContain('In all: 5 names;');
  const few = await client.callTool('update_channels', {
    changes: all.slice(0, 3).map(({ id }, at) => ({ channel: id, name: `Few ${at}` })),
  });
  expect(few.data).not.toHaveProperty('totals');
});

test('an answer about fifty channels has each of them, within the size limit', async () => {
  const { client, all, keys } = await account({ channels: 50, env: { VIDEO_HOSTING_CONFIRM: 'never' } });
  const changes = all.map(({ id }, at) => ({
    channel: id,
    name: `A name of an ordinary length, number ${at}`,
    description: `What the channel is about, in a sentence or two, as people write it. ${at}`,
    setVideoKeys: keys.slice(at, at + 40),
  }));
  const done = await client.callTool('update_channels', { changes });
  for (const { id } of all) expect(lineOf(done, id)).toMatch(/ → 40: \d+ moved|none removed|removed/);
  expect(recordsIn(done.data, 'after')).toHaveLength(50);
  expect(encode(done.text).length + encode(JSON.stringify(done.data)).length).toBeLessThan(MAX_TOKENS);
});

test('a failure reason that channels share is shown once, although each request has its own path', async () => {
  const { demo, client, all } = await account({ channels: 20, env: { VIDEO_HOSTING_CONFIRM: 'never' } });
  demo.faults.always({ match: { method: 'PUT' }, do: { kind: 'status', code: 400, body: { message: 'Not on a Sunday.' } } });
  const failed = await client.callTool('update_channels', { changes: all.map(({ id }) => ({ channel: id, name: 'X' })) });
  expect(failed.text.match(/Not on a Sunday/g)).toHaveLength(1);
  expect(recordsIn(failed.data, 'failed')).toHaveLength(20);
  const next =
    'What failed has to be corrected and asked for anew; where nothing was wrong with it (a lock, say), resume_change with retryFailed: true sends it again once that is over.';
  expect(failed.data).toMatchObject({ next, undo: { how: 'Nothing was changed.' } });
});

test('a refused batch names each channel: by its name if it was found, otherwise as given', async () => {
  const { demo, client, all } = await account();
  const [one, two] = all;
  const update = (...changes: unknown[]) => client.callTool('update_channels', { changes });
  const name = 'x'.repeat(101);
  const wrong = await update({ channel: one?.id, name }, { channel: two?.key, name }, { channel: 'Nowhere', name });
  for (const words of [
    `changes[0].name (${JSON.stringify(one?.name)})`,
    `changes[1].name (${JSON.stringify(two?.name)})`,
    'changes[2].name ("Nowhere")',
  ])
    expect(wrong.text).toContain(words);
  expect((await update({ channel: 'As given', nmae: 'x' })).text).toContain('changes[0].nmae ("As given"): there is no such argument');
  demo.behaviour.channelRecordsShowContents = false;
  const unknown = await update({ channel: one?.id, name: 'X' }, { channel: two?.id, name: 'Y' });
  for (const channel of [one, two])
    expect(unknown.text).toContain(`${JSON.stringify(channel?.name)} (${channel?.id}): what it holds is not known`);
  const state = await client.callTool('state_contents', { channels: [{ channel: one?.id, projectKeys: ['a'] }] });
  expect(state.text).toContain(`(${JSON.stringify(one?.name)}): No project has the id`);
  expect(writesOf(demo)).toEqual([]);
});

test('the answer tells stated contents by their number, and of a reordered channel what moved', async () => {
  const { demo, client, keys, all } = await account({ env: { VIDEO_HOSTING_CONFIRM: 'never' } });
  demo.behaviour.channelRecordsShowContents = false;
  const [one, two] = all;
  for (const channel of [one, two]) Object.assign(channel ?? {}, { videoKeys: keys.slice(0, 14), projectKeys: [] });
  const current = { currentVideoKeys: keys.slice(0, 14), currentProjectKeys: [] };
  const done = await client.callTool('update_channels', {
    changes: [
      { channel: one?.id, name: 'Renamed', ...current },
      { channel: two?.id, firstVideoKeys: [keys[3]], ...current },
    ],
  });
  expect(one).toMatchObject({ name: 'Renamed', videoKeys: keys.slice(0, 14) });
  expect(lineOf(done, one?.id)).toMatch(/name ".*" → "Renamed"; 14 videos as stated$/);
  expect(done.data?.before).toMatchObject([{ id: one?.id }, { id: two?.id, videoKeys: 14 }]);
  expect(done.data?.after).toMatchObject([
    { name: 'Renamed', videoKeys: { count: 14, stated: true } },
    { videoKeys: { count: 14, movedToFront: [keys[3]] } },
  ]);
  expect(done.text.split('\n')).toContain(
    'Read back: the service shows the names as sent. What channels hold was sent as planned, and the service took it; no tool can look that up, so nothing is left to check.',
  );
  expect(done.text).toContain('undo: partly possible. An undo works until others change it.');
  expect(done.data).toMatchObject({
    afterSource:
      'Read back: the service shows the names as sent. What channels hold was sent as planned, and the service took it; no tool can look that up, so nothing is left to check.',
  });
});

test('the answer tells what of it the service shows, whether that are texts, lists or nothing', async () => {
  const { demo, client, keys, all } = await account({ env: { VIDEO_HOSTING_CONFIRM: 'never' } });
  const [one, two] = all;
  const change = async (...changes: unknown[]) => (await client.callTool('update_channels', { changes })).data?.afterSource;
  const shown = await change(
    { channel: one?.id, name: 'X', setVideoKeys: keys.slice(0, 3) },
    { channel: two?.id, firstVideoKeys: two?.videoKeys.slice(1, 2) },
  );
  expect(one).toMatchObject({ name: 'X', videoKeys: keys.slice(0, 3) });
  expect(shown).toBe('Read back: the service shows the names and videos as sent. No check is needed.');
  demo.behaviour.channelRecordsShowContents = false;
  expect(await change({ channel: one?.id, lastVideoKeys: keys.slice(0, 1) })).toBe(
    'The service took it as sent; no tool shows what channels hold, so nothing is left to check.',
  );
  const project = await client.callTool('create_project', { name: 'New', region: 'use-s' });
  expect(project.data?.afterSource).toBe('The service took it as sent. No check is needed.');
});

test('the keys that an answer leaves out are in get_change, on as many pages as they take', async () => {
  const { client, keys, all } = await account({ videos: 1_500, env: { VIDEO_HOSTING_CONFIRM: 'never' } });
  const [one] = all;
  Object.assign(one ?? {}, { videoKeys: keys, projectKeys: [] });
  const done = await client.callTool('update_channels', { changes: [{ channel: one?.id, setVideoKeys: keys.slice(0, 1) }] });
  expect(one?.videoKeys).toEqual(keys.slice(0, 1));
  expect(done.text).toContain('1,500 videos → 1: none added, 1,499 removed');
  const shown = { count: 1, removed: keys.slice(1, 21), more: { removed: 1_479 } };
  expect(done.data).toMatchObject({ after: [{ videoKeys: shown }], leftOut: expect.stringContaining('get_change with list: done') });
  const removed: unknown[] = [];
  for (let page = 1, pages = 1; page <= pages; page += 1) {
    const { data, text } = await client.callTool('get_change', { changeId: changeIdIn(done), list: 'done', page });
    const told = PageSchema.parse(data);
    for (const { after } of told.done) removed.push(...after.videoKeys.removed);
    expect(text).toContain(String(removed.at(-1)));
    pages = told.pager.totalPages;
  }
  expect(removed).toEqual(keys.slice(1));
});

const PageSchema = z.object({
  omitted: z.undefined().optional(),
  pager: z.object({ totalPages: z.number(), totalResults: z.literal(1) }),
  done: z.array(z.object({ after: z.object({ videoKeys: z.object({ removed: z.array(z.string()) }) }) })),
});

test('what happens to several channels alike is told once, in the preview and in the text of the answer', async () => {
  const { client, keys, all } = await account();
  const added = keys.slice(200, 203);
  for (const channel of all) Object.assign(channel, { videoKeys: keys.slice(0, 40), projectKeys: [] });
  const asked = await client.callTool('update_channels', { changes: all.map(({ id }) => ({ channel: id, addVideoKeys: added })) });
  const names = all.map(({ name }) => `${JSON.stringify(name)} (videos 40 → 43)`).join(', ');
  expect(asked.data?.preview).toMatchObject({
    lines: [`${names}: added: ${added.map((key) => JSON.stringify(key)).join(', ')}`],
  });
  const done = await confirmPreview(client, asked);
  for (const { videoKeys } of all) expect(videoKeys).toEqual([...keys.slice(0, 40), ...added]);
  const heads = all.map(({ id, name }) => `${id} ${JSON.stringify(name)}`).join(', ');
  expect(done.text).toContain(`- ${heads}: 40 videos → 43: 3 added, none removed (${added.join(', ')})`);
  expect(done.data?.after).toEqual(all.map(({ id, name }) => ({ id, name, videoKeys: { count: 43, added } })));
});

test('the preview shows common settings of new channels once, and the answer names each channel once', async () => {
  const { client, keys } = await account();
  const channels = [0, 1, 2].map((at) => ({ name: `New ${at}`, videoKeys: keys.slice(at, at + 2), template: 'Grid' }));
  const asked = await client.callTool('create_channels', { channels });
  expect(asked.text.match(/template: /g)).toHaveLength(1);
  expect(asked.data?.preview).toMatchObject({
    lines: [
      expect.stringMatching(/^All 3 channels: template: "Grid"/),
      ...channels.map(({ name, videoKeys: [a, b] }) => `"${name}": videos: 2 ("${a}", "${b}")`),
    ],
    undo: { possible: 'no' },
  });
  expect(asked.text).toContain('It can be renamed, and what it holds replaced.');
  const done = await confirmPreview(client, asked);
  expect(recordsIn(done.data, 'after').map(({ name }) => name)).toEqual(channels.map(({ name }) => name));
  for (const { name } of channels) expect(done.text.match(new RegExp(name, 'g'))).toHaveLength(1);
});

test('get_channel describes unknown contents in fewer than 320 characters', async () => {
  const { demo, client, all } = await account();
  demo.behaviour.channelRecordsShowContents = false;
  const { data } = await client.callTool('get_channel', { channel: all[0]?.id });
  expect(data?.contents).toEqual({ known: false, source: expect.stringContaining('not known'), next: expect.any(String) });
  expect(JSON.stringify(data?.contents).length).toBeLessThan(320);
});

test('a template that the service shows otherwise than it was sent is told once, as the service shows it', async () => {
  const { demo, client, all } = await account({ env: { VIDEO_HOSTING_CONFIRM: 'never' } });
  const [one] = all;
  Object.assign(one ?? {}, { templateKey: '', planType: 3 });
  demo.behaviour.updateIgnores = new Set(['templateKey']);
  const done = await client.callTool('update_channels', { changes: [{ channel: one?.id, template: 'Grid', description: 'New' }] });
  expect(one).toMatchObject({ templateKey: '', description: 'New' });
  expect(recordsIn(done.data, 'after')).toEqual([expect.objectContaining({ description: 'New', template: 'default' })]);
  expect(recordsIn(done.data, 'after')[0]).not.toHaveProperty('templateKey');
  expect(lineOf(done, one?.id)).toMatch(/description .* → "New"; template default → default; 20 videos kept$/);
  expect(done.text).toContain('its templateKey is not what was sent');
});
