import { hostname } from 'node:os';
import { isRunning } from '../disk.ts';
import type { ProcessInfo } from './journal-lines.ts';

/** A running change touches its file this often, so that others can tell it from one whose process is gone. */
export const HEARTBEAT_MS = 5_000;
/** Without a sign of life for this long, a change counts as interrupted. */
const SILENT_MS = 60_000;

/** This process, as the journal names it. */
export function thisProcess(): ProcessInfo {
  const started = new Date(Date.now() - process.uptime() * 1_000).toISOString();
  return { pid: process.pid, host: hostname(), started };
}

/** The changes that this process writes the journal of now, whichever of its servers does, each by its writers. */
const writtenHere = new Map<string, Set<symbol>>();

/** Notes that this process carries a change out, until what is returned is called. */
export function noteWriting(changeId: string): () => void {
  const writer = Symbol(changeId);
  const writers = writtenHere.get(changeId) ?? new Set();
  writtenHere.set(changeId, writers.add(writer));
  return () => {
    writers.delete(writer);
    if (writers.size === 0) writtenHere.delete(changeId);
  };
}

/** Whether a change is still carried out by the process that its journal names. */
export function isCarriedOut(changeId: string, owner: ProcessInfo, touchedMs: number): boolean {
  // Of ourselves we know it: a journal that could not be written to the end looks as if it went on.
  if (owner.pid === process.pid && owner.host === hostname()) return writtenHere.has(changeId);
  return isAlive(owner, touchedMs);
}

/** Whether a process is still there and gave a sign of life lately. One that nobody can name may be. */
export function isAlive(owner: ProcessInfo | undefined, touchedMs: number): boolean {
  const recent = Date.now() - touchedMs < SILENT_MS;
  return recent && (owner?.host !== hostname() || isRunning(owner.pid));
}
