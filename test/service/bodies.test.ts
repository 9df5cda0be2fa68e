import { Readable } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { approval, as, failure, startAnswering } from './harness.ts';

const PAGER = '"pager":{"page":1,"totalPages":1,"totalResults":1,"sort":""}';

function answering(body: string | Buffer, status = 200, headers: Record<string, string> = {}) {
  return startAnswering((_request, response) => response.writeHead(status, headers).end(body), { retry: { attempts: 1 } });
}

describe('the body of a successful response', () => {
  test.each([
    ['', 'empty'],
    [' \n', 'empty'],
    ['<!doctype html><p>secret', 'HTML'],
    ['{"pager":', 'breaks off'],
    ['{"pager":}', 'not JSON'],
    ['nonsense', 'not JSON'],
    ['null', '(body)'],
    ['[]', '(body)'],
    ['"secret"', '(body)'],
    ['{}', 'channels'],
    [`{${PAGER}}`, 'channels'],
    [`{${PAGER},"channels":null}`, 'channels'],
    [`{${PAGER},"channels":{"secret":1}}`, 'channels'],
    ['{"pager":{"page":"secret"},"channels":[]}', 'pager.page'],
    [Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d]), 'UTF-8'],
    [Buffer.from('{}', 'utf16le'), 'channels|not JSON'],
    ['['.repeat(200_000), 'breaks off'],
    ['['.repeat(200_000) + ']'.repeat(200_000), '\\(body\\)|not JSON'],
  ])('%j is reported as an error that says what is wrong, without quoting the body', async (body, words) => {
    const { client } = await answering(body);
    const error = await failure(client.channels.list());
    expect(error).toMatchObject({ code: 'unexpected_body', facts: { outcome: 'not-done', operation: 'GET /v1/channels' } });
    expect(error.message).toMatch(new RegExp(words.replace(/^\(body\)$/, '\\(body\\)')));
    expect(error.message).not.toContain('secret');
  });

  test.each([
    ['a byte order mark', `\uFEFF{${PAGER},"channels":[{"id":"a"}]}`],
    ['no pager', '{"channels":[{"id":"a"}]}'],
    ['a pager that is null', '{"pager":null,"channels":[{"id":"a"}]}'],
    ['undocumented fields', `{${PAGER},"channels":[{"id":"a","x":1}],"more":{}}`],
  ])('with %s is read', async (_what, body) => {
    const { client } = await answering(body, 200, { 'content-type': 'text/plain' });
    expect((await client.channels.list()).items.map((channel) => channel.id)).toEqual(['a']);
  });

  test('that lacks a field is told apart from one with another type in it', async () => {
    const { client } = await answering('{"name":1}');
    const { message } = await failure(client.channels.get(as('channel')));
    expect(message).toContain('id: is missing; ');
    expect(message).toContain('name: Invalid input: expected string, received number');
  });

  test('with null in place of a list is read as an empty list if the pager counts no results', async () => {
    const { client } = await answering('{"pager":{"totalResults":0},"channels":null}');
    expect((await client.channels.list()).items).toEqual([]);
  });

  test('with keys like __proto__ and constructor does not pollute prototypes', async () => {
    for (const key of ['__proto__', '\\u005f_proto__', 'constructor']) {
      const { client } = await answering(`{"id":"p","options":{"${key}":{"polluted":1}},"${key}":{"polluted":1}}`);
      const project = await client.projects.get(as('p'));
      expect(({} as Record<string, unknown>).polluted).toBeUndefined();
      expect(project.polluted).toBeUndefined();
      expect(project.options?.polluted).toBeUndefined();
    }
  });

  test('with an empty text or list in place of a number or an object is read as if the field were absent', async () => {
    const { client } = await answering(
      '{"id":"p","key":"k","description":"","planType":"","options":[],"videoOptions":{"volume":"","preload":""}}',
    );
    const project = await client.projects.get(as('p'));
    expect(project).toMatchObject({ id: 'p', description: '', videoOptions: { preload: '' } });
    expect([project.planType, project.options, project.videoOptions?.volume]).toEqual([undefined, undefined, undefined]);
  });

  test('with invalid records is read without them, and they are counted', async () => {
    const records =
      '[null,7,"x",[],{},{"id":null},{"id":""},{"id":1.5},{"id":12345678901234567890},{"id":"ok"},{"id":7},{"id":"bad","name":["secret"]},{"id":"odd","videoKeys":"k"}]';
    const { client } = await answering(`{"pager":{"totalPages":1,"totalResults":13},"channels":${records}}`);
    const page = await client.channels.list();
    expect(page.items.map((channel) => channel.id)).toEqual(['ok', '7', 'odd']);
    expect(page.items.map((channel) => channel.videoKeys)).toEqual([undefined, undefined, undefined]);
    expect(page.skipped).toBe(10);
    expect(JSON.stringify(page.problems)).not.toContain('secret');
    expect(await client.channels.all()).toMatchObject({ complete: true, skipped: 10 });
  });

  test.each([
    ['gzip', gzipSync],
    ['br', brotliCompressSync],
  ] as const)('compressed with %s is read; a truncated or invalid one is an error', async (encoding, compress) => {
    const whole = compress(Buffer.from(`{${PAGER},"channels":[{"id":"a"}]}`));
    const read = async (body: Buffer) => (await answering(body, 200, { 'content-encoding': encoding })).client.channels.list();
    expect((await read(whole)).items).toHaveLength(1);
    expect(await failure(read(whole.subarray(0, -8)))).toMatchObject({ facts: { outcome: 'not-done' } });
    expect(await failure(read(Buffer.from('not compressed')))).toMatchObject({ facts: { outcome: 'not-done' } });
  });

  test('in an unsupported content encoding is refused', async () => {
    const { client } = await answering('x', 200, { 'content-encoding': 'zstd' });
    expect(await failure(client.channels.list())).toMatchObject({ code: 'unexpected_body' });
  });

  test('is read after an interim response with early hints', async () => {
    const { client } = await startAnswering((_request, response) => {
      response.writeEarlyHints({ link: '</style.css>; rel=preload; as=style' });
      response.end(`{${PAGER},"channels":[{"id":"a"}]}`);
    });
    expect((await client.channels.list()).items).toHaveLength(1);
  });

  test('is not read beyond the size limit, and its connection is closed', async () => {
    let closed: Promise<unknown> | undefined;
    const { client } = await startAnswering(
      (_request, response) => {
        closed = new Promise((resolve) => response.once('close', resolve));
        response.write('x'.repeat(1_000_000));
      },
      { maxBytes: 100_000 },
    );
    expect(await failure(client.channels.list())).toMatchObject({ code: 'response_too_large', facts: { attempts: 1 } });
    await closed;
  });
});

describe('the body of an error response', () => {
  test.each([
    'null',
    '[]',
    '7',
    '"text"',
    '{"message":null}',
    '{"message":7,"title":{},"invalidVideoKeys":"x","status":"y"}',
    '{"invalidVideoKeys":[null,7,{}]}',
    '{"message":',
    '<html>',
    '',
    Buffer.from([0xff, 0xfe]),
    'x'.repeat(5_000_000),
    `{"message":"${'y'.repeat(5_000_000)}"}`,
  ])('does not change the error code for the status, even if it is malformed (%#)', async (body) => {
    const codes = { 400: 'service_validation', 401: 'unauthorized', 403: 'forbidden', 404: 'service_not_found' };
    for (const [text, code] of Object.entries(codes)) {
      const status = Number(text);
      const { client } = await answering(body, status);
      const error = await failure(client.channels.update(approval(), as('a'), { name: 'n', videoKeys: [] }));
      expect(error).toMatchObject({ code, facts: { status, outcome: 'not-done' } });
      expect(error.message.length).toBeLessThan(1_000);
    }
  });

  test('is quoted without email and IP addresses', async () => {
    const message = 'No viewer a.b@mail.example at 203.0.113.9, nor at 2001:db8::1.';
    const { client } = await answering(JSON.stringify({ message }), 400);
    expect((await failure(client.channels.list())).facts.serviceMessage).toBe('No viewer [email] at [address], nor at [address].');
  });

  test('contributes only values of the documented type', async () => {
    const { client } = await answering('{"status":"\\u001b[31m400","invalidVideoKeys":["k",null,7,{}]}', 400);
    const { facts } = await failure(client.channels.list());
    expect(facts).toMatchObject({ invalidVideoKeys: ['k'] });
    expect(facts.problem?.status).toBeUndefined();
  });

  test('is shortened in the error message if its texts or lists are long', async () => {
    const keys = Array.from({ length: 500 }, (_, index) => `${index}-${'k'.repeat(90)}`);
    const { client } = await answering(JSON.stringify({ message: 'm'.repeat(9_000), invalidVideoKeys: keys }), 400);
    const error = await failure(client.channels.list());
    expect(error.facts.serviceMessage).toHaveLength(300);
    expect(error.facts.invalidVideoKeys).toHaveLength(500);
    expect(error.message).toContain('and 450 more');
    expect(error.message.length).toBeLessThan(2_000);
  });
});

test.each([205, 206, 226, 300, 304])('status %i is an error, and the outcome of a change is then not known', async (status) => {
  const { client } = await answering(status === 304 ? '' : '{"ok":true}', status);
  expect(await failure(client.channels.list())).toMatchObject({ code: 'unexpected_status', facts: { status, outcome: 'not-done' } });
  expect(await failure(client.videos.move(approval(), as('p'), [as('v')]))).toMatchObject({ facts: { status, outcome: 'not-known' } });
});

test('backpressure pauses a streamed response while nobody reads it, and no record is lost', async () => {
  const PIECE = 'x'.repeat(1_000_000);
  const COUNT = 60;
  let sent = 0;
  function* body() {
    yield '[';
    for (; sent < COUNT; yield `${sent === 1 ? '' : ','}{"email":"a@b.example","note":"${PIECE}"}`) sent += 1;
    yield ']';
  }
  const { client } = await startAnswering((_request, response) => Readable.from(body()).pipe(response));
  const records = client.emails.collected();
  await records.next();
  // Wait until backpressure has stopped the service: the number of records sent no longer grows.
  for (let before = -1; before !== sent; await setTimeout(200)) before = sent;
  expect(sent).toBeLessThan(COUNT / 2);
  let read = 1;
  for await (const _record of records) read += 1;
  expect({ sent, read }).toEqual({ sent: COUNT, read: COUNT });
});
