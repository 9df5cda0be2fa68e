/** Changes to TOML configurations: only our entry is changed. */
import { parse } from '@decimalturn/toml-patch';
import { expect, test } from 'vitest';
import { openToml } from '../../../src/commands/install/toml-document.ts';

const ENTRY = {
  command: 'npx',
  args: ['-y', 'video-hosting-mcp@0.1.0'],
  startup_timeout_sec: 60,
  env: { VIDEO_HOSTING_BASE_URL: 'https://api.example.com', QUOTED: 'a"\\\n\u0001é' },
};
const KEY = 'mcp_servers';

const put = (text: string): string => openToml(text, KEY).with(ENTRY, []);
const takeOut = (text: string): string => openToml(text, KEY).without([]);
const valueIn = (text: string): unknown => parse(text);
const comments = (text: string): string[] => text.match(/#[^\r\n"]*/g) ?? [];

test.each([
  ['settings and tables', '# mine\nmodel = "x"   # m\n\n[profiles.a]\nx = 1\n'],
  [
    'other servers',
    '[mcp_servers.other] # hey\ncommand = "a"\nargs = [\n  "1", # one\n  "2",\n]\n\n# about env\n[mcp_servers.other.env]\nK = "v"\n\n[tui]\nn = true # last\n# end\n',
  ],
  ['CRLF', 'model = "a"\r\n[mcp_servers.o]\r\ncommand = "x"\r\n'],
  ['servers with dots', 'mcp_servers.a.command = "x"\nmodel = "q"\n'],
  ['servers on one line', 'mcp_servers = { a = { command = "x" } } # one\n'],
  ['a header for all servers', '[mcp_servers]\n# none yet\n[x]\ny = 1\n'],
  ['names like ours', '[mcp_servers.video-hosting-2]\ncommand = "x"\n[other.mcp_servers.video-hosting]\na = 1\n'],
  ['lists of tables', '[[x]]\na = 1\n[[x]]\na = 2 # two\n'],
  ['times and numbers', 'd = 2020-01-01T00:00:00Z\nf = 1.0\nbig = 9007199254740993\nh = 0xff\nt = """\nlong\n# no comment\n"""\n'],
])('a file with other contents is the same after install and uninstall, byte for byte: %s', (_what, text) => {
  const installed = put(text);
  expect(valueIn(installed)).toMatchObject({ [KEY]: { 'video-hosting': ENTRY } });
  expect(comments(installed)).toEqual(comments(text));
  expect(put(installed)).toBe(installed);
  expect(takeOut(installed)).toBe(text);
});

test.each(['', 'model = "x"', 'model = "x" # no line break', '# only a comment', 'model = "x"\n\n\n'])(
  '%j differs at most in trailing white space after install and uninstall',
  (text) => {
    const installed = put(text);
    expect(valueIn(installed)).toMatchObject({ [KEY]: { 'video-hosting': ENTRY } });
    expect(installed.startsWith(text)).toBe(true);
    expect(takeOut(installed).trimEnd()).toBe(text.trimEnd());
  },
);

test('the entry is added as a table at the end', () => {
  expect(openToml('model = "x"\r\n', KEY).with({ command: 'npx', args: ['-y'], env: { A: '1' } }, [])).toBe(
    'model = "x"\r\n\r\n[mcp_servers.video-hosting]\r\ncommand = "npx"\r\nargs = ["-y"]\r\n\r\n[mcp_servers.video-hosting.env]\r\nA = "1"\r\n',
  );
});

test('only the differing parts of an existing entry are changed, and parts that people added stay', () => {
  const text =
    '[mcp_servers.video-hosting] # ours\ncommand = "npx"\nargs = ["-y", "video-hosting-mcp@0.0.9"] # old\nenabled = false\n\n[tui]\na = 1\n';
  const document = openToml(text, KEY);
  const changed = document.with({ ...document.entry, args: ENTRY.args, env: { A: '1' } }, []);
  expect(valueIn(changed)).toMatchObject({
    [KEY]: { 'video-hosting': { enabled: false, args: ENTRY.args, env: { A: '1' } } },
    tui: { a: 1 },
  });
  expect(comments(changed)).toEqual(['# ours', '# old']);
});

test.each([
  ['a = \nb = 1', /^line 2, column 1: it is not valid TOML/],
  ['[mcp_servers]\na = 1\na = 2', /^line 3, column 1: it is not valid TOML/],
  ['mcp_servers = 1', /mcp_servers should be a table/],
  ['[[mcp_servers]]\na = 1', /mcp_servers should be a table/],
  ['mcp_servers.video-hosting = "x"', /mcp_servers\.video-hosting should be a table/],
])('%j is refused, and the error names the place', (text, words) => {
  expect(() => put(text)).toThrow(words);
});
