/** What a stated list is compared with, and what of the comparison is a warning, a fact, or agreed already. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { fieldsIn } from '../../../../src/platform/is-object.ts';
import type { ToolReply, Values } from '../../../harness/client.ts';
import { pathsOf, startService } from '../../../harness/service.ts';
import { freshHome, type StartOptions, start } from '../../../harness/start.ts';
import { asked, startWithPage } from '../../../page/support.ts';
import { agree, confirmPreview } from '../../support/confirm.ts';
import { channelAt, videoKeysOf, writesOf } from '../../support/world.ts';

const DAY_MS = 86_400_000;
const day = (ago: number): string => new Date(Date.now() - ago * DAY_MS).toISOString().slice(0, 10);

const PreviewSchema = z.looseObject({
  warnings: z.array(z.string()).default([]),
  notes: z.array(z.string()).default([]),
  lines: z.array(z.string()).default([]),
});
const previewOf = ({ data }: ToolReply) => PreviewSchema.parse(data?.preview);
const warningsOf = (reply: ToolReply): readonly string[] => previewOf(reply).warnings;
const ABOUT_VIEWS = /seen|views/;
const doubtsOf = (reply: ToolReply): readonly string[] => warningsOf(reply).filter((one) => ABOUT_VIEWS.test(one));

/** An account without views, whose first channel is called Academy; the videos are called by their keys. */
async function account(options: StartOptions = {}, channels = 3) {
  const demo = await startService({ views: 0, channels, projects: 1, videos: 30, now: new Date().toISOString() });
  const channel = channelAt(demo, 0);
  Object.assign(channel, { name: 'Academy', videoKeys: videoKeysOf(demo, 6), projectKeys: [] });
  const home = freshHome();
  const catalogue = join(home, 'videos.json');
  writeFileSync(catalogue, JSON.stringify([...demo.world.videos.values()].map(({ id, key }) => ({ id, key, title: `About ${key}` }))));
  const joined = (more: StartOptions = {}) =>
    start({ demo, home, ...options, ...more, env: { VIDEO_HOSTING_VIDEO_CATALOGUE: catalogue, ...options.env, ...more.env } });
  const session = await joined();
  const { client } = session;
  const changed = (change: Values): Values => ({ changes: [{ channel: channel.id, currentProjectKeys: [], ...change }] });
  const stated = (videoKeys: readonly string[]): Values => ({ channels: [{ channel: channel.id, videoKeys, projectKeys: [] }] });
  return {
    ...{ ...session, home, demo, channel, changed, stated, join: joined, keys: videoKeysOf(demo, 30) },
    /** Views of the channel: one of each video, so many days ago. */
    seen: (videoKeys: readonly (string | undefined)[], ago: number) =>
      demo.world.addViews(
        videoKeys.map((videoKey = '') => ({ videoKey, channelKey: channel.key, date: `${day(ago)}T00:00:00.000+00:00` })),
      ),
    update: (change: Values) => client.callTool('update_channels', changed(change)),
    state: (videoKeys: readonly string[]) => client.callTool('state_contents', stated(videoKeys)),
    reads: () => pathsOf(demo).filter((path) => path.includes('/v1/logs/data')).length,
    /** Somebody else changes the channel, so that what was stated of it counts no more. */
    editOutside: () => Object.assign(channel, { version: channel.version + 1, updated: demo.world.tick() }),
    store: async (ago = 400) => client.callTool('query_analytics', { from: day(ago) }),
  };
}

describe('a comparison without doubts', () => {
  test('is told in the preview, and warns of nothing', async () => {
    const { demo, keys, seen, update, state } = await account();
    seen(keys.slice(0, 4), 20);
    for (const reply of [await update({ name: 'New', currentVideoKeys: keys.slice(0, 6) }), await state(keys.slice(0, 6))]) {
      expect(writesOf(demo)).toEqual([]);
      expect(doubtsOf(reply)).toEqual([]);
      expect(previewOf(reply).notes).toEqual([
        expect.stringMatching(/^Every video seen in 4 views of "Academy" since .* is in the given list; 2 of the videos in that list/),
      ]);
      expect(reply.text).toMatch(/^ *Every video seen/m);
      expect(reply.text).not.toContain('! Every');
    }
  });

  test('is told in a form and in the answer after it', async () => {
    const { demo, client, changed, keys, seen } = await account({ forms: 'accept' });
    seen(keys.slice(0, 4), 20);
    const reply = await client.callTool('update_channels', changed({ name: 'New', currentVideoKeys: keys.slice(0, 6) }));
    expect(writesOf(demo)).toHaveLength(1);
    expect(client.forms[0]?.message).toMatch(/^Every video seen in 4 views/m);
    expect(client.forms[0]?.message).not.toContain('! Every');
    expect(reply.data).toMatchObject({ status: 'applied', notes: [expect.stringMatching(/^Every video seen/)] });
    expect(JSON.stringify(reply.data?.warnings ?? [])).not.toContain('Every video');
    const file = await client.readResource(`video-hosting://changes/${String(reply.data?.changeId)}`);
    expect(JSON.parse(String(file))).toMatchObject({ notes: [expect.stringMatching(/^Every video seen/)] });
  });

  test('is told on the page beside the list', async () => {
    const { demo, changed, keys, seen } = await account();
    seen(keys.slice(0, 4), 20);
    const args = changed({ name: 'New', currentVideoKeys: keys.slice(0, 6) });
    const { change } = await asked(await startWithPage({ demo }), 'update_channels', args);
    expect(writesOf(demo)).toEqual([]);
    expect(change.notices).toEqual([{ text: expect.stringMatching(/^Every video seen in 4 views/), weight: 'fact', isOfList: true }]);
  });
});

describe('a list of which nothing was ever seen in the channel’s views', () => {
  test('is asked about first, before what is lost', async () => {
    const { demo, keys, seen, update, state } = await account();
    seen(keys.slice(0, 5), 20);
    const doubt = expect.stringMatching(
      /^None of the 3 videos listed for "Academy" was ever seen in 5 views of it since .*\. Is this another channel’s list\? Seen there: .*; 2 more/,
    );
    for (const change of [
      { setVideoKeys: keys.slice(10, 13) },
      { currentVideoKeys: keys.slice(10, 13), removeVideoKeys: keys.slice(10, 11), privateLinkEnabled: true },
    ]) {
      const reply = await update(change);
      expect(warningsOf(reply)[0]).toEqual(doubt);
      expect(warningsOf(reply)[0]).toMatch(/, which would be removed from the channel\.$/);
    }
    const statement = await state(keys.slice(10, 13));
    expect(warningsOf(statement)[0]).toEqual(doubt);
    expect(warningsOf(statement)[0]).not.toContain('afterwards');
    expect(writesOf(demo)).toEqual([]);
  });

  test.each([
    [1, /^! None of the 3 videos listed for "Academy" was ever seen/],
    [2, /^! 2 channels \(.*\) have views with none of the videos listed for them/],
  ])('is asked about at the top of a form, once for %i channels', async (count, question) => {
    const { demo, client, keys } = await account({ forms: 'decline' });
    const channels = Array.from({ length: count }, (_, index) => channelAt(demo, index));
    for (const { key } of channels) demo.world.addView({ videoKey: keys[0] ?? '', channelKey: key });
    const changes = channels.map(({ id }) => ({ channel: id, setVideoKeys: keys.slice(10, 13), setProjectKeys: [] }));
    await client.callTool('update_channels', { changes });
    expect(writesOf(demo)).toEqual([]);
    const lines = client.forms[0]?.message.split('\n') ?? [];
    // Right after what is done, and what is lost.
    expect(lines.slice(2, 4)).toContainEqual(expect.stringMatching(question));
    expect(lines.join(' ').match(/other channel/g)).toHaveLength(1);
    expect(lines.length).toBeLessThanOrEqual(16);
  });

  test('is no question where the channel is said to hold nothing', async () => {
    const { keys, seen, state } = await account();
    seen(keys.slice(0, 1), 20);
    expect(doubtsOf(await state([]))).toEqual([expect.stringMatching(/1 view of it since .* shows 1 video that the list leaves out/)]);
  });
});

describe('videos that were seen and are not stated', () => {
  test('are named with their titles and when they were last seen, the latest first', async () => {
    const { keys, seen, state, store } = await account();
    const [a, b, c, d, e] = keys;
    seen([a, b], 90);
    seen([c, d], 40);
    seen([a], 12);
    const named = (key: string | undefined, ago: number) => `${key} "About ${key}", last seen ${day(ago)}`;
    const [first, second] = [c ?? '', d ?? ''].toSorted((one, other) => (one < other ? -1 : 1));
    const names = `(${named(a, 12)}; ${named(first, 40)}; ${named(second, 40)}; 1 more)`;
    expect(doubtsOf(await state([e ?? ''])).join()).toContain(names.slice(1, -1));
    seen([e], 5);
    const expected = `that the list leaves out ${names}`;
    expect(doubtsOf(await state([e ?? '']))).toEqual([expect.stringContaining(expected)]);
    await store();
    expect(doubtsOf(await state([e ?? '']))).toEqual([expect.stringContaining(expected)]);
  });

  test('would be removed from the channel; those that are added to the list are no doubt', async () => {
    const { demo, keys, seen, update, state } = await account();
    const [a = '', b = '', c = '', d = ''] = keys;
    seen([a, b, c], 20);
    const doubt = async (change: Values) => doubtsOf(await update(change)).join();
    expect(await doubt({ setVideoKeys: [a] })).toMatch(/3 views of it since \S+ show 2 videos that the list leaves out: they would/);
    expect(await doubt({ setVideoKeys: [a] })).toContain('that the list leaves out: they would be removed from the channel (');
    expect(await doubt({ currentVideoKeys: [a], addVideoKeys: [d] })).toContain(': they would be removed from the channel (');
    const oneLeft = await doubt({ currentVideoKeys: [a], addVideoKeys: [b] });
    expect(oneLeft).toMatch(/3 views of it since \S+ show 1 video that/);
    expect(oneLeft).toContain(`that the list leaves out: it would be removed from the channel (${c} `);
    const bothAdded = await update({ currentVideoKeys: [a], addVideoKeys: [c, b] });
    expect(doubtsOf(bothAdded)).toEqual([]);
    expect(previewOf(bothAdded).notes).toContainEqual(
      expect.stringContaining('is in the given list or is added to it, and every video of'),
    );
    expect(doubtsOf(await state([a])).join()).not.toContain('afterwards');
    expect(writesOf(demo)).toEqual([]);
  });
});

describe('what a person agreed to', () => {
  test('is told and no longer warned of, by a later change of another kind too', async () => {
    const { demo, client, channel, changed, stated, editOutside, keys, seen, update } = await account();
    const [a = '', b = '', c = ''] = keys;
    seen([a, b], 20);
    expect((await agree(client, 'state_contents', stated([a]))).data?.status).toBe('applied');
    editOutside();
    const again = await update({ name: 'New', currentVideoKeys: [a] });
    expect(doubtsOf(again)).toEqual([]);
    expect(previewOf(again).notes).toEqual([`1 video seen in views of "Academy" is not in the given list, as agreed before (${day(0)}).`]);
    seen([c], 10);
    const more = await update({ name: 'New', currentVideoKeys: [a] });
    expect(doubtsOf(more)).toEqual([
      expect.stringMatching(new RegExp(`: 3 views .* show 1 video .*\\(${c} .*\\), besides 1 agreed to before\\.$`)),
    ]);
    expect(writesOf(demo)).toEqual([]);
    expect((await confirmPreview(client, more)).data?.status).toBe('applied');
    expect(channel).toMatchObject({ name: 'New', videoKeys: [a] });
    editOutside();
    const third = await client.callTool('update_channels', changed({ name: 'Newer', currentVideoKeys: [a] }));
    expect(doubtsOf(third)).toEqual([]);
    expect(previewOf(third).notes).toEqual([expect.stringContaining('2 videos seen in views of "New" are not in the given list')]);
  });

  test('is a doubt again once it was seen on a later day', async () => {
    const { client, changed, editOutside, keys, seen, update } = await account();
    const [a = '', b = ''] = keys;
    seen([a, b], 20);
    const done = await agree(client, 'update_channels', changed({ name: 'New', currentVideoKeys: [a] }));
    editOutside();
    expect(doubtsOf(await update({ name: 'Newer', currentVideoKeys: [a] }))).toEqual([]);
    seen([b], -1);
    expect(doubtsOf(await update({ name: 'Newer', currentVideoKeys: [a] }))).toEqual([expect.stringContaining(`last seen ${day(-1)}`)]);
    expect(done.data?.status).toBe('applied');
  });

  test('counts no more once its change was undone', async () => {
    const { client, changed, editOutside, keys, seen, update } = await account();
    const [a = '', b = ''] = keys;
    seen([a, b], 20);
    const done = await agree(client, 'update_channels', changed({ name: 'New', currentVideoKeys: [a] }));
    expect((await agree(client, 'undo_change', { changeId: done.data?.changeId })).data?.status).toBe('applied');
    editOutside();
    expect(doubtsOf(await update({ name: 'Newer', currentVideoKeys: [a] }))).toHaveLength(1);
  });

  test('is not what nobody was asked about', async () => {
    const { changed, editOutside, join, keys, seen, update } = await account();
    const [a = '', b = ''] = keys;
    seen([a, b], 20);
    const { client: free } = await join({ env: { VIDEO_HOSTING_CONFIRM: 'never' } });
    expect((await free.callTool('update_channels', changed({ name: 'New', currentVideoKeys: [a] }))).data?.status).toBe('applied');
    editOutside();
    expect(doubtsOf(await update({ name: 'Newer', currentVideoKeys: [a] }))).toHaveLength(1);
  });

  test('is told in a form before all else, and so agreed to, however much more there is to tell', async () => {
    const { demo, channel, changed, editOutside, join, keys, seen, update } = await account({}, 5);
    seen(keys.slice(0, 8), 20);
    const currentVideoKeys = keys.slice(0, 6);
    const others = [1, 2, 3, 4].map((at) => ({
      ...{ channel: channelAt(demo, at).id, name: `New ${at}`, setVideoKeys: keys.slice(10, 12), setProjectKeys: [] },
      ...{ privateLinkEnabled: true },
    }));
    const { changes } = changed({ currentVideoKeys, currentProjectKeys: [], removeVideoKeys: keys.slice(1, 3) });
    const { client } = await join({ forms: 'accept' });
    const args = { changes: [...(Array.isArray(changes) ? changes : []), ...others] };
    expect((await client.callTool('update_channels', args)).data?.status).toBe('applied');
    expect(channel.videoKeys).toHaveLength(4);
    expect(client.forms[0]?.message).toContain('show 2 videos that the list leaves out: they would be removed');
    editOutside();
    expect(doubtsOf(await update({ name: 'Newer', currentVideoKeys }))).toEqual([]);
  });

  test('is the list that may be of another channel, and no other such list', async () => {
    const { client, stated, editOutside, keys, seen, state } = await account();
    seen(keys.slice(0, 2), 20);
    await agree(client, 'state_contents', stated(keys.slice(10, 13)));
    editOutside();
    const same = await state(keys.slice(10, 13));
    expect(doubtsOf(same)).toEqual([]);
    expect(previewOf(same).notes).toEqual([expect.stringContaining('as agreed before')]);
    expect(doubtsOf(await state(keys.slice(20, 23)))).toEqual([expect.stringContaining('Is this another channel’s list?')]);
  });
});

describe('where no views are stored', () => {
  /** Six channels, of which all but the last have views of two videos. */
  async function six() {
    const session = await account({}, 6);
    const { demo, client, keys } = session;
    const all = [0, 1, 2, 3, 4, 5].map((index) => channelAt(demo, index));
    for (const { key } of all.slice(0, 5))
      demo.world.addViews(keys.slice(0, 2).map((videoKey) => ({ videoKey, channelKey: key, date: `${day(9)}T00:00:00.000+00:00` })));
    const state = (count: number) =>
      client.callTool('state_contents', {
        channels: all.slice(0, count).map(({ id }) => ({ channel: id, videoKeys: keys.slice(0, 2), projectKeys: [] })),
      });
    return { ...session, all, state, named: (from: number, to: number) => all.slice(from, to).map(({ name }) => JSON.stringify(name)) };
  }

  test('those of three channels are read by themselves', async () => {
    const { state, reads, named } = await six();
    const { notes } = previewOf(await state(3));
    expect(reads()).toBe(3);
    expect(notes).toHaveLength(3);
    for (const name of named(0, 3)) expect(notes.join()).toContain(`views of ${name} since`);
  });

  test('of more channels all views are read at once, so that each is compared', async () => {
    const { demo, state, named, store, reads } = await six();
    const first = await state(6);
    expect(demo.requests.filter(({ body }) => fieldsIn(body).channelKey !== undefined)).toEqual([]);
    expect(doubtsOf(first)).toEqual([
      `The list given for ${named(5, 6).join()} was not checked against views: none were found. So nothing here confirms it.`,
    ]);
    expect(previewOf(first).notes).toEqual([
      expect.stringContaining(`Every video seen in views of ${named(0, 5).join(', ')} since ${day(9)} is in the given list`),
    ]);
    const before = reads();
    expect(previewOf(await state(6))).toMatchObject({ notes: previewOf(first).notes, warnings: previewOf(first).warnings });
    expect(reads() - before).toBeLessThanOrEqual(2);
    await store(365);
    expect(previewOf(await state(6)).notes).toEqual(previewOf(first).notes);
  });

  test('a log that is too long for a preview is not read, and it is said which call reads it', async () => {
    const { demo, state, named } = await six();
    const pager = { page: 1, pages: 200_000, size: 1, total: 200_000 };
    demo.faults.always({
      match: { api: 'stats', when: ({ body }) => fieldsIn(body).size === 1 },
      do: { kind: 'status', code: 200, body: { pager, views: [] } },
    });
    const reply = await state(5);
    expect(doubtsOf(reply)).toEqual([]);
    expect(previewOf(reply).notes).toContainEqual(
      expect.stringMatching(
        `The list given for ${named(3, 5).join(', ')} was not checked against views, which is no sign that anything is wrong: .*In a terminal, this stores them: “video-hosting-mcp sync --from ${day(365)}`,
      ),
    );
    expect(reply.text).toContain(`query_analytics with from "${day(365)}" stores them; then make this call again.`);
  });
});
