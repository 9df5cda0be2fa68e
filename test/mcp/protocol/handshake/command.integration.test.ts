import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, inject, test, vi } from 'vitest';
import { videoKeysOf } from '../../../changes/support/world.ts';
import { ERAS } from '../../../harness/client.ts';
import { freshHome, type Session, start, startRaw } from '../../../harness/start.ts';

const CAP = { timeout: 120_000 };

/** The built command, without the files of these names. */
function commandWithout(...names: string[]): string {
  const folder = join(freshHome(), 'dist');
  cpSync(dirname(inject('command')), folder, { recursive: true });
  for (const name of names) rmSync(join(folder, name), { recursive: true });
  return join(folder, 'main.cjs');
}

const everythingElse = readdirSync(dirname(inject('command'))).filter((name) => !/^(main\.cjs|responses.*\.tsv)$/.test(name));

async function listAll({ client }: Session) {
  return {
    instructions: client.instructions,
    lists: [await client.listTools(), await client.listResources(), await client.listResourceTemplates(), await client.listPrompts()],
  };
}

describe.each(ERAS)('%s', (kind) => {
  test.each([[[]], [['--read-only']]])('the command connects and lists with only the files of the handshake (%j)', async (argv) => {
    const alone = await start({ client: kind, via: 'process', argv, command: commandWithout(...everythingElse) });
    const whole = await start({ client: kind, via: 'memory', argv });
    expect(await listAll(alone)).toEqual(await listAll(whole));
    expect(alone.demo.requests).toEqual([]);
    expect(readdirSync(alone.home)).toEqual([]);
    expect(alone.log()).toBe('');
    alone.server?.child.stdin.end();
    expect(await alone.server?.exit).toEqual({ code: 0, signal: null });
  });

  test('the server that is loaded at the first call knows what the client declared before', async () => {
    const session = await start({ client: kind, via: 'process', forms: 'accept' });
    await listAll(session);
    expect((await session.client.callTool('check_setup')).data?.confirmation).toMatch(/a form asks the user/);
    const changes = [{ channel: 'Onboarding', name: 'Agreed in a form', setVideoKeys: videoKeysOf(session.demo, 2) }];
    const reply = await session.client.callTool('update_channels', { changes });
    expect(session.demo.world.channelNamed('Agreed in a form')).toMatchObject({ videoKeys: changes[0]?.setVideoKeys });
    expect(session.client.forms).toHaveLength(1);
    expect(reply.isError).toBe(false);
  });
});

test('without server.cjs the command exits at the first call, and the log names the missing file', async () => {
  const session = await startRaw({ via: 'process', command: commandWithout('server.cjs') });
  session.client.send({ jsonrpc: '2.0', id: 9, method: 'tools/call', params: { name: 'list_channels' } });
  expect(await session.server?.exit).toEqual({ code: 1, signal: null });
  expect(session.log()).toContain('server.cjs');
});

test('where another version replaces the program while it runs, nothing of both is mixed, and whoever calls is told what to do', async () => {
  const command = commandWithout();
  const session = await start({ via: 'process', forms: 'accept', command });
  expect((await session.client.callTool('list_channels')).isError).toBe(false);
  const later = join(dirname(command), 'later.cjs');
  const code = readFileSync(later, 'utf8');
  const [, build = ''] = /="([0-9a-f]{16})"/.exec(readFileSync(join(dirname(command), 'core.cjs'), 'utf8')) ?? [];
  expect(code).toContain(build);
  writeFileSync(later, code.replaceAll(build, 'f'.repeat(16)));
  const changes = [{ channel: 'Onboarding', name: 'Agreed in a form', setVideoKeys: videoKeysOf(session.demo, 2) }];
  const call = session.client.callTool('update_channels', { changes });
  await expect(call).rejects.toThrow('This program was replaced by another version while it ran: restart it.');
  expect(session.demo.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
});

test('a server over stdio has nothing of the one over HTTP: without its file it is started, and calls and changes go as with it', async () => {
  const session = await start({ via: 'process', forms: 'accept', command: commandWithout('http.cjs') });
  await listAll(session);
  expect((await session.client.callTool('list_channels')).isError).toBe(false);
  const changes = [{ channel: 'Onboarding', name: 'Agreed in a form', setVideoKeys: videoKeysOf(session.demo, 2) }];
  const reply = await session.client.callTool('update_channels', { changes });
  expect(session.demo.world.channelNamed('Agreed in a form')).toBeDefined();
  expect(reply.isError).toBe(false);
  // Nor is it part of the files that a server over stdio loads.
  const hasChallenge = (name: string) => readFileSync(join(dirname(inject('command')), name), 'utf8').includes('Bearer realm=');
  expect(['main.cjs', 'server.cjs', 'core.cjs', 'later.cjs', 'http.cjs'].filter(hasChallenge)).toEqual(['http.cjs']);
});

test('requests that arrive in small chunks while the server is loaded are each answered once', async () => {
  const session = await startRaw({ via: 'process' });
  const call = (id: number, name: string) => ({ jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: {} } });
  const ids = Array.from({ length: 12 }, (_, index) => 100 + index);
  const all = ids.map((id) => (id % 3 === 0 ? { jsonrpc: '2.0', id, method: 'tools/list' } : call(id, 'list_plans')));
  const bytes = Buffer.from(all.map((message) => `${JSON.stringify(message)}\n`).join(''));
  for (let from = 0; from < bytes.length; from += 97) {
    session.server?.child.stdin.write(bytes.subarray(from, from + 97));
    await sleep(1);
  }
  await vi.waitFor(() => expect(session.client.received.filter(({ id }) => Number(id) >= 100)).toHaveLength(ids.length), CAP);
  const answered = session.client.received.map(({ id }) => id);
  expect(answered.slice(-ids.length).toSorted()).toEqual(ids);
  expect(session.demo.requests.length).toBeGreaterThan(0);
});

test('requests that arrive together with the end of input are answered before the command exits', async () => {
  const session = await startRaw({ via: 'process' });
  const lines = ['tools/list', 'nope'].map((method, index) => JSON.stringify({ jsonrpc: '2.0', id: `last ${index}`, method }));
  session.server?.child.stdin.end(`${lines.join('\n')}\n`);
  expect(await session.server?.exit).toEqual({ code: 0, signal: null });
  const last = session.client.received.slice(-2);
  expect(last).toMatchObject([
    { id: 'last 0', result: { tools: expect.any(Array) } },
    { id: 'last 1', error: { code: -32601 } },
  ]);
});

test('the command exits if its stdout is closed before any call', async () => {
  const session = await startRaw({ via: 'process' });
  session.server?.child.stdout.destroy();
  for (let time = 0; time < 3; time += 1) {
    session.client.send({ jsonrpc: '2.0', id: time, method: 'tools/list' });
    await sleep(20);
  }
  expect(await session.server?.exit).toMatchObject({ code: 0, signal: null });
  expect(session.log()).toBe('');
});
