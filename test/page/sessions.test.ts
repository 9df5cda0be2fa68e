/** Unit tests of codes and sessions: how long they are valid, and how many there can be. */
import { expect, test } from 'vitest';
import { documentHeaders } from '../../src/page/server/headers.ts';
import { CODE_MS, createSessions } from '../../src/page/server/sessions.ts';

test('a code is valid for a minute', () => {
  let now = 0;
  const sessions = createSessions(() => now);
  const [early, late] = [sessions.newCode('#/changes'), sessions.newCode('#/changes')];
  now = CODE_MS - 1;
  expect(sessions.enter(early)?.view).toBe('#/changes');
  now = CODE_MS;
  expect(sessions.enter(late)).toBeUndefined();
});

test('the number of codes and sessions is limited, and the oldest is dropped', () => {
  const sessions = createSessions();
  const codes = Array.from({ length: 11 }, () => sessions.newCode('#/'));
  expect(codes.map((code) => sessions.enter(code) !== undefined)).toEqual([false, ...Array(10).fill(true)]);
  const entered = Array.from({ length: 21 }, () => sessions.enter(sessions.newCode('#/')));
  const found = entered.map((one) => one !== undefined && sessions.find(one.path, one.secret) !== undefined);
  expect(found).toEqual([false, ...Array(20).fill(true)]);
});

test('the content security policy allows only the scripts and styles that the document contains', () => {
  const rules = (html: string) => String(documentHeaders(html)['content-security-policy']).split('; ');
  expect(rules('<style>a{}</style><script type="module">1</script><script>2</script>')).toEqual(
    expect.arrayContaining([
      "script-src 'sha256-a4ayc/80/OGda4BO/1o/V0etpOqiLx1JwB5S3beHW0s=' 'sha256-1HNeOiZeFu7gP1lxi5tdAwGcB9i2xR+Q2jpmbuwTqzU='",
      expect.stringMatching(/^style-src 'sha256-[\w+/]{43}='$/),
    ]),
  );
  expect(rules('<p>')).toEqual(expect.arrayContaining(["default-src 'none'", "script-src 'none'", "style-src 'none'"]));
});
