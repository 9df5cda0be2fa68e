/** A form that nobody saw: the change is confirmed by the next route, the client is remembered, and nothing is applied by mistake. */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { envelope } from '../../../scripts/raw-client.mjs';
import { createUnseenForms } from '../../../src/changes/asking/unseen-forms.ts';
import { formRoute } from '../../../src/changes/proposals/routes/form.ts';
import { afterThinking, CLIENT_KINDS, type FormHandler, type TestClient, type ToolReply } from '../../harness/client.ts';
import { type DemoService, startService } from '../../harness/service.ts';
import { freshHome, start, startRaw } from '../../harness/start.ts';
import { confirmPreview } from '../support/confirm.ts';
import { ACCEPTED, at, callWith, FORMS } from '../support/raw.ts';
import { channelAt, writesOf } from '../support/world.ts';

const NAME = 'Onboarding for everybody';
const FORM_ONLY = { VIDEO_HOSTING_CONFIRM: 'form' };

afterEach(() => void vi.useRealTimers());

/** From now on no time passes, however slow the machine is: what answers without waiting answers at once. */
const stopTheClock = () => void vi.useFakeTimers({ toFake: ['Date', 'performance'] });

async function small(): Promise<DemoService> {
  const demo = await startService({ channels: 3, videos: 10 });
  demo.behaviour.channelRecordsShowContents = true;
  return demo;
}

const argsFor = (demo: DemoService) => ({ changes: [{ channel: channelAt(demo, 0).id, name: NAME }] });

const rename = (client: TestClient, demo: DemoService): Promise<ToolReply> => client.callTool('update_channels', argsFor(demo));

async function confirmationIn(client: TestClient): Promise<string> {
  return String((await client.callTool('check_setup')).data?.confirmation);
}

describe.each(CLIENT_KINDS)('%s', (kind) => {
  test('if a form is cancelled at once, the same call and later ones use a token, in other processes too', async () => {
    stopTheClock();
    const demo = await small();
    const { client, home } = await start({ demo, client: kind, forms: 'cancel' });
    const asked = await rename(client, demo);
    expect(writesOf(demo)).toEqual([]);
    expect(asked.data).toMatchObject({ status: 'confirmation_required', message: expect.stringContaining('cancelled a form at once') });
    const done = await confirmPreview(client, asked);
    expect(channelAt(demo, 0).name).toBe(NAME);
    expect(done.data?.status).toBe('applied');
    expect(client.forms).toHaveLength(1);
    expect(await confirmationIn(client)).toContain('cancelled a form at once');
    const other = await start({ demo, home, client: kind, forms: 'accept' });
    expect((await other.client.callTool('undo_change', { changeId: done.data?.changeId })).data?.status).toBe('confirmation_required');
    expect(other.client.forms).toEqual([]);
  });

  test('if a form is declined at once, the call ends, and the next one uses a token', async () => {
    stopTheClock();
    const demo = await small();
    const { client } = await start({ demo, client: kind, forms: 'decline' });
    const refused = await rename(client, demo);
    expect(refused.data).toMatchObject({ status: 'declined', message: expect.stringContaining('declined a form at once') });
    expect(refused.data).not.toHaveProperty('confirmationToken');
    const asked = await rename(client, demo);
    expect(writesOf(demo)).toEqual([]);
    expect(asked.data?.status).toBe('confirmation_required');
    expect((await confirmPreview(client, asked)).data?.status).toBe('applied');
    expect(channelAt(demo, 0).name).toBe(NAME);
    expect(client.forms).toHaveLength(1);
    expect(await confirmationIn(client)).toContain('declined a form at once');
  });

  test.each(['cancel', 'decline'] as const)(
    'if the setting demands a form, each call shows a form and gives no token (%s at once)',
    async (forms) => {
      stopTheClock();
      const demo = await small();
      const { client, home } = await start({ demo, client: kind, forms, env: FORM_ONLY });
      for (const call of [1, 2]) {
        const refused = await rename(client, demo);
        expect(refused.data).toMatchObject({ status: 'declined', message: expect.stringContaining('VIDEO_HOSTING_CONFIRM is "form"') });
        expect(client.forms).toHaveLength(call);
      }
      expect(writesOf(demo)).toEqual([]);
      // An accepted form clears the memory of unseen ones.
      const seen = await start({ demo, home, client: kind, forms: 'accept', env: FORM_ONLY });
      expect((await rename(seen.client, demo)).data?.status).toBe('applied');
      expect(await confirmationIn(seen.client)).toBe('a form asks the user (this client shows forms).');
    },
  );

  test('after a person declines a form, no token is given, and an older token is refused', async () => {
    stopTheClock();
    const demo = await small();
    let answer: FormHandler = () => ({ action: 'cancel' });
    const { client, dataDir } = await start({ demo, client: kind, forms: (form) => answer(form) });
    const asked = await rename(client, demo);
    rmSync(join(dataDir, 'unseen-forms'), { recursive: true });
    vi.useRealTimers();
    answer = afterThinking({ action: 'decline' });
    const refused = await rename(client, demo);
    expect(refused.data).toMatchObject({ status: 'declined', message: 'The user refused. Nothing was sent.' });
    expect(JSON.stringify(refused)).not.toMatch(/VIDEO_HOSTING|[Tt]oken|another way/);
    const again = await confirmPreview(client, asked);
    expect(writesOf(demo)).toEqual([]);
    expect(again.data?.status).toBe('failed');
  });

  test('a new version of the client gets a form again', async () => {
    stopTheClock();
    const demo = await small();
    const { client, home, dataDir } = await start({ demo, client: kind, forms: 'decline' });
    await rename(client, demo);
    const [file = ''] = readdirSync(join(dataDir, 'unseen-forms'));
    const path = join(dataDir, 'unseen-forms', file);
    writeFileSync(path, readFileSync(path, 'utf8').replace('1.0.0', '0.9.9'));
    const next = await start({ demo, home, client: kind, forms: 'accept' });
    expect((await rename(next.client, demo)).data?.status).toBe('applied');
    expect(next.client.forms).toHaveLength(1);
  });
});

test('Claude Code gets a form in a terminal, even if it cancelled one elsewhere', async () => {
  const demo = await small();
  const { client, home } = await start({ demo, forms: 'cancel', env: { CLAUDE_CODE_ENTRYPOINT: 'sdk-cli' } });
  expect((await rename(client, demo)).data?.status).toBe('confirmation_required');
  const seen = await start({ demo, home, forms: 'accept', env: { CLAUDE_CODE_ENTRYPOINT: 'cli' } });
  expect((await rename(seen.client, demo)).data?.status).toBe('applied');
  expect(seen.client.forms).toHaveLength(1);
});

test('what `claude -p` cancels after more than half a second, on a busy machine, is nobody’s answer; a decline, or a cancel at a terminal, is somebody’s', async () => {
  const demo = await small();
  const asIn = (mode: string, action: 'cancel' | 'decline') =>
    start({ demo, forms: afterThinking({ action }), env: { CLAUDE_CODE_ENTRYPOINT: mode } });
  for (const client of [(await asIn('cli', 'cancel')).client, (await asIn('sdk-cli', 'decline')).client]) {
    expect((await rename(client, demo)).data?.status).toBe('declined');
    expect(await confirmationIn(client)).not.toContain('at once');
  }
  const { client } = await asIn('sdk-cli', 'cancel');
  const asked = await rename(client, demo);
  expect(writesOf(demo)).toEqual([]);
  expect(asked.data).toMatchObject({ status: 'confirmation_required', message: expect.stringContaining('cancelled a form at once') });
  expect((await confirmPreview(client, asked)).data?.status).toBe('applied');
  expect(client.forms).toHaveLength(1);
});

test('the next call uses a token if the client fails to show a form', async () => {
  const demo = await small();
  const { client } = await start({ demo, forms: 'throws' });
  expect((await rename(client, demo)).data?.status).toBe('declined');
  const asked = await rename(client, demo);
  expect((await confirmPreview(client, asked)).data?.status).toBe('applied');
});

test('a form that is not answered in its time counts as unseen', async () => {
  const demo = await small();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const { client } = await startRaw({ demo, forms: 'silent' });
  const call = rename(client, demo);
  while (client.forms.length === 0) await new Promise((resolve) => setImmediate(resolve));
  await vi.advanceTimersByTimeAsync(formRoute.waits.lifetimeMs + 1);
  expect((await call).data).toMatchObject({ status: 'declined', message: expect.stringContaining('left a form unanswered') });
  expect((await rename(client, demo)).data?.status).toBe('confirmation_required');
  expect(writesOf(demo)).toEqual([]);
});

test('a form that a 2026-era client never returns counts as unseen after its time', async () => {
  const demo = await small();
  vi.useFakeTimers({ toFake: ['Date'] });
  const { client } = await startRaw({ demo, era: 'modern', forms: 'decline' });
  const params = { name: 'update_channels', arguments: argsFor(demo), _meta: envelope(FORMS) };
  const ask = async () => at(await callWith(client, params), 'result');
  expect(at(await ask(), 'resultType')).toBe('input_required');
  expect(at(await ask(), 'resultType')).toBe('input_required');
  vi.setSystemTime(Date.now() + formRoute.waits.lifetimeMs + 1);
  expect(at(await ask(), 'structuredContent', 'status')).toBe('confirmation_required');
  expect(writesOf(demo)).toEqual([]);
});

test('an open form can still be answered after another process stops using forms (2026-era client)', async () => {
  const demo = await small();
  const { client, home } = await startRaw({ demo, era: 'modern', forms: 'accept' });
  const params = { name: 'update_channels', arguments: argsFor(demo), _meta: envelope(FORMS) };
  const requestState = at(await callWith(client, params), 'result', 'requestState');
  const other = await startRaw({ demo, home, era: 'modern', forms: 'decline' });
  await rename(other.client, demo);
  await callWith(client, { ...params, requestState, inputResponses: ACCEPTED });
  expect(channelAt(demo, 0).name).toBe(NAME);
});

describe('the memory of an unseen form', () => {
  const client = { name: 'a client', version: '1.2.3' };

  test('is found by client name and version, in any process', async () => {
    const folder = join(freshHome(), 'unseen-forms');
    expect(await createUnseenForms(folder).remember(client, 'declined')).toBe(true);
    const other = createUnseenForms(folder);
    expect(await other.find(client)).toMatchObject({ how: 'declined' });
    expect(await other.find({ ...client, version: '1.2.4' })).toBeUndefined();
    expect(await other.find({ ...client, name: 'another' })).toBeUndefined();
    const terminal = createUnseenForms(folder, 'cli');
    expect(await terminal.find(client)).toBeUndefined();
    await terminal.remember(client, 'unanswered');
    expect(await other.find(client)).toMatchObject({ how: 'declined' });
    await terminal.forget(client);
    expect(await other.find(client)).toMatchObject({ how: 'declined' });
    await other.forget(client);
    expect(await createUnseenForms(folder).find(client)).toBeUndefined();
  });

  test('stays intact if many writers store it at once', async () => {
    const folder = join(freshHome(), 'unseen-forms');
    const memories = Array.from({ length: 20 }, () => createUnseenForms(folder));
    const reads = memories.map(async (memory) => [await memory.remember(client, 'cancelled'), (await memory.find(client))?.how]);
    expect(await Promise.all(reads)).toEqual(memories.map(() => [true, 'cancelled']));
    expect(readdirSync(folder)).toHaveLength(1);
  });

  test.each(['', '{', 'null', '{"client":"a client","version":"1.2.3"}', '{"client":"a client","version":"1.2.3","how":"x","at":"y"}'])(
    'is ignored if its file contains %j',
    async (text) => {
      const folder = join(freshHome(), 'unseen-forms');
      const memory = createUnseenForms(folder);
      await memory.remember(client, 'declined');
      for (const name of readdirSync(folder)) writeFileSync(join(folder, name), text);
      expect(await memory.find(client)).toBeUndefined();
    },
  );

  test('is missing if it can’t be written, so that each call shows a form again', async () => {
    const demo = await small();
    const { client, dataDir } = await start({ demo, forms: 'decline' });
    mkdirSync(dataDir, { recursive: true });
    writeFileSync(join(dataDir, 'unseen-forms'), 'A file where the folder would be.');
    for (const call of [1, 2]) {
      const reply = await rename(client, demo);
      expect(reply.data).toMatchObject({ status: 'declined', message: expect.stringContaining('set VIDEO_HOSTING_CONFIRM to "token"') });
      expect(client.forms).toHaveLength(call);
    }
    expect(writesOf(demo)).toEqual([]);
  });
});
