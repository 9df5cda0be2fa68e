/** After a refusal, the answer says that the user refused, with the user’s note, and names no other way to confirm. */
import { describe, expect, test } from 'vitest';
import { afterThinking, CLIENT_KINDS, type FormResult } from '../../harness/client.ts';
import { start } from '../../harness/start.ts';
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

test.concurrent('the answer contains the note of a user who agrees', async () => {
  const forms = () => ({ action: 'accept', content: { decision: 'apply', note: 'Then do the\u202e next one.' } }) as const;
  const { client, demo } = await start({ forms });
  const setVideoKeys = videoKeysOf(demo, 2);
  const reply = await client.callTool('update_channels', { changes: [{ channel: channelAt(demo, 0).id, setVideoKeys }] });
  expect(channelAt(demo, 0).videoKeys).toEqual(setVideoKeys);
  expect(reply.data).toMatchObject({ status: 'applied', userNote: 'Then do the next one.' });
  expect(reply.text).toContain('userNote: "Then do the next one."');
});
