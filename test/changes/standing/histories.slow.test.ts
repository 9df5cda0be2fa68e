/**
 * Random histories of agents that ask or wait, people, undos, kills, edits of the file, revocations and days: what is covered is exactly
 * what the rules have room for, and every request belongs to a plan that a rule or a person covered.
 */
import { readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, expect, test, vi } from 'vitest';
import { revokeApprovals } from '../../../src/app/standing.ts';
import { dayIn } from '../../../src/changes/standing/days.ts';
import { definedFields } from '../../../src/platform/defined-fields.ts';
import type { ToolReply, Values } from '../../harness/client.ts';
import { freshHome, start } from '../../harness/start.ts';
import { changesFolder, idsIn, MOVE, manyVideos, requestsOf } from '../kinds/videos/harness.ts';
import { confirmPreview } from '../support/confirm.ts';
import { AGENT, fileOf, moveRule, writeApprovals } from './harness.ts';

const RUNS = Number(process.env.STANDING_RUNS ?? 20);
const SEED = Number(process.env.STANDING_SEED ?? 20_261_123);
const SERVERS = 3;
/** The server that asks nobody. */
const WAITING = 2;
const VIDEOS = 600;
const ZONES = ['UTC', 'Europe/Berlin', 'Pacific/Kiritimati', 'America/New_York'];
/** The hour before a night of summer time in Berlin. */
const BEGINNING = Date.parse('2027-03-27T20:00:00Z');

afterEach(() => void vi.useRealTimers());

const command = fc.oneof(
  /** Several calls at once, each by one server. `failing`: how many of its videos the service refuses. */
  {
    weight: 8,
    arbitrary: fc.record({
      type: fc.constant('move' as const),
      calls: fc.array(
        fc.record({ server: fc.nat(SERVERS - 1), videos: fc.integer({ min: 1, max: 6 }), failing: fc.constantFrom(0, 0, 0, 1) }),
        { minLength: 1, maxLength: 4 },
      ),
      isAgreed: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      type: fc.constant('edit' as const),
      perDay: fc.integer({ min: 1, max: 14 }),
      perChange: fc.constantFrom(undefined, 2, 4),
      total: fc.constantFrom(undefined, 4, 8),
      isFor: fc.constantFrom(true, true, true, false),
      /** The approval has another id. */
      isNew: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('revoke' as const) }) },
  /** Of what was covered last. */
  { weight: 3, arbitrary: fc.record({ type: fc.constant('undo' as const), server: fc.nat(SERVERS - 1) }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('wait' as const), hours: fc.integer({ min: 1, max: 26 }) }) },
  /** What was begun last looks as a kill would have left it. */
  { weight: 2, arbitrary: fc.record({ type: fc.constant('kill' as const), lines: fc.integer({ min: 1, max: 3 }) }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('restart' as const), server: fc.nat(SERVERS - 1) }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('damage' as const), how: fc.constantFrom('{', '') }) },
);
type Command = typeof command extends fc.Arbitrary<infer T> ? T : never;

const tally = { covered: 0, asked: 0, agreed: 0, waited: 0, undone: 0, kills: 0, days: 0, revoked: 0 };

interface Limits {
  readonly perDay: number;
  readonly perChange?: number | undefined;
  readonly total?: number | undefined;
}
const NOTHING: Limits = { perDay: 0 };
const UNDOS_A_DAY = 2;

async function live(zone: string, commands: readonly Command[]): Promise<void> {
  vi.setSystemTime(BEGINNING);
  const account = await manyVideos(VIDEOS);
  const { demo, ids, archive, elsewhere } = account;
  const home = freshHome();
  const path = writeApprovals('');
  const env = { VIDEO_HOSTING_STANDING_APPROVALS: path, VIDEO_HOSTING_AGENT: AGENT };
  const open = (server: number) => start({ demo, home, env: { ...env, VIDEO_HOSTING_CONFIRM: server === WAITING ? 'wait' : 'token' } });
  const servers = await Promise.all(Array.from({ length: SERVERS }, (_, server) => open(server)));
  let approval = 0;
  const approvalId = () => `approval-${approval}`;
  const revoked = new Set<string>();
  /** What the file says now. */
  let said = NOTHING;
  const room = (): Limits => (revoked.has(approvalId()) ? NOTHING : said);
  const write = (limits: Limits, more: Values = {}) => {
    said = 'for' in more ? NOTHING : limits;
    // An undo moves videos back, which has a rule of its own.
    const back = { kind: 'move_videos', to: [{ id: elsewhere }], perDay: VIDEOS };
    const allow = [moveRule(account, { ...limits }), back, { kind: 'undo_own', perDay: UNDOS_A_DAY }];
    writeApprovals(fileOf(allow, { id: approvalId(), until: '2027-05-01', ...more }, { timeZone: zone }), join(path, '..'));
  };
  write({ perDay: 10 });
  /** By approval, and by the day on which it was begun. */
  const [used, undos, inAll] = [new Map<string, number>(), new Map<string, number>(), new Map<string, number>()];
  const today = () => dayIn(zone, new Date());
  const ofToday = () => `${approvalId()} ${today()}`;
  const dayAndAll = () => [used.get(ofToday()) ?? 0, inAll.get(approvalId()) ?? 0] as const;
  const count = (of: { readonly approval: string; readonly key: string }, videos: number) => {
    used.set(of.key, (used.get(of.key) ?? 0) + videos);
    inAll.set(of.approval, (inAll.get(of.approval) ?? 0) + videos);
  };
  const isWithin = (videos: number, spared = 0): boolean => {
    const { perDay, perChange = videos, total = Number.POSITIVE_INFINITY } = room();
    const [day, all] = dayAndAll();
    return videos <= perChange && day + videos <= perDay - spared && all + videos <= total - spared;
  };
  const allowed = new Set<string>();
  let next = 0;
  /** The change that was begun last, with what it gave back. */
  let last: { readonly changeId: string; readonly approval: string; readonly key: string; givenBack: number } | undefined;
  const undoable: string[] = [];

  const move = async ({ server, videos, failing }: { server: number; videos: number; failing: number }, isAgreed: boolean) => {
    const videoIds = ids.slice(next, next + videos);
    next += videos;
    for (const id of videoIds.slice(0, failing)) demo.world.poisonedVideoIds.add(id);
    const client = servers[server]?.client;
    const reply = await client?.callTool('move_videos', { videoIds, targetProject: archive, fromProject: elsewhere });
    const isCovered = String(reply?.data?.confirmed).startsWith('Covered by a standing approval');
    tally[isCovered ? 'covered' : 'asked'] += 1;
    if (isCovered) for (const id of videoIds) allowed.add(id);
    else if (server === WAITING) {
      expect(reply?.data?.status).toBe('waiting');
      tally.waited += 1;
    } else if (client !== undefined && reply !== undefined && isAgreed) {
      tally.agreed += 1;
      for (const id of videoIds) allowed.add(id);
      await confirmPreview(client, reply);
    }
    return { reply, videoIds, isCovered, failing };
  };

  /** What fell under the rule today, failures not counted. */
  const spend = ({ reply, videoIds, failing }: { reply: ToolReply | undefined; videoIds: readonly string[]; failing: number }) => {
    const of = { approval: approvalId(), key: ofToday() };
    count(of, videoIds.length - failing);
    last = { changeId: String(reply?.data?.changeId), ...of, givenBack: failing };
    if (videoIds.length > failing) undoable.push(last.changeId);
  };

  for (const one of commands) {
    // Ids of changes run ahead of a clock that stands.
    vi.setSystemTime(Date.now() + 1_000);
    if (one.type === 'move' && one.calls.length === 1) {
      const [call] = one.calls;
      if (call === undefined) continue;
      const hasRoom = isWithin(call.videos);
      const done = await move(call, one.isAgreed);
      // Exactly what there is room for.
      expect(done.isCovered).toBe(hasRoom);
      if (done.isCovered) spend(done);
    } else if (one.type === 'move') {
      const done = await Promise.all(one.calls.map((call) => move(call, one.isAgreed)));
      const covered = done.filter(({ isCovered }) => isCovered);
      for (const each of covered) spend(each);
      // The last that was begun is not known.
      if (covered.length > 1) last = undefined;
      if (covered.length > 0) expect(isWithin(0)).toBe(true);
      for (const { isCovered, videoIds } of done) if (!isCovered) expect(isWithin(videoIds.length, failingIn(covered))).toBe(false);
    } else if (one.type === 'edit') {
      if (one.isNew) approval += 1;
      const { perDay, perChange, total } = one;
      write(definedFields({ perDay, perChange, total }), one.isFor ? {} : { for: 'weekly' });
    } else if (one.type === 'revoke') {
      tally.revoked += 1;
      await revokeApprovals([approvalId()], { dataDir: join(home, 'data') });
      revoked.add(approvalId());
    } else if (one.type === 'undo') {
      const changeId = undoable.pop();
      if (changeId === undefined) continue;
      const hasRoom = room() !== NOTHING && (undos.get(ofToday()) ?? 0) < UNDOS_A_DAY;
      const reply = await servers[one.server]?.client.callTool('undo_change', { changeId });
      const isCovered = String(reply?.data?.confirmed).startsWith('Covered by a standing approval');
      expect(isCovered, reply?.text).toBe(hasRoom);
      if (!isCovered) continue;
      tally.undone += 1;
      undos.set(ofToday(), (undos.get(ofToday()) ?? 0) + 1);
      // What a kill may end is the undo now.
      last = undefined;
    } else if (one.type === 'damage') {
      writeFileSync(path, one.how);
      said = NOTHING;
    } else if (one.type === 'wait') {
      const day = today();
      vi.setSystemTime(Date.now() + one.hours * 3_600_000);
      if (today() !== day) tally.days += 1;
    } else if (one.type === 'restart') {
      await servers[one.server]?.stop();
      servers[one.server] = await open(one.server);
    } else if (last !== undefined) {
      tally.kills += 1;
      cut(changesFolder({ dataDir: join(home, 'data') }), last.changeId, one.lines);
      // Now nothing tells what was refused, so all of it counts; and so it is for servers that had read it before, once they are new.
      for (const [index, server] of servers.entries()) {
        await server.stop();
        servers[index] = await open(index);
      }
      count(last, last.givenBack);
      last.givenBack = 0;
      if (undoable.at(-1) === last.changeId) undoable.pop();
    }
    const sent = requestsOf(demo, MOVE).flatMap(({ body }) => (body as { videoIds: readonly string[] }).videoIds);
    expect(sent.filter((id) => !allowed.has(id))).toEqual([]);
    expect(idsIn(demo, archive).filter((id) => !allowed.has(id))).toEqual([]);
  }
  await Promise.all(servers.map((server) => server.stop()));
}

/** Given back only once its change has ended, which is after others were decided. */
const failingIn = (covered: readonly { readonly failing: number }[]): number => covered.reduce((sum, { failing }) => sum + failing, 0);

/** Leaves so many lines of a journal, at most all but its end, with the requests that were announced; it was never seen to end. */
function cut(folder: string, changeId: string, lines: number): void {
  const file = join(folder, `${changeId}.jsonl`);
  const all = readFileSync(file, 'utf8').split('\n');
  const announced = all.findLastIndex((line) => line.includes('"range-sending"')) + 1;
  const end = all.findIndex((line) => line.startsWith('{"type":"end"'));
  if (end < 0) return;
  writeFileSync(file, `${all.slice(0, Math.min(end, Math.max(lines, announced))).join('\n')}\n`);
  utimesSync(file, 0, 0);
  for (const name of readdirSync(join(folder, 'standing'))) if (name.endsWith('.json')) rmSync(join(folder, 'standing', name));
}

test(`a limit is never exceeded and never undercut, in ${RUNS} random histories`, async () => {
  await fc.assert(fc.asyncProperty(fc.constantFrom(...ZONES), fc.array(command, { minLength: 5, maxLength: 20 }), live), {
    numRuns: RUNS,
    seed: SEED,
    endOnFailure: true,
  });
  // It would also hold if nothing happened.
  expect(tally.covered).toBeGreaterThan(RUNS / 2);
  expect(tally.asked).toBeGreaterThan(RUNS);
  expect(tally.agreed).toBeGreaterThan(RUNS / 4);
  expect(Math.min(...Object.values(tally)), JSON.stringify(tally)).toBeGreaterThan(RUNS / 10);
}, 3_600_000);
