/** The instructions describe how changes are confirmed with the client, and the server confirms them that way. */
import { describe, expect, test } from 'vitest';
import type { ConfirmMode } from '../../src/config/confirm-routes.ts';
import { declaresForms } from '../../src/mcp/listing/confirmation-words.ts';
import { confirmPreview } from '../changes/support/confirm.ts';
import { writesOf } from '../changes/support/world.ts';
import { ERAS, type FormConduct } from '../harness/client.ts';
import { startService } from '../harness/service.ts';
import { start } from '../harness/start.ts';

const FORM = 'itself asks the user, in a form';
const TOKEN = 'confirmation_required';
const NEVER = 'Nobody is asked';
const REFUSED = 'Refused: VIDEO_HOSTING_CONFIRM is form';
const ALL = [FORM, TOKEN, NEVER, REFUSED];

const ROUTES: readonly (readonly [mode: ConfirmMode, forms: FormConduct, says: readonly string[], status: string])[] = [
  // A client that declares forms can still draw none; the call then continues with a token.
  ['ask', 'accept', [FORM, TOKEN], 'applied'],
  ['ask', 'none', [TOKEN], 'confirmation_required'],
  ['form', 'accept', [FORM], 'applied'],
  ['form', 'none', [REFUSED], 'failed'],
  ['token', 'accept', [TOKEN], 'confirmation_required'],
  ['never', 'none', [NEVER], 'applied'],
];

describe.each(ERAS)('%s', (kind) => {
  test.each(ROUTES)('with VIDEO_HOSTING_CONFIRM=%s and forms %s, the instructions contain %j', async (mode, forms, says, status) => {
    const demo = await startService({ channels: 2, videos: 4 });
    const { client } = await start({ demo, client: kind, forms, env: { VIDEO_HOSTING_CONFIRM: mode } });
    const reply = await client.callTool('create_project', { name: 'Brand new', region: 'use-s' });
    expect(writesOf(demo)).toHaveLength(status === 'applied' ? 1 : 0);
    expect(reply.data?.status).toBe(status);
    expect(ALL.filter((words) => client.instructions?.includes(words))).toEqual(says);
  });

  test('the instructions of a read-only server say that contents can still be stated', async () => {
    const { client } = await start({ client: kind, env: { VIDEO_HOSTING_READ_ONLY: '1' } });
    expect((await client.listTools()).map(({ name }) => name)).toContain('state_contents');
    expect(client.instructions).toMatch(/not offered \(VIDEO_HOSTING_READ_ONLY\); state_contents is/);
  });
});

test.each([
  ['nothing', {}, false],
  ['elicitation without a kind, which means forms', { elicitation: {} }, true],
  ['forms', { elicitation: { form: {} } }, true],
  ['only URLs', { elicitation: { url: {} } }, false],
  ['forms and URLs', { elicitation: { form: {}, url: {} } }, true],
])('declaresForms is right for a client that declares %s', (_, capabilities, shows) => {
  expect(declaresForms(capabilities)).toBe(shows);
});

const NOTHING_KNOWN =
  'When this session began, this server had changed nothing here and was told of nothing, so the contents of no channel were known';

test('as long as this server changed nothing and was told of nothing, the instructions say that contents are to be asked for first', async () => {
  const demo = await startService({ channels: 2, videos: 4 });
  const { client, home } = await start({ demo });
  expect(client.instructions).toContain(NOTHING_KNOWN);
  const [channel] = demo.world.channels.values();
  const stated = { channel: channel?.id, videoKeys: channel?.videoKeys, projectKeys: [] };
  await confirmPreview(client, await client.callTool('state_contents', { channels: [stated] }));
  const { client: later } = await start({ demo, home });
  expect(later.instructions).not.toContain(NOTHING_KNOWN);
  const { client: reader } = await start({ env: { VIDEO_HOSTING_READ_ONLY: '1' } });
  expect(reader.instructions).not.toContain(NOTHING_KNOWN);
});

test('the instructions name the resource of the analytics schema, and it can be read', async () => {
  const { client } = await start();
  const [uri = ''] = /video-hosting:[\w/-]*analytics[\w/-]*/.exec(client.instructions ?? '') ?? [];
  expect(await client.readResource(uri)).toContain('"metrics"');
});

test('several previews can be open at once, as the instructions say', async () => {
  const demo = await startService({ channels: 2, videos: 4 });
  const { client } = await start({ demo });
  expect(client.instructions).toContain('Several previews may be open at once');
  const names = ['First', 'Second'];
  const asked = await Promise.all(names.map((name) => client.callTool('create_project', { name, region: 'use-s' })));
  for (const preview of asked) await confirmPreview(client, preview);
  expect([...demo.world.projects.values()].map(({ name }) => name)).toEqual(expect.arrayContaining(names));
});
