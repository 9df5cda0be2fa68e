/** The number of tokens that a change of a long channel costs: arguments, texts and structured contents of all its calls. */
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { expect, test } from 'vitest';
import type { ToolReply, Values } from '../../harness/client.ts';
import { startService } from '../../harness/service.ts';
import { start } from '../../harness/start.ts';
import { agreementIn, changeIdIn, tokenIn } from '../support/confirm.ts';
import { channelAt, contentOf, writesOf } from '../support/world.ts';

const LONG = 5_000;

async function startLong() {
  const demo = await startService({ channels: 3, projects: 2, videos: LONG });
  const channel = channelAt(demo, 0);
  channel.videoKeys = [...demo.world.videosByKey.keys()];
  channel.projectKeys = [];
  demo.behaviour.channelRecordsShowContents = true;
  return { demo, channel, moved: channel.videoKeys.slice(2_000, 2_003) };
}

/** With one and the same id and token each time: random ones differ by several tokens. */
function costOf(calls: readonly (readonly [Values, ToolReply])[]): number {
  const random = calls.flatMap(([, reply]) => [
    [changeIdIn(reply), 'chg-0mwu2p7ri-pzpq'] as const,
    ...(typeof reply.data?.confirmationToken === 'string' ? [[tokenIn(reply), 't330076266367813877'] as const] : []),
  ]);
  const same = (text: string) => random.reduce((done, [value, fixed]) => done.replaceAll(value, fixed), text);
  const tokens = (value: unknown) => encode(same(typeof value === 'string' ? value : JSON.stringify(value ?? ''))).length;
  return calls.reduce((sum, [args, { text, data }]) => sum + tokens(args) + Math.max(tokens(text), tokens(data)), 0);
}

test('what is done is said once, and what the short summary leaves out right after it', async () => {
  const { demo, channel, moved } = await startLong();
  const { client } = await start({ demo });
  const renamed = await client.callTool('update_channels', { changes: [{ channel: channel.id, firstVideoKeys: moved }] });
  expect(renamed.data?.preview).not.toHaveProperty('meaning');
  const [target] = demo.world.projects.keys();
  const move = await client.callTool('move_videos', { targetProject: target, videoIds: [[...demo.world.videos.keys()][0]] });
  expect(Object.keys(move.data?.preview as Values).slice(0, 2)).toEqual(['summary', 'meaning']);
  expect(writesOf(demo)).toEqual([]);
});

test('the structured answer says that the change is not done yet, since many clients show only that part', async () => {
  const { demo, channel, moved } = await startLong();
  const { client } = await start({ demo });
  for (const [tool, args] of [
    ['update_channels', { changes: [{ channel: channel.id, firstVideoKeys: moved }] }],
    ['create_project', { name: 'New', region: 'use-s' }],
    ['move_videos', { targetProject: [...demo.world.projects.keys()][0], videoIds: [[...demo.world.videos.keys()][0]] }],
  ] as const) {
    const { data } = await client.callTool(tool, args);
    expect(data).toMatchObject({
      status: 'confirmation_required',
      message: expect.stringMatching(/^NOT DONE YET\. Show the user the preview\. Only if they agree/),
    });
  }
});

test('a further preview says that agreement to an earlier one does not apply, and is not confirmed by its token', async () => {
  const { demo, channel, moved } = await startLong();
  const { client } = await start({ demo });
  const propose = (name: string) => client.callTool('update_channels', { changes: [{ channel: channel.id, name, firstVideoKeys: moved }] });
  const further = /A yes to an earlier preview does not count for this one\./;
  const first = await propose('One');
  expect(first.text).not.toMatch(further);
  const second = await propose('Two');
  expect(second.text).toMatch(further);
  await client.callTool('confirm_change', { ...agreementIn(second), confirmationToken: tokenIn(first) });
  expect(writesOf(demo)).toEqual([]);
});

test('reordering a channel of 5,000 videos costs fewer than 460 tokens, with a token', async () => {
  const { demo, channel, moved } = await startLong();
  const before = channel.videoKeys;
  const { client } = await start({ demo });
  const args = { changes: [{ channel: channel.id, firstVideoKeys: moved }] };
  const asked = await client.callTool('update_channels', args);
  const again = agreementIn(asked);
  const done = await client.callTool('confirm_change', again);
  expect(contentOf(demo, channel.id).videoKeys).toEqual([...moved, ...before.filter((key) => !moved.includes(key))]);
  expect(done.data?.status).toBe('applied');
  expect(
    costOf([
      [args, asked],
      [again, done],
    ]),
  ).toBeLessThan(460);
});

test('reordering a channel of 5,000 videos costs fewer than 450 tokens, with a form', async () => {
  const { demo, channel, moved } = await startLong();
  const { client } = await start({ demo, forms: 'accept' });
  const args = { changes: [{ channel: channel.id, firstVideoKeys: moved }] };
  const done = await client.callTool('update_channels', args);
  expect(contentOf(demo, channel.id).videoKeys.slice(0, 3)).toEqual(moved);
  expect(costOf([[args, done]])).toBeLessThan(450);
});
