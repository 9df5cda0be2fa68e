/** `confirm_change`: what was previewed is carried out, once, and nothing else is. */
import { expect, test } from 'vitest';
import type { ConfirmMode } from '../../../src/config/confirm-routes.ts';
import { idsIn, MOVE, manyVideos, requestsOf } from '../../changes/kinds/videos/harness.ts';
import { agreementIn, changeIdIn, confirmPreview, tokenIn } from '../../changes/support/confirm.ts';
import { channelAt, contentOf, videoKeysOf, writesOf } from '../../changes/support/world.ts';
import { recordsIn, type ToolReply, type Values } from '../../harness/client.ts';
import { startService } from '../../harness/service.ts';
import { type StartOptions, start } from '../../harness/start.ts';
import { expectRefused } from './support.ts';

const TOKEN = { VIDEO_HOSTING_CONFIRM: 'token' };

/** Five videos to be moved, and a server. */
async function fiveVideos(options: StartOptions = {}) {
  const { demo, ids, archive } = await manyVideos(5);
  const session = await start({ demo, env: TOKEN, ...options });
  const ask = (args: Values = {}) => session.client.callTool('move_videos', { videoIds: ids, targetProject: archive, ...args });
  const confirm = (preview: ToolReply, more: Values = {}) =>
    session.client.callTool('confirm_change', { ...agreementIn(preview), ...more });
  return { ...session, demo, ids, archive, ask, confirm, moved: () => idsIn(demo, archive).length };
}

test('what was previewed is carried out without its arguments, and answered as its own call would be', async () => {
  const { ask, confirm, moved } = await fiveVideos();
  const asked = await ask();
  expect(moved()).toBe(0);
  expect(agreementIn(asked)).toEqual({
    changeId: changeIdIn(asked),
    confirmationToken: tokenIn(asked),
    summary: 'Move 5 videos into Archive; no undo',
  });
  const done = await confirm(asked);
  expect(moved()).toBe(5);
  expect(done.data).toMatchObject({ status: 'applied', changeId: changeIdIn(asked), moved: 5 });
  expect(done.text).toContain('by token');
});

test('a wrong summary sends nothing, spends nothing, and is told the right one', async () => {
  const { ask, confirm, moved } = await fiveVideos();
  const asked = await ask();
  const wrong = await confirm(asked, { summary: 'Move 3 videos into Archive; no undo' });
  expect(moved()).toBe(0);
  expect(wrong).toMatchObject({ isError: true, data: { status: 'failed', error: { code: 'invalid_arguments' } } });
  expect(wrong.text).toContain(JSON.stringify(agreementIn(asked).summary));
  expect((await confirm(asked)).data).toMatchObject({ status: 'applied', moved: 5 });
});

test.each([
  ['typographic', 'Move 5 videos into “Archive”; no undo'],
  ['single, round it all', "'Move 5 videos into Archive; no undo'"],
  ['German, with other white space', ' Move 5\u00a0videos\n  into „Archive“;  no undo '],
  ['escaped', 'Move 5 videos into \\"Archive\\"; no undo'],
])('a summary counts in whatever quotation marks and white space (%s)', async (_kind, summary) => {
  const { ask, confirm, moved } = await fiveVideos();
  expect((await confirm(await ask(), { summary })).data?.status).toBe('applied');
  expect(moved()).toBe(5);
});

test('the token of another change is refused, and both still work with what is their own', async () => {
  const { ask, confirm, ids, moved } = await fiveVideos();
  const [one, other] = [await ask({ videoIds: ids.slice(0, 2) }), await ask({ videoIds: ids.slice(2) })];
  const crossed = await confirm(one, { confirmationToken: tokenIn(other) });
  expect(moved()).toBe(0);
  expect(crossed).toMatchObject({ isError: true, data: { error: { code: 'not_approved' } } });
  expect(crossed.text).toContain('another change');
  await confirm(other);
  expect(moved()).toBe(3);
  await confirm(one);
  expect(moved()).toBe(5);
});

test('a token works once', async () => {
  const { demo, ask, confirm } = await fiveVideos();
  const asked = await ask();
  const replies = await Promise.all([confirm(asked), confirm(asked)]);
  replies.push(await confirm(asked));
  expect(requestsOf(demo, MOVE)).toHaveLength(1);
  expect(replies.map(({ data }) => data?.status).toSorted()).toEqual(['applied', 'failed', 'failed']);
  expect(replies.at(-1)?.text).toContain('used before');
});

test('a smuggled argument and the old second call are refused, with a hint, and spend nothing', async () => {
  const { ask, confirm, ids, moved } = await fiveVideos();
  const asked = await ask({ videoIds: ids.slice(0, 2) });
  const smuggled = await confirm(asked, { videoIds: ids });
  const old = await ask({ confirmationToken: tokenIn(asked) });
  expect(moved()).toBe(0);
  expect(smuggled.text).toContain('videoIds: there is no such argument');
  expect(old.text).toMatch(/confirmationToken: there is no such argument.*confirm_change/);
  await confirm(asked);
  expect(moved()).toBe(2);
});

test('what changed after the preview is told, nothing is sent, and the token is spent', async () => {
  const demo = await startService({ channels: 3, videos: 20 });
  demo.behaviour.channelRecordsShowContents = true;
  const { client } = await start({ demo, env: TOKEN });
  const { id } = channelAt(demo, 0);
  const asked = await client.callTool('update_channels', { changes: [{ channel: id, name: 'Other', setVideoKeys: videoKeysOf(demo, 2) }] });
  demo.world.editChannel(id, { videoKeys: videoKeysOf(demo, 3, 5) });
  const refused = await confirmPreview(client, asked);
  expect(writesOf(demo)).toEqual([]);
  expect(contentOf(demo, id).videoKeys).toEqual(videoKeysOf(demo, 3, 5));
  expect(refused.text).toContain('was changed meanwhile');
  expect((await confirmPreview(client, asked)).text).toContain('used before');
  expect(writesOf(demo)).toEqual([]);
});

test('a token is gone once the server was started anew, and the answer says so', async () => {
  const first = await fiveVideos();
  const asked = await first.ask();
  await first.stop();
  const { client } = await start({ demo: first.demo, home: first.home, env: TOKEN });
  const reply = await confirmPreview(client, asked);
  expect(first.moved()).toBe(0);
  expect(reply).toMatchObject({ isError: true, data: { error: { code: 'not_approved' } } });
  expect(reply.text).toContain('before this server was started anew');
});

test('waitSeconds of the first call counts for the answer', async () => {
  const { demo, client, ask, confirm, moved } = await fiveVideos();
  demo.faults.next({ match: MOVE, do: { kind: 'delay', ms: 1_500 } });
  const begun = await confirm(await ask({ waitSeconds: 0 }));
  expect(begun.data).toMatchObject({ status: 'running' });
  await client.callTool('get_change', { changeId: changeIdIn(begun), waitSeconds: 30 });
  expect(moved()).toBe(5);
});

test('a client that shows forms is asked nothing more', async () => {
  const { client, confirm, ask, moved } = await fiveVideos({ forms: 'accept' });
  await confirm(await ask());
  expect(moved()).toBe(5);
  expect(client.forms).toEqual([]);
});

test('what the assistant sees of emails is in the answer of confirm_change, and never more than the user agreed to', async () => {
  const { demo, client } = await start({ env: { ...TOKEN, VIDEO_HOSTING_READ_ONLY: '1', VIDEO_HOSTING_PERSONAL_DATA: 'allowed' } });
  const [first] = demo.world.emails;
  const one = first === undefined ? [] : [{ ...first, created: '2026-10-30T00:00:00Z' }];
  demo.world.emails.splice(0, Number.POSITIVE_INFINITY, ...one, ...one);
  const asked = await client.callTool('get_collected_emails', { showRecords: true });
  expect(asked.data).not.toHaveProperty('records');
  let reads = 0;
  demo.behaviour.onRequest = ({ path }) => {
    if (!path.endsWith('/collected-emails')) return;
    reads += 1;
    // The first is for the plan that is made again.
    if (reads === 2) demo.world.emails.push(...one);
  };
  const shown = await confirmPreview(client, asked);
  expect(shown.data).toMatchObject({
    status: 'applied',
    records: expect.arrayContaining([expect.objectContaining({ email: expect.any(String) })]),
  });
  expect(demo.world.emails).toHaveLength(3);
  expect(recordsIn(shown.data, 'records')).toHaveLength(2);
});

test.each([
  ['ask', true],
  ['token', true],
  ['form', false],
  ['page', false],
  ['never', false],
] satisfies readonly (readonly [ConfirmMode, boolean])[])(
  'it is offered where a token can be given out, also in read-only mode (%s)',
  async (mode, isOffered) => {
    for (const readOnly of ['0', '1']) {
      const { client } = await start({ env: { VIDEO_HOSTING_CONFIRM: mode, VIDEO_HOSTING_READ_ONLY: readOnly } });
      const listed = (await client.listTools()).find(({ name }) => name === 'confirm_change');
      expect(listed !== undefined).toBe(isOffered);
      if (isOffered) expect(listed).toMatchObject({ annotations: { readOnlyHint: false, destructiveHint: true } });
      else await expect(client.callTool('confirm_change')).rejects.toThrow('VIDEO_HOSTING_CONFIRM is ask or token');
    }
  },
);

test('wrong arguments are refused', () =>
  expectRefused('confirm_change', [
    [{}, /changeId: is missing[\s\S]*confirmationToken: is missing[\s\S]*summary: is missing/],
    [{ changeId: 'x'.repeat(61), confirmationToken: 't', summary: 's' }, 'changeId: '],
    [{ changeId: 'chg-000000000-none', confirmationToken: 't000000000000000000', summary: 'Move 5 videos.' }, 'preview'],
  ]));
