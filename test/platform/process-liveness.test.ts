/** Whether a process that wrote a file is alive, and whether what it wrote without a flush is there for a later one. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { expect, test, vi } from 'vitest';
import { isRunning } from '../../src/platform/files.ts';
import { hasProcessEnded, isAlive, isOfSameBoot, type ProcessInfo, processName, thisProcess } from '../../src/platform/process-liveness.ts';
import { atEnd } from '../harness/cleanup.ts';

const BOOT = '0f3b1c52-8f0a-4c5e-9b43-1d2f3a4b5c6d';
const OTHER = 'ffffffff-8f0a-4c5e-9b43-1d2f3a4b5c6d';
const info = (fields: Partial<ProcessInfo>): ProcessInfo => ({ pid: 1, host: 'desk', started: '2026-03-01T10:00:00.000Z', ...fields });

test.each([
  ['of one boot', { machine: `${BOOT} pid:[1]` }, { machine: `${BOOT} pid:[1]` }, true],
  ['in two containers of one boot', { machine: `${BOOT} pid:[1]` }, { machine: `${BOOT} pid:[2]`, host: 'other' }, true],
  ['of two boots', { machine: `${BOOT} pid:[1]` }, { machine: `${OTHER} pid:[1]` }, false],
  ['without boot ids, after the boot', { machine: 'darwin desk' }, { machine: 'darwin desk', booted: '2026-03-01T09:00:00.000Z' }, true],
  ['without boot ids, before the boot', { machine: 'darwin desk' }, { machine: 'darwin desk', booted: '2026-03-01T11:00:00.000Z' }, false],
  ['without boot ids, on another machine', { machine: 'darwin desk' }, { host: 'other', booted: '2026-03-01T09:00:00.000Z' }, false],
])('%s', (_case, earlier, later, expected) => {
  expect(isOfSameBoot(info(earlier), info(later))).toBe(expected);
});

test('this process is of its own boot', () => {
  const self = thisProcess();
  const { machine: _, ...withoutId } = self;
  expect([isOfSameBoot(self, self), isOfSameBoot(withoutId, self)]).toEqual([true, true]);
});

test('a process that has the id of an earlier one is not taken for it, where the system tells when it started', () => {
  const later = { ...thisProcess(), startTicks: '1' };
  expect(isAlive(later, Date.now())).toBe(process.platform !== 'linux');
  expect([isAlive(thisProcess(), Date.now()), isAlive(thisProcess(), Date.now() - 120_000)]).toEqual([true, false]);
});

test.skipIf(process.platform !== 'linux')('a process that was killed, and that its parent never asks about, counts as ended', async () => {
  // The shell becomes a program that asks about no child.
  const parent = spawn('sh', ['-c', 'sleep 1000 & echo $!; exec sleep 1000'], { stdio: ['ignore', 'pipe', 'ignore'] });
  atEnd(() => void parent.kill('SIGKILL'));
  const [line] = await once(parent.stdout, 'data');
  const pid = Number(String(line));
  await vi.waitFor(() => expect(readFileSync(`/proc/${parent.pid}/cmdline`, 'utf8')).toBe('sleep\x001000\x00'));
  expect(isRunning(pid)).toBe(true);
  process.kill(pid, 'SIGKILL');
  await vi.waitFor(() => expect(readFileSync(`/proc/${pid}/stat`, 'utf8')).toContain(' Z '));
  expect(isRunning(pid)).toBe(false);
});

test('a name tells which process it is of, and of another machine nothing is known', () => {
  expect(hasProcessEnded(processName())).toBe(false);
  expect(hasProcessEnded(`${processName()}~12345678`)).toBe(false);
  if (process.platform === 'linux') expect(hasProcessEnded(processName().replace(/\d+$/, '1'))).toBe(true);
  expect(hasProcessEnded('another-machine.01234567~1.1~12345678')).toBe(false);
  // A container with the same host name has process ids of its own.
  expect(hasProcessEnded(processName().replace(/[0-9a-f]{8}~\d+/, '01234567~999999999'))).toBe(false);
});
