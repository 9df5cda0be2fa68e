/** If someone else changed the account after the plan, the answer says what changed, and that a stated list can be out of date. */
import { expect, test } from 'vitest';
import { shownPlan } from '../../../src/changes/plan/plan.ts';
import { planConflicts } from '../../../src/changes/proposals/plan-conflicts.ts';
import { sentence } from '../../../src/text/sentence.ts';
import type { ToolReply, Values } from '../../harness/client.ts';
import { startService } from '../../harness/service.ts';
import { start } from '../../harness/start.ts';
import { agree, agreementIn, confirmPreview } from '../support/confirm.ts';
import { NO_MOVE } from '../support/intents.ts';
import { channelAt, videoKeysOf, writesOf } from '../support/world.ts';

async function account(shows: boolean) {
  const demo = await startService({ channels: 2, videos: 30 });
  demo.behaviour.channelRecordsShowContents = shows;
  const channel = channelAt(demo, 0);
  channel.videoKeys = videoKeysOf(demo, 4);
  return { demo, channel, added: videoKeysOf(demo, 1, 20) };
}

function expectAdvice(reply: ToolReply): void {
  for (const told of [reply.text, String(reply.data?.message)]) {
    expect(told).toContain('A list that was stated before may be out of date: ask the user for the list as it is now');
    expect(told).not.toContain('Call again to see the plan');
  }
}

test('a list that someone else changed during the confirmation is reported and not sent', async () => {
  const { demo, channel, added } = await account(true);
  const stated = videoKeysOf(demo, 3);
  const edit = { videoKeys: [...channel.videoKeys, ...added], description: 'By a colleague' };
  const forms = () => {
    demo.world.editChannel(channel.id, edit);
    return { action: 'accept', content: { decision: 'apply' } } as const;
  };
  const { client } = await start({ demo, forms });
  const reply = await client.callTool('update_channels', { changes: [{ channel: channel.id, setVideoKeys: stated }] });
  expect(writesOf(demo)).toEqual([]);
  expect(channel.videoKeys).toEqual(edit.videoKeys);
  expect(reply).toMatchObject({ isError: true, data: { status: 'failed' } });
  // The number of a version tells nobody anything.
  expect(reply.text).toMatch(/was changed meanwhile: (?!.*version \d)/);
  expect(reply.text).toMatch(/videos 4 → 5 \(1 added, 0 removed\)/);
  expect(reply.text).toMatch(/description ".*" → "By a colleague"/);
  expectAdvice(reply);
});

test('that another channel has its name by now is told as that, and nothing is sent', async () => {
  const { demo, channel } = await account(true);
  const other = channelAt(demo, 1);
  const forms = () => {
    demo.world.editChannel(other.id, { name: channel.name });
    return { action: 'accept', content: { decision: 'apply' } } as const;
  };
  const { client } = await start({ demo, forms });
  const reply = await client.callTool('update_channels', {
    changes: [{ channel: channel.id, setVideoKeys: videoKeysOf(demo, 3) }],
  });
  expect(writesOf(demo)).toEqual([]);
  expect(reply).toMatchObject({ isError: true, data: { status: 'failed' } });
  expect(reply.text).toContain(`"${channel.name}" is a name of several records now. This change is of "${channel.name}" (${channel.id}).`);
  expect(reply.text).not.toContain('a file changed');
});

test('the preview of a plan that moved has a summary as a preview with a token has, with what moved', async () => {
  const { demo, channel } = await account(false);
  const { client } = await start({ demo, env: { VIDEO_HOSTING_CONFIRM: 'token' } });
  const changes = [
    { channel: channel.id, description: 'Mine', currentVideoKeys: channel.videoKeys, currentProjectKeys: channel.projectKeys },
  ];
  const asked = await client.callTool('update_channels', { changes });
  demo.world.editChannel(channel.id, { description: 'By a colleague' });
  const reply = await client.callTool('confirm_change', agreementIn(asked));
  expect(writesOf(demo)).toEqual([]);
  expect(reply).toMatchObject({
    isError: true,
    data: { status: 'failed', preview: { summary: expect.stringContaining('1 changed by others; ') } },
  });
  expect(agreementIn(asked).summary).toContain('(description');
});

test('what moved is not put down to somebody else where it may be this assistant’s own, or only what is known', async () => {
  const { demo, channel, added } = await account(false);
  const { client } = await start({ demo, env: { VIDEO_HOSTING_CONFIRM: 'token' } });
  const state = (videoKeys: readonly string[]) =>
    agree(client, 'state_contents', { channels: [{ channel: channel.id, videoKeys, projectKeys: [] }] });
  const propose = (change: Values) => client.callTool('update_channels', { changes: [{ channel: channel.id, ...change }] });
  await state(channel.videoKeys);
  const first = await propose({ addVideoKeys: added });
  await state(videoKeysOf(demo, 3));
  const restated = await confirmPreview(client, first);
  expect(writesOf(demo)).toEqual([]);
  expect(restated.text).toContain(`What is known of ${JSON.stringify(channel.name)} changed: videos 4 → 3 (0 added, 1 removed).`);
  const [second, third] = [await propose({ name: 'Second' }), await propose({ name: 'Third' })];
  await confirmPreview(client, second);
  const late = await confirmPreview(client, third);
  expect(channel.name).toBe('Second');
  expect(late.text).toMatch(/ was changed meanwhile: name ".*" → "Second"/);
  expect(`${restated.text} ${late.text}`).not.toContain('someone else');
});

test('a channel that changes between the plan and its own request is reported with similar advice', async () => {
  const { demo, channel, added } = await account(true);
  const { client } = await start({ demo, env: { VIDEO_HOSTING_CONFIRM: 'never' } });
  let looks = 0;
  demo.behaviour.onRequest = ({ method, path }) => {
    if (method !== 'GET' || path !== `/v1/channels/${channel.id}`) return;
    looks += 1;
    if (looks === 2) demo.world.editChannel(channel.id, { videoKeys: [...channel.videoKeys, ...added] });
  };
  const reply = await client.callTool('update_channels', { changes: [{ channel: channel.id, setVideoKeys: videoKeysOf(demo, 3) }] });
  expect(writesOf(demo)).toEqual([]);
  expect(reply.text).toContain('A list that was stated for it may be out of date: the user has to state it as it is now');
});

test('after a conflict without lists, the advice is to ask whether the change is still wanted', async () => {
  const demo = await startService({ channels: 2 });
  const { client } = await start({ demo });
  const args = { name: 'Brand new', region: 'use-s' };
  const asked = await client.callTool('create_project', args);
  demo.world.addProject({ name: 'Brand new' });
  const reply = await confirmPreview(client, asked);
  expect(writesOf(demo)).toEqual([]);
  expect(reply.text).toContain('ask whether the change is still wanted');
});

test('which of its ids a plan sends is part of what is agreed to', () => {
  const preview = {
    summary: sentence``,
    notices: [],
    lines: [],
    onFailure: sentence``,
    undo: { possible: 'no', how: sentence`` },
  } as const;
  const plan = { kind: 'move_videos', facts: NO_MOVE, preview, ids: ['a', 'b', 'c'], apply: async () => {} } as const;
  const [one, other] = [shownPlan({ ...plan, open: ['a'] }), shownPlan({ ...plan, open: ['b'] })];
  expect(planConflicts(one, shownPlan({ ...plan, open: ['a'] }))).toEqual([]);
  expect(planConflicts(one, other)).toHaveLength(1);
});
