/** A change, the history, a channel or a report is put before the user: in the chat where the client draws views, else in the browser. */
import { expect, test } from 'vitest';
import { changeIdIn } from '../../changes/support/confirm.ts';
import { writesOf } from '../../changes/support/world.ts';
import type { Values } from '../../harness/client.ts';
import { createTestBrowser } from '../../harness/page.ts';
import { start, startRaw } from '../../harness/start.ts';
import { expectRefused } from './support.ts';

const ERAS = ['legacy', 'modern'] as const;
const DRAWS = { extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } } };
const DRAWS_OTHERS = { extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=other'] } } };

const startFor = (era: (typeof ERAS)[number], capabilities: Values) => {
  const browser = createTestBrowser();
  return startRaw({ era, capabilities, env: browser.env }).then((session) => ({ ...session, browser }));
};

test.each(ERAS)('show_to_user opens no browser for a client that draws the view, unless inBrowser is set (%s)', async (era) => {
  const { client, browser, demo } = await startFor(era, DRAWS);
  const [channel] = demo.world.channels.values();
  const drawn = await client.callTool('show_to_user', { what: 'channel', id: channel?.name });
  expect(browser.addresses()).toEqual([]);
  expect(drawn.data).toMatchObject({ shown: true, message: expect.stringContaining('Drawn in the chat') });
  expect(drawn.text).toContain(`the channel ${channel?.id}`);
  expect((await client.callTool('show_to_user', { what: 'changes', inBrowser: true })).text).toContain('in the user’s browser');
  await browser.opened();
  expect(browser.addresses()).toHaveLength(1);
});

test.each([
  ['no extension', {}],
  ['only another MIME type', DRAWS_OTHERS],
])('show_to_user opens the browser for a client that declares %s', async (_, capabilities) => {
  const { client, browser } = await startFor('legacy', capabilities);
  expect((await client.callTool('show_to_user', { what: 'changes' })).data).toEqual({
    shown: true,
    message: 'The approval page was opened in the user’s browser, at the history of changes.',
  });
  await browser.opened();
  expect(browser.addresses()).toHaveLength(1);
});

test('a preview that waits for its token is for the chat, since the page has nothing of it', async () => {
  const { client, demo } = await start({ env: { VIDEO_HOSTING_CONFIRM: 'token' } });
  const id = changeIdIn(await client.callTool('create_project', { name: 'Brand new', region: 'use-s' }));
  const { data, text } = await client.callTool('show_to_user', { what: 'change', id });
  expect(writesOf(demo)).toEqual([]);
  expect(data).toMatchObject({ shown: false, next: 'Tell the user in the chat instead.' });
  expect(text).toContain('asked about in the chat');
});

test('without a browser nothing is shown, and the answer names the setting', async () => {
  const { client } = await start();
  const { data } = await client.callTool('show_to_user', { what: 'changes' });
  expect(data).toMatchObject({ shown: false, message: expect.stringContaining('VIDEO_HOSTING_BROWSER'), next: expect.any(String) });
});

test('wrong arguments are refused', () =>
  expectRefused('show_to_user', [
    [{}, 'what: expected one of change, changes, channel, report'],
    [{ what: 'video' }, 'what: '],
    [{ what: 'change' }, 'id: says which change: give it.'],
    [{ what: 'changes', id: 'chg-1' }, 'id: is for one of them: use what: "change".'],
    [{ what: 'change', id: 'chg-000000000-none' }, 'There is no change "chg-000000000-none"'],
    [{ what: 'channel', id: 'Onbording' }, '"Onboarding" ('],
    [{ what: 'report', id: 'none' }, 'Next: Ask query_analytics or run_analytics_sql again'],
  ]));
