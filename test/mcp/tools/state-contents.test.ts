/** A person’s statement of contents is valid for one version of the channel, and never overrides contents that are known. */
import { writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { agree, confirmPreview } from '../../changes/support/confirm.ts';
import { abandon, changeFiles, linesOf } from '../../changes/support/journal-files.ts';
import { channelAt, contentOf, stateOf, videoKeysOf, writesOf } from '../../changes/support/world.ts';
import { CLIENT_KINDS, recordsIn, type Values } from '../../harness/client.ts';
import { type DemoService, startService } from '../../harness/service.ts';
import { freshHome, start } from '../../harness/start.ts';
import { expectRefused } from './support.ts';

const NEVER = { VIDEO_HOSTING_CONFIRM: 'never' };
const LAST_WROTE = expect.stringContaining('as this server last wrote it on');
const AS_STATED = expect.stringContaining('as it was stated on');

/** An account that does not show contents; its first channel holds four videos. */
async function account(env: Values = NEVER, home = freshHome()) {
  const demo = await startService({ channels: 3, projects: 3, videos: 30 });
  const channel = channelAt(demo, 0);
  channel.videoKeys = videoKeysOf(demo, 4);
  channel.projectKeys = [];
  return { channel, held: videoKeysOf(demo, 4), ...(await join(demo, home, env)) };
}

async function join(demo: DemoService, home: string, env: Values = NEVER) {
  const forms = env.VIDEO_HOSTING_CONFIRM === 'form' ? 'accept' : 'none';
  const session = await start({ demo, home, forms, env: env as Record<string, string> });
  const { id } = channelAt(demo, 0);
  const { client } = session;
  return {
    ...session,
    home,
    update: (change: Values) => client.callTool('update_channels', { changes: [{ channel: id, ...change }] }),
    state: (lists: Values) => client.callTool('state_contents', { channels: [{ channel: id, ...lists }] }),
    undo: (reply: { data: Values | undefined }) => client.callTool('undo_change', { changeId: reply.data?.changeId }),
    contents: async () => (await client.callTool('get_channel', { channel: id })).data?.contents,
  };
}

describe('a statement that comes with an update', () => {
  test('allows a rename of a channel with unknown contents, and an undo to the stated contents', async () => {
    const { demo, channel, held, update, undo, contents } = await account();
    const before = { ...channel, videoKeys: [...held] };
    const done = await update({ name: 'Another name', currentVideoKeys: held, currentProjectKeys: [] });
    expect(channel).toMatchObject({ name: 'Another name', videoKeys: held });
    expect(done.data).toMatchObject({ status: 'applied', undo: { possible: 'partly', how: expect.stringContaining('as it was listed') } });
    expect(await contents()).toMatchObject({ known: true, videoKeys: held, projectKeys: [], source: LAST_WROTE });
    const undone = await undo(done);
    expect(channel).toMatchObject({ name: before.name, videoKeys: held });
    expect(undone.data?.status).toBe('applied');
    expect(writesOf(demo)).toHaveLength(2);
  });

  test('is the base for removing, adding and moving videos, and what an undo restores', async () => {
    const { demo, channel, held, update, undo } = await account();
    const [a, b, c, d] = held;
    const [e] = videoKeysOf(demo, 1, 9);
    const done = await update({
      currentVideoKeys: held,
      currentProjectKeys: [],
      removeVideoKeys: [b],
      addVideoKeys: [e],
      firstVideoKeys: [d],
    });
    expect(channel.videoKeys).toEqual([d, a, c, e]);
    await undo(done);
    expect(channel.videoKeys).toEqual(held);
    const replaced = await update({ setVideoKeys: [e] });
    expect(channel.videoKeys).toEqual([e]);
    await undo(replaced);
    expect(channel.videoKeys).toEqual(held);
  });

  test('is what an undo restores if the update replaces the whole list', async () => {
    const { demo, channel, held, update, undo } = await account();
    const done = await update({ currentVideoKeys: held, setVideoKeys: videoKeysOf(demo, 2, 9) });
    expect(channel.videoKeys).toEqual(videoKeysOf(demo, 2, 9));
    expect(done.data).toMatchObject({ undo: { possible: 'partly' } });
    const undone = await undo(done);
    expect(channel.videoKeys).toEqual(held);
    expect(undone.data?.status).toBe('applied');
  });

  test('gives a warning that projects are unknown if it has only videos', async () => {
    const { client, held, update } = await account({});
    const asked = await update({ name: 'Another name', currentVideoKeys: held });
    expect(asked.text).toMatch(
      /Whether .* also holds projects is not known, nor whether they would stay\.\n.*To be sure, state currentProjectKeys in a call of update_channels, or currentProjectKeys: \[\] where/s,
    );
    const both = await update({ name: 'Another name', currentVideoKeys: held, currentProjectKeys: [] });
    expect(both.text).not.toMatch(/also holds projects/);
    // The person confirms the stated list too. The assistant has its keys, and a page of them.
    expect(both.text).toContain('The lists as stated replace what is there, whole and in order, with no projects');
    expect(both.text).toMatch(/- ".*" \(4 videos\): name → "Another name"/);
    expect(both.text).not.toContain(held[0]);
    const { text } = await client.callTool('get_change', { changeId: both.data?.changeId, page: 1 });
    const keys = held.map((key) => `"${key}"`).join(', ');
    expect(text).toContain(`: by what the assistant says, it holds 4 videos (${keys}) and no projects; that replaces what is there; name `);
  });

  test('is refused without any change, and the error names state_contents', async () => {
    const { demo, held, update } = await account();
    const reply = await update({ currentVideoKeys: held });
    expect(writesOf(demo)).toEqual([]);
    expect(reply.isError).toBe(true);
    expect(reply.text).toContain('state_contents');
  });

  test('does not count if the service refuses the update', async () => {
    const { demo, channel, held, update, contents } = await account();
    demo.faults.next({ match: { method: 'PUT' }, do: { kind: 'status', code: 400, body: { message: 'Not on a Sunday.' } } });
    const refused = await update({ name: 'Another name', currentVideoKeys: held.slice(0, 1) });
    expect(refused.data?.status).toBe('failed');
    expect(await contents()).toMatchObject({ known: false });
    expect((await update({ name: 'A third name' })).text).toContain('what it holds is not known');
    expect(channel).toMatchObject({ videoKeys: held });
  });

  test.each([1, 2])('does not count after a kill that left %i lines of its journal', async (count) => {
    const { demo, channel, held, update, dataDir, stop, home } = await account();
    await update({ name: 'Another name', currentVideoKeys: held });
    await stop();
    const [file = ''] = changeFiles(dataDir);
    const lines = linesOf(file).map((line) => JSON.stringify(line));
    expect(lines[1]).toContain('"sending"');
    // As if the service had not applied the update.
    Object.assign(channel, { version: channel.version - 1, name: 'As before' });
    const seen = linesOf(file)[0]?.items;
    channel.updated = String(recordsIn({ seen }, 'seen').map((item) => (item.seen as Values).updated)[0]);
    writeFileSync(file, `${lines.slice(0, count).join('\n')}\n`);
    abandon(file);
    const next = await join(demo, home);
    expect(await next.contents()).toMatchObject({ known: false });
  });
});

describe('state_contents', () => {
  test.each(CLIENT_KINDS)('records what a channel holds for later changes, and changes nothing in the account (%s)', async (kind) => {
    const demo = await startService({ channels: 3, projects: 3, videos: 30 });
    const channel = channelAt(demo, 0);
    const before = stateOf(demo);
    const { client } = await start({ demo, client: kind, forms: 'accept', env: { VIDEO_HOSTING_READ_ONLY: '1' } });
    const lists = { videoKeys: [...channel.videoKeys], projectKeys: [] };
    const reply = await client.callTool('state_contents', { channels: [{ channel: channel.name, ...lists }] });
    expect(stateOf(demo)).toBe(before);
    expect(writesOf(demo)).toEqual([]);
    expect(reply.data).toMatchObject({ status: 'applied', changeId: expect.stringMatching(/^chg-/) });
    expect(client.forms).toHaveLength(1);
    const listed = recordsIn((await client.callTool('list_channels')).data, 'channels');
    expect(listed.map(({ id, contentsKnown }) => [id, contentsKnown])).toContainEqual([channel.id, true]);
    expect(listed.filter(({ contentsKnown }) => contentsKnown === false)).toHaveLength(2);
    const { data } = await client.callTool('get_channel', { channel: channel.id });
    expect(data).toMatchObject({ contents: { known: true, ...lists, source: AS_STATED } });
  });

  test('records nothing without the user’s confirmation', async () => {
    const { held, state, contents } = await account({});
    expect((await state({ videoKeys: held })).data?.status).toBe('confirmation_required');
    expect(await contents()).toMatchObject({ known: false });
  });

  test('records a statement for every process with the same data folder', async () => {
    const { demo, channel, held, state, home } = await account();
    const other = await join(demo, home);
    expect(await other.contents()).toMatchObject({ known: false });
    await state({ videoKeys: held, projectKeys: [] });
    expect((await other.update({ name: 'Another name' })).data?.status).toBe('applied');
    expect(channel).toMatchObject({ name: 'Another name', videoKeys: held });
  });

  test('records nothing if the server is killed before the outcome is written', async () => {
    const { demo, held, state, dataDir, stop, home } = await account();
    await state({ videoKeys: held });
    await stop();
    const [file = ''] = changeFiles(dataDir);
    writeFileSync(file, `${JSON.stringify(linesOf(file)[0])}\n`);
    abandon(file);
    const next = await join(demo, home);
    expect(await next.contents()).toMatchObject({ known: false });
    const [change] = recordsIn((await next.client.callTool('list_changes')).data, 'changes');
    expect(change).toMatchObject({ kind: 'state_contents', status: 'interrupted', notDone: 1 });
  });

  test.each(['state_contents', 'update_channels'])('a call of %s is refused if the channel changed after the preview', async (tool) => {
    const { demo, channel, held, client, contents } = await account({});
    const args =
      tool === 'state_contents'
        ? { channels: [{ channel: channel.id, videoKeys: held }] }
        : { changes: [{ channel: channel.id, name: 'Another name', currentVideoKeys: held }] };
    const asked = await client.callTool(tool, args);
    demo.world.editChannel(channel.id, { videoKeys: videoKeysOf(demo, 5, 20) });
    const reply = await confirmPreview(client, asked);
    expect(writesOf(demo)).toEqual([]);
    expect(contentOf(demo, channel.id).videoKeys).toEqual(videoKeysOf(demo, 5, 20));
    expect(reply.data?.status).toBe('failed');
    expect(await contents()).toMatchObject({ known: false });
  });

  test('records only the first confirmed one of two statements that were previewed at the same time', async () => {
    const { channel, held, client, contents } = await account({});
    const argsOf = (videoKeys: readonly string[]) => ({ channels: [{ channel: channel.id, videoKeys }] });
    const [one, other] = [argsOf(held), argsOf(held.slice(1))];
    const [first, second] = [await client.callTool('state_contents', one), await client.callTool('state_contents', other)];
    expect((await confirmPreview(client, first)).data?.status).toBe('applied');
    expect((await confirmPreview(client, second)).data?.status).toBe('failed');
    expect(await contents()).toMatchObject({ videoKeys: held });
    // A statement can correct an earlier one.
    expect((await agree(client, 'state_contents', other)).data?.status).toBe('applied');
    expect(await contents()).toMatchObject({ videoKeys: held.slice(1), source: AS_STATED });
  });

  test('a change that was planned before a new statement is not sent after it', async () => {
    const { demo, channel, held, client } = await account({});
    await agree(client, 'state_contents', { channels: [{ channel: channel.id, videoKeys: held.slice(1) }] });
    const changes = [{ channel: channel.id, name: 'Another name', currentVideoKeys: held.slice(2) }];
    const asked = await client.callTool('update_channels', { changes });
    await agree(client, 'state_contents', { channels: [{ channel: channel.id, videoKeys: held }] });
    const reply = await confirmPreview(client, asked);
    expect(writesOf(demo)).toEqual([]);
    expect(contentOf(demo, channel.id).videoKeys).toEqual(held);
    expect(reply.data?.status).toBe('failed');
  });

  test('keeps what is known about the other list', async () => {
    const { demo, held, state, update, contents } = await account();
    await update({ setVideoKeys: held });
    const project = [...demo.world.projects.values()][1];
    await state({ projectKeys: [project?.name] });
    expect(await contents()).toMatchObject({ known: true, videoKeys: held, projectKeys: [project?.key], source: LAST_WROTE });
  });
});

describe('a statement that differs from what is known is refused, with the difference', () => {
  test.each(['shown by the service', 'written by this server'])('if the contents were %s', async (source) => {
    const { demo, channel, held, state, update, contents } = await account({ VIDEO_HOSTING_CONFIRM: 'form' });
    if (source === 'shown by the service') demo.behaviour.channelRecordsShowContents = true;
    else await update({ setVideoKeys: held, setProjectKeys: [] });
    const writes = writesOf(demo).length;
    const wrong = [...held.slice(1), ...videoKeysOf(demo, 1, 9)];
    const stated = await state({ videoKeys: wrong });
    const changed = await update({ name: 'Another name', currentVideoKeys: wrong });
    const reordered = await update({ name: 'Another name', currentVideoKeys: held.toReversed() });
    expect(writesOf(demo)).toHaveLength(writes);
    expect(contentOf(demo, channel.id).videoKeys).toEqual(held);
    for (const reply of [stated, changed]) {
      expect(reply.isError).toBe(true);
      expect(reply.text).toContain(
        `1 of those stated is not in it ("${videoKeysOf(demo, 1, 9)[0]}"), 1 of it is not stated ("${held[0]}")`,
      );
    }
    expect(reordered.text).toContain('the order differs from place 1 on');
    expect(await contents()).toMatchObject({ known: true, videoKeys: held });
    // A list that equals the one that a person approved is not recorded as a statement.
    expect((await update({ name: 'Another name', currentVideoKeys: held })).data?.status).toBe('applied');
    const same = await state({ videoKeys: held });
    expect(same.data).toMatchObject({ status: 'applied' });
    expect(same.data?.changeId).toBeUndefined();
  });

  test('except for a list that was stated as empty and therefore never sent', async () => {
    const { demo, held, state, update, contents } = await account();
    await update({ name: 'Another name', currentVideoKeys: held, currentProjectKeys: [] });
    expect(writesOf(demo).map(({ body }) => body)).toEqual([{ name: 'Another name', videoKeys: held }]);
    const project = [...demo.world.projects.values()][0];
    expect((await state({ projectKeys: [project?.key] })).data?.status).toBe('applied');
    expect(await contents()).toMatchObject({ videoKeys: held, projectKeys: [project?.key] });
  });
});

describe('what the user stated before, and a new statement leaves out, is shown first', () => {
  const NONE = {};
  const stateProject = async () => {
    const demo = await startService({ channels: 3, projects: 3, videos: 30 });
    const channel = channelAt(demo, 0);
    const projectKeys = [...demo.world.projects.values()].slice(0, 1).map(({ key }) => key);
    const videoKeys = videoKeysOf(demo, 4);
    Object.assign(channel, { videoKeys, projectKeys });
    const { client, home } = await start({ demo });
    await agree(client, 'state_contents', { channels: [{ channel: channel.id, videoKeys, projectKeys }] });
    return { demo, home, client, channel, videoKeys, projectKeys };
  };

  test.each(['for all', 'of the channel'])('where a rename says that there are no projects (%s)', async (where) => {
    const { demo, home, client, channel, projectKeys } = await stateProject();
    const none = { currentProjectKeys: [] };
    const args = {
      changes: [{ channel: channel.id, name: 'New', ...(where === 'for all' ? NONE : none) }],
      ...(where === 'for all' ? none : NONE),
    };
    const words = `the new list leaves out 1 project of the list before ("${projectKeys[0]}"); if it is there, sending the new list may remove it.`;
    const asked = await client.callTool('update_channels', args);
    expect(asked.data?.preview).toMatchObject({ warnings: [expect.stringContaining(words)] });
    const inForm = await start({ demo, home, forms: 'decline' });
    await inForm.client.callTool('update_channels', args);
    // Right after what is done, and what the statement replaces.
    expect(inForm.client.forms[0]?.message.replace(/\n +/g, ' ').split('\n')[2]).toContain(words);
    expect(contentOf(demo, channel.id).projectKeys).toEqual(projectKeys);
  });

  test('where a list of videos is shorter, by an update or by another statement, and not where the rest is sent all the same', async () => {
    const { client, channel, videoKeys } = await stateProject();
    const [a = '', b = '', ...kept] = videoKeys;
    const words = `the new list leaves out 2 videos of the list before ("${a}", "${b}"); if they are there, sending the new list may remove them.`;
    const update = (more: Values) =>
      client.callTool('update_channels', { changes: [{ channel: channel.id, currentVideoKeys: kept, ...more }] });
    const state = await client.callTool('state_contents', { channels: [{ channel: channel.id, videoKeys: kept }] });
    for (const { text } of [await update({ name: 'New' }), state]) expect(text).toContain(words);
    expect((await update({ addVideoKeys: [a, b] })).text).not.toContain('stated before');
  });
});

test('an answer tells of each stated list how much it has, also where the service shows that list', async () => {
  const { client, held, demo } = await account();
  const projectKeys = [...demo.world.projects.values()].slice(0, 2).map(({ key }) => key);
  const { id, name } = Object.assign(channelAt(demo, 1), { videoKeys: held, projectKeys });
  // Of this channel, the projects are among the fields that are left out then.
  Object.assign(demo.behaviour, { channelRecordsShowContents: true, missingFields: 0.2, distorts: new Set(['channels']) });
  const { text } = await client.callTool('state_contents', { channels: [{ channel: id, videoKeys: held, projectKeys }] });
  expect(text).toContain(`- ${id} ${JSON.stringify(name)}: 2 projects; 4 videos\n`);
});

test('all wrong statements of a call are reported at once, and nothing is recorded', async () => {
  const { demo, client, held, contents } = await account();
  const [one, two] = [...demo.world.channels.values()];
  const channels = [
    { channel: one?.id, videoKeys: held, projectKeys: ['No such project'] },
    { channel: one?.name, videoKeys: held },
    { channel: two?.id },
    { channel: 'No such channel', videoKeys: ['a\u200bb'] },
  ];
  const reply = await client.callTool('state_contents', { channels });
  expect(reply.isError).toBe(true);
  for (const words of [
    `channels[0].projectKeys[0] (${JSON.stringify(one?.name)}): No project has`,
    'is the same channel as channels[0].channel',
    `channels[2].channel (${JSON.stringify(two?.id)}): states nothing`,
    'channels[3].channel: No channel has the id, key or exact name',
    'channels[3].videoKeys[0] ("No such channel"): holds the character U+200B',
  ])
    expect(reply.text).toContain(words);
  const withFile = await client.callTool('state_contents', { channels, file: 'none.csv' });
  for (const words of ['file: ', 'VIDEO_HOSTING_FILES_DIR', 'channels[0].projectKeys[0]', 'channels[3].channel: No channel has'])
    expect(withFile.text).toContain(words);
  const alone = await client.callTool('state_contents', { channels: [{ channel: two?.id }], file: 'none.csv' });
  expect(alone.data).toMatchObject({ error: { code: 'file_refused' } });
  expect(await contents()).toMatchObject({ known: false });
});

test('contents can’t be stated for a channel without a version, since a later change would go unnoticed', async () => {
  const { demo, channel, held, state, update } = await account();
  const { version: _v, videoKeys: _k, projectKeys: _p, privateLinkEnabled: _l, ...record } = channel;
  demo.faults.always({ match: { method: 'GET', path: `/v1/channels/${channel.id}` }, do: { kind: 'status', code: 200, body: record } });
  expect((await state({ videoKeys: held })).text).toContain('shows no version');
  // A statement that comes with an update is needed for that update only.
  await update({ name: 'Another name', currentVideoKeys: held });
  expect(channel).toMatchObject({ name: 'Another name', videoKeys: held });
});

test('wrong arguments are refused', () =>
  expectRefused('state_contents', [
    [{}, 'channels'],
    [{ channels: [] }, 'channels'],
    [{ channels: [{ channel: 'Onboarding' }] }, 'channels[0]'],
    [{ channels: [{ channel: 'Onbording', videoKeys: [] }] }, '"Onboarding" ('],
    [{ channels: Array.from({ length: 201 }, (_, at) => ({ channel: `c${at}`, videoKeys: [] })) }, 'channels: '],
    [{ file: 'lists.csv' }, 'VIDEO_HOSTING_FILES_DIR'],
  ]));
