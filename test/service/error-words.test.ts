/** What is told of an answer of the service that is no success: what it was, once, and what to do next. */
import { expect, test } from 'vitest';
import { ERRORS, type ErrorCode } from '../../src/errors/codes.ts';
import { VideoHostingError } from '../../src/errors.ts';
import { errorText } from '../../src/mcp/answer/error-text.ts';
import { errorFromTransport } from '../../src/service/transport-errors.ts';
import { sentence } from '../../src/text/sentence.ts';
import { approval, as, failure, startAnswering } from './harness.ts';

/** The clauses of a text, as sets of their words that mean something. */
const clausesOf = (text: string): ReadonlySet<string>[] =>
  text
    .split(/[.;:()\n]+/)
    .map((clause) => new Set(clause.toLowerCase().match(/[\p{L}\d]{4,}/gu) ?? []))
    .filter(({ size }) => size >= 2);

/** Whether two clauses of a text say the same. */
function isDoubled(text: string): boolean {
  const clauses = clausesOf(text);
  return clauses.some((one, index) =>
    clauses.slice(index + 1).some((other) => [...one].filter((word) => other.has(word)).length >= 0.75 * Math.max(one.size, other.size)),
  );
}

test('a sentence that stands twice is seen', () => {
  expect(isDoubled('The service failed (status 500). Next: The service failed; try again later.')).toBe(true);
  expect(isDoubled('The service failed (status 500). Next: Try again later.')).toBe(false);
});

const JSON_BODY = '{"message":"No such thing."}';
const PAGE = '<!DOCTYPE html><html><title>Just a moment...</title></html>';
const STATUSES = [400, 401, 403, 404, 405, 408, 409, 413, 422, 423, 429, 500, 502, 503, 504];

test.each(STATUSES)('an answer with status %i is told once, with its status where there is no body', async (status) => {
  for (const body of ['', JSON_BODY, PAGE])
    for (const wait of [undefined, '7200']) {
      const { client } = await startAnswering(
        (_request, response) => response.writeHead(status, wait === undefined ? {} : { 'retry-after': wait }).end(body),
        { retry: { attempts: 1 } },
      );
      const read = await failure(client.channels.list());
      const change = await failure(client.channels.update(approval(), as('c1'), { name: 'n', videoKeys: [] }));
      for (const text of [errorText(read, 'read'), errorText(change, 'change'), `${change.reason} Next: ${change.hint}`])
        expect(isDoubled(text), text).toBe(false);
      if (body === '') expect(change.reason).toContain(`(status ${status})`);
      // Whoever set the server up finds it behind the words.
      if (change.setup !== undefined) expect(change.setup).toContain(`status ${status}`);
    }
});

const phraseOf = async (status: number, headers: Record<string, string> = {}, body = '') => {
  const { client } = await startAnswering((_request, response) => response.writeHead(status, headers).end(body), {
    retry: { attempts: 1 },
  });
  const error = await failure(client.channels.list());
  return { said: error.reason, next: error.hint, code: error.code };
};

test('a redirect is told once', async () => {
  const { client } = await startAnswering((_request, response) => response.writeHead(302, { location: 'https://login.example' }).end());
  const error = await failure(client.channels.list());
  expect(isDoubled(errorText(error, 'read')), errorText(error, 'read')).toBe(false);
});

test('failures that differ are told apart, also without a body', async () => {
  const said = await Promise.all([500, 502, 503, 504].map(async (status) => (await phraseOf(status)).said.replace(/\d+/, '')));
  expect(new Set(said).size).toBe(4);
});

test('a page that refuses is no answer of the API, and the key is not blamed', async () => {
  const { said, next } = await phraseOf(403, { 'content-type': 'text/html' }, PAGE);
  expect(said).toContain('Something between this server and the service refused it');
  expect(`${said}${next}`).not.toMatch(/VIDEO_HOSTING_API_KEY|does not allow this server/);
  expect((await phraseOf(403, {}, JSON_BODY)).said).toContain('does not allow this server');
  expect((await phraseOf(401, {}, PAGE)).said).toContain('perhaps by something between');
  // A large page is a page as well.
  expect((await phraseOf(403, {}, PAGE + 'x'.repeat(100_000))).said).toContain('Something between');
});

test('a service that is not available for hours says when it is back, and asks for nothing else', async () => {
  const { said, next, code } = await phraseOf(503, { 'retry-after': '7200' }, PAGE);
  const [, back] = /The service is not available right now; it says that it is back at (\d{4}-\d\d-\d\d \d\d:\d\d UTC)/.exec(said) ?? [];
  expect([next, code]).toEqual([`Try again from ${back} on.`, 'service_failed']);
  expect(`${said}${next}`).not.toContain('fewer');
});

test.each(Object.keys(ERRORS) as ErrorCode[])('the hint of %s says nothing twice', (code) => {
  expect(isDoubled(new VideoHostingError(code, sentence`x`).hint)).toBe(false);
});

test.each([
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'certificate of another host', 'Check the host’s name in VIDEO_HOSTING_BASE_URL'],
  ['CERT_HAS_EXPIRED', 'not valid now', 'date and time of the machine that this runs on'],
  ['CERT_NOT_YET_VALID', 'not valid now', 'date and time of the machine that this runs on'],
  ['CERT_REVOKED', 'was revoked', 'whoever runs the service'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'not trusted here', 'NODE_EXTRA_CA_CERTS'],
  ['ECONNREFUSED', 'No connection to the service (ECONNREFUSED)', 'Check VIDEO_HOSTING_BASE_URL'],
])('%s is told as what it is', (code, said, next) => {
  const thrown = Object.assign(new Error('x'), { code });
  const error = errorFromTransport(thrown, {
    operation: sentence`GET /v1/channels`,
    change: false,
    scrub: (text) => text,
    sent: false,
    setting: sentence`VIDEO_HOSTING_BASE_URL`,
    isListStart: false,
  });
  expect(error.code).toBe('unreachable');
  expect(error.message).toContain(said);
  expect(error.hint).toContain(next);
  expect(isDoubled(errorText(error, 'read'))).toBe(false);
});
