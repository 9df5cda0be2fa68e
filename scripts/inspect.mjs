// Checks the built server with the official MCP inspector, in both eras of the protocol: its strict lint of the tools'
// schemas must find nothing, and its lists, reads and calls must succeed. It requires Node 22.19; the server runs on the
// Node that runs this script.
//
//   node scripts/inspect.mjs FOLDER     where @modelcontextprotocol/inspector is installed
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { root } from './root.mjs';

const [, , tools = '.'] = process.argv;
const inspector = join(resolve(tools), 'node_modules', '@modelcontextprotocol', 'inspector');
const { bin, version } = JSON.parse(readFileSync(join(inspector, 'package.json'), 'utf8'));
const server = [process.execPath, join(root, 'dist', 'main.cjs'), '--demo'];
/** The folders of its own settings and of others'. */
const home = mkdtempSync(join(tmpdir(), 'video-hosting-mcp-inspector-'));
const env = { PATH: process.env.PATH, HOME: home, USERPROFILE: home, MCP_STORAGE_DIR: home, MCP_AUTO_OPEN_ENABLED: 'false' };

const args = (value) => ['--tool-args-json', JSON.stringify(value)];
const METHODS = [
  [['tools/list', '--strict'], ({ tools }) => tools.length > 0],
  [['resources/list'], ({ resources }) => resources.length > 0],
  [['resources/templates/list'], ({ resourceTemplates }) => resourceTemplates.length > 0],
  [['resources/read', '--uri', 'video-hosting://plan-types'], ({ contents }) => contents[0].text.includes('edge')],
  [['prompts/list'], ({ prompts }) => prompts.length > 0],
  [['prompts/get', '--prompt-name', 'bulk-move', '--prompt-args', 'targetProject=Archive'], ({ messages }) => messages.length > 0],
  [
    ['tools/call', '--tool-name', 'list_channels', ...args({ size: 3 })],
    ({ structuredContent }) => structuredContent.channels.length === 3,
  ],
];

try {
  for (const era of ['legacy', 'modern']) for (const [options, holds] of METHODS) inspect(era, options, holds);
} finally {
  rmSync(home, { recursive: true, force: true });
}
console.log(
  `The inspector ${version} on Node ${process.version} finds nothing: ${METHODS.map(([[method]]) => method).join(', ')}, in both eras.`,
);

function inspect(era, options, holds) {
  const what = `${options.join(' ')} (${era})`;
  const ours = ['--cli', ...server, '--protocol-era', era, '--format', 'json', '--method', ...options];
  const run = spawnSync(process.execPath, [join(inspector, bin['mcp-inspector']), ...ours], { env, encoding: 'utf8', timeout: 60_000 });
  // The lint's warnings count too: they say which clients would refuse a tool.
  assert.equal(run.stderr, '', what);
  assert.equal(run.status, 0, what);
  assert.ok(holds(JSON.parse(run.stdout).result), `${what}: ${run.stdout}`);
}
