/** The engine's process, the only one that loads DuckDB. It writes nothing to stdout and ends when its channel to the server closes. */

import type { FromWorker, ToWorker } from '../workers/worker.ts';
import type { EngineConfig, Failure, Task, TaskOutcome } from './contract.ts';
import type { RunTask } from './run-task.ts';
import { makeTempFolder, NoTempFolderError, removeTempFolder } from './temp-folder.ts';

const MEMORY_CHECK_MS = 25;

let config: EngineConfig | undefined;
let runner: Promise<RunTask> | undefined;
const running = new Map<number, AbortController>();

process.on('message', (message: ToWorker<Task, EngineConfig>) => {
  if ('config' in message) {
    config = message.config;
    const { maxRssMb } = config;
    if (maxRssMb !== undefined) setInterval(() => checkMemory(maxRssMb), MEMORY_CHECK_MS);
    ready().catch(() => {});
  } else if ('interrupt' in message) running.get(message.interrupt)?.abort();
  else void run(message.id, message.task);
});
process.umask(0o077);
// Ctrl+C and a closed terminal signal the whole process group; only the server ends this process.
for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => {});
process.on('disconnect', () => {
  if (config !== undefined) removeTempFolder(config.tempFolder, process.pid);
  kill();
});

/** Prepared once; after a failure again, since somebody may have repaired the folder. */
function ready(): Promise<RunTask> {
  runner ??= prepare(config).catch((error: unknown) => {
    runner = undefined;
    throw error;
  });
  return runner;
}

async function prepare(options: EngineConfig | undefined): Promise<RunTask> {
  if (options === undefined) throw new Error('A task came before the configuration.');
  const { createTaskRunner } = await import('./run-task.ts');
  return createTaskRunner(options, makeTempFolder(options.tempFolder, process.pid));
}

/** A single function call obeys neither DuckDB's memory limit nor an interrupt. */
function checkMemory(maxRssMb: number): void {
  if (running.size > 0 && process.memoryUsage.rss() > maxRssMb * 1_000_000) kill();
}

async function run(id: number, task: Task): Promise<void> {
  const controller = new AbortController();
  running.set(id, controller);
  try {
    const runTask = await ready();
    send({ id, outcome: await runTask(task, controller.signal) });
  } catch (error) {
    send({ id, outcome: { failure: failureToStart(error) } });
  } finally {
    running.delete(id);
  }
}

function failureToStart(error: unknown): Failure {
  if (error instanceof NoTempFolderError) return { kind: 'no_folder', message: error.code };
  return { kind: 'unavailable', message: error instanceof Error ? error.message : String(error) };
}

function send(message: FromWorker<TaskOutcome>): void {
  if (process.connected) process.send?.(message);
}

/** `process.exit` would wait for DuckDB's threads. */
function kill(): void {
  process.kill(process.pid, 'SIGKILL');
}
