/** With every client and route, the same change of forty channels is applied and gives the same result. */
import { describe, expect, test } from 'vitest';
import { CLIENT_KINDS } from '../harness/client.ts';
import { start, startRaw } from '../harness/start.ts';
import { agree } from './support/confirm.ts';
import { argsFor, FORTY, partsOf, reorganisation, startForty } from './support/reorganisation.ts';
import { writesOf } from './support/world.ts';

async function expectDone(demo: Awaited<ReturnType<typeof startForty>>, wanted: ReturnType<typeof reorganisation>): Promise<void> {
  expect(writesOf(demo)).toHaveLength(FORTY);
  for (const { id, end } of wanted) expect(partsOf(demo, id)).toEqual(end);
}

describe.each(CLIENT_KINDS)('%s', (kind) => {
  test('a token confirms the change if the client has no forms', async () => {
    const demo = await startForty();
    const wanted = reorganisation(demo);
    const { client } = await start({ demo, client: kind });
    const reply = await agree(client, 'update_channels', argsFor(wanted));
    await expectDone(demo, wanted);
    expect(reply.data).toMatchObject({ status: 'applied', undo: { possible: 'yes' } });
  });

  test('one form confirms the change if the client has forms', async () => {
    const demo = await startForty();
    const wanted = reorganisation(demo);
    const { client } = await start({ demo, client: kind, forms: 'accept' });
    const reply = await client.callTool('update_channels', argsFor(wanted));
    await expectDone(demo, wanted);
    expect(reply.data?.status).toBe('applied');
    expect(client.forms).toHaveLength(1);
  });

  test('a token confirms the change if the setting is "token", even if the client has forms', async () => {
    const demo = await startForty();
    const wanted = reorganisation(demo);
    const { client } = await start({ demo, client: kind, forms: 'silent', env: { VIDEO_HOSTING_CONFIRM: 'token' } });
    const reply = await agree(client, 'update_channels', argsFor(wanted));
    await expectDone(demo, wanted);
    expect(reply.data?.status).toBe('applied');
    expect(client.forms).toEqual([]);
  });
});

test('a call that is cancelled while its form is open changes nothing, even if the person accepts later', async () => {
  const demo = await startForty();
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
  const call = client.callTool('update_channels', argsFor(reorganisation(demo)), { signal: giveUp.signal });
  while (client.forms.length === 0) await new Promise((resolve) => setImmediate(resolve));
  giveUp.abort();
  await expect(call).rejects.toThrow();
  late.answer?.();
  await client.callTool('list_changes');
  expect(writesOf(demo)).toEqual([]);
  expect((await client.callTool('list_changes')).data?.changes).toEqual([]);
  expect(log()).toBe('');
});
