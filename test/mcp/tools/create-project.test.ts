/** A new project, with its options. Lost answers to its request are tested with those of new channels. */
import { expect, test } from 'vitest';
import { writesOf } from '../../changes/support/world.ts';
import { startService } from '../../harness/service.ts';
import { start } from '../../harness/start.ts';
import { expectRefused } from './support.ts';

const NAME = 'Brand new';

test('an unused region gives a warning', async () => {
  const demo = await startService({ channels: 1, projects: 3, videos: 20 });
  const { client } = await start({ demo });
  const far = await client.callTool('create_project', { name: NAME, region: 'moon-1' });
  expect(writesOf(demo)).toEqual([]);
  expect(far.data?.status).toBe('confirmation_required');
  expect(far.text).toContain('No project of the account is in the region "moon-1"');
});

test('a preview says in words what a new project gets', async () => {
  const { client } = await start({ demo: await startService({ channels: 1 }), env: { VIDEO_HOSTING_CONFIRM: 'token' } });
  const options = { options: { convertToHls: true }, videoOptions: { autoplay: true } };
  const { text } = await client.callTool('create_project', { name: NAME, region: 'use-s', planType: 'edge', ...options });
  for (const said of ['plan type: edge', 'encoding options: {"convertToHls":true}', 'player options: {"autoplay":true}'])
    expect(text).toContain(said);
});

test('every option of a project is sent as it was given, and an unknown one is refused with the nearest name', async () => {
  const demo = await startService({ channels: 1, projects: 3 });
  const { client } = await start({ demo, env: { VIDEO_HOSTING_CONFIRM: 'never' } });
  const args = {
    name: NAME,
    region: 'usw-s',
    planType: 'edge',
    description: '',
    options: { convertToHls: true, bitrate720p: 0, saveOriginalVideos: false },
    videoOptions: { autoplay: true, volume: 0.5, primaryColor: '#ff0000', preload: '' },
  };
  expect((await client.callTool('create_project', args)).data?.status).toBe('applied');
  expect(writesOf(demo).map(({ body }) => body)).toEqual([{ ...args, planType: 2 }]);
  const wrong = {
    name: 'x',
    region: 'use-s',
    options: { convertToHLS: true, bitrate720p: -1 },
    videoOptions: { autoPlay: true, volume: 'loud' },
  };
  const reply = await client.callTool('create_project', wrong);
  expect(writesOf(demo)).toHaveLength(1);
  for (const said of ['convertToHls', 'bitrate720p', 'autoplay', 'videoOptions.volume']) expect(reply.text).toContain(said);
});

test('wrong arguments are refused', () =>
  expectRefused('create_project', [
    [{}, /name: is missing[\s\S]*region: is missing/],
    [{ name: ' ', region: 'use-s' }, 'name: '],
    [{ name: 'n'.repeat(1_001), region: 'use-s' }, 'name: '],
    [{ name: 'New', region: 'r'.repeat(101) }, 'region: '],
    [{ name: 'New', region: 'use-s', planType: 'Pro' }, 'standard (1) or edge (2)'],
    [{ name: 'New', region: 'use-s', description: 'd'.repeat(5_001) }, 'description: '],
  ]));

test('a project is created with what it was given, and the answer has its id and the record', async () => {
  const demo = await startService({ channels: 1, projects: 3 });
  const { client } = await start({ demo, forms: 'accept' });
  const args = { name: NAME, region: 'use-s', planType: 'edge', description: 'For the team.' };
  const { data, text } = await client.callTool('create_project', args);
  const made = demo.world.projectNamed(NAME);
  expect(made).toMatchObject({ region: 'use-s', planType: 2, description: 'For the team.' });
  expect(client.forms).toHaveLength(1);
  expect(text.split('can’t be deleted')).toHaveLength(2);
  expect(data).toMatchObject({ status: 'applied', changeId: expect.any(String), undo: { possible: 'no' }, after: [{ id: made.id }] });
});
