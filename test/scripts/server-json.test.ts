/** The entry for the MCP registry. The schema here follows the parts of the registry's schema of 2025-12-11 that we use, more strictly. */
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { parseConfig } from '../../src/config/parse-config.ts';
import { SETTINGS } from '../../src/config/settings.ts';
import { textOf } from './project.ts';

/** One exact version: the registry refuses ranges and `latest`. */
const version = z
  .string()
  .max(255)
  .regex(/^\d+\.\d+\.\d+(-[\w.]+)?$/);
const Variable = z.strictObject({
  name: z.string().regex(/^VIDEO_HOSTING_[A-Z_]+$/),
  description: z.string().min(1),
  format: z.enum(['string', 'number', 'boolean', 'filepath']),
  isRequired: z.boolean().optional(),
  isSecret: z.boolean().optional(),
  choices: z.array(z.string()).optional(),
  default: z.string().optional(),
});
const Entry = z.strictObject({
  $schema: z.literal('https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json'),
  // A reverse DNS name, one slash, the server's own name.
  name: z
    .string()
    .min(3)
    .max(200)
    .regex(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/),
  title: z.string().min(1).max(100),
  description: z.string().min(1).max(100),
  version,
  packages: z.tuple([
    z.strictObject({
      registryType: z.literal('npm'),
      // The only npm registry that the MCP registry accepts.
      registryBaseUrl: z.literal('https://registry.npmjs.org'),
      identifier: z.string(),
      version,
      runtimeHint: z.literal('npx'),
      transport: z.strictObject({ type: z.literal('stdio') }),
      environmentVariables: z.array(Variable),
    }),
  ]),
});

const packageJson = JSON.parse(textOf('package.json'));
const entry = Entry.parse(JSON.parse(textOf('server.json')));
const [npm] = entry.packages;

describe('server.json', () => {
  test('names the package and version that npm would publish', () => {
    // The registry looks for this name in the published package.json.
    expect(entry.name).toBe(packageJson.mcpName);
    expect(entry.name).toMatch(new RegExp(`^io\\.github\\.[a-z0-9-]+/${packageJson.name}$`));
    expect([entry.version, npm.version, npm.identifier]).toEqual([packageJson.version, packageJson.version, packageJson.name]);
    // What npx runs is the command of the package's name.
    expect(Object.keys(packageJson.bin)).toContain(npm.identifier);
  });

  test('lists every setting of a server over stdio, marks the required and secret ones, and has valid defaults and choices', () => {
    // No client starts a server over HTTP.
    const rows = Object.values(SETTINGS).filter((row) => !('isOfHttp' in row));
    const named = (keep: (one: (typeof npm.environmentVariables)[number]) => unknown) =>
      npm.environmentVariables.filter(keep).map(({ name }) => name);
    expect(named(() => true)).toEqual(rows.map(({ variable }) => variable));
    expect(named(({ isRequired }) => isRequired)).toEqual(['VIDEO_HOSTING_BASE_URL', 'VIDEO_HOSTING_API_KEY']);
    expect(named(({ isSecret }) => isSecret)).toEqual(rows.filter((row) => 'secret' in row).map(({ variable }) => variable));
    const isPath = new Set(['directory', 'file']);
    expect(named(({ format }) => format === 'filepath')).toEqual(
      rows.filter(({ kind }) => isPath.has(kind)).map(({ variable }) => variable),
    );
    const defaults = npm.environmentVariables.flatMap(({ name, default: value }) => (value === undefined ? [] : [[name, value]]));
    const { settings, problems } = parseConfig([], Object.fromEntries(defaults));
    expect({ settings, problems }).toEqual({ settings: parseConfig([], {}).settings, problems: [] });
    for (const { name, choices = [] } of npm.environmentVariables)
      for (const choice of choices) expect(parseConfig([], { [name]: choice }).problems).toEqual([]);
  });
});
