/** The view in a conversation (`io.modelcontextprotocol/ui`): how it is declared, and what a client that draws it is told. */
import { expect, test } from 'vitest';
import * as z from 'zod';
import type { Values } from '../harness/client.ts';
import { createTestBrowser } from '../harness/page.ts';
import { startRaw } from '../harness/start.ts';

const ERAS = ['legacy', 'modern'] as const;
const ADDRESS = 'ui://video-hosting/view.html';
const DRAWS = { extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } } };
const DRAWS_OTHERS = { extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=other'] } } };

const contents = (result: Values) =>
  z.looseObject({ contents: z.array(z.looseObject({ uri: z.string(), mimeType: z.string(), text: z.string() })) }).parse(result).contents;

const startFor = (era: (typeof ERAS)[number], capabilities: Values) => {
  const browser = createTestBrowser();
  return startRaw({ era, capabilities, env: browser.env }).then((session) => ({ ...session, browser }));
};

test.each(ERAS)('one tool has a view, and the extension is declared (%s)', async (era) => {
  const { client } = await startFor(era, {});
  const tools = await client.listTools();
  const withView = tools.filter(({ _meta }) => _meta !== undefined);
  expect(withView).toMatchObject([{ name: 'show_to_user', _meta: { ui: { resourceUri: ADDRESS }, 'ui/resourceUri': ADDRESS } }]);
  const answers = client.received.map(({ result }) => z.looseObject({ capabilities: z.looseObject({}).optional() }).parse(result));
  expect(answers[0]?.capabilities).toMatchObject({ extensions: { 'io.modelcontextprotocol/ui': {} } });
  expect(JSON.stringify(await client.listResources())).not.toContain('ui://');
});

test('its document is read without an account, in a client of any kind', async () => {
  const { client } = await startRaw({ demo: null });
  const [document] = contents(await client.request('resources/read', { uri: ADDRESS }));
  expect(document).toMatchObject({ uri: ADDRESS, mimeType: 'text/html;profile=mcp-app', _meta: { ui: { prefersBorder: true } } });
});

test.each(ERAS)('a client that draws it is told so, and no browser is opened unless it is asked for (%s)', async (era) => {
  const { client, browser, demo } = await startFor(era, DRAWS);
  const [channel] = demo.world.channels.values();
  const drawn = await client.callTool('show_to_user', { what: 'channel', id: channel?.name });
  expect(browser.addresses()).toEqual([]);
  expect(drawn.data).toMatchObject({ shown: true, message: expect.stringContaining('Drawn in the chat') });
  // What a view finds it by, where only the text reaches it.
  expect(drawn.text).toContain(`the channel ${channel?.id}`);
  expect((await client.callTool('show_to_user', { what: 'changes', inBrowser: true })).text).toContain('in the user’s browser');
  expect(browser.addresses()).toHaveLength(1);
});

test.each([
  ['no extension', {}],
  ['no type of ours', DRAWS_OTHERS],
])('with %s the browser is opened as ever', async (_, capabilities) => {
  const { client, browser } = await startFor('legacy', capabilities);
  expect((await client.callTool('show_to_user', { what: 'changes' })).data).toEqual({
    shown: true,
    message: 'The approval page was opened in the user’s browser, at the history of changes.',
  });
  expect(browser.addresses()).toHaveLength(1);
});

test('the data of views is read by its address, and nothing else of the page', async () => {
  const { client } = await startFor('legacy', DRAWS);
  const read = (path: string) => client.request('resources/read', { uri: `video-hosting://view/${path}` });
  expect(JSON.parse(contents(await read('changes'))[0]?.text ?? '')).toMatchObject({ changes: [], page: 1 });
  for (const path of ['session', 'changes/chg-none/decision', 'changes/chg-none', 'events', '', '%'])
    await expect(read(path), path).rejects.toMatchObject({ code: expect.any(Number) });
});
