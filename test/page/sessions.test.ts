/** Unit tests of codes and sessions: how long they are valid, and how many there can be. */
import { expect, test } from 'vitest';
import { documentOf } from '../../src/page/server/document.ts';
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
  const { csp } = documentOf('<style>a{}</style><script type="module">1</script><script>2</script>');
  expect(csp.match(/script-src ([^;]*)/)?.[1]?.split(' ')).toEqual([
    "'sha256-a4ayc/80/OGda4BO/1o/V0etpOqiLx1JwB5S3beHW0s='",
    "'sha256-1HNeOiZeFu7gP1lxi5tdAwGcB9i2xR+Q2jpmbuwTqzU='",
  ]);
  expect(csp.match(/style-src ([^;]*)/)?.[1]).toMatch(/^'sha256-[\w+/]{43}='$/);
  expect(documentOf('<p>').csp).toContain("script-src 'none'; style-src 'none'");
});
