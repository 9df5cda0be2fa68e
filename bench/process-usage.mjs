import { readdirSync, readFileSync } from 'node:fs';

/** CPU time of a process's threads so far, in milliseconds; undefined where the system doesn't tell it this way. */
export function cpuMsOf(pid) {
  try {
    const threads = readdirSync(`/proc/${pid}/task`);
    const nanoseconds = threads.map((thread) => Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]));
    return nanoseconds.reduce((sum, time) => sum + time, 0) / 1e6;
  } catch {
    return undefined;
  }
}

/** Memory that a process holds now, in megabytes; undefined as above. */
export function rssMbOf(pid) {
  try {
    const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
    return Number(kilobytes) / 1024;
  } catch {
    return undefined;
  }
}

/** The most memory that a process ever held, in megabytes; undefined as above. */
export function peakRssMbOf(pid) {
  try {
    const [, kilobytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
    return Number(kilobytes) / 1024;
  } catch {
    return undefined;
  }
}

export function median(values) {
  const sorted = values.filter((value) => value !== undefined).sort((a, b) => a - b);
  if (sorted.length === 0) return undefined;
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}
