/**
 * A week of two people on one server, beside the dashboard: what a channel holds is unknown only where the dashboard changed it; nothing is lost,
 * doubled, or applied unapproved. With a server and a data folder each, the same people make each other’s knowledge void.
 *
 *   WEEK_SEEDS=20 WEEK_EDITS=2000 WEEK_TALLY=1 npx vitest run test/hazards/week
 */
import { expect, test } from 'vitest';
import { confirmPreview } from '../changes/support/confirm.ts';
import { writesOf } from '../changes/support/world.ts';
import { type Browser, browse } from '../harness/browse.ts';
import type { ToolReply, Values } from '../harness/client.ts';
import { spawnHttp } from '../harness/http.ts';
import { runInProcess } from '../harness/run-command.ts';
import { settingsFor, startService } from '../harness/service.ts';
import { start } from '../harness/start.ts';
import { CHANNELS, type Desk, drawWeek, liveWeek, type Tally } from './week-support.ts';

const SEEDS = Number(process.env.WEEK_SEEDS ?? 2);
const EDITS = Number(process.env.WEEK_EDITS ?? 200);
const seeds = Array.from({ length: SEEDS }, (_, index) => index + 1);

function tell(servers: string, seed: number, tally: Tally): void {
  if (process.env.WEEK_TALLY === '1') process.stderr.write(`${servers}, seed ${seed}: ${JSON.stringify(tally)}\n`);
}

/** Of a measure that is over for a moment, as clients do it. */
async function patiently<T>(act: () => Promise<T>, isRefused: (result: T) => boolean): Promise<T> {
  for (;;) {
    const result = await act();
    if (!isRefused(result)) return result;
    await new Promise((resolve) => setTimeout(resolve, 1_000));
  }
}

async function weekOnOneServer(seed: number): Promise<Tally> {
  const demo = await startService({ channels: CHANNELS, projects: 2, videos: 40, seed });
  const session = await spawnHttp({ demo });
  const { people, home, dataDir } = session;
  const pages = [await browse(session, people.ann.secrets.pageKey), await browse(session, people.dan.secrets.pageKey)];

  /** A person who looks at a change, and presses later; ann and dan in turn. Undefined where there is nothing to be applied. */
  let turn = 0;
  async function look(changeId: unknown) {
    turn += 1;
    const index = turn % pages.length;
    const page = pages[index] as Browser; // of those that there are
    const shown = await patiently(
      () => page.get(`/app/api/changes/${String(changeId)}`),
      ({ status }) => status === 429,
    );
    const { planDigest, problem } = (await shown.json()) as Values;
    const headers = { cookie: page.cookie, origin: session.url, 'content-type': 'application/json', 'x-page-token': page.token };
    return async (decision: 'apply' | 'decline'): Promise<boolean> => {
      if (decision === 'apply' && problem !== undefined) return false;
      const pressed = await patiently(
        () =>
          fetch(`${session.url}/app/api/changes/${String(changeId)}/decision`, {
            ...{ method: 'POST', headers },
            body: JSON.stringify({ decision, planDigest, note: '' }),
          }),
        ({ status }) => status === 429,
      );
      return pressed.status === 200;
    };
  }
  const deskOf = async (name: 'ann' | 'bob'): Promise<Desk> => {
    const client = await session.connect(people[name]);
    return {
      call: (tool, args) => client.callTool(tool, args),
      async approve({ data }, between) {
        const press = await look(data?.changeId);
        await between();
        return press('apply');
      },
      decline: async ({ data }) => void (await (await look(data?.changeId))('decline')),
      withdraw: async ({ data }) => void (await client.callTool('stop_change', { changeId: data?.changeId })),
      ended: async ({ data }) => String((await client.callTool('get_change', { changeId: data?.changeId, waitSeconds: 60 })).data?.status),
    };
  };
  const tally = await liveWeek(demo, [await deskOf('ann'), await deskOf('bob')], drawWeek(seed, EDITS));

  // The history has each of them once, with who asked and who decided.
  const env = { ...settingsFor(demo), HOME: home, VIDEO_HOSTING_DATA_DIR: dataDir };
  await session.kill();
  expect(await runInProcess(['audit', 'head'], env)).toMatchObject({ code: 0 });
  expect(await runInProcess(['audit', 'verify'], env)).toMatchObject({ code: 0 });
  const { stdout } = await runInProcess(['audit', '--json'], env);
  const entries = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Values);
  const applied = entries.filter(({ status }) => status === 'applied');
  expect(applied).toHaveLength(tally.applied);
  expect(new Set(applied.map(({ change }) => change)).size).toBe(tally.applied);
  for (const entry of applied)
    expect(entry).toMatchObject({
      asked: { by: { name: expect.stringMatching(/^(?:ann|bob)$/) } },
      decided: { by: { name: expect.stringMatching(/^(?:ann|dan)$/) }, how: 'page' },
    });
  expect(writesOf(demo)).toHaveLength(tally.applied);
  return tally;
}

async function weekOnTwoServers(seed: number): Promise<Tally> {
  const demo = await startService({ channels: CHANNELS, projects: 2, videos: 40, seed });
  const deskOf = async (): Promise<Desk> => {
    const { client } = await start({ demo, via: 'process', env: { VIDEO_HOSTING_CONFIRM: 'token' } });
    const ended = new Map<ToolReply, string>();
    return {
      call: (tool, args) => client.callTool(tool, args),
      async approve(asked, between) {
        await between();
        const reply = await confirmPreview(client, asked);
        ended.set(asked, String(reply.data?.status));
        return reply.data?.status === 'applied';
      },
      decline: async () => undefined,
      withdraw: async () => undefined,
      ended: async (asked) => ended.get(asked) ?? '',
    };
  };
  return liveWeek(demo, [await deskOf(), await deskOf()], drawWeek(seed, EDITS));
}

test.each(seeds)('on one server nothing is unknown but what the dashboard changed (seed %i)', async (seed) => {
  const tally = await weekOnOneServer(seed);
  tell('one server', seed, tally);
  expect(tally).toMatchObject({ overwritten: 0, unknown: { self: 0, other: 0 } });
  // It would also hold if nothing happened.
  expect(tally.applied).toBeGreaterThan(EDITS / 4);
  expect(Math.min(tally.overtaken, tally.declined, tally.dashboard, tally.unknown.dashboard)).toBeGreaterThan(EDITS / 100);
});

test.each(seeds.slice(0, 1))(
  'with a server each, what one changed is unknown to the other, and two who press at one moment may overwrite each other (seed %i)',
  async (seed) => {
    const tally = await weekOnTwoServers(seed);
    tell('two servers', seed, tally);
    expect(tally.unknown.other).toBeGreaterThan(EDITS / 10);
    expect(tally.unknown.self).toBe(0);
  },
);
