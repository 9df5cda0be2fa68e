import { spawn } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';
import { root } from '../root.ts';
import { TASKS } from '../tasks/index.ts';
import { assist } from './assistant.ts';
import { bridge } from './bridge.ts';
import { isRunning, send } from './driver-client.ts';
import { serveTask } from './driver-server.ts';

const USAGE = `node evals/drive.mjs COMMAND DIR …
  start TASK DIR [--server wrapper] [--modern] [--forms]   begins a task; prints what the user says, and writes DIR/play.mjs
  says DIR                     what the user said last
  tools DIR                    the server's instructions and tools, as a model is given them
  call DIR TOOL JSON|@FILE|-   calls a tool and prints its answer
  ask DIR QUESTION|@FILE|-     asks the user and prints the reply
  answer DIR TEXT|@FILE|-      answers; prints what the user says next, or ends the task
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
  const [command = '', first = '', second = '', third = ''] = positionals;
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
    case 'mcp':
      return bridge(resolve(first));
    default:
      if (await assist(resolve(first), [command, second, third])) return;
      process.stderr.write(`${USAGE}\n`);
      process.exitCode = 2;
  }
}

/** Starts the process that plays the task, and waits until it listens. */
async function begin(task: string, folder: string, rest: readonly string[]): Promise<string> {
  if (!TASKS.some(({ id }) => id === task)) throw new Error(`There is no task ${task}. \`tasks\` lists them.`);
  if (isRunning(folder)) throw new Error(`A task is being played in ${folder} already. Use another folder.`);
  if (existsSync(join(folder, 'recording.json'))) throw new Error(`${folder} has a recording. Use another folder, so that it stays.`);
  if (!existsSync(join(root, 'dist', 'engine.cjs'))) throw new Error('The engine that reads views is not built. Run: npm run build');
  mkdirSync(folder, { recursive: true });
  for (const name of ['driver.json', 'driver.log']) rmSync(join(folder, name), { force: true });
  await writeAssistant(folder);
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

/** Writes the assistant's commands as a script of the folder, so that whoever plays needs to know neither the task's name nor where the project is. */
async function writeAssistant(folder: string): Promise<void> {
  const contents = `import { assist } from './assistant.ts';
if (!(await assist(import.meta.dirname, process.argv.slice(2)))) throw new Error('says | tools | call TOOL JSON | ask QUESTION | answer TEXT');`;
  await build({
    stdin: { contents, resolveDir: join(root, 'evals', 'play'), loader: 'ts' },
    bundle: true,
    platform: 'node',
    format: 'esm',
    outfile: join(folder, 'play.mjs'),
    logLevel: 'warning',
  });
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
