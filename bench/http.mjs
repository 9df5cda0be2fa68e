// How quickly does a server for several people answer over HTTP? Eight people of one server, each of whom calls again once answered, against
// the same eight calls at a time over stdio, of one server, alternately, at the same demo service: as many processes do the same work, and
// what differs is how requests and answers come and go, and what is looked at before (`Host`, credential, limits, a line of the log). Beside
// that: eight servers over stdio, which is what eight people would have without it; they may use every core, and keep eight caches.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Agent, request as httpRequest } from 'node:http';
import { performance } from 'node:perf_hooks';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { converse, REVISIONS, startRawClient } from '../scripts/raw-client.mjs';
import { cpuMsOf, listening, median, newFolder, OLD_QUESTION, OURS, serverEnv, startDemo, tokenOf } from './processes.mjs';
import { inTurn, ratioOf } from './rounds.mjs';

const CLIENTS = 8;
/** Which one person may go on sending. */
const PER_SECOND = 20;
const CHANNELS = 100;
const PAGE_SIZE = 20;

/** Lists come last: over stdio, those before the first call are sent as they were recorded, and hardly cost anything. */
const CALLS = {
  list_channels: {
    method: 'tools/call',
    params: { name: 'list_channels', arguments: { page: 1, size: PAGE_SIZE } },
    isGood: ({ isError, structuredContent }) => !isError && structuredContent.channels.length === PAGE_SIZE,
  },
  'a question': {
    method: 'tools/call',
    params: { name: 'query_analytics', arguments: OLD_QUESTION },
    isGood: ({ isError, structuredContent }) => !isError && structuredContent.rows.length === 20,
    // It takes ten times as long.
    share: 0.2,
  },
  'tools/list': { method: 'tools/list', isGood: ({ tools }) => tools.length > 10 },
};

const OVER_HTTP = `HTTP, ${CLIENTS} people of one server`;
const ONE = 'stdio, one server';
const EACH = `stdio, ${CLIENTS} servers`;

export async function run(options) {
  const { values } = parseArgs({
    args: options,
    options: {
      calls: { type: 'string', default: '40' },
      views: { type: 'string', default: '20000' },
      latency: { type: 'string', default: '20' },
      rounds: { type: 'string', default: '7' },
      warmups: { type: 'string', default: '2' },
      era: { type: 'string', default: 'modern' },
      ours: { type: 'string', default: OURS },
    },
  });
  const [calls, views, latencyMs, rounds, warmups] = ['calls', 'views', 'latency', 'rounds', 'warmups'].map((name) => Number(values[name]));
  const rows = await measure({ calls, views, latencyMs, rounds, warmups, era: values.era, ours: values.ours });
  show(rows, latencyMs);
  return rows.map(({ what, ratio }) => ({
    what: `${what} over HTTP, ${CLIENTS} people at once, calls a second`,
    against: `over stdio, ${CLIENTS} calls of one server at once`,
    ratio,
    atLeast: 0.7,
  }));
}

async function measure({ calls, views, latencyMs, rounds, warmups, era, ours }) {
  const demo = startDemo(ours, { latencyMs, channels: CHANNELS, views });
  const ways = {};
  try {
    const service = await demo.next();
    ways[ONE] = await overStdio(1, ours, service, era);
    ways[EACH] = await overStdio(CLIENTS, ours, service, era);
    ways[OVER_HTTP] = await overHttp(ours, service, era);
    const rows = [];
    for (const [what, call] of Object.entries(CALLS)) {
      const measured = await inTurn(Object.values(ways), (way) => rateOf(way, call, calls), { rounds, warmups });
      const series = Object.fromEntries(Object.keys(ways).map((name, index) => [name, measured[index]]));
      rows.push({ what, series, ratio: ratioOf(series[OVER_HTTP], series[ONE], ({ perSecond }) => perSecond) });
    }
    return rows;
  } finally {
    for (const { close } of Object.values(ways)) await close();
    demo.child.kill();
  }
}

/** All clients at once, each of which makes its calls one after another. */
async function rateOf({ clients, pids, ready = async () => {} }, { method, params, isGood, share = 1 }, most) {
  const calls = Math.ceil(most * share);
  await ready(calls);
  const cpuMs = () => pids.reduce((sum, pid) => sum + cpuMsOfAll(pid), 0);
  const [began, cpuBefore] = [performance.now(), cpuMs()];
  await Promise.all(
    clients.map(async (client) => {
      for (let left = calls; left > 0; left -= 1) if (!isGood(await client.request(method, params))) throw new Error(`${method} failed.`);
    }),
  );
  const count = calls * clients.length;
  return { perSecond: (count / (performance.now() - began)) * 1_000, cpuMs: (cpuMs() - cpuBefore) / count };
}

/** Of a process and the engine that it started. */
function cpuMsOfAll(pid) {
  try {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean);
    return [pid, ...children].reduce((sum, one) => sum + (cpuMsOf(one) ?? 0), 0);
  } catch {
    return Number.NaN;
  }
}

async function overStdio(count, ours, service, era) {
  const servers = Array.from({ length: count }, () =>
    startRawClient(process.execPath, [ours], { era, env: serverEnv(newFolder(), service) }),
  );
  for (const server of servers) await server.open();
  return {
    clients: Array.from({ length: CLIENTS }, (_, index) => servers[index % count]),
    pids: servers.map(({ child }) => child.pid),
    close: () => Promise.all(servers.map((server) => server.close())),
  };
}

async function overHttp(ours, service, era) {
  const home = newFolder();
  const env = { PATH: process.env.PATH, ...serverEnv(home, service), VIDEO_HOSTING_HTTP_LISTEN: '127.0.0.1:0' };
  const tokens = Array.from({ length: CLIENTS }, (_, index) =>
    tokenOf(spawnSync(process.execPath, [ours, 'people', 'add', `person-${index}`, '--roles', 'read'], { env, encoding: 'utf8' })),
  );
  const child = spawn(process.execPath, [ours, 'serve', '--http'], { env, stdio: ['ignore', 'ignore', 'pipe'] });
  const origin = await listening(child);
  const clients = tokens.map((token) => startHttpClient(`${origin}/mcp`, token, era));
  let freeAt = 0;
  return {
    clients,
    pids: [child.pid],
    /** Once everybody may send as many requests at once. */
    async ready(calls) {
      await sleep(Math.max(0, freeAt - performance.now()));
      freeAt = performance.now() + (calls / PER_SECOND) * 1_000;
    },
    async close() {
      for (const client of clients) client.close();
      child.kill();
      await once(child, 'close');
    },
  };
}

/** A client with a connection of its own, which it keeps. */
function startHttpClient(url, token, era) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const conversation = converse((message) => post(message).then(conversation.take), { era });
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': REVISIONS[era],
  };
  async function post(message) {
    const { id, method, params } = message;
    const sent = httpRequest(url, {
      method: 'POST',
      agent,
      headers: { ...headers, 'mcp-method': method, ...(params?.name && { 'mcp-name': params.name }) },
    });
    sent.end(JSON.stringify(message));
    const [response] = await once(sent, 'response');
    const body = await text(response);
    if (response.statusCode !== 200) return { id, error: { code: response.statusCode, message: body } };
    // An event of its own, or JSON alone.
    return JSON.parse(/^data: (.*)$/m.exec(body)?.[1] ?? body);
  }
  return { request: conversation.request, close: () => agent.destroy() };
}

function show(rows, latencyMs) {
  console.log(
    `${CLIENTS} calls at a time, of a service that takes ${latencyMs} ms; calls a second, CPU time of our processes for each; medians of rounds in turn.\n`,
  );
  const shown = (value) => (value === undefined || Number.isNaN(value) ? '–' : value.toPrecision(3)).padStart(9);
  for (const { what, series } of rows) {
    console.log(`${what.padEnd(30)} per second    CPU ms   × rate    × CPU of one server over stdio`);
    for (const name of Object.keys(series)) {
      const of = (field) => shown(median(series[name].map((measured) => measured[field])));
      const timesOne = (field) => shown(ratioOf(series[name], series[ONE], (measured) => measured[field]));
      console.log(`  ${name.padEnd(28)} ${of('perSecond')} ${of('cpuMs')} ${timesOne('perSecond')} ${timesOne('cpuMs')}`);
    }
  }
}
