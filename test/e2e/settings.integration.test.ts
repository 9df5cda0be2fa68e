import { describe, expect, test } from 'vitest';
import { definedFields } from '../../src/platform/defined-fields.ts';
import { ERAS, type TestClient } from '../harness/client.ts';
import type { Environment } from '../harness/service.ts';
import { type ServerOptions, start } from '../harness/start.ts';

const SECRET = 'eyJhbGciOiJIUzI1NiJ9.eyJleHAiOjQxMDI0NDQ4MDB9.c2lnbmF0dXJl';

interface State {
  readonly env?: Environment;
  readonly argv?: readonly string[];
  readonly demo?: null;
  /** What every call answers. */
  readonly says: RegExp;
  readonly code: number;
}

const STATES: Readonly<Record<string, State>> = {
  'nothing set': { demo: null, says: /Not set: VIDEO_HOSTING_BASE_URL, VIDEO_HOSTING_API_KEY\..*--demo/s, code: 0 },
  'no key': { env: { VIDEO_HOSTING_API_KEY: undefined }, says: /Not set: VIDEO_HOSTING_API_KEY\..*Set it in the client/s, code: 0 },
  'a key as a flag': { argv: ['--api-key', SECRET], says: /Unknown flag --api-key/, code: 2 },
  'two mistakes': { argv: ['--nope'], env: { VIDEO_HOSTING_READ_ONLY: '2' }, says: /--nope.*_READ_ONLY must be 1 or 0/s, code: 2 },
};

const withSecret = ({ env, argv, demo }: State): ServerOptions =>
  definedFields({ env: { VIDEO_HOSTING_ACCESS_TOKEN: SECRET, ...env }, argv, demo });

/** Expects every call to answer what is wrong, while the lists still work. */
async function expectRefusals(client: TestClient, says: RegExp): Promise<void> {
  const tools = (await client.listTools()).map(({ name }) => String(name));
  expect(tools).toContain('list_channels');
  expect((await client.listResources()).length + (await client.listPrompts()).length).toBeGreaterThan(3);
  for (const tool of tools.filter((name) => name !== 'check_setup')) {
    const reply = await client.callTool(tool);
    expect(reply.isError).toBe(true);
    expect(`${tool}: ${reply.text}`).toMatch(says);
  }
  await expect(client.readResource('video-hosting://templates')).rejects.toThrow(says);
  await expect(client.readResource('video-hosting://channels/x')).rejects.toThrow(says);
  expect(await client.complete({ prompt: 'bulk-move' }, 'targetProject', '')).toEqual([]);
  const setup = await client.callTool('check_setup');
  expect(setup).toMatchObject({ isError: false, data: { ok: false, mainApi: { ok: false }, analyticsApi: { ok: false } } });
  expect(setup.text).toMatch(/^ok: false\n/);
}

describe.each(Object.entries(STATES))('with %s', (name, state) => {
  // The message depends on the state only, so one state is tried in both eras.
  const kinds = name === 'two mistakes' ? ERAS : ERAS.slice(0, 1);
  test.each(kinds)('%s gets the problem as the answer to every call, and no request is sent to the service', async (kind) => {
    const { client, demo, output, hasData } = await start({ ...withSecret(state), client: kind });
    await expectRefusals(client, state.says);
    expect(demo.requests).toEqual([]);
    expect(hasData()).toBe(false);
    expect(output()).not.toContain(SECRET);
  });

  test.runIf(['nothing set', 'a key as a flag', 'two mistakes'].includes(name))(
    'the built command answers the same, with its exit code',
    async () => {
      const { client, demo, server, output, stop } = await start({ ...withSecret(state), via: 'process' });
      await expectRefusals(client, state.says);
      if (state.code !== 0) expect(server?.stderr()).toMatch(state.says);
      await stop();
      expect(await server?.exit).toEqual({ code: state.code, signal: null });
      expect(demo.requests).toEqual([]);
      expect(output()).not.toContain(SECRET);
    },
  );
});
