/** The instructions tell an assistant how changes are confirmed with its client, and it is so. */
import { describe, expect, test } from 'vitest';
import type { ConfirmMode } from '../../src/config/settings.ts';
import { declaresForms } from '../../src/mcp/confirmation-words.ts';
import { writesOf } from '../changes/support/world.ts';
import { CLIENT_KINDS, type FormConduct } from '../harness/client.ts';
import { startService } from '../harness/service.ts';
import { start } from '../harness/start.ts';

const FORM = 'itself asks the user, in a form';
const TOKEN = 'confirmation_required';
const NEVER = 'Nobody is asked';
const REFUSED = 'Refused: VIDEO_HOSTING_CONFIRM is form';
const ALL = [FORM, TOKEN, NEVER, REFUSED];

const ROUTES: readonly (readonly [mode: ConfirmMode, forms: FormConduct, says: readonly string[], status: string])[] = [
  // A client that declares forms may draw none, and the call then goes on by token.
  ['ask', 'accept', [FORM, TOKEN], 'applied'],
  ['ask', 'none', [TOKEN], 'confirmation_required'],
  ['form', 'accept', [FORM], 'applied'],
  ['form', 'none', [REFUSED], 'failed'],
  ['token', 'accept', [TOKEN], 'confirmation_required'],
  ['never', 'none', [NEVER], 'applied'],
];

describe.each(CLIENT_KINDS)('%s', (kind) => {
  test.each(ROUTES)('VIDEO_HOSTING_CONFIRM=%s, forms: %s: %j', async (mode, forms, says, status) => {
    const demo = await startService({ channels: 2, videos: 4 });
    const { client } = await start({ demo, client: kind, forms, env: { VIDEO_HOSTING_CONFIRM: mode } });
    const reply = await client.callTool('create_project', { name: 'Brand new', region: 'use-s' });
    expect(writesOf(demo)).toHaveLength(status === 'applied' ? 1 : 0);
    expect(reply.data?.status).toBe(status);
    expect(ALL.filter((words) => client.instructions?.includes(words))).toEqual(says);
  });

  test('read-only: they say that contents can still be stated', async () => {
    const { client } = await start({ client: kind, env: { VIDEO_HOSTING_READ_ONLY: '1' } });
    expect((await client.listTools()).map(({ name }) => name)).toContain('state_contents');
    expect(client.instructions).toMatch(/not offered \(VIDEO_HOSTING_READ_ONLY\); state_contents is/);
  });
});

test.each([
  ['nothing', {}, false],
  ['elicitation of no kind, which means forms', { elicitation: {} }, true],
  ['forms', { elicitation: { form: {} } }, true],
  ['addresses alone', { elicitation: { url: {} } }, false],
  ['both', { elicitation: { form: {}, url: {} } }, true],
])('a client that declares %s', (_, capabilities, shows) => {
  expect(declaresForms(capabilities)).toBe(shows);
});

test('they say where the schema of analytics is, and it is there', async () => {
  const { client } = await start();
  const [uri = ''] = /video-hosting:[\w/-]*analytics[\w/-]*/.exec(client.instructions ?? '') ?? [];
  expect(await client.readResource(uri)).toContain('"metrics"');
});

test('several previews may be open at once, as they say', async () => {
  const demo = await startService({ channels: 2, videos: 4 });
  const { client } = await start({ demo });
  expect(client.instructions).toContain('Several previews may be open at once');
  const names = ['First', 'Second'];
  const asked = await Promise.all(names.map((name) => client.callTool('create_project', { name, region: 'use-s' })));
  for (const [index, name] of names.entries())
    await client.callTool('create_project', { name, region: 'use-s', confirmationToken: asked[index]?.data?.confirmationToken });
  expect([...demo.world.projects.values()].map(({ name }) => name)).toEqual(expect.arrayContaining(names));
});
