import { createHash } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname, uptime } from 'node:os';
import * as z from 'zod';
import { isRunning, statusFields } from './files.ts';

export const ProcessSchema = z.object({
  pid: z.number(),
  host: z.string(),
  started: z.string(),
  /** The scope of its id: a boot of a kernel, and a namespace of process ids. */
  machine: z.string().optional(),
  /** Its start in ticks since that boot, on Linux. */
  startTicks: z.string().optional(),
  /** When that boot was. */
  booted: z.string().optional(),
});
export type ProcessInfo = z.output<typeof ProcessSchema>;

/** How often the owner of a journal file or a lock touches it. */
export const HEARTBEAT_MS = 5_000;
/** Without a heartbeat for this long, a process of another machine counts as gone. */
const SILENT_MS = 60_000;

const STARTED = new Date(Date.now() - process.uptime() * 1_000).toISOString();

export function thisProcess(): ProcessInfo {
  const booted = new Date(Date.now() - uptime() * 1_000).toISOString();
  self ??= { pid: process.pid, host: hostname(), started: STARTED, machine: machineId(), booted, ...startField(process.pid) };
  return self;
}

let self: ProcessInfo | undefined;

/** Containers may share a folder and a host name; the kernel's boot and the namespace of process ids tell them apart. */
function machineId(): string {
  try {
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()} ${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return `${process.platform} ${hostname()}`;
  }
}

const BOOT_ID = /^[0-9a-f-]{36} /;

/**
 * Whether the machine is known to run, for a later process, since an earlier one wrote: what a process did not flush outlives its
 * end, and not its machine's. Where no boot has an id, the time of the boot decides.
 */
export function isOfSameBoot(earlier: ProcessInfo, later: ProcessInfo): boolean {
  const [one, other] = [earlier, later].map(({ machine = '' }) => BOOT_ID.exec(machine)?.[0]);
  if (one !== undefined && other !== undefined) return one === other;
  return earlier.host === later.host && earlier.started >= (later.booted ?? '');
}

/** A process's start in ticks since boot (field 22 of `stat`); absent where there is no `/proc`. */
function startField(pid: number): { readonly startTicks?: string } {
  const startTicks = statusFields(pid)?.[19];
  return startTicks === undefined ? {} : { startTicks };
}

/** Names this process in the name of a file: by its machine, its id and its start. */
export function processName(): string {
  const { machine = '', host, pid, startTicks } = thisProcess();
  const scope = createHash('sha256').update(machine).digest('hex').slice(0, 8);
  return `${host.replace(/[^\w.-]/g, '_')}.${scope}~${pid}${startTicks === undefined ? '' : `.${startTicks}`}`;
}

const PROCESS_NAME = /^([\w.-]+)~(\d+)(?:\.(\d+))?(?:~|$)/;

/** Whether the process that a file is named after has ended. False if that is unknown, as for another machine's process. */
export function hasProcessEnded(name: string): boolean {
  const [, scope, pid, startTicks] = PROCESS_NAME.exec(name) ?? [];
  const [, ownScope] = PROCESS_NAME.exec(processName()) ?? [];
  if (scope === undefined || scope !== ownScope) return false;
  return !isRunning(Number(pid)) || (startTicks !== undefined && (startField(Number(pid)).startTicks ?? startTicks) !== startTicks);
}

/** Whether its process id can be looked up here. A file may have no `machine`, only a host. */
export function isOfThisMachine({ machine, host }: ProcessInfo): boolean {
  return machine === undefined ? host === hostname() : machine === thisProcess().machine;
}

/**
 * Whether the owner of a change's journal is running and gave a heartbeat lately; an unknown owner needs only the heartbeat. A
 * process that was only silent is harmless: after another has claimed the next epoch, it sends nothing more.
 */
export function isAlive(owner: ProcessInfo | undefined, touchedMs: number): boolean {
  const isRecent = Date.now() - touchedMs < SILENT_MS;
  if (owner === undefined || !isRecent || !isOfThisMachine(owner)) return isRecent;
  // Another program may have its id by now.
  return isRunning(owner.pid) && (owner.startTicks === undefined || isSameStart(owner));
}

/**
 * Whether a process still holds its lock. On this machine its id and start time decide, however long it was silent, since a
 * laptop may have slept; for other machines and unknown owners the heartbeat decides.
 */
export function holdsLock(owner: ProcessInfo | undefined, touchedMs: number): boolean {
  if (owner?.machine === undefined || !isOfThisMachine(owner) || isAlive(owner, touchedMs)) return isAlive(owner, touchedMs);
  return isRunning(owner.pid) && isSameStart(owner);
}

/** By how much the clock may be set while a lock is held. */
const TOLERANCE_MS = 60_000;

/**
 * Whether the process that has this id now is the owner, and not a later one. Without start ticks, a process that started before
 * the machine's boot is gone, and any other counts as the owner.
 */
function isSameStart({ pid, started, startTicks }: ProcessInfo): boolean {
  if (startTicks !== undefined) return (startField(pid).startTicks ?? startTicks) === startTicks;
  return Date.parse(started) > Date.now() - uptime() * 1_000 - TOLERANCE_MS;
}
