import { describe, expect, test } from 'vitest';
import { parseConfig } from '../../src/config/parse-config.ts';
import { SETTINGS } from '../../src/config/settings.ts';
import { textOf } from './project.ts';

interface Field {
  readonly type: string;
  readonly title: string;
  readonly description: string;
  readonly required: boolean;
  readonly sensitive?: boolean;
  readonly default?: string | number | boolean;
}
interface Manifest {
  readonly server: { readonly mcp_config: { readonly env: Readonly<Record<string, string>> } };
  readonly prompts: readonly { readonly arguments: readonly string[]; readonly text: string }[];
  readonly user_config: Readonly<Record<string, Field>>;
}

// The tests below check its shape.
const manifest = JSON.parse(textOf('manifest.json')) as Manifest;
const fieldOf = (variable: string): [string, Field] => {
  const id = /^\$\{user_config\.(\w+)\}$/.exec(manifest.server.mcp_config.env[variable] ?? '')?.[1] ?? '';
  const field = manifest.user_config[id];
  if (field === undefined) throw new Error(`the manifest has no field for ${variable}`);
  return [id, field];
};

/** No client starts a server over HTTP. */
const rows = Object.values(SETTINGS).filter((row) => !('isOfHttp' in row));

describe('the bundle’s manifest', () => {
  test('has a field for each setting of a server over stdio, and no other field', () => {
    const ids = rows.map(({ variable }) => fieldOf(variable)[0]);
    expect(new Set(ids)).toEqual(new Set(Object.keys(manifest.user_config)));
  });

  test.each([
    ['the manifest’s reference', (id: string) => `\${user_config.${id}}`],
    ['an empty text', () => ''],
  ])('starts the server with the default settings if a client passes %s for each empty field', (_, passed) => {
    const env = rows.map(({ variable }) => {
      const [id, field] = fieldOf(variable);
      // A client passes a default as text.
      return [variable, field.default === undefined ? passed(id) : String(field.default)];
    });
    const { settings, problems } = parseConfig([], Object.fromEntries(env));
    expect({ settings, problems }).toEqual({ settings: parseConfig([], {}).settings, problems: [] });
  });

  test('gives each field a title and a description of its own', () => {
    const fields = Object.values(manifest.user_config);
    for (const text of ['title', 'description'] as const) expect(new Set(fields.map((field) => field[text])).size).toBe(fields.length);
  });

  test('requires only the settings that the server needs, and hides secrets', () => {
    const required = rows.filter(({ variable }) => fieldOf(variable)[1].required);
    expect(required.map(({ variable }) => variable)).toEqual(['VIDEO_HOSTING_BASE_URL', 'VIDEO_HOSTING_API_KEY']);
    for (const row of rows) expect(fieldOf(row.variable)[1].sensitive ?? false).toBe('secret' in row);
  });

  test('has each argument of a prompt in its text', () => {
    for (const prompt of manifest.prompts)
      for (const argument of prompt.arguments) expect(prompt.text).toContain(`\${arguments.${argument}}`);
  });
});
