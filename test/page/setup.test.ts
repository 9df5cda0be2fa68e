/** How check_setup describes the confirmation of changes. */
import { expect, test } from 'vitest';
import { createTestBrowser } from '../harness/page.ts';
import { startService } from '../harness/service.ts';
import { start } from '../harness/start.ts';

test.each([
  ['ask', true, /^the approval page asks the user, .*this client shows no forms; VIDEO_HOSTING_CONFIRM is ask/],
  ['ask', false, /^the assistant shows a preview and sends a token.*VIDEO_HOSTING_BROWSER is "none"/],
  ['page', true, /^the approval page asks the user, .*VIDEO_HOSTING_CONFIRM is page/],
  ['page', false, /^refused: VIDEO_HOSTING_CONFIRM is page, and no browser can be opened here\. VIDEO_HOSTING_BROWSER is "none"/],
  ['token', true, /^the assistant shows a preview and sends a token.*VIDEO_HOSTING_CONFIRM is token\)\.$/],
] as const)('check_setup describes VIDEO_HOSTING_CONFIRM=%s with a browser: %s', async (confirm, hasBrowser, expected) => {
  const env = { VIDEO_HOSTING_CONFIRM: confirm, ...(hasBrowser ? createTestBrowser().env : {}) };
  const { client } = await start({ demo: await startService({ channels: 1 }), env });
  expect((await client.callTool('check_setup')).data?.confirmation).toMatch(expected);
});

test('check_setup reports a browser program that does not exist', async () => {
  const env = { VIDEO_HOSTING_BROWSER: '/nowhere/browser' };
  const { client } = await start({ demo: await startService({ channels: 1 }), env });
  expect((await client.callTool('check_setup')).data?.confirmation).toContain('VIDEO_HOSTING_BROWSER names a program that is not there');
});
