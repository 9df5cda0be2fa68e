import { spawn } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { root } from '../root.ts';
import { TASKS } from '../tasks/index.ts';
import { bridge } from './bridge.ts';
import { isRunning, send } from './driver-client.ts';
import { serveTask } from './driver-server.ts';

const USAGE = `node evals/drive.mjs COMMAND DIR …
  start TASK DIR [--server wrapper] [--modern] [--forms]   begins a task; prints what the user says
  tools DIR                    the server's instructions and tools, as a model is given them
  call DIR TOOL JSON|@FILE|-   calls a tool and prints its answer
  ask DIR QUESTION|@FILE|-     asks the user and prints the reply
  answer DIR TEXT|@FILE|-      gives the final answer and ends the task
  stop DIR                     ends the task without an answer
  mcp DIR                      serves the task's tools, and ask_user, to an MCP client over stdio
  tasks                        the ids of all tasks`;

/** The command line of the driver. Prints nothing of a task but what an assistant may know. */
export async function drive(argv: readonly string[]): Promise<void> {
  const { positionals, values } = parseArgs({
    args: [...argv],
    allowPositionals: true,
    options: {
      server: { type: 'string', default: 'ours' },
      modern: { type: 'boolean', default: false },
      forms: { type: 'boolean', default: false },
    },
  });
  const [command, first = '', second = '', third = ''] = positionals;
  const play = {
    server: values.server === 'wrapper' ? ('wrapper' as const) : ('ours' as const),
    era: values.modern ? ('modern' as const) : ('legacy' as const),
    forms: values.forms,
  };
  switch (command) {
    case 'tasks':
      return print(TASKS.map(({ id }) => id).join('\n'));
    case 'start':
      return print(await begin(first, resolve(second), argv.slice(1)));
    case 'serve':
      return serveTask(first, resolve(second), play);
    case 'tools':
      return print(await send(resolve(first), { do: 'tools' }));
    case 'call':
      return print(await send(resolve(first), { do: 'call', tool: second, arguments: await given(third === '' ? '{}' : third) }));
    case 'ask':
      return print(await send(resolve(first), { do: 'ask', question: await given(second) }));
    case 'answer':
      return print(await send(resolve(first), { do: 'answer', text: await given(second) }));
    case 'stop':
      return print(await send(resolve(first), { do: 'stop' }));
    case 'mcp':
      return bridge(resolve(first));
    default:
      process.stderr.write(`${USAGE}\n`);
      process.exitCode = 2;
  }
}

/** Starts the process that plays the task, and waits until it listens. */
async function begin(task: string, folder: string, rest: readonly string[]): Promise<string> {
  if (!TASKS.some(({ id }) => id === task)) throw new Error(`There is no task ${task}. \`tasks\` lists them.`);
  if (isRunning(folder)) throw new Error(`A task is being played in ${folder} already. Use another folder.`);
  if (existsSync(join(folder, 'recording.json'))) throw new Error(`${folder} has a recording. Use another folder, so that it stays.`);
  if (!existsSync(join(root, 'dist', 'main.cjs'))) throw new Error('The server is not built. Run: npm run build');
  mkdirSync(folder, { recursive: true });
  for (const name of ['driver.json', 'driver.log']) rmSync(join(folder, name), { force: true });
  const log = openSync(join(folder, 'driver.log'), 'a');
  const child = spawn(process.execPath, [join(root, 'evals', 'drive.mjs'), 'serve', ...rest], {
    detached: true,
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  child.unref();
  let ended = false;
  child.once('exit', () => {
    ended = true;
  });
  while (!existsSync(join(folder, 'driver.json'))) {
    if (ended) throw new Error(`The task did not start. ${readFileSync(join(folder, 'driver.log'), 'utf8')}`);
    await sleep(50);
  }
  return send(folder, { do: 'says' });
}

async function given(value: string): Promise<string> {
  if (value.startsWith('@')) return readFileSync(value.slice(1), 'utf8');
  if (value !== '-') return value;
  const chunks: Buffer[] = [];
  // Without an encoding set, stdin gives buffers.
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
