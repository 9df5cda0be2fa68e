import { hostname } from 'node:os';
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

/** Whether the process that carries out a change is still at it. */
export function isAlive(owner: ProcessInfo, touchedMs: number): boolean {
  const recent = Date.now() - touchedMs < SILENT_MS;
  return recent && (owner.host !== hostname() || isRunning(owner.pid));
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // No permission to signal it means that it is there. Node's own errors have a code.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
