import { readFileSync, readlinkSync } from 'node:fs';
import { hostname, uptime } from 'node:os';
import * as z from 'zod';
import { isRunning } from './files.ts';

/** Who carries it out. */
export const ProcessSchema = z.object({
  pid: z.number(),
  host: z.string(),
  started: z.string(),
  /** Where its id means the same process: a boot of a kernel, and a namespace of process ids. */
  machine: z.string().optional(),
  /** When it started, in ticks since that boot, where the kernel tells. */
  startTicks: z.string().optional(),
});
export type ProcessInfo = z.output<typeof ProcessSchema>;

/** A running change touches its file this often, so that others can tell it from one whose process is gone. */
export const HEARTBEAT_MS = 5_000;
/** Without a sign of life for this long, a process of another machine counts as gone. */
const SILENT_MS = 60_000;

const STARTED = new Date(Date.now() - process.uptime() * 1_000).toISOString();

/** This process, as the journal names it. */
export function thisProcess(): ProcessInfo {
  self ??= { pid: process.pid, host: hostname(), started: STARTED, machine: machineId(), ...startField(process.pid) };
  return self;
}

let self: ProcessInfo | undefined;

/**
 * Where a process id means the same process. Containers may share a folder and a host name: the kernel's boot and the
 * namespace of process ids tell them apart.
 */
function machineId(): string {
  try {
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()} ${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return `${process.platform} ${hostname()}`;
  }
}

/** When a process started, in the kernel's ticks since its boot (field 22 of `stat`); absent where there is no `/proc`. */
function startField(pid: number): { readonly startTicks?: string } {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name of the program, in parentheses, may hold spaces and parentheses itself.
    const startTicks = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
    return startTicks === undefined ? {} : { startTicks };
  } catch {
    return {};
  }
}

/** Whether a process id of its means the same here. What was written before there was `machine` names its host alone. */
export function isOfThisMachine({ machine, host }: ProcessInfo): boolean {
  return machine === undefined ? host === hostname() : machine === thisProcess().machine;
}

/**
 * Whether a process is still there and gave a sign of life lately. One that nobody can name may be. For a change's
 * journal: whoever takes one over claims the next turn, so that a process that was only silent sends nothing more.
 */
export function isAlive(owner: ProcessInfo | undefined, touchedMs: number): boolean {
  const isRecent = Date.now() - touchedMs < SILENT_MS;
  return isRecent && (owner === undefined || !isOfThisMachine(owner) || isRunning(owner.pid));
}

/**
 * Whether a process still holds its lock. On this machine its id and start time tell, however long it was silent: a
 * laptop may have slept. Silence decides for another machine's, and where nobody can tell whose it is.
 */
export function holdsLock(owner: ProcessInfo | undefined, touchedMs: number): boolean {
  if (owner?.machine === undefined || !isOfThisMachine(owner) || isAlive(owner, touchedMs)) return isAlive(owner, touchedMs);
  return isRunning(owner.pid) && isSameStart(owner);
}

/** What a clock may be set by in the life of a lock. */
const TOLERANCE_MS = 60_000;

/**
 * Whether the process that has this id now is the one that was named, and not a later one. Where the kernel does not tell
 * when a process started, one that started before the machine did is gone, and any other counts as the same.
 */
function isSameStart({ pid, started, startTicks }: ProcessInfo): boolean {
  if (startTicks !== undefined) return (startField(pid).startTicks ?? startTicks) === startTicks;
  return Date.parse(started) > Date.now() - uptime() * 1_000 - TOLERANCE_MS;
}
