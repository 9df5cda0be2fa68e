/** Whether a process that wrote a file is alive, and whether what it wrote without a flush is there for a later one. */
import { expect, test } from 'vitest';
import { isAlive, isOfSameBoot, type ProcessInfo, thisProcess } from '../../src/platform/process-liveness.ts';

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
