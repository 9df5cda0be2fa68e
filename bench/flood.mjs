// How much slower are one person's calls while another person of the same server sends all that they can? Ann calls at an even pace, alternately
// alone and beside Bob's flood, which comes from a process of its own; of each kind of call and each kind of flood the ratio of medians.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request as httpRequest } from 'node:http';
import { performance } from 'node:perf_hooks';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { fixture, listening, median, newFolder, OLD_QUESTION, OURS, serverEnv, startDemo, startLines, tokenOf } from './processes.mjs';
import { inTurn, ratioOf } from './rounds.mjs';

const CHANNELS = 100;
/** Ann's pace: what one person may go on sending. */
const EVERY_MS = 60;

const callOf = (name, args) => ({ method: 'tools/call', params: { name, arguments: args } });
const CALLS = {
  'tools/list': { method: 'tools/list' },
  list_channels: callOf('list_channels', { page: 1, size: 20 }),
  'a question': callOf('query_analytics', OLD_QUESTION),
};

/** What Bob sends, over how many connections at once. */
const FLOODS = {
  lists: { connections: 64, body: callOf('list_channels', { page: 2, size: 100 }) },
  questions: {
    connections: 32,
    body: callOf('query_analytics', {
      from: '2026-08-01',
      to: '2026-10-31',
      groupBy: ['hour', 'video'],
      metrics: ['views', 'unique_viewers'],
    }),
  },
  'bodies of 4 MB': { connections: 16, body: callOf('list_channels', { search: 'x'.repeat(4_000_000) }) },
  'wrong credentials': { connections: 64, body: { method: 'tools/list' }, token: `vhm_${'A'.repeat(43)}` },
};

export async function run(options) {
  const { values } = parseArgs({
    args: options,
    options: {
      calls: { type: 'string', default: '30' },
      views: { type: 'string', default: '20000' },
      latency: { type: 'string', default: '20' },
      rounds: { type: 'string', default: '5' },
      flood: { type: 'string', multiple: true, default: Object.keys(FLOODS) },
      ours: { type: 'string', default: OURS },
    },
  });
  const [calls, views, latencyMs, rounds] = ['calls', 'views', 'latency', 'rounds'].map((name) => Number(values[name]));
  const rows = await measure({ calls, views, latencyMs, rounds, floods: values.flood, ours: values.ours });
  show(rows);
  return rows.map(({ flood, what, ratio }) => ({
    what: `${what} of one person, while another one floods the server with ${flood}, p50`,
    against: 'the same without the flood',
    ratio,
    atMost: 2,
  }));
}

async function measure({ calls, views, latencyMs, rounds, floods, ours }) {
  const demo = startDemo(ours, { latencyMs, channels: CHANNELS, views });
  const flooder = startLines(process.execPath, [fixture('flood.cjs')]);
  let server;
  try {
    const env = { PATH: process.env.PATH, ...serverEnv(newFolder(), await demo.next()), VIDEO_HOSTING_HTTP_LISTEN: '127.0.0.1:0' };
    const [ann, bob] = ['ann', 'bob'].map((name) =>
      tokenOf(spawnSync(process.execPath, [ours, 'people', 'add', name, '--roles', 'read'], { env, encoding: 'utf8' })),
    );
    server = spawn(process.execPath, [ours, 'serve', '--http'], { env, stdio: ['ignore', 'ignore', 'pipe'] });
    const url = `${await listening(server)}/mcp`;
    const call = caller(url, ann);
    // What is loaded and read with the first of each.
    for (const one of Object.values(CALLS)) for (let warm = 0; warm < 5; warm += 1) await call(one);
    const rows = [];
    for (const [flood, { connections, body, token = bob }] of Object.entries(FLOODS).filter(([name]) => floods.includes(name))) {
      let statuses = {};
      const besideFlood = async () => {
        flooder.child.stdin.write(`${JSON.stringify({ url, token, connections, body: { jsonrpc: '2.0', id: 1, ...body } })}\n`);
        await flooder.next();
        const times = await timed(calls, call);
        flooder.child.stdin.write('"stop"\n');
        statuses = await flooder.next();
        return times;
      };
      const [alone, beside] = await inTurn([() => timed(calls, call), besideFlood], (take) => take(), { rounds });
      for (const what of Object.keys(CALLS)) {
        const of = (times) => times[what];
        const [aloneMs, besideMs] = [alone, beside].map((series) => median(series.map(of)));
        rows.push({ flood, what, statuses, aloneMs, besideMs, ratio: ratioOf(beside, alone, of) });
      }
    }
    return rows;
  } finally {
    server?.kill();
    for (const { child } of [demo, flooder]) child.kill();
  }
}

/** The median of each kind of call, which come in turn. */
async function timed(calls, call) {
  const times = Object.fromEntries(Object.keys(CALLS).map((what) => [what, []]));
  for (let made = 0; made < calls; made += 1)
    for (const [what, one] of Object.entries(CALLS)) {
      const began = performance.now();
      await call(one);
      const ms = performance.now() - began;
      times[what].push(ms);
      await sleep(Math.max(0, EVERY_MS - ms));
    }
  return Object.fromEntries(Object.entries(times).map(([what, all]) => [what, median(all)]));
}

/** Calls with a connection of its own, which it keeps. */
function caller(url, token) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  return async (message) => {
    const sent = httpRequest(url, { method: 'POST', agent, headers });
    sent.end(JSON.stringify({ jsonrpc: '2.0', id: 1, ...message }));
    const [response] = await once(sent, 'response');
    const body = await text(response);
    if (response.statusCode !== 200 || body.includes('"isError":true') || !body.includes('"result"'))
      throw new Error(`${response.statusCode} ${body}`);
  };
}

function show(rows) {
  console.log('One person’s calls, alone and beside a flood of another person’s; medians of rounds in turn.\n');
  let last;
  for (const { flood, what, statuses, aloneMs, besideMs, ratio } of rows) {
    if (flood !== last) console.log(`${flood} (in the last round: ${JSON.stringify(statuses)})`);
    last = flood;
    console.log(
      `  ${what.padEnd(16)} alone ${aloneMs.toFixed(1).padStart(7)} ms, beside ${besideMs.toFixed(1).padStart(7)} ms: ${ratio.toFixed(2)} ×`,
    );
  }
}
