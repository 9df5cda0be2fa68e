/** A very long list of emails is counted while it is read, abandoned when nobody waits for it, and never used in part. */
import { readdirSync, readFileSync } from 'node:fs';
import type { RequestListener, ServerResponse } from 'node:http';
import { describe, expect, test, vi } from 'vitest';
import { createEmailCounter } from '../../src/account/collected-emails.ts';
import { changeFiles, linesOf } from '../changes/support/journal-files.ts';
import { answerWith } from '../harness/loopback.ts';
import { homeWithFiles, start } from '../harness/start.ts';

const TOOL = 'get_collected_emails';
const PER_PIECE = 1_000;

/** A service without channels, by which a server asks which account its key is of, that answers like this to all else. */
const emailsFrom = (answer: RequestListener): Promise<string> =>
  answerWith((request, response) => {
    const isOfChannels = request.url?.startsWith('/v1/channels') ?? false;
    if (isOfChannels) response.writeHead(200, { 'content-type': 'application/json' }).end('{"pager":{"totalResults":0},"channels":[]}');
    else answer(request, response);
  });

/** Sends pieces of a thousand records as fast as the client reads them. With `finish` false the list has no end. */
async function sendList(response: ServerResponse, pieces: number, pieceOf: (at: number) => string, finish = true): Promise<void> {
  response.setMaxListeners(0).writeHead(200, { 'content-type': 'application/json' });
  for (let at = 0; at < pieces && !response.destroyed; at += 1) {
    const text = `${at === 0 ? '[' : ','}${pieceOf(at)}`;
    if (!response.write(text)) await new Promise<void>((resolve) => void response.once('drain', resolve).once('close', resolve));
  }
  if (finish) response.end(']');
}

const record = (at: number) =>
  `{"fullName":"A rather long name so that the list weighs something ${at % 500}","email":"person${at % 5_000}@example.com","mobileNumber":"+1 202-555-0100","videoKey":"video-${at % 100}","channelKey":"","created":"2026-05-0${(at % 9) + 1}T12:00:00.000Z","more":"${'x'.repeat(80)}"}`;
const piece = (from: number) => Array.from({ length: PER_PIECE }, (_, at) => record(from * PER_PIECE + at)).join();

test('a list of more than 250 MB is counted in bounded memory', async () => {
  let pieces = 10;
  let sent = 0;
  const baseUrl = await emailsFrom((_request, response) => {
    void sendList(response, pieces, (at) => {
      const text = piece(at % 50);
      sent += text.length;
      return text;
    });
  });
  const { client, server } = await start({
    via: 'process',
    env: { VIDEO_HOSTING_BASE_URL: baseUrl, VIDEO_HOSTING_CALL_BUDGET_MS: '600000' },
  });
  const peak = () => Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${server?.child.pid}/status`, 'utf8'))?.[1]) / 1_024;
  await client.callTool(TOOL, { from: '2030-01-01' });
  const small = process.platform === 'linux' ? peak() : 0;
  sent = 0;
  pieces = 1_000;
  const reply = await client.callTool(TOOL, { groupBy: 'video' }, { timeoutMs: 600_000 });
  expect(sent).toBeGreaterThan(250_000_000);
  expect(reply.data).toMatchObject({ total: { records: pieces * PER_PIECE, people: 5_000 } });
  // A list a hundred times as long needs hardly more memory.
  if (process.platform === 'linux') expect(peak()).toBeLessThan(Math.max(small + 64, 256));
}, 1_200_000);

describe('a list that', () => {
  const bodies: readonly (readonly [string, RequestListener, RegExp])[] = [
    ['breaks off', (_request, response) => void sendList(response, 2, piece, false).then(() => response.end()), /breaks off/],
    [
      'loses its connection',
      (_request, response) => void sendList(response, 2, piece, false).then(() => response.destroy()),
      /connection broke/,
    ],
    ['is compressed and damaged', (_request, response) => response.setHeader('content-encoding', 'gzip').end('[]'), /damaged/],
  ];

  test.each(bodies)('%s gives a clear error, and no file is written', async (_name, answer, words) => {
    const baseUrl = await emailsFrom(answer);
    const { folder, ...where } = homeWithFiles({ VIDEO_HOSTING_BASE_URL: baseUrl, VIDEO_HOSTING_CONFIRM: 'never' });
    const { client, log } = await start(where);
    for (const args of [{}, { groupBy: 'video' }, { exportAs: 'csv' }]) {
      const reply = await client.callTool(TOOL, args);
      expect(readdirSync(folder)).toEqual([]);
      expect(reply.isError).toBe(true);
      expect(reply.text).toMatch(words);
      expect(reply.text).not.toContain('person');
    }
    expect(log()).toBe('');
  });

  test('breaks off during an export leaves no partial file, and the journal and the answer say that it failed', async () => {
    let readings = 0;
    const baseUrl = await emailsFrom((_request, response) => {
      readings += 1;
      void sendList(response, 3, piece, readings === 1).then(() => response.end());
    });
    const { folder, ...where } = homeWithFiles({ VIDEO_HOSTING_BASE_URL: baseUrl, VIDEO_HOSTING_CONFIRM: 'never' });
    const { client, output, dataDir } = await start(where);
    const reply = await client.callTool(TOOL, { exportAs: 'json' });
    expect(readings).toBe(2);
    expect(readdirSync(folder)).toEqual([]);
    expect(changeFiles(dataDir).map((file) => linesOf(file).at(-1))).toEqual([expect.objectContaining({ type: 'end', status: 'failed' })]);
    expect(reply).toMatchObject({ isError: true, data: { status: 'failed' } });
    expect(output()).not.toContain('person1@');
  });
});

describe('a call that reads an endless list', () => {
  test.each([{}, { exportAs: 'csv' }])('stops reading when it is cancelled: %j', async (args) => {
    const open: ServerResponse[] = [];
    let readings = 0;
    const baseUrl = await emailsFrom((_request, response) => {
      readings += 1;
      open.push(response);
      // The list is short when it is counted, and endless when it is exported.
      const isCount = 'exportAs' in args && readings === 1;
      void sendList(response, isCount ? 1 : Number.POSITIVE_INFINITY, piece);
    });
    const { folder, ...where } = homeWithFiles({ VIDEO_HOSTING_BASE_URL: baseUrl, VIDEO_HOSTING_CONFIRM: 'never' });
    const { client } = await start(where);
    const cancel = new AbortController();
    const call = client.callTool(TOOL, args, { signal: cancel.signal }).catch(() => undefined);
    const wanted = 'exportAs' in args ? 2 : 1;
    await vi.waitFor(() => expect(readings).toBe(wanted), { timeout: 300_000 });
    if ('exportAs' in args) await vi.waitFor(() => expect(readdirSync(folder)).toHaveLength(1), { timeout: 300_000 });
    cancel.abort();
    await call;
    await vi.waitFor(() => expect(open.at(-1)?.destroyed).toBe(true), { timeout: 300_000 });
    await vi.waitFor(() => expect(readdirSync(folder)).toEqual([]), { timeout: 300_000 });
  });
});

describe('the counter', () => {
  const email = (over: object) => ({ email: 'a@example.com', videoKey: 'v', created: '2026-10-01', ...over }) as never; // its keys are branded

  test('refuses more than 100,000 groups', () => {
    const counter = createEmailCounter('video');
    for (let index = 0; index < 100_000; index += 1) counter.add(email({ videoKey: `v${index}` }));
    expect(() => counter.add(email({ videoKey: 'one more' }))).toThrow(expect.objectContaining({ code: 'response_too_large' }));
  });

  test('counts each person once, and refuses more than a million people', () => {
    const counter = createEmailCounter('day');
    const add = (index: number) => counter.add(email({ email: `Person${index}@example.com ` }));
    for (let index = 0; index < 1_000_000; index += 1) add(index);
    for (let index = 0; index < 1_000_000; index += 1_000) add(index);
    const counts = { records: 1_001_000, people: 1_000_000 };
    expect(counter.total()).toEqual(counts);
    expect(counter.groups()).toEqual([{ key: '2026-10-01', ...counts }]);
    expect(() => add(1_000_000)).toThrow(expect.objectContaining({ code: 'response_too_large' }));
  });
});
