/** The base URLs to which a credential can be sent: https to any host, http only to this machine. */
import { describe, expect, test } from 'vitest';
import { parseConfig } from '../../src/config/parse-config.ts';
import { parseBase } from '../../src/service/path.ts';
import { sentence } from '../../src/text/sentence.ts';

const inSettings = (url: string) => parseConfig([], { HOME: '/home/someone', VIDEO_HOSTING_BASE_URL: url });

describe('a base URL', () => {
  test.each([
    'https://api.example.com',
    'https://api.example.com./v2/',
    'https://api.example.com:8443',
    'https://10.1.2.3',
    'https://[fd12::3]/x',
    'https://gateway.example.com/v1/video',
    'https://gateway.example.com/channels',
    'http://127.0.0.1:80',
    'http://localhost:3000',
    'http://[::1]:3000',
    'https://localhost.',
    'https://api.localhost',
    // Spellings of 127.0.0.1 that every URL parser reads as that address.
    'http://2130706433',
    'http://0x7f.1',
    'http://0177.0.0.1',
    'http://127.1',
    'http://127.0.0.1.',
  ])('%s is accepted by the settings and by the client', (url) => {
    const { origin, prefix } = parseBase(sentence`base URL`, url);
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
    ['https://api.example.com/v1', 'must end before /v1'],
    ['https://api.example.com/v1/', 'must end before /v1'],
    ['https://api.example.com/x/V1//', 'must end before /v1'],
    ['https://api.example.com/v1/channels', 'must end before /v1'],
    ['https://api.example.com/v1/logs/data', 'must end before /v1, which this server adds itself. Here that is https://api.example.com'],
    ['https://api.example.com/x/v1/channels?page=1', 'must not hold a query or fragment. Here that is https://api.example.com/x'],
    ['https://[::1', 'must be an address like'],
    ['//api.example.com', 'must be an address like'],
    ['https://', 'must be an address like'],
    ['api.example.com', 'must be an address like https://api.example.com, with https:// at its beginning.'],
    ['api.example.com:8443/v1/channels', 'with https:// at its beginning.'],
  ])('%s is refused by the settings and by the client with the same message', (url, words) => {
    const { problems, settings } = inSettings(url);
    expect(problems).toEqual([expect.stringContaining(words)]);
    expect(settings).not.toHaveProperty('baseUrl');
    const message = problems[0]?.replace('VIDEO_HOSTING_BASE_URL', 'The base URL');
    expect(() => parseBase(sentence`base URL`, url)).toThrow(expect.objectContaining({ code: 'settings_invalid', message }));
  });

  test('that is empty counts as not set in the settings, and is refused by the client', () => {
    expect(inSettings('')).toMatchObject({ problems: [], settings: expect.not.objectContaining({ baseUrl: expect.anything() }) });
    expect(() => parseBase(sentence`base URL`, '')).toThrow(expect.objectContaining({ code: 'settings_invalid' }));
  });
});
