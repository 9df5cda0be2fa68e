/** What `tools/list` offers depends on the settings; what it does not offer is refused with the setting that it takes. */
import { describe, expect, test } from 'vitest';
import { listing } from '../../../src/mcp/listing/listing.ts';
import { CONDITIONAL } from '../../../src/mcp/listing/offered.ts';
import { fieldsIn } from '../../../src/platform/is-object.ts';
import { type ClientKind, recordsIn } from '../../harness/client.ts';
import { freshHome, start } from '../../harness/start.ts';

const TOOL = 'get_collected_emails';
const KINDS: readonly ClientKind[] = ['v1 client', 'v2 client, modern'];

const offers = async ({ client }: Awaited<ReturnType<typeof start>>) => {
  const tool = (await client.listTools()).find(({ name }) => name === TOOL);
  return { description: tool?.description, names: Object.keys(fieldsIn(fieldsIn(tool?.inputSchema).properties)) };
};

test.each(CONDITIONAL)('$argument of $tool is an argument of that tool, and its absence is said', ({ tool, argument, without }) => {
  const found = listing().tools.find(({ name }) => name === tool);
  expect(Object.keys(found?.inputSchema.properties ?? {})).toContain(argument);
  expect(without({ readOnly: false, confirm: 'ask', personalData: 'masked', filesDirs: [] })).toMatch(/VIDEO_HOSTING_\w+ is .*\.$/);
});

describe.each(KINDS)('%s', (kind) => {
  test('is offered no export and no records by default, and is told which settings they take', async () => {
    const session = await start({ client: kind });
    const { description, names } = await offers(session);
    expect(names).toContain('groupBy');
    expect(names).not.toContain('exportAs');
    expect(names).not.toContain('showRecords');
    expect(description).toContain('VIDEO_HOSTING_FILES_DIR is not set');
    expect(description).toContain('VIDEO_HOSTING_PERSONAL_DATA is masked');
  });

  test('is offered each where its setting allows it', async () => {
    const session = await start({ client: kind, env: { VIDEO_HOSTING_FILES_DIR: freshHome() } });
    const { description, names } = await offers(session);
    expect(names).toContain('exportAs');
    expect(names).not.toContain('showRecords');
    expect(description).not.toContain('VIDEO_HOSTING_FILES_DIR');
    const env = { VIDEO_HOSTING_FILES_DIR: freshHome(), VIDEO_HOSTING_PERSONAL_DATA: 'allowed' };
    const both = await offers(await start({ client: kind, env }));
    expect(both.names).toEqual(expect.arrayContaining(['exportAs', 'showRecords']));
    expect(both.description).not.toContain('VIDEO_HOSTING');
  });
});

test('records that may not be shown are refused with a hint that fits: no field can be corrected', async () => {
  const { client } = await start();
  const masked = await client.callTool(TOOL, { showRecords: true });
  expect(masked.isError).toBe(true);
  expect(masked.text).toMatch(/^showRecords: is only possible where VIDEO_HOSTING_PERSONAL_DATA is "allowed"\./);
  expect(masked.text).toMatch(/^Next: Ask for counts, without showRecords\.$/m);
  const { client: withFolder } = await start({ env: { VIDEO_HOSTING_FILES_DIR: freshHome() } });
  const { text } = await withFolder.callTool(TOOL, { showRecords: true });
  expect(text).toMatch(/^Next: Ask for counts, .* exportAs: people then get a file\.$/m);
});

test('the instructions send nobody to a list where a name will do', async () => {
  const { client, demo } = await start();
  expect(client.instructions).not.toMatch(/[Ss]tart with list/);
  expect(client.instructions).toContain('without listing first');
  const near = await client.callTool('get_channel', { channel: 'onbording' });
  expect(near.text).toContain(demo.world.channelNamed('Onboarding').id);
});

test('counts of emails say which days they are of and what people means', async () => {
  const { client } = await start();
  const { data, text } = await client.callTool(TOOL, { from: '2026-10-01', to: '2026-10-31', groupBy: 'channel' });
  expect(data?.period).toEqual({ from: '2026-10-01', to: '2026-10-31', timezone: 'UTC' });
  expect(recordsIn(data, 'groups').length).toBeGreaterThan(0);
  expect(text).toMatch(/^people: different email addresses/m);
  const whole = await client.callTool(TOOL);
  const from = expect.stringMatching(/^\d{4}-\d\d-\d\d$/);
  expect(whole.data?.period).toEqual({ from, to: new Date().toISOString().slice(0, 10), timezone: 'UTC' });
});
