/** After a refusal, the answer says that the user refused, with the user’s note, and names no other way to confirm. */
import { describe, expect, test } from 'vitest';
import { afterThinking, CLIENT_KINDS, type FormResult, type TestClient } from '../../harness/client.ts';
import { startService } from '../../harness/service.ts';
import { start, startRaw } from '../../harness/start.ts';
import { WAIT } from '../proposals/harness.ts';
import { fileOf, writeApprovals } from '../standing/harness.ts';
import { channelAt, stateOf, videoKeysOf, writesOf } from '../support/world.ts';

const REFUSALS: readonly (readonly [how: string, answer: FormResult, told: string])[] = [
  ['declines the form', { action: 'decline' }, 'The user refused. Nothing was sent.'],
  [
    'chooses to change nothing',
    { action: 'accept', content: { decision: 'nothing' } },
    'The user chose to change nothing. Nothing was sent.',
  ],
  [
    'adds a note',
    { action: 'accept', content: { decision: 'nothing', note: 'Not the third one.' } },
    'In their words: "Not the third one.". Nothing was sent.',
  ],
  ['closes the form', { action: 'cancel' }, 'The user closed the form without an answer. Nothing was sent.'],
];

describe.concurrent.each(CLIENT_KINDS)('%s', (kind) => {
  test.each(REFUSALS)('reports that the user %s, without advice about settings', async (_how, answer, told) => {
    const { client, demo } = await start({ client: kind, forms: afterThinking(answer) });
    const before = stateOf(demo);
    const change = { channel: channelAt(demo, 0).id, setVideoKeys: videoKeysOf(demo, 2) };
    const reply = await client.callTool('update_channels', { changes: [change] });
    expect(writesOf(demo)).toEqual([]);
    expect(stateOf(demo)).toBe(before);
    expect(client.forms).toHaveLength(1);
    expect(reply.data).toMatchObject({ status: 'declined', message: expect.stringContaining(told) });
    expect(reply.text).toContain(told);
    expect(`${reply.text} ${JSON.stringify(reply.data)}`).not.toMatch(/VIDEO_HOSTING|token/);
  });
});

test.concurrent.each([[{}], [{ decision: 'Change 1 channel' }], [{ decision: ['apply'] }], [{ decision: 'APPLY', note: 'Yes.' }]])(
  'a form that comes back with %j is neither a yes nor a no, and does not keep what is allowed from being done',
  async (content) => {
    const forms = afterThinking({ action: 'accept', content } as unknown as FormResult);
    const { client, demo, home, stop } = await startRaw({ forms, env: { VIDEO_HOSTING_CONFIRM: 'form' } });
    const { id, videoKeys, projectKeys } = channelAt(demo, 0);
    const contents = { currentVideoKeys: [...videoKeys], currentProjectKeys: [...projectKeys] };
    const rename = (one: TestClient, more = {}) =>
      one.callTool('update_channels', { changes: [{ channel: id, name: 'Renamed', ...more }] });
    const reply = await rename(client, contents);
    expect(writesOf(demo)).toEqual([]);
    expect(reply.data).toMatchObject({ status: 'declined' });
    expect(reply.text).toContain('The form came back without one of its choices, which is neither a yes nor a no.');
    expect(reply.text).not.toContain('chose to change nothing');
    await stop();
    const person = await start({ demo, home, forms: 'accept', env: { VIDEO_HOSTING_CONFIRM: 'form' } });
    const channels = [{ channel: id, videoKeys: [...videoKeys], projectKeys: [...projectKeys] }];
    await person.client.callTool('state_contents', { channels });
    const path = writeApprovals(fileOf([{ kind: 'change_texts', channels: [{ id }], fields: ['name'], perDay: 5 }]));
    const agent = await start({ demo, home, env: { ...WAIT, VIDEO_HOSTING_STANDING_APPROVALS: path } });
    const covered = await rename(agent.client);
    expect(covered.data).toMatchObject({ status: 'applied', confirmed: expect.stringContaining('Covered by a standing approval') });
  },
);

test.concurrent('the answer contains the note of a user who agrees', async () => {
  const forms = () => ({ action: 'accept', content: { decision: 'apply', note: 'Then do the\u202e next one.' } }) as const;
  const { client, demo } = await start({ forms });
  const setVideoKeys = videoKeysOf(demo, 2);
  const reply = await client.callTool('update_channels', { changes: [{ channel: channelAt(demo, 0).id, setVideoKeys }] });
  expect(channelAt(demo, 0).videoKeys).toEqual(setVideoKeys);
  expect(reply.data).toMatchObject({ status: 'applied', userNote: 'Then do the next one.' });
  expect(reply.text).toContain('userNote: "Then do the next one."');
});

test('a call that is cancelled while its form is open changes nothing, even if the person accepts later', async () => {
  const demo = await startService({ channels: 2 });
  const late: { answer?: () => void } = {};
  const answered = new Promise<void>((resolve) => {
    late.answer = resolve;
  });
  const { client, log } = await startRaw({
    demo,
    forms: async () => {
      await answered;
      return { action: 'accept', content: { decision: 'apply' } };
    },
  });
  const giveUp = new AbortController();
  const call = client.callTool(
    'update_channels',
    { changes: [{ channel: channelAt(demo, 0).id, setVideoKeys: videoKeysOf(demo, 2) }] },
    { signal: giveUp.signal },
  );
  while (client.forms.length === 0) await new Promise((resolve) => setImmediate(resolve));
  giveUp.abort();
  await expect(call).rejects.toThrow();
  late.answer?.();
  await client.callTool('list_changes');
  expect(writesOf(demo)).toEqual([]);
  expect((await client.callTool('list_changes')).data?.changes).toEqual([]);
  expect(log()).toBe('');
});
