/**
 * What a model reads before its first call, as a client gets it: a file for each tool, the instructions, and the prompts. A change of
 * these texts is a change of `golden/`, which `npx vitest run test/mcp/golden -u` writes.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { freshHome, start } from '../harness/start.ts';

const GOLDEN = join(import.meta.dirname, 'golden');
const NamedSchema = z.array(z.looseObject({ name: z.string() }));

const everything = () => start({ env: { VIDEO_HOSTING_PERSONAL_DATA: 'allowed', VIDEO_HOSTING_FILES_DIR: freshHome() } });
const asText = (value: unknown): string => `${JSON.stringify(value, undefined, 2)}\n`;

test('a model reads of each tool what its golden file says', async () => {
  const { client } = await everything();
  const tools = NamedSchema.parse(await client.listTools());
  for (const tool of tools) await expect.soft(asText(tool)).toMatchFileSnapshot(join(GOLDEN, 'tools', `${tool.name}.json`));
  const left = readdirSync(join(GOLDEN, 'tools')).filter((file) => !tools.some(({ name }) => file === `${name}.json`));
  expect(left, 'Delete these: there is no such tool.').toEqual([]);
});

test.each([
  ['asking', {}],
  ['read-only', { VIDEO_HOSTING_READ_ONLY: '1' }],
])('the instructions of the %s server are those of its golden file', async (which, env) => {
  const { client } = await start({ env });
  await expect(`${client.instructions}\n`).toMatchFileSnapshot(join(GOLDEN, `instructions-${which}.txt`));
});

test('the prompts are those of their golden file', async () => {
  const { client } = await everything();
  await expect(asText(await client.listPrompts())).toMatchFileSnapshot(join(GOLDEN, 'prompts.json'));
});
