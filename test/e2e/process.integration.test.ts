import { execFile, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { describe, expect, inject, test, vi } from 'vitest';
import { MOVE, manyVideos } from '../changes/kinds/videos/harness.ts';
import { atEnd } from '../harness/cleanup.ts';
import { ERAS, recordsIn } from '../harness/client.ts';
import { API_KEY, type DemoService, hold, settingsFor, startService } from '../harness/service.ts';
import { freshHome, type Session, start, startRaw } from '../harness/start.ts';

const CAP = { timeout: 300_000 };

const HANGING = 2;

const ends = async ({ server }: Session) => Promise.race([server?.exit, sleep(CAP.timeout, 'still there', { ref: false })]);

/** Starts two calls that the service never answers. A server that waited for them would repeat their requests before it ends. */
async function withHangingCall(session: Session): Promise<void> {
  session.demo.faults.always({ do: { kind: 'hang' } });
  session.client.callTool('list_channels').catch(() => undefined);
  session.client.callTool('get_channel', { channel: 'Onboarding' }).catch(() => undefined);
  await vi.waitFor(() => expect(session.demo.requests).toHaveLength(HANGING), CAP);
}

test('the demo account has a video catalogue, whose file is removed when the server ends', async () => {
  const { client, stop } = await start({ demo: null, via: 'process', argv: ['--demo'] });
  const { data } = await client.callTool('check_setup', { details: true });
  expect(data).toMatchObject({ ok: true, summary: expect.stringContaining('a made-up account (--demo)') });
  const file = String(recordsIn(data, 'settings').find(({ setting }) => setting === 'VIDEO_HOSTING_VIDEO_CATALOGUE')?.value);
  const catalogue = JSON.parse(readFileSync(file, 'utf8')) as { key: string; title: string }[]; // as the demo writes it
  expect(catalogue.length).toBeGreaterThan(100);
  const [video] = catalogue;
  const plan = await client.callTool('create_channels', { channels: [{ name: 'First', videoKeys: [video?.key] }] });
  expect(plan.text).toContain(`(${video?.key} ${JSON.stringify(video?.title)})`);
  await stop();
  expect(existsSync(file)).toBe(false);
});

test('the folder of a demo server that was killed is removed by the next one, and nobody else’s', async () => {
  const TMPDIR = freshHome();
  const demo = () => start({ demo: null, via: 'process', argv: ['--demo'], env: { TMPDIR } });
  const folders = () => readdirSync(TMPDIR).filter((name) => name.startsWith('video-hosting-mcp-demo-'));
  const [killed, alive] = [await demo(), await demo()];
  for (const { client } of [killed, alive]) await client.callTool('list_plans');
  mkdirSync(join(TMPDIR, 'video-hosting-mcp-demo-of-nobody'));
  expect(folders()).toHaveLength(3);
  killed.server?.child.kill('SIGKILL');
  await killed.server?.exit;
  await (await demo()).client.callTool('list_plans');
  expect(folders()).toHaveLength(3);
  expect(folders()).toContain('video-hosting-mcp-demo-of-nobody');
  expect((await alive.client.callTool('list_channels')).isError).toBe(false);
});

/** Expects the server to end normally once it is told to, idle or with calls that hang, and without a word or a repeated request. */
async function expectEnd(session: Session, how: string, tell: (server: Session['server']) => void): Promise<void> {
  if (how === 'busy') await withHangingCall(session);
  tell(session.server);
  expect(await ends(session)).toEqual({ code: 0, signal: null });
  expect(session.demo.requests).toHaveLength(how === 'busy' ? HANGING : 0);
  expect(session.log()).toBe('');
}

describe.each(['idle', 'busy'])('while the server is %s, it is ended by', (how) => {
  test.each(ERAS)('the end of its input (%s)', async (client) =>
    expectEnd(await start({ client, via: 'process' }), how, (server) => server?.child.stdin.end()),
  );

  test.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)('%s', async (signal) =>
    expectEnd(await start({ via: 'process' }), how, (server) => server?.child.kill(signal)),
  );
});

test.each(['the end of its input', 'SIGTERM'])('whoever waits for what runs is answered with what is so at %s', async (how) => {
  const { demo, ids, archive, elsewhere } = await manyVideos(3_000);
  const release = hold(demo, ({ path }) => path === MOVE.path);
  const { client, server } = await startRaw({ demo, via: 'process', env: { VIDEO_HOSTING_CONFIRM: 'never' } });
  const { data } = await client.callTool('move_videos', { videoIds: ids, targetProject: archive, fromProject: elsewhere, waitSeconds: 0 });
  const waiting = client.callTool('get_change', { changeId: data?.changeId, waitSeconds: 400 });
  await client.callTool('list_changes');
  if (how === 'SIGTERM') server?.child.kill('SIGTERM');
  else server?.child.stdin.end();
  expect((await waiting).data).toMatchObject({ changeId: data?.changeId, status: 'running' });
  release();
  expect(await server?.exit).toEqual({ code: 0, signal: null });
});

test('two signals and the end of input together end the server normally', async () => {
  const session = await start({ via: 'process' });
  await withHangingCall(session);
  session.server?.child.kill('SIGINT');
  session.server?.child.kill('SIGTERM');
  session.server?.child.stdin.end();
  expect(await ends(session)).toEqual({ code: 0, signal: null });
  expect(session.demo.requests).toHaveLength(HANGING);
});

test('closing its stdout ends the server without a crash', async () => {
  const session = await start({ via: 'process' });
  await session.client.callTool('list_plans');
  session.server?.child.stdout.destroy();
  for (let call = 0; call < 3; call += 1) {
    session.client.callTool('list_channels').catch(() => undefined);
    await sleep(20);
  }
  expect(await ends(session)).toMatchObject({ signal: null });
  expect(session.log()).not.toMatch(/\n\s+at /);
});

test.each(['idle', 'busy'])('a client that is killed leaves no server behind (%s)', async (how) => {
  const demo = await startService();
  if (how === 'busy') demo.faults.always({ do: { kind: 'hang' } });
  const parent = spawnClientProcess(demo, freshHome());
  const pid = await new Promise<number>((resolve) => parent.stdout.once('data', (line) => resolve(Number(line))));
  await vi.waitFor(() => expect(demo.requests.length).toBeGreaterThan(0), CAP);
  parent.kill('SIGKILL');
  await vi.waitFor(() => expect(isRunning(pid)).toBe(false), CAP);
});

/** A client in a process of its own, which starts the server, calls it, and prints the server's process id. */
function spawnClientProcess(demo: DemoService, home: string) {
  const call = (id: number, method: string, params: object) => `${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`;
  const init = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'killed', version: '1' } };
  const lines = call(1, 'initialize', init) + call(2, 'tools/call', { name: 'list_channels', arguments: {} });
  const script = `
    const child = require('node:child_process').spawn(process.execPath, [${JSON.stringify(inject('command'))}], { stdio: ['pipe', 'pipe', 'inherit'] });
    child.stdin.write(${JSON.stringify(lines)});
    child.stdout.resume();
    console.log(child.pid);`;
  const env = { PATH: process.env.PATH, HOME: home, ...settingsFor(demo) };
  const parent = spawn(process.execPath, ['-e', script], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  atEnd(() => {
    parent.kill('SIGKILL');
  });
  return parent;
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

test('stdout contains only JSON-RPC messages for any input', async () => {
  const session = await startRaw({ via: 'process' });
  const { client, server } = session;
  const write = (text: string | Buffer) => server?.child.stdin.write(text);
  write('hello\n\n{"jsonrpc":"2.0"\n[]\nnull\n7\n"x"\n{}\n');
  write(Buffer.from([0xff, 0xfe, 0x00, 0x0a, 0x80, 0x0a]));
  write('[{"jsonrpc":"2.0","id":1000,"method":"ping"},{"jsonrpc":"2.0","id":1001,"method":"ping"}]\n');
  write('{"jsonrpc":"1.0","id":1002,"method":"ping"}\n{"jsonrpc":"2.0","id":null,"method":"ping"}\n');
  write('{"jsonrpc":"2.0","id":{},"method":"ping"}\n');
  write('{"jsonrpc":"2.0","method":"notifications/nope"}\n{"jsonrpc":"2.0","id":1003,"result":{}}\n');
  client.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 99_999 } });
  const unknown = 'nope tools/nope constructor logging/setLevel resources/subscribe sampling/createMessage tasks/get';
  for (const method of unknown.split(' ')) await expect(client.request(method)).rejects.toMatchObject({ code: -32601 });
  for (const method of ['tools/call', 'resources/read', 'prompts/get', 'completion/complete'])
    await expect(client.request(method)).rejects.toMatchObject({ code: expect.toSatisfy((code) => [-32602, -32603].includes(code)) });
  expect((await client.callTool('list_channels', { size: 1 })).isError).toBe(false);
  await session.stop();
  expect(await server?.exit).toEqual({ code: 0, signal: null });
  expectOnlyMessages(server?.stdout() ?? '');
  expect(server?.stdout()).not.toContain(API_KEY);
});

test('an input line above the size limit ends the server without a crash', async () => {
  const session = await startRaw({ via: 'process' });
  await session.client.callTool('list_plans');
  session.server?.child.stdin.write(`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"x":"${'x'.repeat(11 * 1_024 * 1_024)}`);
  session.server?.child.stdin.end('"}}\n');
  expect(await ends(session)).toMatchObject({ signal: null });
  expectOnlyMessages(session.server?.stdout() ?? '');
  expect(session.log()).not.toMatch(/\n\s+at /);
});

function expectOnlyMessages(stdout: string): void {
  expect(stdout === '' || stdout.endsWith('\n')).toBe(true);
  for (const line of stdout.split('\n').slice(0, -1)) expect(JSON.parse(line)).toMatchObject({ jsonrpc: '2.0' });
}

test('--help and --version print their text and exit', async () => {
  const run = (...argv: string[]) =>
    promisify(execFile)(process.execPath, [inject('command'), ...argv], { env: { PATH: process.env.PATH } });
  expect(await run('--help')).toMatchObject({ stdout: expect.stringContaining('VIDEO_HOSTING_READ_ONLY'), stderr: '' });
  expect(await run('--version')).toMatchObject({ stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/), stderr: '' });
});

test('the official stdio transport starts and ends the server in each protocol mode', async () => {
  const { StdioClientTransport } = await import('@modelcontextprotocol/client/stdio');
  const { Client } = await import('@modelcontextprotocol/client');
  const demo = await startService();
  for (const mode of ['legacy', 'auto', { pin: '2026-07-28' }] as const) {
    const env = { PATH: process.env.PATH ?? '', HOME: freshHome(), ...settingsFor(demo) };
    const transport = new StdioClientTransport({ command: process.execPath, args: [inject('command')], env });
    const client = new Client({ name: 'official', version: '1' }, { versionNegotiation: { mode } });
    await client.connect(transport);
    const { structuredContent } = await client.callTool({ name: 'list_channels', arguments: { size: 1 } });
    expect(structuredContent).toMatchObject({ pager: { totalResults: 60 } });
    const { pid } = transport;
    await client.close();
    await vi.waitFor(() => expect(pid === null || isRunning(pid)).toBe(false), CAP);
  }
});
