/** The folder of an account on disk, while a server uses it. */
import { mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { channelAt, videoKeysOf, writesOf } from '../changes/support/world.ts';
import type { DemoService } from '../harness/service.ts';
import { type Session, start } from '../harness/start.ts';

const rename = (demo: DemoService, name: string) => ({
  changes: [{ channel: channelAt(demo, 0).id, name, setVideoKeys: videoKeysOf(demo, 2), setProjectKeys: [] }],
});

/** A session that has begun a change, so that something is kept. */
async function startKept(options: Parameters<typeof start>[0] = {}): Promise<Session> {
  const session = await start({ ...options, env: { VIDEO_HOSTING_CONFIRM: 'never', ...options.env } });
  expect((await session.client.callTool('update_channels', rename(session.demo, 'First'))).isError).toBe(false);
  session.demo.requests.length = 0;
  return session;
}

const accountFolder = ({ dataDir }: Session): string => join(dataDir, 'accounts', readdirSync(join(dataDir, 'accounts'))[0] ?? '');

describe('when the folder is removed while a server uses it', () => {
  const CALLS = [
    ['list_channels', {}],
    ['list_changes', {}],
    ['query_analytics', { from: '2026-03-01', to: '2026-03-02' }],
    ['stop_change', { changeId: 'chg-000000000-0000' }],
  ] as const;

  async function expectRefused({ client, demo }: Session): Promise<void> {
    for (const [tool, args] of [...CALLS, ['update_channels', rename(demo, 'Lost')] as const]) {
      const { isError, text } = await client.callTool(tool, args);
      expect({ isError, text }, tool).toEqual({
        isError: true,
        text: expect.stringContaining('was removed, or can’t be reached, since this server began'),
      });
      expect(text).toContain('restart this server');
    }
    expect(writesOf(demo)).toEqual([]);
    const { data } = await client.callTool('check_setup');
    expect(data).toMatchObject({ ok: false, problems: [expect.stringContaining('was removed')] });
  }

  test('each call says so, nothing is sent, and a new server begins with nothing kept', async () => {
    const session = await startKept();
    rmSync(session.dataDir, { recursive: true });
    await expectRefused(session);
    expect(session.hasData()).toBe(false);
    const next = await start({ demo: session.demo, home: session.home });
    expect((await next.client.callTool('list_changes')).text).not.toContain('applied');
  });

  test('that is noticed although another server made it anew', async () => {
    const session = await startKept();
    rmSync(session.dataDir, { recursive: true });
    await startKept({ demo: session.demo, home: session.home });
    await expectRefused(session);
  });

  test('it is used again once it was put back', async () => {
    const session = await startKept();
    const away = join(session.home, 'away');
    renameSync(session.dataDir, away);
    expect((await session.client.callTool('list_changes')).isError).toBe(true);
    renameSync(away, session.dataDir);
    expect((await session.client.callTool('list_changes')).text).toContain('applied');
  });
});

describe.each(['changes', 'decided'])('where a file is in the place of the folder “%s”', (name) => {
  test.each(['form', 'token', 'wait', 'never'])('nobody is asked about a change (%s)', async (mode) => {
    const session = await startKept();
    await session.stop();
    const folder = join(accountFolder(session), name);
    rmSync(folder, { recursive: true, force: true });
    writeFileSync(folder, '');
    const { demo, home } = session;
    const { client } = await start({ demo, home, forms: mode === 'form' ? 'accept' : 'none', env: { VIDEO_HOSTING_CONFIRM: mode } });
    const { isError, text } = await client.callTool('update_channels', rename(demo, 'Second'));
    expect(writesOf(demo)).toEqual([]);
    expect(client.forms).toEqual([]);
    expect({ isError, text }).toEqual({
      isError: true,
      text: expect.stringContaining(`What is done could not be noted (ENOTDIR, "${folder}`),
    });
    expect(text).toContain('VIDEO_HOSTING_DATA_DIR');
    expect(text).not.toContain('confirmationToken');
  });
});

test('a token is not spent on a change that can’t be noted', async () => {
  const { client, demo, home } = await start();
  const { data } = await client.callTool('update_channels', rename(demo, 'Previewed'));
  const confirm = () => {
    const { changeId, confirmationToken, preview } = data as { changeId: string; confirmationToken: string; preview: { summary: string } };
    return client.callTool('confirm_change', { changeId, confirmationToken, summary: preview.summary });
  };
  const accounts = join(home, 'data', 'accounts');
  rmSync(accounts, { recursive: true, force: true });
  mkdirSync(join(home, 'data'), { recursive: true });
  writeFileSync(accounts, '');
  expect((await confirm()).text).toMatch(/could not be noted|was removed/);
  expect(writesOf(demo)).toEqual([]);
  rmSync(accounts);
  expect((await confirm()).data).toMatchObject({ status: 'applied' });
  expect(demo.world.channelNamed('Previewed')).toBeDefined();
});
