import { expect, test } from 'vitest';
import { pathsOf } from '../../harness/service.ts';
import { start } from '../../harness/start.ts';
import { expectRefused } from './support.ts';

test('get_channel finds a channel by id, by key and by an awkward name', async () => {
  const { client, demo } = await start();
  for (const name of ['製品紹介', '👩‍💻 Developer Corner 🚀', '"Ask Me Anything"', '50% off: campaign', 'Q1/Q2 Recaps', 'a']) {
    const { id, key } = demo.world.channelNamed(name);
    for (const channel of [id, key, name]) {
      const reply = await client.callTool('get_channel', { channel });
      expect(reply.data).toMatchObject({ channel: { id, key, name }, contents: { known: false } });
    }
  }
  expect(new Set(demo.requests.map(({ method }) => method))).toEqual(new Set(['GET']));
});

test('get_channel returns the contents of a channel only if the service shows them', async () => {
  const { client, demo } = await start();
  const { id, videoKeys, projectKeys } = demo.world.channelNamed('Onboarding');
  const unknown = await client.callTool('get_channel', { channel: id });
  expect(unknown.data?.contents).toMatchObject({ known: false, next: expect.stringContaining('currentVideoKeys') });
  expect(unknown.text).toContain('not known');
  demo.behaviour.channelRecordsShowContents = true;
  const known = await client.callTool('get_channel', { channel: id });
  expect(known.data?.contents).toMatchObject({ known: true, source: 'as the service shows it', videoKeys, projectKeys });
  expect(known.text).toContain(`videoCount: ${videoKeys.length}`);
});

test('a channel named like an endpoint is found by name, and the endpoint is not requested', async () => {
  const { client, demo } = await start();
  const missing = await client.callTool('get_channel', { channel: 'templates' });
  expect(missing.isError).toBe(true);
  expect(pathsOf(demo)).not.toContain('GET /v1/channels/templates');
  const { id } = demo.world.addChannel({ name: 'templates' });
  expect((await client.callTool('get_channel', { channel: 'templates' })).data).toMatchObject({ channel: { id } });
  expect(pathsOf(demo)).not.toContain('GET /v1/channels/templates');
});

test('a name with URL syntax does not change the path of a request', async () => {
  const { client, demo } = await start();
  for (const channel of ['..', '.', '../plans', '%2e%2e', 'x?page=2', 'x#y', '/v1/plans']) {
    const reply = await client.callTool('get_channel', { channel });
    expect(reply.isError).toBe(true);
    expect(reply.text).toContain('No channel has the id');
  }
  expect(new Set(pathsOf(demo))).toEqual(new Set(['GET /v1/channels']));
});

test.each([400, 403, 500])('a channel is found by name although the service answers %i to the name as an id', async (code) => {
  const { client, demo } = await start();
  demo.faults.always({ match: { path: '/v1/channels/Onboarding' }, do: { kind: 'status', code } });
  const { id } = demo.world.channelNamed('Onboarding');
  expect((await client.callTool('get_channel', { channel: 'Onboarding' })).data).toMatchObject({ channel: { id } });
});

test('the error for an unknown name lists the nearest name', async () => {
  const { client, demo } = await start();
  const { id, updated } = demo.world.channelNamed('Onboarding');
  const reply = await client.callTool('get_channel', { channel: 'Onbording' });
  expect(reply.text).toContain(`"Onboarding" (${id}, updated ${updated.slice(0, 10)})`);
  expect(reply.text).toContain('Next: Call again with the id of the one that is meant');
  const far = await client.callTool('get_channel', { channel: 'qqqqqqqqqqqq' });
  expect(far.text).toContain('Next: Use list_channels');
});

test('spaces around a name are ignored, and the error for a URL names the channel whose id it contains', async () => {
  const { client, demo } = await start();
  const { id, updated } = demo.world.channelNamed('Onboarding');
  expect((await client.callTool('get_channel', { channel: ' Onboarding\n' })).data).toMatchObject({ channel: { id } });
  const address = await client.callTool('get_channel', { channel: `https://video.example.com/channels/${id}/edit` });
  expect(address.text).toContain(`The nearest: "Onboarding" (${id}, updated ${updated.slice(0, 10)}).`);
});

test('a response with another channel’s record is not taken for the requested channel', async () => {
  const { client, demo } = await start();
  const { id } = demo.world.channelNamed('Onboarding');
  const other = demo.world.channelNamed('How-to');
  demo.faults.next({ match: { path: `/v1/channels/${id}` }, do: { kind: 'status', code: 200, body: { id: other.id, name: other.name } } });
  expect((await client.callTool('get_channel', { channel: id })).data).toMatchObject({ channel: { id, name: 'Onboarding' } });
});

test('wrong arguments are refused', () =>
  expectRefused('get_channel', [
    [{}, 'channel: is missing'],
    [{ channel: ' ' }, 'No channel has the id, key or exact name'],
    [{ channel: 'c'.repeat(501) }, 'channel: '],
    [{ channel: 7 }, 'No channel has the id'],
  ]));
