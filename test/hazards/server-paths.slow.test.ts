/** Whoever calls over HTTP is told no path of the server and none of the commands of its terminal, whatever is wrong there. */
import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { listing } from '../../src/mcp/listing/listing.ts';
import { WAIT } from '../changes/proposals/harness.ts';
import { changeIdIn } from '../changes/support/confirm.ts';
import { browse } from '../harness/browse.ts';
import { freshHome } from '../harness/cleanup.ts';
import { type HttpSession, startHttp } from '../harness/http.ts';
import { type Environment, startService } from '../harness/service.ts';
import { start } from '../harness/start.ts';
import { everyCallOf } from '../mcp/tools/calls.ts';

interface Surroundings {
  readonly env?: (home: string) => Environment;
  /** Of a server that runs: it has kept something by then. */
  readonly spoil?: (session: HttpSession) => void | Promise<void>;
  /** What one answer says of it, so that it is known to be in the way. */
  readonly says: RegExp;
}

/** The folder of the account. */
function accountIn({ dataDir }: HttpSession): string {
  const accounts = join(dataDir, 'accounts');
  const [name = ''] = readdirSync(accounts);
  return join(accounts, name);
}

/** A file in the place of a folder, as a disk that fails: nothing can be read or written below it. */
const broken = (part: string) => (session: HttpSession) => {
  const path = join(accountIn(session), part);
  rmSync(path, { recursive: true, force: true });
  writeFileSync(path, '');
};

const SURROUNDINGS: Readonly<Record<string, Surroundings>> = {
  'nothing is wrong': { says: /What works/ },
  'the catalogue is not there': {
    env: (home) => ({ VIDEO_HOSTING_VIDEO_CATALOGUE: join(home, 'my lists', 'catalogue.csv') }),
    says: /The video catalogue "a file of the server" can’t be used/,
  },
  'the catalogue can’t be read': {
    env(home) {
      writeFileSync(join(home, 'catalogue.csv'), 'id,key,title\n"never closed');
      return { VIDEO_HOSTING_VIDEO_CATALOGUE: join(home, 'catalogue.csv') };
    },
    says: /catalogue "a file of the server" can’t be used/,
  },
  'the journal can’t be written': { spoil: broken('changes'), says: /Whoever runs this server can put it right: Let this server/ },
  'what waits can’t be written': { spoil: broken('kept'), says: /can’t be (?:read|kept)/ },
  'views can’t be kept': { spoil: broken('views'), says: /a file of the server|can’t be/ },
  'reports can’t be kept': { spoil: broken('reports'), says: /What works/ },
  'the folder of the account was removed': {
    spoil: (session) => rmSync(accountIn(session), { recursive: true }),
    says: /was removed, or can’t be reached/,
  },
  'the file of standing approvals is damaged': {
    env(home) {
      writeFileSync(join(home, 'approvals.json'), '{');
      return { VIDEO_HOSTING_STANDING_APPROVALS: join(home, 'approvals.json') };
    },
    says: /Correct the file/,
  },
  'what was kept is damaged': {
    spoil(session) {
      const kept = join(accountIn(session), 'kept');
      for (const name of existsSync(kept) ? readdirSync(kept) : []) if (name.endsWith('.json')) writeFileSync(join(kept, name), '{}');
    },
    says: /not as it was written/,
  },
  'the store doesn’t answer': {
    env: () => ({ VIDEO_HOSTING_ANALYTICS_STORE: 'clickhouse://views@127.0.0.1:1/views' }),
    says: /Whoever runs this server can put it right: See that the ClickHouse/,
  },
  'the key is refused': {
    spoil: ({ demo }) => void demo.faults.always({ match: {}, do: { kind: 'status', code: 401 } }),
    says: /Whoever runs this server can put it right: Check VIDEO_HOSTING_API_KEY/,
  },
};

/** What a path or a command of a terminal looks like. An operation of the API is none, nor is a path of a link. */
const ABSOLUTE = /(?<![\w/.:~<-])\/(?!v1\/)(?:[\w.+-]+\/)+[\w.+-]*/;
const COMMAND = /video-hosting-mcp [a-z]\w+|main\.cjs|\bnpx\b|\bterminal\b|\bthis (?:machine|computer)\b|\bchmod\b/;

/** All texts in a value. */
const textsIn = (value: unknown): string[] => {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
};

/** What the page is told, of whatever it asks and presses. */
async function everythingOnPage({ url, people, demo }: HttpSession, changeIds: readonly string[]): Promise<unknown[]> {
  const page = await browse({ url }, people.ann.secrets.pageKey);
  const [channel = ''] = demo.world.channels.keys();
  const asked = [
    'session',
    'changes',
    'channels',
    `channels/${channel}`,
    'reports',
    'reports/none',
    'approvals',
    'videos?search=a',
    'client',
  ];
  const told: unknown[] = [];
  for (const path of [...asked, ...changeIds.map((id) => `changes/${id}`)]) told.push(await page.api(path));
  for (const id of changeIds) {
    told.push((await page.decide(id, 'apply')).body, (await page.decide(id, 'decline')).body);
    for (const press of ['stop', 'undo', 'resume']) told.push(await (await page.post(`changes/${id}/${press}`)).text());
    for (const file of ['outcomes.csv', 'emails']) told.push(await (await page.get(`/app/api/changes/${id}/${file}`)).text());
  }
  told.push(await (await page.post(`channels/${channel}/statement`, { videoKeys: [] })).text());
  return told;
}

async function everythingFrom(session: HttpSession, changeIds: readonly string[]): Promise<string> {
  const { connect, people, demo } = session;
  const client = await connect(people.ann);
  const told: unknown[] = [client.instructions, await client.listTools(), await client.listResources()];
  const tell = async (answer: Promise<unknown>) => void told.push(await answer.catch((error: unknown) => String(error)));
  for (const { name } of listing().tools) {
    // Others take no id of a change.
    const calls = changeIds.flatMap((changeId, index) =>
      everyCallOf(name, demo, changeId).filter((args) => index === 0 || 'changeId' in args),
    );
    for (const args of calls) await tell(client.callTool(name, args));
  }
  const [channel = ''] = demo.world.channels.keys();
  const resources = ['plan-types', 'templates', 'analytics/schema', `channels/${channel}`, 'projects/none', 'reports/none'];
  for (const uri of [...resources, ...changeIds.map((id) => `changes/${id}`)]) await tell(client.readResource(`video-hosting://${uri}`));
  await tell(client.getPrompt('reorganise-channels', { goal: 'order' }));
  await tell(client.getPrompt('analytics-report', { question: 'views' }));
  await tell(client.getPrompt('bulk-move', { targetProject: 'Archive' }));
  await tell(client.complete({ prompt: 'reorganise-channels' }, 'channel', ''));
  told.push(await everythingOnPage(session, changeIds));
  return [...new Set(textsIn(told))].join('\n');
}

test.each(Object.entries(SURROUNDINGS))('no answer names a path or a command of the server: %s', async (_, { env, spoil, says }) => {
  const demo = await startService();
  const home = freshHome();
  const session = await startHttp({ demo, home, env: env?.(home) ?? {} });
  const ann = await session.connect(session.people.ann);
  const waiting = changeIdIn(await ann.callTool('create_project', { name: 'Kept', region: 'use-s' }));
  // A server of one person on the same folder, whose change waits at its own page or terminal.
  const alone = await start({ demo, home, env: WAIT });
  const other = changeIdIn(await alone.client.callTool('create_project', { name: 'Other', region: 'use-s' }));
  await alone.stop();
  await ann.callTool('list_changes');
  await spoil?.(session);
  const text = await everythingFrom(session, [waiting, other, 'chg-000000000-none']);
  expect([says, says.test(text)]).toEqual([says, true]);
  const own = [home, session.dataDir, process.cwd(), dirname(process.execPath), tmpdir()];
  expect(own.filter((path) => text.includes(path))).toEqual([]);
  // With the words around them.
  for (const mark of [ABSOLUTE, COMMAND])
    expect([...new Set(text.match(new RegExp(`.{0,60}${mark.source}.{0,20}`, 'g')) ?? [])]).toEqual([]);
});
