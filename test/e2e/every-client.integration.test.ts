import { expect, test } from 'vitest';
import { CLIENT_KINDS } from '../harness/client.ts';
import { pathsOf } from '../harness/service.ts';
import { start } from '../harness/start.ts';

test.each(CLIENT_KINDS)('%s calls tools and reads resources, prompts and completions', async (kind) => {
  const { client, demo, log } = await start({ client: kind, via: 'process' });
  expect((await client.listTools()).length).toBeGreaterThan(6);
  const reply = await client.callTool('list_channels', { size: 3 });
  expect(pathsOf(demo)[0]).toBe('GET /v1/channels');
  expect(reply.text).toContain('pager: page 1, totalPages 20, totalResults 60');
  await expect(client.callTool('nope')).rejects.toMatchObject({ code: -32602 });
  expect(await client.complete({ prompt: 'bulk-move' }, 'targetProject', 'Arch')).toEqual(['Archive']);
  expect(await client.readResource('video-hosting://plan-types')).toContain('edge');
  expect(client.instructions).toContain('check_setup');
  expect(await client.getPrompt('bulk-move', { targetProject: 'Archive' })).toContain('"Archive"');
  expect(log()).toBe('');
});
