import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

/** Messages between the server and its child processes; no native part of a package runs in the server's own process. */
export type ToWorker<Task, Config> =
  | { readonly config: Config }
  | { readonly id: number; readonly task: Task }
  | { readonly interrupt: number };

export type FromWorker<Outcome> = { readonly id: number; readonly outcome: Outcome };

export interface Died {
  readonly failure: { readonly kind: 'died'; readonly message: string };
}

const MAX_LOG_LINES = 20;
const MAX_LOG_CHARS = 500;
const STOP_MS = 1_000;

export interface WorkerJob<Task, Outcome> {
  readonly task: Task;
  /** Whose it is, where there are several people. */
  readonly who: string | undefined;
  readonly onBegin: () => void;
  readonly onOutcome: (outcome: Outcome) => void;
  stopped: boolean;
  deaths: number;
  /** By the process’s clock, in milliseconds. */
  beganAt: number;
}

export interface WorkerOptions<Task, Outcome, Config> {
  readonly name: string;
  readonly file: string;
  readonly config: Config;
  readonly idleMs: number;
  readonly log: (message: string) => void;
  /** A job has ended. */
  readonly onFree: (job: WorkerJob<Task, Outcome> | undefined) => void;
  /** The process has ended, or could not be started. `jobs` are unfinished. */
  readonly onExit: (jobs: readonly WorkerJob<Task, Outcome>[], reason: string, pid: number | undefined) => void;
}

export interface Worker<Task, Outcome> {
  /** The number of unfinished jobs; infinite once the process is being ended. */
  readonly jobs: () => number;
  run(job: WorkerJob<Task, Outcome>): void;
  /** Interrupts a job, and kills the process if it does not end. */
  stop(job: WorkerJob<Task, Outcome>): void;
  kill(): Promise<void>;
}

/** Starts a process. A process with jobs keeps the server's process alive. */
export function startWorker<Task, Outcome, Config>({
  name,
  file,
  config,
  idleMs,
  log,
  onFree,
  onExit,
}: WorkerOptions<Task, Outcome, Config>): Worker<Task, Outcome> {
  const child = spawn(process.execPath, [file], {
    // Without credentials and settings. ELECTRON_RUN_AS_NODE is for a server in Electron's Node; DuckDB runs in the thread pool.
    env: { ELECTRON_RUN_AS_NODE: '1', UV_THREADPOOL_SIZE: '8' },
    // stdout carries the server's protocol.
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    windowsHide: true,
  });
  logLines(child, (line) => log(`${name}: ${line}`));
  const jobs = new Map<number, WorkerJob<Task, Outcome>>();
  let lastId = 0;
  let idle: NodeJS.Timeout | undefined;
  const kill = (): boolean => child.kill('SIGKILL');
  const send = (message: ToWorker<Task, Config>): void => {
    // If the process has ended, `exit` reports that.
    if (child.connected) child.send(message, () => {});
  };
  const keepAlive = (change: 'ref' | 'unref'): void => {
    child[change]();
    child.channel?.[change]();
  };
  const exited = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, signal) => resolve(signal ?? `exit code ${code}`));
  }).then((reason) => {
    clearTimeout(idle);
    const unfinished = [...jobs.values()];
    jobs.clear();
    onExit(unfinished, reason, child.pid);
  });
  child.on('message', (message) => {
    const { id, outcome } = message as FromWorker<Outcome>; // of our own build
    const job = jobs.get(id);
    jobs.delete(id);
    if (jobs.size === 0) {
      keepAlive('unref');
      idle = setTimeout(kill, idleMs).unref();
    }
    if (job?.stopped === false) job.onOutcome(outcome);
    onFree(job);
  });
  send({ config });
  return {
    jobs: () => (child.killed ? Number.POSITIVE_INFINITY : jobs.size),
    run(job) {
      clearTimeout(idle);
      jobs.set(++lastId, job);
      keepAlive('ref');
      send({ id: lastId, task: job.task });
    },
    stop(job) {
      const id = [...jobs].find(([, other]) => other === job)?.[0];
      if (id === undefined) return;
      send({ interrupt: id });
      setTimeout(() => jobs.has(id) && kill(), STOP_MS).unref();
    },
    kill() {
      keepAlive('ref');
      kill();
      return exited;
    },
  };
}

function logLines({ stderr }: ChildProcess, log: (message: string) => void): void {
  if (stderr === null) return;
  let lines = 0;
  createInterface({ input: stderr }).on('line', (line) => {
    if (++lines <= MAX_LOG_LINES) log(line.slice(0, MAX_LOG_CHARS));
  });
  // The pipe is a socket, whatever its type says. Referenced, it would keep the server's process alive.
  if ('unref' in stderr && typeof stderr.unref === 'function') stderr.unref();
}
