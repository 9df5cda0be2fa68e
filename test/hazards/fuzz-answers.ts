/** Reads malformed records in well-formed JSON through the tools: each call must get a sanitized answer or a clear error. */
import { createServer } from 'node:http';
import fc from 'fast-check';
import { createRandom } from '../../src/demo/random.ts';
import { hiddenIn } from '../harness/hidden-text.ts';
import { endServer, listenOnLoopback } from '../harness/loopback.ts';
import { goodBodies, mutated } from './fuzz-bodies.ts';
import { atOnce, type Figures, type FuzzOptions, KEY, problemIn, serve, tally, type Values } from './fuzz-calls.ts';
import { wildValue } from './fuzz-values.ts';

const CALLS: readonly (readonly [tool: string, args: Values])[] = [
  ['list_channels', {}],
  ['list_channels', { search: 'e' }],
  ['get_channel', { channel: 'c4a0' }],
  ['list_channel_templates', { accountPlanType: 'Business' }],
  ['list_projects', {}],
  ['get_project', { project: 'p4a0' }],
  ['list_plans', {}],
  ...['video', 'channel', 'month', 'emailDomain'].map((groupBy) => ['get_collected_emails', { groupBy }] as const),
  ['create_project', { name: 'Brand new', region: 'use-s' }],
  ['update_channels', { changes: [{ channel: 'c4a0', name: 'Renamed', setVideoKeys: ['v'] }] }],
];

/** The name of the body for a path. */
function bodyFor(path: string): string {
  if (path.endsWith('/templates')) return 'templates';
  if (path.endsWith('/collected-emails')) return 'emails';
  const [, , kind = '', id] = path.split('/');
  return id === undefined ? kind : kind.slice(0, -1);
}

export async function fuzzAnswers({ seed, count, onProgress }: FuzzOptions): Promise<Figures> {
  const { figures, note, ended } = tally();
  const bodies = await goodBodies();
  const random = createRandom(seed);
  let wilds: unknown[] = [];
  let drawn = 0;
  const server = createServer(({ url = '/' }, response) => {
    if (wilds.length === 0) wilds = fc.sample(wildValue, { seed: seed + drawn, numRuns: 500 });
    drawn += 1;
    const good = bodies.get(bodyFor(url.replace(/\?.*/, '')));
    let body = random.chance(0.2) ? good : mutated(good, random, wilds.pop());
    for (let more = random.int(4); more > 0; more -= 1) body = mutated(body, random, wilds.pop() ?? null);
    const status = random.chance(0.9) ? 200 : random.pick([400, 403, 404, 409, 422]);
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  const port = await listenOnLoopback(server);
  const app = serve(
    { VIDEO_HOSTING_BASE_URL: `http://127.0.0.1:${port}`, VIDEO_HOSTING_API_KEY: KEY, VIDEO_HOSTING_CALL_BUDGET_MS: '5000' },
    (line) => void (hiddenIn(line).length > 0 && note(`something hidden came out: ${hiddenIn(line)[0]}`)),
  );
  await app.initialize();
  await atOnce(
    Array.from({ length: count }, (_, at) => at + 1),
    async (id) => {
      const [name, args] = random.pick(CALLS);
      const answer = await app.ask(id, 'tools/call', { name, arguments: args }).catch((): Values => ({}));
      const problem = problemIn(answer);
      if (problem !== undefined) note(`${problem}: ${name} ${JSON.stringify(args)}`);
      figures.calls += 1;
      figures[JSON.stringify(answer).includes('"isError":true') ? 'errors' : 'answers'] += 1;
      if (figures.calls % 1_000 === 0) onProgress?.(figures.calls);
    },
  );
  for (const line of app.log) note(`logged: ${line.slice(0, 600)}`);
  await app.close();
  endServer(server);
  return ended();
}
