/** The engine's process, the only one that loads DuckDB. It writes nothing to stdout and ends when its channel to the server closes. */

import type { FromWorker, ToWorker } from '../workers/worker.ts';
import type { EngineConfig, Task, TaskOutcome } from './contract.ts';
import type { RunTask } from './run-task.ts';
import { makeTempFolder, removeTempFolder } from './temp-folder.ts';

const MEMORY_CHECK_MS = 25;

let config: EngineConfig | undefined;
let runner: Promise<RunTask> | undefined;
const running = new Map<number, AbortController>();

process.on('message', (message: ToWorker<Task, EngineConfig>) => {
  if ('config' in message) {
    config = message.config;
    runner = prepare(config);
    runner.catch(() => {});
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

async function prepare(options: EngineConfig): Promise<RunTask> {
  const { createTaskRunner } = await import('./run-task.ts');
  const { maxRssMb } = options;
  if (maxRssMb !== undefined) setInterval(() => checkMemory(maxRssMb), MEMORY_CHECK_MS);
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
    const runTask = await runner;
    if (runTask !== undefined) send({ id, outcome: await runTask(task, controller.signal) });
  } catch (error) {
    send({ id, outcome: { failure: { kind: 'unavailable', message: error instanceof Error ? error.message : String(error) } } });
  } finally {
    running.delete(id);
  }
}

function send(message: FromWorker<TaskOutcome>): void {
  if (process.connected) process.send?.(message);
}

/** `process.exit` would wait for DuckDB's threads. */
function kill(): void {
  process.kill(process.pid, 'SIGKILL');
}
