// What does an answer cost a model? Twenty requests that people make, and for each the tokens (o200k_base) of what a model
// is given against those of the bodies that the service sent for it, which is what a plain wrapper of the API would hand on.
// Claude Code and Codex give their models the structured content, Gemini CLI the text (docs/clients.md). Also what the tool
// set itself costs. Counted, not timed: the same on every machine.
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { request } from 'undici';
import { startRawClient } from '../scripts/raw-client.mjs';
import { median, newFolder, OURS, serverEnv } from './processes.mjs';

const ACCOUNT = { views: 20_000, videos: 400 };
/** Bodies beyond this size are counted in part, and the rest at the same rate: a log of views has megabytes. */
const COUNTED_BYTES = 400_000;

export async function run(options) {
  const { values } = parseArgs({
    args: options,
    options: { ours: { type: 'string', default: OURS } },
  });
  const { answers, tools } = await measure(values.ours);
  show(answers, tools);
  return [
    { what: 'the tool set: name, description, input schema', tokens: sumOf(tools, 'model'), atMost: 5_000 },
    ...CLIENTS.map(([clients, given]) => ({
      what: `answers to 20 requests as the models of ${clients} get them, median`,
      against: 'the service’s bodies',
      ratio: median(answers.map((answer) => answer[given] / answer.raw)),
      atMost: 0.1,
    })),
  ];
}

/** Who is given what. */
const CLIENTS = [
  ['Claude Code and Codex', 'structured'],
  ['Gemini CLI', 'text'],
];

const sumOf = (rows, field) => rows.reduce((sum, row) => sum + row[field], 0);

async function measure(ours) {
  const home = newFolder();
  const { startDemoService } = createRequire(ours)(join(dirname(ours), 'demo.cjs'));
  const demo = await startDemoService({ ...ACCOUNT, now: new Date().toISOString() });
  const main = await startRecorder(demo.baseUrl);
  const stats = await startRecorder(demo.statsUrl);
  const env = serverEnv(home, { baseUrl: main.url, statsUrl: stats.url, apiKey: demo.apiKey });
  const client = startRawClient(process.execPath, [ours], { era: 'legacy', env, timeoutMs: 120_000 });
  try {
    await client.open();
    const { tools } = await client.request('tools/list');
    const call = (name, args) => client.request('tools/call', { name, arguments: args });
    const answers = [];
    for (const [wants, ...calls] of requestsOf(demo.world)) {
      const taken = { wants, raw: 0, text: 0, structured: 0 };
      for (const [name, args] of calls) {
        const reply = await call(name, typeof args === 'function' ? args(taken) : args);
        if (reply.isError) throw new Error(`${wants}: ${reply.content[0].text}`);
        taken.preview = reply.structuredContent;
        taken.text += tokensOf(reply.content[0].text);
        taken.structured += tokensOf(JSON.stringify(reply.structuredContent));
      }
      for (const body of [...main.take(), ...stats.take()]) taken.raw += tokensOf(body);
      answers.push(taken);
    }
    return { answers, tools: tools.map(costOf) };
  } finally {
    await client.close();
    for (const { close } of [main, stats, demo]) await close();
  }
}

const costOf = ({ name, description, inputSchema, ...rest }) => ({
  name,
  model: tokensOf(JSON.stringify({ name, description, inputSchema })),
  whole: tokensOf(JSON.stringify({ name, description, inputSchema, ...rest })),
});

function tokensOf(text) {
  if (text.length <= COUNTED_BYTES) return encode(text).length;
  return (encode(text.slice(0, COUNTED_BYTES)).length / COUNTED_BYTES) * text.length;
}

/** Stands before a service and keeps the bodies that it sent. */
async function startRecorder(target) {
  const bodies = [];
  const server = createServer(async (incoming, answer) => {
    const { host: _, connection: __, ...headers } = incoming.headers;
    const {
      statusCode,
      headers: sent,
      body,
    } = await request(`${target}${incoming.url}`, { method: incoming.method, headers, body: incoming });
    const text = await body.text();
    bodies.push(text);
    answer.writeHead(statusCode, { 'content-type': sent['content-type'] ?? 'application/json' }).end(text);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    take: () => bodies.splice(0),
    close: () => new Promise((resolve) => server.close(resolve).closeAllConnections()),
  };
}

/** What people ask for, each with the calls that it takes. A confirmed change has its preview counted too. */
function requestsOf(world) {
  const channels = [...world.channels.values()];
  const projects = [...world.projects.values()];
  const videos = [...world.videos.values()];
  const [channel, other] = channels;
  const [project, target] = projects;
  const confirmed = (name, args) => [
    [name, args],
    [
      'confirm_change',
      ({ preview: { changeId, confirmationToken, preview } }) => ({ changeId, confirmationToken, summary: preview.summary }),
    ],
  ];
  const stated = videos.slice(0, 12).map(({ key }) => key);
  return [
    ['Which channels are there?', ['list_channels', {}]],
    ['The hundred newest channels', ['list_channels', { size: 100, sort: 'updated,desc' }]],
    ['Find a channel', ['list_channels', { search: channel.name.slice(0, 6) }]],
    ['Show me this channel', ['get_channel', { channel: channel.id }]],
    ['Which templates may I use?', ['list_channel_templates', { accountPlanType: 'Business', usableOnly: true }]],
    ['Which folders are there?', ['list_projects', {}]],
    ['Show me this folder', ['get_project', { project: project.id }]],
    ['Which plans have I?', ['list_plans', {}]],
    ['How many emails came in?', ['get_collected_emails', {}]],
    ['Emails by channel', ['get_collected_emails', { groupBy: 'channel' }]],
    ['Views of the last week', ['query_analytics', { from: '7d' }]],
    ['Views by day of the last month', ['query_analytics', { from: '30d', groupBy: ['day'] }]],
    [
      'The most watched videos',
      ['query_analytics', { from: daysAgo(90), to: daysAgo(60), groupBy: ['video'], orderBy: '-views', limit: 10 }],
    ],
    [
      'Viewers by country, against before',
      ['query_analytics', { from: '30d', groupBy: ['country'], metrics: ['unique_viewers'], compareTo: 'previous_period', limit: 10 }],
    ],
    [
      'Rename a channel and state what it holds',
      ...confirmed('update_channels', { changes: [{ channel: channel.id, name: 'A better name', setVideoKeys: stated }] }),
    ],
    [
      'Move its last video to the front',
      ...confirmed('update_channels', { changes: [{ channel: channel.id, firstVideoKeys: stated.slice(-1) }] }),
    ],
    ['Make a channel of these', ...confirmed('create_channels', { channels: [{ name: 'Made of these', videoKeys: stated }] })],
    [
      'Move three hundred videos',
      ...confirmed('move_videos', {
        targetProject: target.id,
        fromProject: project.id,
        videoIds: videos.slice(0, 300).map(({ id }) => id),
      }),
    ],
    [
      'Two channels at once',
      ...confirmed('update_channels', {
        changes: [
          { channel: channel.id, description: 'Said in a sentence.' },
          { channel: other.id, name: 'Other', setVideoKeys: stated },
        ],
      }),
    ],
    ['Is everything set up?', ['check_setup', {}]],
  ];
}

const daysAgo = (days) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);

function show(answers, tools) {
  const shown = (value, digits = 0) =>
    value.toLocaleString('en', { maximumFractionDigits: digits, minimumFractionDigits: digits }).padStart(12);
  console.log('Tokens (o200k_base): the service’s bodies, our text, and our structured content.\n');
  console.log(`${''.padEnd(44)}      bodies        text  structured  structured/bodies`);
  for (const answer of answers)
    console.log(
      `${answer.wants.padEnd(44)}${shown(answer.raw)}${shown(answer.text)}${shown(answer.structured)}  ${shown(answer.structured / answer.raw, 3)}`,
    );
  for (const [clients, given] of CLIENTS)
    console.log(`\n${clients} (${given}): median ${median(answers.map((answer) => answer[given] / answer.raw)).toFixed(3)} of the bodies`);
  console.log(`tool set: ${sumOf(tools, 'model')} tokens for a model, ${sumOf(tools, 'whole')} with everything; ${tools.length} tools`);
}
