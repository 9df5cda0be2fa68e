// What does a decision by a standing approval cost? Servers, alternately in one run. With 10,000 earlier changes in the journal
// against one: our CPU time of a covered move of one video, also by a rule with a limit in all, and of the first one of a process.
// With a list of a million ids that a rule binds to, against a server that asks for nothing: our CPU time of a move of all of them,
// since the service takes most of the time, and the most memory.
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { startRawClient } from '../scripts/raw-client.mjs';
import { cpuMsOf, median, newFolder, OURS, peakRssMbOf, serverEnv, startDemo } from './processes.mjs';
import { inTurn } from './rounds.mjs';

const AGENT = 'bench';
const WARMUPS = 3;
/** Processes whose first decision is measured. */
const STARTS = 5;
const HUGE = 1_000_000_000;
const DAY_MS = 86_400_000;
/** Between two earlier changes. */
const STEP_MS = 600_000;

export async function run(options) {
  const { values } = parseArgs({
    args: options,
    options: {
      changes: { type: 'string', default: '10000' },
      ids: { type: 'string', default: '1000000' },
      rounds: { type: 'string', default: '15' },
      ours: { type: 'string', default: OURS },
    },
  });
  const [changes, ids, rounds] = [values.changes, values.ids, values.rounds].map(Number);
  const findings = [];
  if (changes > 0) {
    const { few, many, total, first } = await measureJournal({ changes, rounds, ours: values.ours });
    const shown = ({ open, covered }) => `${open.toFixed(0)} ms of CPU, covered ${covered.toFixed(0)}`;
    console.log(`A move of one video, one earlier change: ${shown(few)}; ${changes} earlier changes: ${shown(many)}.`);
    const what = `our CPU time of a move that a standing approval covers, ${changes.toLocaleString('en')} earlier changes`;
    const against = 'one that nobody is asked about';
    findings.push(
      { what: `more ${what}`, against, ms: many.covered - many.open, atMost: 50 },
      { what: `more ${what}, by a rule with total`, against, ms: total - many.open, atMost: 50 },
      { what: `more ${what}, by a rule with total: the first of a process`, against, ms: first.total - first.open, atMost: 50 },
    );
  }
  if (ids > 0) {
    const { openMs, boundMs, openMb, boundMb } = await measureList({ ids, rounds: Math.min(3, rounds), ours: values.ours });
    console.log(
      `A move of ${ids} ids: ${openMs.toFixed(0)} ms of CPU, ${openMb?.toFixed(0)} MB; bound to a list ${boundMs.toFixed(0)} ms, ${boundMb?.toFixed(0)} MB.`,
    );
    const what = `a move of ${ids.toLocaleString('en')} ids that a standing approval binds to a list`;
    findings.push(
      { what: `our CPU time more, ${what}`, against: 'without approvals', ms: boundMs - openMs, atMost: 1_000 },
      { what: `memory at most, ${what}`, against: 'without approvals', ratio: openMb && boundMb / openMb, atMost: 1.1 },
    );
  }
  return findings;
}

/** A server of an agent. With `rule`, what may be moved into the second project is bound by it; without, all is allowed. */
async function startAgent(ours, service, rule, home = newFolder()) {
  const file = join(home, 'approvals.json');
  const until = new Date(Date.now() + 30 * DAY_MS).toISOString().slice(0, 10);
  const allow = [{ kind: 'move_videos', to: service.projects.map((id) => ({ id })), perDay: HUGE, ...rule }];
  writeFileSync(file, JSON.stringify({ version: 1, timeZone: 'UTC', approvals: [{ id: 'all', for: AGENT, until, allow }] }), {
    mode: 0o600,
  });
  const allowed =
    rule === undefined
      ? { VIDEO_HOSTING_CONFIRM: 'never' }
      : { VIDEO_HOSTING_CONFIRM: 'token', VIDEO_HOSTING_STANDING_APPROVALS: file, VIDEO_HOSTING_AGENT: AGENT };
  const env = { ...serverEnv(home, service), VIDEO_HOSTING_FILES_DIR: join(home, 'files'), ...allowed };
  const client = startRawClient(process.execPath, [ours], { era: 'legacy', env, timeoutMs: 120_000 });
  await client.open();
  const move = async (args) => {
    const answer = await client.request('tools/call', { name: 'move_videos', arguments: args });
    const { status } = answer.structuredContent ?? {};
    if (!['applied', 'running'].includes(status))
      throw new Error(`Not moved: ${JSON.stringify(answer.structuredContent?.preview?.standing ?? answer.content)}`);
  };
  const moveToEnd = async (args) => {
    await move(args);
    for (;;) {
      const { structuredContent } = await client.request('tools/call', { name: 'list_changes', arguments: { limit: 1 } });
      if (structuredContent.changes[0].status === 'applied') return;
      await sleep(200);
    }
  };
  return { home, pid: client.child.pid, move, moveToEnd, close: client.close };
}

/** Of moves that a standing approval covers, and that nobody is asked about; with one earlier change and with many. */
async function measureJournal({ changes, rounds, ours }) {
  const demo = startDemo(ours, { videos: 10 });
  const service = await demo.next();
  const rules = [undefined, {}, { total: HUGE }];
  const servers = [];
  const firsts = [];
  const [to, back] = service.projects;
  const videoIds = service.ids.slice(0, 1);
  const there = { videoIds, targetProject: to, fromProject: back };
  const andBack = { videoIds, targetProject: back, fromProject: to };
  try {
    for (const rule of rules)
      for (const isMany of [false, true]) {
        const earlier = await startAgent(ours, service, rule);
        await earlier.move(there);
        if (isMany) fillJournal(earlier.home, changes);
        await earlier.move(andBack);
        await earlier.close();
        const ofStarts = [];
        for (let start = 0; start < STARTS; start += 1) {
          const server = await startAgent(ours, service, rule, earlier.home);
          const before = cpuMsOf(server.pid);
          await server.move(start % 2 === 0 ? there : andBack);
          ofStarts.push(cpuMsOf(server.pid) - before);
          if (start === STARTS - 1) servers.push(server);
          else await server.close();
        }
        firsts.push(median(ofStarts));
      }
    const moved = async (server, round) => {
      const before = cpuMsOf(server.pid);
      await server.move(round % 2 === 0 ? there : andBack);
      return cpuMsOf(server.pid) - before;
    };
    const series = await inTurn(servers, moved, { rounds, warmups: WARMUPS });
    const [fewOpen, manyOpen, fewCovered, manyCovered, , total] = series.map(median);
    const first = { open: firsts[1], total: firsts[5] };
    return { few: { open: fewOpen, covered: fewCovered }, many: { open: manyOpen, covered: manyCovered }, total, first };
  } finally {
    await Promise.all(servers.map((server) => server.close()));
    demo.child.kill();
  }
}

/** Copies the only change of a journal, so many times, each some minutes before the last. */
function fillJournal(home, changes) {
  const accounts = join(home, 'data', 'accounts');
  const folder = join(accounts, readdirSync(accounts)[0], 'changes');
  const first = readdirSync(folder)
    .find((name) => name.endsWith('.jsonl'))
    .slice(0, -'.jsonl'.length);
  const text = readFileSync(join(folder, `${first}.jsonl`), 'utf8');
  const firstMs = Number.parseInt(first.slice(4, 13), 36);
  const firstAt = Date.parse(/"at":"([^"]+)"/.exec(text)[1]);
  for (let number = 1; number <= changes; number += 1) {
    const ms = firstMs - number * STEP_MS;
    const id = `chg-${ms.toString(36).padStart(9, '0')}-0000`;
    const shifted = text.replace(/"at":"([^"]+)"/g, (_, at) => `"at":"${new Date(Date.parse(at) - number * STEP_MS).toISOString()}"`);
    const file = join(folder, `${id}.jsonl`);
    writeFileSync(file, shifted.replaceAll(first, id), { mode: 0o600 });
    utimesSync(file, ms / 1_000, ms / 1_000);
    copyFileSync(join(folder, `${first}.ids`), join(folder, `${id}.ids`));
    if (!existsSync(join(folder, 'standing'))) continue;
    const covered = join(folder, 'standing', new Date(firstAt - number * STEP_MS).toISOString().slice(0, 10));
    mkdirSync(covered, { recursive: true });
    writeFileSync(join(covered, id), '');
  }
}

async function measureList({ ids: count, rounds, ours }) {
  const demo = startDemo(ours, { videos: count });
  const service = await demo.next();
  const lists = newFolder();
  const list = join(lists, 'ids.txt');
  writeFileSync(list, service.ids.join('\n'), { mode: 0o600 });
  const [open, bound] = [await startAgent(ours, service, undefined), await startAgent(ours, service, { onlyIdsIn: list })];
  const peak = new Map();
  try {
    for (const server of [open, bound]) {
      mkdirSync(join(server.home, 'files'), { recursive: true });
      writeFileSync(join(server.home, 'files', 'ids.txt'), service.ids.join('\n'));
    }
    const [to, back] = service.projects;
    const moved = async (server) => {
      const before = cpuMsOf(server.pid);
      const [targetProject, fromProject] = server === open ? [to, back] : [back, to];
      await server.moveToEnd({ videoIdsFile: 'ids.txt', targetProject, fromProject });
      const cpuMs = cpuMsOf(server.pid) - before;
      if (!peak.has(server)) peak.set(server, peakRssMbOf(server.pid));
      return cpuMs;
    };
    const [openMs, boundMs] = (await inTurn([open, bound], moved, { rounds })).map(median);
    return { openMs, boundMs, openMb: peak.get(open), boundMb: peak.get(bound) };
  } finally {
    await Promise.all([open.close(), bound.close()]);
    demo.child.kill();
  }
}
