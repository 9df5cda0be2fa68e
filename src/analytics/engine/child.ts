/**
 * The engine's own process, which alone loads DuckDB. It does what it is told over the channel, writes nothing to stdout,
 * and ends with the channel, so that it never outlives its server.
 */
import type { FromChild, Opening, Task, ToChild } from './messages.ts';
import type { Sink } from './stream-rows.ts';
import { makeTempFolder, removeTempFolder } from './temp-folder.ts';
import type { Work } from './work.ts';

const WATCH_MS = 25;

let opening: Opening | undefined;
let work: Promise<Work> | undefined;
const running = new Map<number, AbortController>();

process.on('message', (message: ToChild) => {
  if ('open' in message) open(message.open);
  else if ('interrupt' in message) running.get(message.interrupt)?.abort();
  else void run(message.id, message.task);
});
// What it writes is for its owner alone.
process.umask(0o077);
// Ctrl+C and a closed terminal reach the whole group of processes; only the server says when this one ends.
for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => {});
process.on('disconnect', leave);

function open(options: Opening): void {
  opening = options;
  work = prepare(options);
  work.then(
    () => send({ ready: true }),
    (error: unknown) => process.send?.({ unavailable: error instanceof Error ? error.message : String(error) } satisfies FromChild, leave),
  );
}

async function prepare(options: Opening): Promise<Work> {
  const { createWork } = await import('./work.ts');
  const spillFolder = makeTempFolder(options.tempFolder, process.pid);
  if (options.maxRssMb !== undefined) watch(options.maxRssMb);
  return createWork(options, spillFolder);
}

async function run(id: number, task: Task): Promise<void> {
  const controller = new AbortController();
  running.set(id, controller);
  const sink: Sink = { columns: (columns) => send({ id, columns }), rows: (rows) => send({ id, rows }) };
  const does = await work?.catch(() => undefined);
  // Where DuckDB could not be opened, the process is about to end.
  if (does !== undefined) send({ id, ...(await does(task, controller.signal, sink)) });
  running.delete(id);
}

/** Ends the process when it grows too large: a single call of a function heeds neither a limit nor an interruption. */
function watch(maxRssMb: number): void {
  setInterval(() => {
    if (running.size > 0 && process.memoryUsage.rss() > maxRssMb * 1_000_000) die();
  }, WATCH_MS);
}

function send(message: FromChild): void {
  if (process.connected) process.send?.(message);
}

/** Not by exit(), which waits for DuckDB's threads. */
function leave(): void {
  if (opening !== undefined) removeTempFolder(opening.tempFolder, process.pid);
  die();
}

function die(): void {
  process.kill(process.pid, 'SIGKILL');
}
