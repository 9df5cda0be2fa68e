/** The chat view (`io.modelcontextprotocol/ui`): its declaration, and the answers to clients that can draw it. */
import { expect, test } from 'vitest';
import * as z from 'zod';
import type { Values } from '../harness/client.ts';
import { createTestBrowser } from '../harness/page.ts';
import { startRaw } from '../harness/start.ts';

const ERAS = ['legacy', 'modern'] as const;
const ADDRESS = 'ui://video-hosting/view.html';
const DRAWS = { extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } } };

const contents = (result: Values) =>
  z.looseObject({ contents: z.array(z.looseObject({ uri: z.string(), mimeType: z.string(), text: z.string() })) }).parse(result).contents;

const startFor = (era: (typeof ERAS)[number], capabilities: Values) => {
  const browser = createTestBrowser();
  return startRaw({ era, capabilities, env: browser.env, intervals: { browserMs: 0 } }).then((session) => ({ ...session, browser }));
};

test.each(ERAS)('only show_to_user has a view, and the server declares the extension (%s)', async (era) => {
  const { client } = await startFor(era, {});
  const tools = await client.listTools();
  const withView = tools.filter(({ _meta }) => _meta !== undefined);
  expect(withView).toMatchObject([{ name: 'show_to_user', _meta: { ui: { resourceUri: ADDRESS }, 'ui/resourceUri': ADDRESS } }]);
  const answers = client.received.map(({ result }) => z.looseObject({ capabilities: z.looseObject({}).optional() }).parse(result));
  expect(answers[0]?.capabilities).toMatchObject({ extensions: { 'io.modelcontextprotocol/ui': {} } });
  expect(JSON.stringify(await client.listResources())).not.toContain('ui://');
});

test('the document of the view can be read without an account', async () => {
  const { client } = await startRaw({ demo: null });
  const [document] = contents(await client.request('resources/read', { uri: ADDRESS }));
  expect(document).toMatchObject({ uri: ADDRESS, mimeType: 'text/html;profile=mcp-app', _meta: { ui: { prefersBorder: true } } });
});

test('the data of views can be read as resources, and the other paths of the page can’t', async () => {
  const { client } = await startFor('legacy', DRAWS);
  const read = (path: string) => client.request('resources/read', { uri: `ui://video-hosting/data/${path}` });
  expect(JSON.parse(contents(await read('changes'))[0]?.text ?? '')).toMatchObject({ changes: [], page: 1 });
  for (const path of ['session', 'changes/chg-none/decision', 'changes/chg-none', 'events', '', '%'])
    await expect(read(path), path).rejects.toMatchObject({ code: expect.any(Number) });
});
