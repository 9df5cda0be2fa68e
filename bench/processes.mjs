import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { root } from '../scripts/root.mjs';

/** Our server, as it was built. */
export const OURS = join(root, 'dist', 'main.cjs');

export const fixture = (name) => join(import.meta.dirname, 'fixtures', name);

const folders = [];
process.once('exit', () => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** A folder that is removed when this process ends. */
export function newFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'video-hosting-mcp-bench-'));
  folders.push(folder);
  return folder;
}

/** A process that prints lines of JSON; `next` is the next of them. */
export function startLines(command, args) {
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return { child, next: async () => JSON.parse((await lines.next()).value) };
}

/** The demo service of a build, in a process of its own. */
export const startDemo = (ours, { videos = 0, latencyMs = 0, channels = 1, views = 0 }) =>
  startLines(process.execPath, [
    fixture('demo-process.cjs'),
    join(dirname(ours), 'demo.cjs'),
    ...[videos, latencyMs, channels, views].map(String),
  ]);

/** The environment of a server that works on a demo service and keeps its data below `home`. */
export const serverEnv = (home, { baseUrl, statsUrl, apiKey }) => ({
  HOME: home,
  VIDEO_HOSTING_BASE_URL: baseUrl,
  VIDEO_HOSTING_STATS_URL: statsUrl,
  VIDEO_HOSTING_API_KEY: apiKey,
  VIDEO_HOSTING_DATA_DIR: join(home, 'data'),
});

/** A question about views of the demo service that are old enough that none are read again; its answer has a row for each day. */
export const OLD_QUESTION = { from: '2026-10-01', to: '2026-10-20', groupBy: ['day'], metrics: ['views'] };

/** The client token, and the page key, that `people add` printed. */
export const tokenOf = (added) => secretOf(added, /vhm_[\w-]+/);
export const pageKeyOf = (added) => secretOf(added, /vhp_[\w-]+/);

function secretOf({ stdout, stderr }, pattern) {
  const secret = pattern.exec(stdout)?.[0];
  if (secret === undefined) throw new Error(stderr);
  return secret;
}

/** Where the server listens, once it says so; what it logs later is read and dropped, as by a program that keeps it elsewhere. */
export async function listening({ stderr }) {
  let said = '';
  stderr.setEncoding('utf8').on('data', (chunk) => {
    said = (said + chunk).slice(-10_000);
  });
  for (;;) {
    const found = /listening on (http:\S+)\)/.exec(said)?.[1];
    if (found !== undefined) return found;
    await Promise.race([once(stderr, 'data'), once(stderr, 'end').then(() => Promise.reject(new Error(`The server ended: ${said}`)))]);
  }
}

/** CPU time of a process's threads so far, in milliseconds; undefined where the system has no `/proc`. */
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
const rssMbOf = (pid) => memoryOf(pid, 'VmRSS');

const SETTLE_MS = 150;

/** The same, once the work that a start leaves to the event loop is done. */
export async function settledRssMbOf(pid) {
  await sleep(SETTLE_MS);
  return rssMbOf(pid);
}

/** The most memory that a process ever held, in megabytes; undefined as above. */
export const peakRssMbOf = (pid) => memoryOf(pid, 'VmHWM');

function memoryOf(pid, field) {
  try {
    const [, kilobytes] = new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
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
