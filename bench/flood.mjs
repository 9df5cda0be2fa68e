// How much slower are one person's calls while another person of the same server sends all that they can? Ann calls at an even pace, alternately
// alone and beside Bob's flood, which comes from a process of its own; of each kind of call and each kind of flood the ratio of medians, and the
// times that one call in twenty is beyond.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request as httpRequest } from 'node:http';
import { performance } from 'node:perf_hooks';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import {
  fixture,
  listening,
  median,
  newFolder,
  OLD_QUESTION,
  OURS,
  pageKeyOf,
  serverEnv,
  startDemo,
  startLines,
  tokenOf,
} from './processes.mjs';
import { inTurn, ratioOf } from './rounds.mjs';

const CHANNELS = 100;
/** Without any, nobody viewed one. */
const VIDEOS = 500;
/** Ann's pace: what one person may go on sending. */
const EVERY_MS = 60;

const callOf = (name, args) => ({ method: 'tools/call', params: { name, arguments: args } });
const CALLS = {
  'tools/list': { method: 'tools/list' },
  list_channels: callOf('list_channels', { page: 1, size: 20 }),
  'a question': callOf('query_analytics', OLD_QUESTION),
};

/** What Bob sends, over how many connections at once: one request again and again, or some in turn. */
const FLOODS = {
  lists: { connections: 64, requests: (bob) => [bob.call(callOf('list_channels', { page: 2, size: 100 }))] },
  questions: {
    connections: 32,
    requests: (bob) => [
      bob.call(
        callOf('query_analytics', {
          from: '2026-08-01',
          to: '2026-10-31',
          groupBy: ['hour', 'video'],
          metrics: ['views', 'unique_viewers'],
        }),
      ),
    ],
  },
  explanations: {
    connections: 32,
    requests: (bob) => [bob.call(callOf('explain_change', { from: '2026-09-01', to: '2026-10-31', compareTo: 'previous_period' }))],
  },
  'queries in SQL': {
    connections: 32,
    requests: (bob) => [
      bob.call(
        callOf('run_analytics_sql', {
          sql: 'SELECT channel_key, video_key, ts, country, city, browser, os FROM views ORDER BY ts',
          from: '2026-08-01',
          to: '2026-10-31',
        }),
      ),
    ],
  },
  charts: {
    connections: 32,
    requests: (bob) => [
      bob.call(callOf('query_analytics', { from: '2026-08-01', to: '2026-10-31', groupBy: ['day'], metrics: ['views'], chart: true })),
    ],
  },
  'bodies of 4 MB': { connections: 16, requests: (bob) => [bob.call(callOf('list_channels', { search: 'x'.repeat(4_000_000) }))] },
  'wrong credentials': {
    connections: 64,
    requests: (bob) => [bob.call({ method: 'tools/list' }, `vhm_${'A'.repeat(43)}`)],
  },
  'moves of long lists': { connections: 8, requests: (bob, move) => [bob.call(callOf('move_videos', move(0)))] },
  'views of large moves that wait': {
    connections: 16,
    async requests(bob, move) {
      const changeIds = [];
      for (let index = 0; index < MOVES; index += 1) changeIds.push(await bob.propose(callOf('move_videos', move(index))));
      return changeIds.map((changeId) => bob.look(`changes/${changeId}`));
    },
  },
};
/** That wait, each with a list of its own. */
const MOVES = 6;

export async function run(options) {
  const { values } = parseArgs({
    args: options,
    options: {
      calls: { type: 'string', default: '30' },
      views: { type: 'string', default: '20000' },
      ids: { type: 'string', default: '100000' },
      latency: { type: 'string', default: '20' },
      rounds: { type: 'string', default: '5' },
      flood: { type: 'string', multiple: true, default: Object.keys(FLOODS) },
      ours: { type: 'string', default: OURS },
    },
  });
  const [calls, views, ids, latencyMs, rounds] = ['calls', 'views', 'ids', 'latency', 'rounds'].map((name) => Number(values[name]));
  console.log('One person’s calls, alone and beside a flood of another person’s: p50 and p95; medians of rounds in turn.\n');
  const rows = await measure({ calls, views, ids, latencyMs, rounds, floods: values.flood, ours: values.ours });
  return rows.map(({ flood, what, ratio }) => ({
    what: `${what} of one person, while another one floods the server with ${flood}, p50`,
    against: 'the same without the flood',
    ratio,
    atMost: 2,
  }));
}

async function measure({ calls, views, ids, latencyMs, rounds, floods, ours }) {
  const demo = startDemo(ours, { latencyMs, channels: CHANNELS, videos: VIDEOS, views });
  const flooder = startLines(process.execPath, [fixture('flood.cjs')]);
  let server;
  try {
    const service = await demo.next();
    const env = { PATH: process.env.PATH, ...serverEnv(newFolder(), service), VIDEO_HOSTING_HTTP_LISTEN: '127.0.0.1:0' };
    const [ann, bob] = ['ann', 'bob'].map((name) =>
      spawnSync(process.execPath, [ours, 'people', 'add', name, '--roles', 'read,propose'], { env, encoding: 'utf8' }),
    );
    server = spawn(process.execPath, [ours, 'serve', '--http'], { env, stdio: ['ignore', 'ignore', 'pipe'] });
    const url = await listening(server);
    const call = caller(url, tokenOf(ann));
    const move = moves(service.projects, ids);
    const flooding = await openPerson(url, bob);
    // What is loaded and read with the first of each; of the views, all.
    while ((await call(CALLS['a question'])).includes('PARTIAL')) await sleep(EVERY_MS);
    for (const one of Object.values(CALLS)) for (let warm = 0; warm < 5; warm += 1) await call(one);
    const rows = [];
    for (const flood of floods) {
      const { connections, requests } = FLOODS[flood];
      const sent = await requests(flooding, move);
      let statuses = {};
      const besideFlood = async () => {
        flooder.child.stdin.write(`${JSON.stringify({ url, connections, requests: sent })}\n`);
        await flooder.next();
        const times = await timed(calls, call);
        flooder.child.stdin.write('"stop"\n');
        statuses = await flooder.next();
        return times;
      };
      const [alone, beside] = await inTurn([() => timed(calls, call), besideFlood], (take) => take(), { rounds });
      console.log(`${flood} (in the last round: ${JSON.stringify(statuses)})`);
      for (const what of Object.keys(CALLS)) {
        const of = (times) => times[what].p50;
        const [aloneMs, besideMs] = [alone, beside].map((series) => ({
          p50: median(series.map(of)),
          p95: median(series.map((times) => times[what].p95)),
        }));
        const row = { flood, what, aloneMs, besideMs, ratio: ratioOf(beside, alone, of) };
        show(row);
        rows.push(row);
      }
    }
    return rows;
  } finally {
    server?.kill();
    for (const { child } of [demo, flooder]) child.kill();
  }
}

/** The median of each kind of call, which come in turn, and what one in twenty is beyond. */
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
  const p95 = (all) => all.toSorted((a, b) => a - b)[Math.floor(0.95 * (all.length - 1))];
  return Object.fromEntries(Object.entries(times).map(([what, all]) => [what, { p50: median(all), p95: p95(all) }]));
}

/** The arguments of moves, each of so many ids that no other one has. */
const moves =
  ([fromProject, targetProject], count) =>
  (index) => ({
    videoIds: Array.from({ length: count }, (_, at) => (index * count + at).toString(16).padStart(24, '0')),
    ...{ fromProject, targetProject },
  });

/** What somebody sends as a client, and as a browser that they signed in with. */
async function openPerson(url, added) {
  const entered = await fetch(`${url}/sign-in`, {
    method: 'POST',
    body: new URLSearchParams({ key: pageKeyOf(added) }),
    headers: { origin: url },
    redirect: 'manual',
  });
  const headers = {
    cookie: (entered.headers.get('set-cookie') ?? '').split(';')[0],
    'x-page-token': (entered.headers.get('location') ?? '').split('&token=')[1] ?? '',
  };
  const call = caller(url, tokenOf(added));
  return {
    call: (message, token = tokenOf(added)) => ({ method: 'POST', path: '/mcp', ...messageFrom(token, message) }),
    look: (path) => ({ method: 'GET', path: `/app/api/${path}`, headers }),
    /** Resolves to the id of the change that waits then. What is left of an earlier flood ends first. */
    async propose(message) {
      for (;;) {
        const body = await call(message, { isRefusable: true });
        if (body !== undefined) return /"changeId":"(chg-[\w-]+)"/.exec(body)[1];
        await sleep(1_000);
      }
    },
  };
}

const messageFrom = (token, message) => ({
  headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
  text: JSON.stringify({ jsonrpc: '2.0', id: 1, ...message }),
});

/** Calls with a connection of its own, which it keeps. Resolves to undefined where it may be refused, and was for now. */
function caller(url, token) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  return async (message, { isRefusable = false } = {}) => {
    const { headers, text: sentText } = messageFrom(token, message);
    const sent = httpRequest(`${url}/mcp`, { method: 'POST', agent, headers });
    sent.end(sentText);
    const [response] = await once(sent, 'response');
    const body = await text(response);
    if (isRefusable && response.statusCode === 429) return undefined;
    if (response.statusCode !== 200 || body.includes('"isError":true') || !body.includes('"result"'))
      throw new Error(`${response.statusCode} ${body}`);
    return body;
  };
}

function show({ what, aloneMs, besideMs, ratio }) {
  const shown = ({ p50, p95 }) => `${p50.toFixed(1).padStart(7)} ms (${p95.toFixed(1).padStart(6)})`;
  console.log(`  ${what.padEnd(16)} alone ${shown(aloneMs)}, beside ${shown(besideMs)}: ${ratio.toFixed(2)} ×`);
}
