/** The record lock by itself, also if lock files are created, replaced or removed at the worst moment. */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { isOwnerAtWork } from '../../../src/changes/journal/change-owner.ts';
import { withRecordLock } from '../../../src/changes/journal/record-lock.ts';
import { createKeyedMutex } from '../../../src/platform/keyed-mutex.ts';
import { limitedSignal } from '../../../src/platform/limited-signal.ts';
import { thisProcess } from '../../../src/platform/process-liveness.ts';
import { freshHome } from '../../harness/start.ts';
import { anotherProcess } from '../support/another-process.ts';

const disk = vi.hoisted(() => ({
  /** The error of the next file that is written, thrown after the empty file was created. */
  full: undefined as string | undefined,
  /** Called just before a file is written, moved or removed. */
  before: (_path: string) => {},
  /** Called when half of a file is written, and before it gets its name. */
  within: () => {},
}));

vi.mock('node:fs/promises', async (importOriginal) => {
  const fs = await importOriginal<typeof import('node:fs/promises')>();
  const writeFile = async (path: string, text: string, options: object): Promise<void> => {
    disk.before(path);
    const code = disk.full;
    disk.full = undefined;
    await fs.writeFile(path, code === undefined ? text.slice(0, 9) : '', options);
    disk.within();
    if (code === undefined) await fs.appendFile(path, text.slice(9));
    if (code !== undefined) throw Object.assign(new Error(code), { code, syscall: 'write' });
  };
  const link = async (file: string, name: string): Promise<void> => {
    disk.within();
    await fs.link(file, name);
  };
  const rename = async (from: string, to: string): Promise<void> => {
    disk.before(from);
    await fs.rename(from, to);
  };
  const rm = async (path: string, options: object): Promise<void> => {
    disk.before(path);
    await fs.rm(path, options);
  };
  return { ...fs, writeFile, link, rename, rm };
});

afterEach(() => {
  Object.assign(disk, { full: undefined, before: () => {}, within: () => {} });
  vi.restoreAllMocks();
});

const LOOKS_MS = 100;
const pause = () => new Promise((resolve) => setTimeout(resolve, LOOKS_MS));
const never = new AbortController().signal;
const GONE = JSON.stringify({ pid: 2 ** 30, host: hostname(), started: '2026-01-01T00:00:00.000Z' });
const THERE = JSON.stringify({ pid: process.pid, host: hostname(), started: '2026-01-01T00:00:00.000Z' });

/** A folder, and the lock file in it for the record `key`. */
async function record() {
  const folder = freshHome();
  mkdirSync(folder, { recursive: true });
  let file = '';
  await withRecordLock(folder, 'key', never, async () => {
    file = join(folder, String(readdirSync(folder)[0]));
    if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600);
  });
  expect(readdirSync(folder)).toEqual([]);
  let entered = 0;
  const enter = (stop = never) => withRecordLock(folder, 'key', stop, async () => ++entered);
  return { folder, file, enter, entered: () => entered };
}

test('a process that waits for a lock stops waiting when the change is stopped', async () => {
  const { file, enter, entered } = await record();
  writeFileSync(file, THERE);
  const stop = new AbortController();
  const waiting = enter(stop.signal);
  stop.abort();
  await expect(waiting).rejects.toMatchObject({ code: 'cancelled', facts: { outcome: 'nothing-sent' } });
  expect(entered()).toBe(0);
  expect(readFileSync(file, 'utf8')).toBe(THERE);
});

test('an abandoned lock is taken also where the time to wait was over before it was looked at', async () => {
  const { file, enter } = await record();
  writeFileSync(file, GONE);
  const { signal, release } = limitedSignal(1);
  await pause();
  expect(signal.aborted).toBe(true);
  expect(await enter(signal)).toBe(1);
  release();
});

test('a lock that another process took over meanwhile is not removed', async () => {
  const { folder, file } = await record();
  await withRecordLock(folder, 'key', never, async () => writeFileSync(file, THERE));
  expect(readFileSync(file, 'utf8')).toBe(THERE);
});

test.each(['ENOSPC', 'EDQUOT', 'EFBIG'])('a full disk (%s) fails the call and leaves no lock file', async (code) => {
  const { folder, file, enter, entered } = await record();
  disk.full = code;
  await expect(enter()).rejects.toMatchObject({ code: 'journal_failed', message: expect.stringContaining(`(${code}, "${file}")`) });
  expect(entered()).toBe(0);
  expect(readdirSync(folder)).toEqual([]);
  expect(await enter()).toBe(1);
});

test('a lock file that Windows still holds is waited for', async () => {
  const { folder, enter } = await record();
  vi.spyOn(process, 'platform', 'get').mockReturnValue('win32');
  disk.full = 'EPERM';
  expect(await enter()).toBe(1);
  expect(readdirSync(folder)).toEqual([]);
});

test('a lock file is never there without its content, and what a kill left of one before it had its name is removed with the lock', async () => {
  const { folder, file, enter } = await record();
  const made: string[] = [];
  disk.before = () => {
    if (existsSync(file)) made.push(readFileSync(file, 'utf8'));
  };
  for (let time = 1; time <= 20; time += 1) await enter();
  expect(made.length).toBeGreaterThan(0);
  for (const content of made) expect(JSON.parse(content)).toMatchObject({ pid: process.pid });
  disk.before = () => {};
  for (const offer of [`${file}.1.offer`, `${file}.2.offer`]) writeFileSync(offer, GONE);
  writeFileSync(`${file}.3.offer`, THERE);
  writeFileSync(file, GONE);
  expect(await enter()).toBe(21);
  expect(readdirSync(folder)).toEqual([basename(`${file}.3.offer`)]);
});

test('a process that is killed at any step of taking a lock leaves none that nobody has', async () => {
  const { folder, file, enter } = await record();
  const left = new Set<string>();
  for (let [step, isOver] = [1, false]; !isOver; step += 1) {
    let steps = 0;
    // What comes after the kill is not done.
    const kill = () => {
      steps += 1;
      if (steps >= step) throw new Error('killed');
    };
    Object.assign(disk, { before: kill, within: kill });
    await enter().catch(() => undefined);
    isOver = steps < step;
    Object.assign(disk, { before: () => {}, within: () => {} });
    if (existsSync(file)) expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ pid: process.pid });
    left.add(readdirSync(folder).map(shapeOf).join(' '));
    // The process is gone, and nothing gives a sign of life any more.
    for (const name of readdirSync(folder)) {
      const path = join(folder, name);
      if (readFileSync(path, 'utf8').endsWith('}')) writeFileSync(path, GONE);
      utimesSync(path, 0, 0);
    }
    await enter();
    expect(readdirSync(folder).filter((name) => name.endsWith('.lock'))).toEqual([]);
    for (const name of readdirSync(folder)) rmSync(join(folder, name));
  }
  // Before anything is there, in the middle of its content, before it has its name, and with it.
  expect([...left]).toEqual(expect.arrayContaining(['', '.lock.offer', '.lock .lock.offer']));
});

const shapeOf = (name: string): string => name.replace(/^[0-9a-f]+/, '').replace(/\.[0-9a-f-]{36}\./, '.');

test('what a kill left of locks is removed by the next process that takes any lock of the folder, but nothing that a process has', async () => {
  const folder = freshHome();
  mkdirSync(folder, { recursive: true });
  const offer = (of: string, content: string, isOld = false) => {
    const name = `${createHash('sha256').update(of).digest('hex').slice(0, 32)}.lock.${of}.offer`;
    writeFileSync(join(folder, name), content);
    if (isOld) utimesSync(join(folder, name), 0, 0);
    return name;
  };
  offer('gone', GONE);
  offer('torn', '{"pid":', true);
  const kept = [offer('held', JSON.stringify(thisProcess()), true), offer('new', '')];
  writeFileSync(join(folder, 'other.offer'), GONE);
  await withRecordLock(folder, 'key', never, async () => undefined);
  expect(readdirSync(folder).toSorted()).toEqual([...kept, 'other.offer'].toSorted());
});

test('a half-written lock file is waited for while it is new, and removed once it is old', async () => {
  const { file, enter, entered } = await record();
  writeFileSync(file, '{"pid":');
  const waiting = enter();
  await pause();
  expect(entered()).toBe(0);
  utimesSync(file, 0, 0);
  expect(await waiting).toBe(1);
});

test('a process of this machine keeps its lock until it ends, even if the lock file is old', async () => {
  const { file, enter, entered } = await record();
  const { child, mark } = anotherProcess();
  writeFileSync(file, JSON.stringify(mark));
  utimesSync(file, 0, 0);
  const waiting = enter();
  await pause();
  expect(entered()).toBe(0);
  expect(readFileSync(file, 'utf8')).toBe(JSON.stringify(mark));
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await gone;
  expect(await waiting).toBe(1);
});

test.runIf(process.platform === 'linux')('a later process with the same id does not hold the lock', async () => {
  const { file, enter } = await record();
  const { mark } = anotherProcess();
  writeFileSync(file, JSON.stringify({ ...mark, startTicks: '1' }));
  utimesSync(file, 0, 0);
  expect(await enter()).toBe(1);
});

test('a process that started before the last boot holds no lock', async () => {
  const { file, enter } = await record();
  const { mark } = anotherProcess();
  const { startTicks: _, ...unmarked } = mark;
  writeFileSync(file, JSON.stringify({ ...unmarked, started: '2001-01-01T00:00:00.000Z' }));
  utimesSync(file, 0, 0);
  expect(await enter()).toBe(1);
});

test('a lock of a container with the same host name is judged by its heartbeat, not by its process id', async () => {
  const { file, enter, entered } = await record();
  // This process id does not exist here, like those of another container.
  const elsewhere = { ...thisProcess(), machine: 'another-boot pid:[4026532000]', pid: 2 ** 30 };
  writeFileSync(file, JSON.stringify(elsewhere));
  const waiting = enter();
  await pause();
  expect(entered()).toBe(0);
  utimesSync(file, 0, 0);
  expect(await waiting).toBe(1);
  // It is not this process either, although the process id is the same.
  writeFileSync(file, JSON.stringify({ ...elsewhere, pid: process.pid }));
  utimesSync(file, 0, 0);
  expect(await enter()).toBe(2);
});

test('the next process removes an abandoned lock, but not one that was taken at that moment', async () => {
  const { folder, file, enter, entered } = await record();
  writeFileSync(file, GONE);
  expect(await enter()).toBe(1);
  writeFileSync(file, GONE);
  let steps = 0;
  let gaps = 0;
  disk.before = () => {
    steps += 1;
    // The lock was found to be abandoned, and is claimed. At this moment another process removes it and takes the lock.
    if (steps === 1) writeFileSync(file, THERE);
    else if (!existsSync(file)) gaps += 1;
  };
  const stop = new AbortController();
  const waiting = enter(stop.signal);
  // It wrote its claim, gave it its name, and removed it.
  await vi.waitUntil(() => steps === 3, { timeout: 300_000 });
  await pause();
  expect([entered(), gaps]).toEqual([1, 0]);
  expect(readdirSync(folder)).toHaveLength(1);
  expect(readFileSync(file, 'utf8')).toBe(THERE);
  stop.abort();
  await expect(waiting).rejects.toMatchObject({ code: 'cancelled' });
});

test('a process that ended while it removed a lock does not block others, which hold the lock one at a time', async () => {
  const { folder, file } = await record();
  writeFileSync(file, GONE);
  writeFileSync(`${file}.${createHash('sha256').update(GONE).digest('hex').slice(0, 32)}`, GONE);
  let inside = 0;
  const most: number[] = [];
  const enter = () =>
    withRecordLock(folder, 'key', never, async () => {
      inside += 1;
      await new Promise((resolve) => setImmediate(resolve));
      most.push(inside);
      inside -= 1;
    });
  await Promise.all(Array.from({ length: 8 }, enter));
  expect(most).toEqual(Array.from({ length: 8 }, () => 1));
  expect(readdirSync(folder)).toEqual([]);
});

test('a change of another container with the same process id and host name is not taken for our own', () => {
  const elsewhere = { ...thisProcess(), machine: 'another-boot pid:[4026532000]' };
  expect(isOwnerAtWork('chg-1', thisProcess(), Date.now())).toBe(false);
  expect(isOwnerAtWork('chg-1', elsewhere, Date.now())).toBe(true);
  expect(isOwnerAtWork('chg-1', elsewhere, 0)).toBe(false);
});

test('within a process calls with one key run one at a time, in order', async () => {
  const exclusive = createKeyedMutex();
  const steps: string[] = [];
  const act = (name: string) => () =>
    exclusive('key', async () => {
      steps.push(`${name} begins`);
      await new Promise((resolve) => setImmediate(resolve));
      steps.push(`${name} ends`);
      if (name === 'b') throw new Error('b fails');
    });
  const [a, b] = [act('a')(), act('b')()];
  await a;
  const c = act('c')();
  await expect(b).rejects.toThrow('b fails');
  await c;
  expect(steps).toEqual(['a', 'b', 'c'].flatMap((name) => [`${name} begins`, `${name} ends`]));
});
