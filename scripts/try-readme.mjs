// Does the README tell the truth? Runs every command and example in it as it stands there, from an empty folder in which
// the packed package is installed, as somebody who never saw the project would. `npm ci && …` of the project itself is
// what runs this. The example of the client library has a test of its own: test/scripts/client-package.test.ts.
import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { root } from './root.mjs';

const readme = readFileSync(join(root, 'README.md'), 'utf8');
const QUIET = ['--no-audit', '--no-fund', '--loglevel=error'];

/** Blocks of code for machines, by the name in the markers around each. One without markers is one that nobody runs. */
function blocksOf(text) {
  const marked = /<!-- (?:command|example): ([\w-]+) -->\n\n```(sh|json|ts)\n([\s\S]*?)\n```\n\n<!-- \/(?:command|example): \1 -->/g;
  const blocks = new Map([...text.matchAll(marked)].map(([, name, , code]) => [name, code]));
  const all = [...text.matchAll(/^```(sh|json|js|ts)$/gm)].length;
  assert.equal(all, blocks.size, 'each block of code stands between markers that name it');
  return blocks;
}

const work = mkdtempSync(join(tmpdir(), 'video-hosting-mcp-readme-'));
const home = join(work, 'home');
const user = join(work, 'user');
const { startDemoService } = createRequire(import.meta.url)(join(root, 'dist', 'demo.cjs'));
const demo = await startDemoService({ now: new Date().toISOString(), views: 20_000 });

/** The environment of a user with an account; nothing of this project's. */
const env = {
  PATH: process.env.PATH,
  HOME: home,
  NO_UPDATE_NOTIFIER: '1',
  ...(process.env.npm_config_registry === undefined ? {} : { npm_config_registry: process.env.npm_config_registry }),
  VIDEO_HOSTING_BASE_URL: demo.baseUrl,
  VIDEO_HOSTING_STATS_URL: demo.statsUrl,
  VIDEO_HOSTING_API_KEY: demo.apiKey,
};

/** Where clients look, each with something of the user's own in it already. */
const CLIENT_FILES = {
  cursor: join(home, '.cursor', 'mcp.json'),
  gemini: join(home, '.gemini', 'settings.json'),
};
const OWN = { theme: 'dark', mcpServers: { other: { command: 'other' } } };

const HOW_TO_RUN = {
  // What runs this script has run these two.
  demo: () => 'run before',
  test: () => 'run before',
  'install-demo': async (line, began) => {
    await atTerminal(line);
    for (const file of Object.values(CLIENT_FILES)) {
      const config = JSON.parse(readFileSync(file, 'utf8'));
      assert.deepEqual(config.mcpServers.other, OWN.mcpServers.other);
      const { tools, channels } = await ask(config.mcpServers['video-hosting']);
      assert.ok(tools > 10 && channels > 0, `${file}: ${tools} tools, ${channels} channels`);
    }
    // How long it takes to fetch the packages is the network's.
    return `answered ${((performance.now() - began) / 1000).toFixed(1)} s after the package’s installation began`;
  },
  install: async (lines) => {
    const [install, doctor] = lines.split('\n');
    await atTerminal(install);
    const { channels } = await ask(JSON.parse(readFileSync(CLIENT_FILES.cursor, 'utf8')).mcpServers['video-hosting']);
    assert.equal(channels, demo.world.channels.size);
    return (await shell(doctor)).trim().split('\n').at(-1);
  },
  upkeep: async (lines) => {
    const [sync, forget] = lines.split('\n');
    assert.match(await shell(sync), /views are kept/);
    return (await shell(forget)).trim().split('\n').at(-1);
  },
  configuration: async (text) => {
    const { mcpServers } = JSON.parse(text.replace('/path/to/video-hosting-mcp', root));
    const { args, command, env: told } = mcpServers['video-hosting'];
    const own = Object.keys(env).filter((name) => name.startsWith('VIDEO_'));
    assert.deepEqual(new Set(Object.keys(told)), new Set(own));
    const { channels } = await ask({ command, args, env });
    assert.equal(channels, demo.world.channels.size);
    return `${channels} channels`;
  },
  client: () => 'has a test of its own',
};

try {
  const blocks = blocksOf(readme);
  assert.deepEqual(new Set(blocks.keys()), new Set(Object.keys(HOW_TO_RUN)), 'for each block it is said how to run it');
  for (const [name, file] of Object.entries(CLIENT_FILES)) {
    mkdirSync(join(home, `.${name}`), { recursive: true });
    writeFileSync(file, JSON.stringify(OWN));
  }
  mkdirSync(user);
  writeFileSync(join(user, 'package.json'), '{"private":true}\n');
  execFileSync('npm', ['pack', '--ignore-scripts', '--pack-destination', work, ...QUIET], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [archive] = readdirSync(work).filter((name) => name.endsWith('.tgz'));
  const began = performance.now();
  execFileSync('npm', ['install', '--ignore-scripts', ...QUIET, join(work, archive)], {
    cwd: user,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  for (const [name, code] of blocks) console.log(`${name}: ${await HOW_TO_RUN[name](code, began)}`);
} finally {
  await demo.close();
  rmSync(work, { recursive: true, force: true });
}

/** A line as it stands, in the user's folder. Answers what it prints. */
function shell(line) {
  return ended(spawn('sh', ['-c', line], { cwd: user, env, stdio: ['ignore', 'pipe', 'pipe'] }), line);
}

/** The same at a terminal, with yes to each question and nothing for what may be empty; where the system has no program that makes one, the answers are given ahead. */
function atTerminal(line) {
  if (spawnSync('script', ['--version'], { stdio: 'ignore' }).status !== 0) return shell(`${line} --yes`);
  const child = spawn('script', ['-qec', line, '/dev/null'], { cwd: user, env, stdio: ['pipe', 'pipe', 'pipe'] });
  let unanswered = '';
  child.stdout.on('data', (text) => {
    unanswered += text;
    // A question may come in pieces.
    const [question] = /\[y\/N\] |\(empty if there is none\)/.exec(unanswered) ?? [];
    if (question === undefined) return;
    unanswered = unanswered.slice(unanswered.indexOf(question) + question.length);
    child.stdin.write(question.startsWith('[') ? 'y\n' : '\n');
  });
  return ended(child, line);
}

async function ended(child, line) {
  const printed = { stdout: '', stderr: '' };
  for (const name of Object.keys(printed)) child[name].on('data', (text) => (printed[name] += text));
  const [code] = await once(child, 'close');
  assert.equal(code, 0, `${line}: ended with ${code}.\n${printed.stdout}\n${printed.stderr}`);
  return printed.stdout;
}

/** What a client gets that starts the server as its configuration says. */
async function ask({ command, args, env: told = {} }) {
  const expanded = Object.fromEntries(
    Object.entries(told).map(([name, value]) => [name, value.replace(/^\$\{(?:env:)?(\w+)(?::-)?\}$/, (_, variable) => env[variable])]),
  );
  const client = new Client({ name: 'readme', version: '1.0.0' });
  await client.connect(
    new StdioClientTransport({ command, args, env: { PATH: `${process.env.PATH}${delimiter}`, HOME: home, ...expanded } }),
  );
  try {
    const { tools } = await client.listTools();
    const { structuredContent, isError, content } = await client.callTool({ name: 'list_channels', arguments: { size: 100 } });
    assert.ok(!isError, JSON.stringify(content));
    return { tools: tools.length, channels: structuredContent.channels.length };
  } finally {
    await client.close();
  }
}
