/** Changes to JSON configurations with comments: our entry is changed exactly, and nothing else is. */
import * as fc from 'fast-check';
import { createScanner, parse } from 'jsonc-parser';
import { describe, expect, test } from 'vitest';
import { openJson } from '../../../src/commands/install/json-document.ts';

const ENTRY = { command: 'npx', args: ['-y', 'video-hosting-mcp@0.1.0'], env: { VIDEO_HOSTING_BASE_URL: 'https://api.example.com' } };
const INPUT = { type: 'promptString', id: 'video-hosting-api-key', description: 'API key', password: true } as const;

const put = (text: string): string => openJson(text, 'mcpServers').with(ENTRY, []);
const takeOut = (text: string): string => openJson(text, 'mcpServers').without([]);
const valueIn = (text: string): unknown => parse(text, [], { allowTrailingComma: true });
const compact = (text: string): string => text.replace(/\s/g, '');

/** All comments, in order. */
function commentsOf(text: string): string[] {
  const scanner = createScanner(text);
  const comments: string[] = [];
  // The scanner's numbers of the end, of a line comment and of a block comment: its enum exists for its own compiler only.
  for (let kind: number = scanner.scan(); kind !== 17; kind = scanner.scan())
    if (kind === 12 || kind === 13)
      comments.push(text.slice(scanner.getTokenOffset(), scanner.getTokenOffset() + scanner.getTokenLength()));
  return comments;
}

/** What is left of a file after install and uninstall, which keep its comments; a second install changes nothing. */
function installedAndRemoved(text: string): string {
  const installed = put(text);
  expect(valueIn(installed)).toMatchObject({ mcpServers: { 'video-hosting': ENTRY } });
  expect(commentsOf(installed)).toEqual(commentsOf(text));
  expect(put(installed)).toBe(installed);
  const after = takeOut(installed);
  expect(commentsOf(after)).toEqual(commentsOf(text));
  return after;
}

test.each([
  ['tabs', '{\n\t"a": {\n\t\t"b": 2\n\t}\n}\n'],
  ['CRLF', '{\r\n    "a": 1,\r\n    "b": [1, 2]\r\n}\r\n'],
  ['one line', '{"a":1,"b":{"c":[]}}'],
  ['a trailing comma on a line of its own', '{\n  "a": 1\n  ,\n}\n'],
  [
    'comments everywhere',
    '// top\n/* all */ {\n  // before\n  "a": /* in */ 1, // behind\n  /* between */ "b": 2 /* last */\n  // end\n} // out\n// bottom\n',
  ],
  ['other servers on one line', '{\n  "mcpServers": { "x": { "command": "y" } }\n}\n'],
  ['only comments among the servers', '{\n  "mcpServers": {\n    // none yet\n  }\n}\n'],
  [
    'names like ours',
    '{\n  "x": { "mcpServers": { "video-hosting": 1 } },\n  "mcpservers": {},\n  "mcpServers": { "video-hosting-2": {} }\n}\n',
  ],
  ['other writing systems', '{\n  "名前": "動画 🎬\\u0000",\n  "mcpServers": { "é": { "command": "\\\\x" } }\n}\n'],
  ['odd names', '{"__proto__":{"a":1},"constructor":2,"mcpServers":{"__proto__":{"command":"x"}}}'],
])('a file with other contents has the same values and comments after install and uninstall: %s', (_what, text) => {
  expect(compact(installedAndRemoved(text))).toBe(compact(text));
});

test('the added entry has the layout of the file', () => {
  expect(put('{\r\n\t"mcpServers": {\r\n\t\t"x": {}, // mine\r\n\t},\r\n}')).toBe(
    [
      '{',
      '\t"mcpServers": {',
      '\t\t"x": {}, // mine',
      '\t\t"video-hosting": {',
      '\t\t\t"command": "npx",',
      '\t\t\t"args": [',
      '\t\t\t\t"-y",',
      '\t\t\t\t"video-hosting-mcp@0.1.0"',
      '\t\t\t],',
      '\t\t\t"env": {',
      '\t\t\t\t"VIDEO_HOSTING_BASE_URL": "https://api.example.com"',
      '\t\t\t}',
      '\t\t},',
      '\t},',
      '}',
    ].join('\r\n'),
  );
});

test.each([
  ['of another entry', '{\n  "mcpServers": {\n    "x": {} // mine\n  }\n}\n', '"x": {}, // mine\n    "video-hosting": {'],
  ['of the last setting', '{\n  "a": 1 /* b */, // c\n}\n', '"a": 1 /* b */, // c'],
  ['of two kinds', '{\n  "a": 1, /* b */ // c\n  // d\n}\n', '"a": 1, /* b */ // c\n  "mcpServers": {'],
  ['on one line', '{ "a": 1 /* b */ }', '"a": 1, /* b */'],
])('a comment behind what was last stays behind it: %s', (_what, text, kept) => {
  expect(put(text)).toContain(kept);
  expect(compact(installedAndRemoved(text))).toBe(compact(text));
});

test('a comment behind the last part of the entry stays behind it', () => {
  const text = '{\n  "mcpServers": {\n    "video-hosting": {\n      "command": "npx" // pinned\n    } // ours\n  }\n}\n';
  const changed = openJson(text, 'mcpServers').with({ command: 'npx', args: ['a'] }, []);
  expect(changed).toMatch(/"command": "npx", \/\/ pinned\n {6}"args": \[\s+"a"\s+\]\n {4}\} \/\/ ours\n/);
});

test.each(['', '\n', '  ', '// mine\n', '/* mine */'])('a file without contents, %j, gets the entry', (text) => {
  const installed = put(text);
  expect(valueIn(installed)).toEqual({ mcpServers: { 'video-hosting': ENTRY } });
  expect(installed.startsWith(text)).toBe(true);
  expect(valueIn(takeOut(installed))).toEqual({});
  expect(commentsOf(takeOut(installed))).toEqual(commentsOf(text));
});

test('only the differing parts of an existing entry are changed, and parts that people added stay', () => {
  const text =
    '{\n  "mcpServers": {\n    "video-hosting": {\n      // pinned\n      "command": "npx",\n      "args": ["-y", "video-hosting-mcp@0.0.9"], // old\n      "env": { "MINE": "1" },\n      "disabled": true\n    }\n  }\n}\n';
  const document = openJson(text, 'mcpServers');
  const changed = document.with({ ...document.entry, args: ENTRY.args, env: { MINE: '1', ...ENTRY.env } }, []);
  const kept = ['// pinned\n      "command": "npx"', '// old', '"MINE": "1"', '"disabled": true'];
  for (const part of kept) expect(changed).toContain(part);
  const entry = { ...ENTRY, env: { MINE: '1', ...ENTRY.env }, disabled: true };
  expect(valueIn(changed)).toEqual({ mcpServers: { 'video-hosting': entry } });
});

test('removing an entry after a line comment keeps the brace on the entry’s line', () => {
  const text = '{\n  "mcpServers": {\n    "x": {}, // mine\n    "video-hosting": {} }\n}';
  expect(takeOut(text)).toBe('{\n  "mcpServers": {\n    "x": {} // mine\n     }\n}');
});

test('a comment between our entry and the next stays after removal', () => {
  const text = '{ "mcpServers": { "video-hosting": { "command": "a" }, // b, c\n "x": {} } }';
  expect(takeOut(text)).toBe('{ "mcpServers": {  // b, c\n "x": {} } }');
});

test.each([
  ['{\n  "a": 1\n  "b": 2\n}', /^line 3, column 3: it is not valid JSON/],
  ['{\r\n  "a": [1, 2\r\n}', /^line 3, column 1: it is not valid JSON/],
  ['{"a": "x', /^line 1, column 7: it is not valid JSON/],
  ['{} trailing', /^line 1, column 4: it is not valid JSON/],
  ['[]', /^line 1, column 1: it should hold an object/],
  ['"text"', /it should hold an object/],
  ['{\n  "mcpServers": []\n}', /^line 2, column 17: "mcpServers" should hold an object/],
  ['{"mcpServers": null}', /"mcpServers" should hold an object/],
  ['{"mcpServers": {"video-hosting": "x"}}', /"video-hosting" should hold an object/],
])('%j is refused, and the error names the place', (text, words) => {
  expect(() => put(text)).toThrow(words);
});

describe('the input that VS Code asks for', () => {
  const withInput = (text: string): string => openJson(text, 'servers').with(ENTRY, [INPUT]);
  const without = (text: string): string => openJson(text, 'servers').without([INPUT.id]);

  test.each([
    '{\n  "servers": { "x": {} },\n  "other": 1\n}\n',
    '{\n  // my inputs\n  "inputs": [\n    { "id": "a", "type": "promptString" }, // a\n  ],\n  "servers": {},\n  "z": 1,\n}\n',
    '{"inputs":[{"id":"a"}],"servers":{"x":{}}}',
  ])('is added and removed with the server: %j', (text) => {
    const installed = withInput(text);
    expect(valueIn(installed)).toMatchObject({ inputs: expect.arrayContaining([INPUT]) });
    expect(withInput(installed)).toBe(installed);
    expect(commentsOf(without(installed))).toEqual(commentsOf(text));
    expect(valueIn(without(installed))).toEqual({ ...(valueIn(text) as object), ...(text.includes('"x"') ? {} : { servers: undefined }) });
  });

  test('stays if another server uses it', () => {
    const text = withInput(`{"servers":{"mine":{"env":{"K":"\${input:${INPUT.id}}"}}}}`);
    expect(valueIn(without(text))).toMatchObject({ inputs: [{ id: INPUT.id }], servers: { mine: {} } });
  });

  test('is refused if "inputs" is not a list', () => {
    expect(() => withInput('{"inputs": {}}')).toThrow(/line 1, column 12: "inputs" should hold a list/);
  });
});

/** White space and comments, as people leave them; a line comment ends its line. */
const gap = fc
  .array(
    fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom(' ', '  ', '\t', '\n', '\r\n') },
      fc.constantFrom('// a, "b": {\n', '/* {"c": [ */', '/* two\n   lines, */', '//\r\n'),
    ),
    { maxLength: 3 },
  )
  .map((parts) => parts.join(''));
const scalar = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null)).map((value) => JSON.stringify(value));
const ODD = ['x', 'mcpServer', 'video-hosting-2', 'env', '__proto__'];
const key = fc.oneof(fc.constantFrom(...ODD), fc.string()).map((name) => JSON.stringify(name));

const { object } = fc.letrec<{ value: string; object: string; list: string }>((tie) => {
  const joined = (item: fc.Arbitrary<string>): fc.Arbitrary<string> =>
    fc
      .tuple(fc.array(fc.tuple(gap, item, gap), { maxLength: 4 }), fc.boolean(), gap)
      .map(([items, trailing, end]) => items.map((parts) => parts.join('')).join(',') + (trailing && items.length > 0 ? ',' : '') + end);
  return {
    value: fc.oneof({ maxDepth: 3 }, scalar, tie('object'), tie('list')),
    object: joined(fc.tuple(key, gap, gap, tie('value')).map(([name, a, b, value]) => `${name}${a}:${b}${value}`)).map(
      (text) => `{${text}}`,
    ),
    list: joined(tie('value')).map((text) => `[${text}]`),
  };
});

const documents = fc.tuple(gap, object, fc.option(object, { nil: undefined }), gap, gap).map(([before, rest, servers, between, after]) => {
  if (servers === undefined) return before + rest + after;
  const inside = rest.slice(1, -1);
  // The servers come before the rest. A comma follows them if the rest has members.
  return `${before}{${between}"mcpServers":${servers}${/["\d]/.test(inside) || inside.includes(':') ? ',' : ''}${inside}}${after}`;
});

test('install and uninstall keep all other values and every comment of any generated file', async () => {
  let tried = 0;
  await fc.assert(
    fc.property(documents, (text) => {
      const errors: unknown[] = [];
      // Some of the generated texts are invalid.
      const value = parse(text, errors as never[], { allowTrailingComma: true }) as Record<string, unknown> | undefined;
      fc.pre(errors.length === 0);
      tried += 1;
      const after = installedAndRemoved(text);
      const bare = (of: unknown): unknown => {
        const { mcpServers, ...others } = of as Record<string, unknown>;
        const empty = mcpServers === undefined || Object.keys(mcpServers as object).length === 0;
        return empty ? others : { ...others, mcpServers };
      };
      expect(bare(valueIn(after))).toEqual(bare(value));
    }),
    { numRuns: 1_500 },
  );
  expect(tried).toBeGreaterThan(1_000);
});
