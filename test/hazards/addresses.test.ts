/**
 * Where a credential may go. Nothing here connects beyond loopback, not even in vain: names are looked up by a function
 * that only writes down what it is asked, and a name is only ever dialled on loopback.
 */
import type { LookupAddress } from 'node:dns';
import { createServer } from 'node:net';
import { describe, expect, test } from 'vitest';
import { parseConfig } from '../../src/config.ts';
import { AddressRefused, addressKind, checkedLookup, isLoopbackHost, type Resolve } from '../../src/service/addresses.ts';
import { parseBase } from '../../src/service/base-url.ts';
import { createClient } from '../../src/service/client.ts';
import { createHttp } from '../../src/service/http.ts';
import { atEnd } from '../harness/cleanup.ts';
import { endServer, listenOnLoopback } from '../harness/loopback.ts';
import { API_KEY, startService } from '../harness/service.ts';
import { start } from '../harness/start.ts';

const KINDS: readonly [kind: string, addresses: string][] = [
  [
    'loopback',
    '127.0.0.1 127.0.0.53 127.255.255.254 ::1 ::ffff:127.0.0.1 ::ffff:7f00:1 0:0:0:0:0:ffff:7f00:0001 ::127.0.0.1 64:ff9b::7f00:1',
  ],
  ['loopback', '64:ff9b:1::7f00:1 2002:7f00:1:: ::ffff:0:7f00:1'],
  ['unspecified', '0.0.0.0 0.1.2.3 :: ::ffff:0.0.0.0'],
  ['link-local', '169.254.0.1 169.254.169.254 fe80::1 fe80::1%eth0 febf::1 ::ffff:169.254.169.254 64:ff9b::a9fe:a9fe 2002:a9fe:a9fe::1'],
  ['metadata', '100.100.100.200 192.0.0.192 168.63.129.16 fd00:ec2::254 fd20:ce::254 fd00:42::42 ::ffff:100.100.100.200'],
  ['private', '10.0.0.1 172.16.0.1 172.31.255.255 192.168.1.1 100.64.0.1 fc00::1 fd12:3456::1 fec0::1 ::ffff:10.0.0.1'],
  ['multicast or reserved', '224.0.0.1 239.1.1.1 240.0.0.1 255.255.255.255 ff02::1'],
  [
    'public',
    '8.8.8.8 172.32.0.1 172.15.0.1 100.63.0.1 169.253.0.1 128.0.0.1 2001:db8::1 2606:4700::1 fe00::1 ::ffff:8.8.8.8 64:ff9b::808:808',
  ],
];

test.each(KINDS.flatMap(([kind, addresses]) => addresses.split(' ').map((address) => [address, kind] as const)))(
  '%s is %s',
  (address, kind) => {
    expect(addressKind(address)).toBe(kind);
  },
);

const inSettings = (url: string) => parseConfig([], { HOME: '/home/someone', VIDEO_HOSTING_BASE_URL: url });

describe('a base URL', () => {
  test.each([
    'https://api.example.com',
    'https://api.example.com./v2/',
    'https://api.example.com:8443',
    'https://10.1.2.3',
    'https://[fd12::3]/x',
    'http://127.0.0.1:80',
    'http://localhost:3000',
    'http://[::1]:3000',
    'https://localhost.',
    'https://api.localhost',
    // Ways of writing 127.0.0.1 that every URL parser takes for it.
    'http://2130706433',
    'http://0x7f.1',
    'http://0177.0.0.1',
    'http://127.1',
    'http://127.0.0.1.',
  ])('%s is taken, by the settings and by the client alike', (url) => {
    const { origin, prefix } = parseBase('base URL', url);
    expect(origin).toMatch(/^https?:/);
    expect(inSettings(url)).toMatchObject({ problems: [], settings: { baseUrl: `${origin}${prefix}` } });
  });

  test.each([
    ['http://api.example.com', 'must start with https://'],
    ['http://localhost.', 'must start with https://'],
    ['http://api.localhost', 'must start with https://'],
    ['http://10.0.0.1', 'must start with https://'],
    ['http://0.0.0.0', 'must start with https://'],
    ['http://[::ffff:127.0.0.1]', 'must start with https://'],
    ['ftp://api.example.com', 'must be an address like'],
    ['file:///etc/passwd', 'must be an address like'],
    ['data:text/plain,x', 'must be an address like'],
    ['javascript:alert(1)', 'must be an address like'],
    ['https://user@api.example.com', 'user name'],
    ['https://user:pass@api.example.com', 'user name'],
    ['https://:pass@api.example.com', 'user name'],
    ['https://api.example.com@evil.example', 'user name'],
    ['https://api.example.com:0', 'port 0'],
    ['https://api.example.com?x', 'query'],
    ['https://api.example.com#x', 'fragment'],
    ['https://api.example.com/?', 'query'],
    ['https://api.example.com/#', 'fragment'],
    ['https://1.2.3.4.5.6', 'must be an address like'],
    ['https://256.256.256.256', 'must be an address like'],
    ['https://[::1', 'must be an address like'],
    ['//api.example.com', 'must be an address like'],
    ['https://', 'must be an address like'],
    ['api.example.com', 'must be an address like'],
  ])('%s is refused, by the settings and by the client in the same words', (url, words) => {
    const { problems, settings } = inSettings(url);
    expect(problems).toEqual([expect.stringContaining(words)]);
    expect(settings).not.toHaveProperty('baseUrl');
    const message = problems[0]?.replace('VIDEO_HOSTING_BASE_URL', 'The base URL');
    expect(() => parseBase('base URL', url)).toThrow(expect.objectContaining({ code: 'settings_invalid', message }));
  });

  test('that is empty counts as not set in the settings, and is refused by the client', () => {
    expect(inSettings('')).toMatchObject({ problems: [], settings: expect.not.objectContaining({ baseUrl: expect.anything() }) });
    expect(() => parseBase('base URL', '')).toThrow(expect.objectContaining({ code: 'settings_invalid' }));
  });

  // What the settings leave to the client, which knows the ranges of addresses.
  test.each([
    ['https://169.254.169.254', 'link-local'],
    ['https://2852039166', 'link-local'],
    ['https://0xa9fea9fe', 'link-local'],
    ['https://0251.0376.0251.0376', 'link-local'],
    ['https://169.254.43518', 'link-local'],
    ['https://169.254.169.254.', 'link-local'],
    ['https://[fe80::1]', 'link-local'],
    ['https://[::ffff:169.254.169.254]', 'link-local'],
    ['https://[::ffff:a9fe:a9fe]', 'link-local'],
    ['https://[64:ff9b::a9fe:a9fe]', 'link-local'],
    ['https://[2002:a9fe:a9fe::]', 'link-local'],
    ['https://[::ffff:7f00:1]', 'this machine itself'],
    ['https://[::127.0.0.1]', 'this machine itself'],
    ['https://0.0.0.0', 'unspecified'],
    ['https://0', 'unspecified'],
    ['https://[::]', 'unspecified'],
    ['https://255.255.255.255', 'reserved'],
    ['https://[ff02::1]', 'multicast'],
    ['https://100.100.100.200', 'metadata'],
    ['https://[fd00:ec2::254]', 'metadata'],
    ['https://metadata.google.internal', 'metadata'],
    ['https://METADATA.google.internal.', 'metadata'],
    ['https://metadata', 'metadata'],
    ['https://metadata.goog', 'metadata'],
    ['https://instance-data', 'metadata'],
  ])('%s leads where no service is, and is refused by the client', (url, words) => {
    expect(() => parseBase('base URL', url)).toThrow(
      expect.objectContaining({ code: 'settings_invalid', message: expect.stringContaining(words) }),
    );
    // It may hold a password.
    if (url !== '') expect(() => parseBase('base URL', url)).not.toThrow(url);
  });

  test('that is refused is told by every call and by check_setup, and nothing is opened', async () => {
    const { client, hasData, demo } = await start({ env: { VIDEO_HOSTING_BASE_URL: 'https://169.254.169.254/latest' } });
    const reply = await client.callTool('list_channels');
    expect(reply.text).toContain('The base URL (VIDEO_HOSTING_BASE_URL) is a link-local address');
    const setup = await client.callTool('check_setup');
    expect(setup.data).toMatchObject({
      ok: false,
      problems: [expect.stringContaining('The base URL (VIDEO_HOSTING_BASE_URL) is a link-local address')],
    });
    expect(demo.requests).toEqual([]);
    expect(hasData()).toBe(false);
  });
});

/** Asks the checked lookup as a socket does, of a name server that says what it is told to. */
async function lookUp(hostname: string, answers: readonly string[], all: boolean): Promise<unknown> {
  const resolve: Resolve = (_hostname, options, done) => {
    expect(options.all).toBe(true);
    done(null, answers.map(entryOf));
  };
  return new Promise((settle) => {
    const lookup = checkedLookup(isLoopbackHost(hostname), resolve);
    lookup(hostname, { all }, (error, address) =>
      settle(error ?? (typeof address === 'string' ? address : address.map((entry) => entry.address))),
    );
  });
}

const entryOf = (address: string): LookupAddress => ({ address, family: address.includes(':') ? 6 : 4 });

describe('a name that leads', () => {
  test.each([
    ['api.example.com', ['127.0.0.1']],
    ['api.example.com', ['::1', '127.0.0.1']],
    ['api.example.com', ['::ffff:127.0.0.1']],
    ['api.example.com', ['169.254.169.254']],
    ['api.example.com', ['fe80::1%eth0']],
    ['api.example.com', ['::ffff:169.254.169.254']],
    ['api.example.com', ['64:ff9b::a9fe:a9fe']],
    ['api.example.com', ['fd00:ec2::254']],
    ['api.example.com', ['0.0.0.0']],
    ['api.example.com', ['::']],
    ['api.example.com', ['224.0.0.1']],
    ['api.example.com', ['no address']],
    ['api.example.com', []],
    ['localhost', ['192.0.2.1']],
    ['localhost', ['10.0.0.1']],
    ['localhost.', ['169.254.169.254']],
    ['api.localhost', ['2001:db8::1']],
    ['localhost.example.com', ['127.0.0.1']],
    ['localhost6', ['::1']],
  ])('%s to %j gets no connection', async (hostname, answers) => {
    for (const all of [true, false]) expect(await lookUp(hostname, answers, all)).toBeInstanceOf(AddressRefused);
  });

  test.each([
    ['api.example.com', ['192.0.2.1', '2001:db8::1'], ['192.0.2.1', '2001:db8::1']],
    ['api.example.com', ['10.0.0.1', 'fd12::1'], ['10.0.0.1', 'fd12::1']],
    ['api.example.com', ['127.0.0.1', '192.0.2.1', 'fe80::1'], ['192.0.2.1']],
    ['localhost', ['::1', '192.0.2.1', '127.0.0.1'], ['::1', '127.0.0.1']],
  ])('%s to %j is connected to %j alone', async (hostname, answers, fine) => {
    expect(await lookUp(hostname, answers, true)).toEqual(fine);
    expect(await lookUp(hostname, answers, false)).toBe(fine[0]);
  });
});

/** A listener on loopback that counts who comes. */
async function listener(): Promise<{ readonly port: number; readonly arrivals: () => number }> {
  let arrivals = 0;
  const server = createServer((socket) => {
    arrivals += 1;
    socket.destroy();
  });
  const port = await listenOnLoopback(server);
  atEnd(() => endServer(server));
  return { port, arrivals: () => arrivals };
}

function clientOf(baseUrl: string, resolve: Resolve) {
  const http = createHttp({ baseUrl, statsUrl: baseUrl, apiKey: API_KEY, resolve, sleep: async () => {} });
  atEnd(() => http.close());
  return createClient(http);
}

test('a public name that leads to this machine reaches nobody on it, and is asked once', async () => {
  const { port, arrivals } = await listener();
  const asked: string[] = [];
  const client = clientOf(`https://api.example.com:${port}`, (hostname, _options, done) => {
    asked.push(hostname);
    done(null, [entryOf('127.0.0.1')]);
  });
  const error = await client.channels.list().catch((thrown: unknown) => thrown);
  expect(arrivals()).toBe(0);
  expect(asked).toEqual(['api.example.com']);
  expect(error).toMatchObject({ code: 'settings_invalid', facts: { outcome: 'nothing-sent' } });
  expect(String(error)).toContain('is this machine itself, though its name says otherwise');
});

test('a connection goes to the address that was checked: the name server is asked once, however it would answer next', async () => {
  const demo = await startService();
  const { port } = new URL(demo.baseUrl);
  let asked = 0;
  // A name that leads elsewhere from its second look on: to an address that is still on this machine, should it be dialled.
  const resolve: Resolve = (_hostname, _options, done) => {
    asked += 1;
    done(null, [entryOf(asked === 1 ? '127.0.0.1' : '0.0.0.0')]);
  };
  expect((await clientOf(`http://localhost:${port}`, resolve).channels.list({ size: 1 })).items).toHaveLength(1);
  expect(asked).toBe(1);
  const error = await clientOf(`http://localhost:${port}`, resolve)
    .channels.list({ size: 1 })
    .catch((thrown: unknown) => thrown);
  expect(demo.requests).toHaveLength(1);
  expect(error).toMatchObject({ code: 'settings_invalid', facts: { outcome: 'nothing-sent' } });
});
