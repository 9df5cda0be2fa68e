// Runs every command and example of README.md and docs/ as it stands there, in a fresh copy of the repository and with a
// home folder of its own, as somebody would who has just received that copy. Needs the npm registry. The command that
// runs the tests is left out.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { root } from './root.mjs';

/** Blocks of code for machines, by the name in the markers around each. A block without markers would not be tried. */
function blocksOf(name) {
  const text = readFileSync(join(root, name), 'utf8');
  const marked = /<!-- (?:command|example): ([\w-]+) -->\n\n```(sh|json|js|ts)\n([\s\S]*?)\n```\n\n<!-- \/(?:command|example): \1 -->/g;
  const blocks = [...text.matchAll(marked)].map(([, block, , code]) => [block, code]);
  const all = [...text.matchAll(/^```(sh|json|js|ts)$/gm)].length;
  assert.equal(all, blocks.length, `${name}: each block of code stands between markers that name it`);
  return blocks;
}

const documents = [
  'README.md',
  ...readdirSync(join(root, 'docs'), { encoding: 'utf8' }).flatMap((name) => (name.endsWith('.md') ? [`docs/${name}`] : [])),
];
const work = mkdtempSync(join(tmpdir(), 'video-hosting-mcp-readme-'));
const home = join(work, 'home');
const copy = join(work, 'video-hosting-mcp');
/** What is not part of a copy of the repository. */
const NOT_COPIED = new Set(['.git', 'node_modules', 'dist', 'bundles']);
const { startDemoService } = createRequire(import.meta.url)(join(root, 'dist', 'demo.cjs'));
/** The folder of the nightly jobs, and the browser. */
const night = join(work, 'night');
const bin = join(work, 'bin');
/** Where npm installs globally here. */
const prefix = join(work, 'prefix');
const installed = join(prefix, 'lib', 'node_modules', 'video-hosting-mcp', 'dist', 'main.cjs');
const demo = await startDemoService({ now: new Date().toISOString(), views: 20_000 });

/** The environment of a user with an account, with nothing of this project in it. */
const env = {
  PATH: `${join(prefix, 'bin')}${delimiter}${process.env.PATH}`,
  HOME: home,
  NO_UPDATE_NOTIFIER: '1',
  VIDEO_HOSTING_BASE_URL: demo.baseUrl,
  VIDEO_HOSTING_STATS_URL: demo.statsUrl,
  VIDEO_HOSTING_API_KEY: demo.apiKey,
};
/** How npm reaches its registry here, and its cache. */
const NPM_SETTINGS =
  /^(npm_config_(registry|cache|userconfig|cafile|https?_proxy|proxy|noproxy|fetch_retries)|https?_proxy|no_proxy|NODE_EXTRA_CA_CERTS)$/i;
const npmEnv = Object.fromEntries(Object.entries(process.env).filter(([name]) => NPM_SETTINGS.test(name)));

/** Where clients keep their configuration, each with an entry of the user's own. */
const CLIENT_FILES = {
  cursor: join(home, '.cursor', 'mcp.json'),
  gemini: join(home, '.gemini', 'settings.json'),
};
const OWN = { theme: 'dark', mcpServers: { other: { command: 'other' } } };

const HOW_TO_RUN = {
  'quick-start': async (lines) => {
    const [demo, page] = lines.split('\n');
    const told = await shell(demo);
    assert.match(told, /Every step did what it says/);
    return `${told.trim().split('\n').length} lines, and a page of ${await pageOf(page)} bytes`;
  },
  install: async (lines) => {
    const [pack, install, clients] = lines.split('\n');
    for (const line of [pack, install]) await shell(line);
    await atTerminal(clients);
    for (const file of Object.values(CLIENT_FILES)) {
      const config = JSON.parse(readFileSync(file, 'utf8'));
      assert.deepEqual(config.mcpServers.other, OWN.mcpServers.other);
      const entry = config.mcpServers['video-hosting'];
      assert.deepEqual(entry, { command: 'node', args: [installed, '--demo'] });
      const { tools, channels } = await ask(entry);
      assert.ok(tools > 10 && channels > 0, `${file}: ${tools} tools, ${channels} channels`);
    }
    return `${Object.keys(CLIENT_FILES).length} clients installed`;
  },
  'own-account': async (lines) => {
    const [install, doctor] = lines.split('\n');
    await atTerminal(install);
    const { channels } = await ask(JSON.parse(readFileSync(CLIENT_FILES.cursor, 'utf8')).mcpServers['video-hosting']);
    assert.equal(channels, demo.world.channels.size);
    return (await shell(doctor)).trim().split('\n').at(-1);
  },
  configuration: async (text) => {
    const { mcpServers } = JSON.parse(text.replace('/path/to/video-hosting-mcp/dist/main.cjs', installed));
    const { args, command, env: told } = mcpServers['video-hosting'];
    const own = Object.keys(env).filter((name) => name.startsWith('VIDEO_'));
    assert.deepEqual(new Set(Object.keys(told)), new Set(own));
    const { channels } = await ask({ command, args, env });
    assert.equal(channels, demo.world.channels.size);
    return `${channels} channels`;
  },
  test: () => 'not run here',
  upkeep: async (lines) => {
    const [sync, forget] = lines.split('\n');
    assert.match(await shell(sync), /views are kept/);
    return (await shell(forget)).trim().split('\n').at(-1);
  },
  'standing-approvals': async (text) => {
    const file = join(night, 'approvals.json');
    const until = new Date(Date.now() + 7 * 86_400_000).toISOString().slice(0, 10);
    const webinars = [...demo.world.channels.values()].find(({ name }) => name === 'Webinars 2026');
    const inThisAccount = text
      .replace('ID-OF-ARCHIVE', archive().id)
      .replace('ID-OF-WEBINARS', webinars.id)
      .replace(/(?<="until": ")[\d-]+/, until);
    writeFileSync(file, inThisAccount, { mode: 0o600 });
    const read = await shell(`node dist/main.cjs approvals check ${file}`);
    assert.equal(read.trim().split('\n').length, 2);
    return read.trim().split('\n').at(-1);
  },
  'nightly-move': (script) => {
    writeFileSync(join(night, 'move.sh'), inNight(script));
    return 'run with its program, which follows';
  },
  // Of two lists that the approval covers one by one, the second is over the day's number.
  'nightly-move-client': async (program) => {
    writeFileSync(join(night, 'move.mjs'), program);
    const { VIDEO_HOSTING_BASE_URL, VIDEO_HOSTING_API_KEY } = env;
    const account = Object.entries({ VIDEO_HOSTING_BASE_URL, VIDEO_HOSTING_API_KEY }).map(([name, value]) => `${name}='${value}'\n`);
    writeFileSync(join(night, 'account'), account.join(''));
    await shell(`npm install --prefix ${night} --no-audit --no-fund --loglevel=error @modelcontextprotocol/client`);
    const { poisonedVideoIds, videos } = demo.world;
    const elsewhere = [...videos.values()].filter(({ id, projectId }) => projectId !== archive().id && !poisonedVideoIds.has(id));
    for (const [from, code, moved] of [
      [0, 0, 300],
      [300, 3, 0],
    ]) {
      const list = elsewhere.slice(from, from + 300);
      const rows = list.map(({ id, projectId }) => `${id},${projectId}\n`);
      assert.equal(rows.length, 300);
      writeFileSync(join(night, 'lists', 'old.csv'), `id,fromProject\n${rows.join('')}`, { mode: 0o600 });
      const printed = await shell(`sh ${join(night, 'move.sh')}`, code);
      assert.equal(list.filter(({ projectId }) => projectId === archive().id).length, moved, printed);
    }
    return '300 videos moved, 300 wait';
  },
  'nightly-claude-server': async (text) => {
    const { mcpServers } = JSON.parse(inNight(text));
    const { channels } = await ask(mcpServers['video-hosting']);
    assert.equal(channels, demo.world.channels.size);
    return `${channels} channels`;
  },
  notice: (text) => `a notice of ${JSON.parse(text).kind}`,
  'nightly-claude': () => 'run by npm run test:clients',
  team: async (lines) => {
    const people = lines.split('\n');
    const serve = people.pop();
    const tokens = [];
    for (const line of people) tokens.push(/vhm_[\w-]+/.exec(await shell(line))?.[0]);
    return withServer(serve, async (address) => {
      const numbers = [];
      for (const token of tokens) numbers.push((await askOverHttp(address, token)).channels);
      assert.deepEqual(numbers, [demo.world.channels.size, demo.world.channels.size]);
      return `${numbers.length} people, ${numbers[0]} channels each`;
    });
  },
  'team-client': async (lines) => {
    const token = /vhm_[\w-]+/.exec(await shell('video-hosting-mcp people rotate bob'))[0];
    const [install, doctor] = lines.split('\n');
    return withServer('video-hosting-mcp serve --http', async () => {
      await shell(install, 0, { VIDEO_HOSTING_CLIENT_TOKEN: token });
      const { url, headers } = JSON.parse(readFileSync(CLIENT_FILES.cursor, 'utf8')).mcpServers['video-hosting'];
      assert.equal((await askOverHttp(url, headers.Authorization.replace('Bearer ', ''))).channels, demo.world.channels.size);
      const told = await shell(doctor);
      assert.match(told, /of bob, who has read, propose/);
      return told.trim().split('\n').at(-1);
    });
  },
  'second-person': (setting) => withServer(`export ${setting}; exec video-hosting-mcp serve --http`, () => 'a server that starts with it'),
};

try {
  const blocks = documents.flatMap(blocksOf);
  const names = blocks.map(([name]) => name);
  assert.equal(new Set(names).size, names.length, 'each block has a name of its own');
  assert.deepEqual(new Set(names), new Set(Object.keys(HOW_TO_RUN)), 'this script says how to run each block');
  for (const [name, file] of Object.entries(CLIENT_FILES)) {
    mkdirSync(join(home, `.${name}`), { recursive: true });
    writeFileSync(file, JSON.stringify(OWN));
  }
  for (const folder of [bin, night, join(night, 'lists')]) mkdirSync(folder);
  cpSync(root, copy, { recursive: true, filter: (path) => !NOT_COPIED.has(basename(path)) });
  for (const [name, code] of blocks) console.log(`${name}: ${await HOW_TO_RUN[name](code)}`);
} finally {
  await demo.close();
  rmSync(work, { recursive: true, force: true });
}

function archive() {
  return demo.world.projectNamed('Archive');
}

function inNight(text) {
  return text.replaceAll('/srv/night', night).replaceAll('ID-OF-ARCHIVE', archive().id);
}

/** Runs a line as it stands, in the copy. Answers what it prints. */
function shell(line, code, more = {}) {
  const given = { ...env, ...more, ...(line.startsWith('npm ') ? { ...npmEnv, npm_config_prefix: prefix } : {}) };
  return ended(spawn('sh', ['-c', line], { cwd: copy, env: given, stdio: ['ignore', 'pipe', 'pipe'] }), line, code);
}

/** Starts a line that opens the page, and ends it once a browser has got the page. Answers how long that is. */
async function pageOf(line) {
  const address = join(work, 'address');
  const browser = join(bin, 'browser');
  writeFileSync(browser, `#!/bin/sh\nprintf %s "$1" >'${address}.new' && mv '${address}.new' '${address}'\n`, { mode: 0o755 });
  const child = spawn('sh', ['-c', `exec ${line}`], { cwd: copy, env: { ...env, VIDEO_HOSTING_BROWSER: browser }, stdio: 'ignore' });
  const end = once(child, 'close');
  while (!existsSync(address) && child.exitCode === null) await sleep(50);
  assert.equal(child.exitCode, null, `${line}: ended with ${child.exitCode}`);
  const response = await fetch(readFileSync(address, 'utf8'));
  assert.equal(response.status, 200);
  const page = await response.text();
  child.kill('SIGINT');
  await end;
  return page.length;
}

/** The same at a terminal, with yes to each question, and no to what is optional. Without `script`, the answers are given by `--yes`. */
function atTerminal(line) {
  if (spawnSync('script', ['--version'], { stdio: 'ignore' }).status !== 0) return shell(`${line} --yes`);
  const child = spawn('script', ['-qec', line, '/dev/null'], { cwd: copy, env, stdio: ['pipe', 'pipe', 'pipe'] });
  let unanswered = '';
  child.stdout.on('data', (text) => {
    unanswered += text;
    // A question may come in pieces.
    const [question] = /\[y\/N(?:\/all)?\] /.exec(unanswered) ?? [];
    if (question === undefined) return;
    const [asked] = unanswered.split(question);
    unanswered = unanswered.slice(asked.length + question.length);
    child.stdin.write(/optional/.test(asked) ? 'n\n' : 'y\n');
  });
  return ended(child, line);
}

async function ended(child, line, expected = 0) {
  const printed = { stdout: '', stderr: '' };
  for (const name of Object.keys(printed)) child[name].on('data', (text) => (printed[name] += text));
  const [code] = await once(child, 'close');
  assert.equal(code, expected, `${line}: ended with ${code}.\n${printed.stdout}\n${printed.stderr}`);
  return printed.stdout;
}

/** Starts a server over HTTP by a line, does something with it, and ends it. */
async function withServer(line, use) {
  const child = spawn('sh', ['-c', line.includes('exec ') ? line : `exec ${line}`], {
    cwd: copy,
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const end = once(child, 'close');
  let told = '';
  child.stderr.on('data', (text) => {
    told += text;
  });
  const saidAddress = () => /Serves at (\S+)/.exec(told)?.[1];
  try {
    while (saidAddress() === undefined && child.exitCode === null) await sleep(50);
    const address = saidAddress();
    assert.ok(address, `${line}: ended with ${child.exitCode}.\n${told}`);
    return await use(address);
  } finally {
    child.kill();
    await end;
  }
}

async function askOverHttp(address, token) {
  const client = new Client({ name: 'readme', version: '1.0.0' });
  await client.connect(
    new StreamableHTTPClientTransport(new URL(address), { requestInit: { headers: { authorization: `Bearer ${token}` } } }),
  );
  return channelsOf(client);
}

/** What a client gets that starts the server as its configuration says. */
async function ask({ command, args, env: told = {} }) {
  const expanded = Object.fromEntries(
    Object.entries(told).map(([name, value]) => [name, value.replace(/^\$\{(?:env:)?(\w+)(?::-)?\}$/, (_, variable) => env[variable])]),
  );
  const client = new Client({ name: 'readme', version: '1.0.0' });
  await client.connect(new StdioClientTransport({ command, args, env: { PATH: `${env.PATH}${delimiter}`, HOME: home, ...expanded } }));
  return channelsOf(client);
}

async function channelsOf(client) {
  try {
    const { tools } = await client.listTools();
    const { structuredContent, isError, content } = await client.callTool({ name: 'list_channels', arguments: { size: 100 } });
    assert.ok(!isError, JSON.stringify(content));
    return { tools: tools.length, channels: structuredContent.channels.length };
  } finally {
    await client.close();
  }
}
