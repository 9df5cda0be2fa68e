/**
 * One client with our server, as `install` writes it there, a scripted model and the demo service.
 *
 *   await withLab(kit, { steps: [{ tool: 'list_channels', args: {} }] }, async ({ ask, demo }) => {
 *     const [channels] = await ask();        // what the model was given
 *   });
 */
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { inject } from 'vitest';
import { type DemoOptions, type DemoService, startDemoService } from '../../harness/demo.ts';
import { API_KEY, NO_BROWSER, settingsFor } from '../../harness/service.ts';
import type { ClientKit, Place } from './kits.ts';
import { type Model, startModel } from './model.ts';
import type { Given, Step } from './script.ts';
import { openTerminal, PATIENCE_MS, type Terminal } from './terminal.ts';

export interface LabOptions {
  readonly steps: readonly Step[];
  readonly world?: DemoOptions;
  /** Settings of our server. */
  readonly env?: Readonly<Record<string, string>>;
  /** `install --demo`: the server uses its own demo account instead of the test's demo service. */
  readonly embedded?: boolean;
  /** More arguments for the client's command line. */
  readonly argv?: readonly string[];
  /** What is prepared in the demo service before the client starts. */
  readonly prepare?: (demo: DemoService) => void;
  /** Another entry than that of a server which the client starts. */
  readonly entry?: (demo: DemoService) => Promise<Entry>;
}

/** How `install` is run, and the further variables that the client then has. */
export interface Entry {
  readonly argv: readonly string[];
  readonly account: Readonly<Record<string, string>>;
  readonly more?: Readonly<Record<string, string>>;
}

export interface Lab {
  readonly demo: DemoService;
  readonly model: Model;
  /** The home folder of the client, and of the person who uses it. */
  readonly home: string;
  /** Runs the client's own list of servers; returns what it printed. */
  health(): Promise<string>;
  /** Runs the client with one request until it ends; returns what the model was given. */
  ask(): Promise<readonly Given[]>;
  /** Runs lines of a shell where the client is, as a job does; returns the exit code, and what was printed. */
  job(lines: string, env: Readonly<Record<string, string>>): Promise<Ended>;
  /** Starts the client at a terminal and types the first request, until the model has received it. */
  sit(rows: number, words: string): Promise<Terminal>;
  /** The processes of our server that run for this client. */
  servers(): readonly number[];
}

export async function withLab<T>(kit: ClientKit, options: LabOptions, use: (lab: Lab) => Promise<T>): Promise<T> {
  const closers: (() => Promise<void> | void)[] = [];
  try {
    return await use(await open(kit, options, (close) => void closers.push(close)));
  } finally {
    for (const close of closers.reverse()) await close();
  }
}

async function open(kit: ClientKit, options: LabOptions, atEnd: (close: () => Promise<void> | void) => void): Promise<Lab> {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'clients-')));
  atEnd(() => rmSync(home, { recursive: true, force: true, maxRetries: 3 }));
  const demo = await startDemoService({ views: 500, videos: 200, apiKey: API_KEY, ...options.world });
  atEnd(() => demo.close());
  // Records show the contents of channels, so that a change can list what is lost.
  demo.behaviour.channelRecordsShowContents = true;
  options.prepare?.(demo);
  const model = await startModel(kit.dialect, options.steps);
  atEnd(() => model.close());
  const place: Place = { home, cwd: join(home, 'work'), modelUrl: model.url };
  for (const folder of [place.cwd, join(home, kit.folder)]) mkdirSync(folder);
  const basics = { PATH: process.env.PATH ?? '', HOME: home, LANG: 'C.UTF-8' };
  const { argv, account, more = {} } = await (options.entry ?? entryHere(options))(demo);
  await run([process.execPath, inject('command'), 'install', '--yes', '--client', kit.name, ...argv], { ...basics, ...account }, place.cwd);
  const env = { ...basics, ...kit.env(place), ...more };
  kit.settle(place);
  const servers = () => serversIn(home);
  atEnd(() => endAll(home));
  return {
    demo,
    model,
    home,
    servers,
    health: () => run(kit.health.argv, env, place.cwd),
    async ask() {
      await run([...kit.once(place, 'Go on.'), ...(options.argv ?? [])], env, place.cwd);
      return model.given();
    },
    job: (lines, more) => end(['sh', '-c', lines], { ...env, ...more }, place.cwd),
    async sit(rows, words) {
      const terminal = await openTerminal({ command: [...kit.sit(place), ...(options.argv ?? [])], env, cwd: place.cwd, rows });
      atEnd(() => terminal.close());
      await terminal.until(kit.prompt);
      // Some clients send the request before they have connected to our server. The model says so, and is asked again.
      const before = model.lastRequest();
      for (const deadline = Date.now() + PATIENCE_MS; model.lastRequest() === before; await sleep(SETTLE_MS)) {
        if (Date.now() > deadline) throw new Error(`The model was not asked. The screen:\n${await terminal.screen()}`);
        await terminal.say(words);
      }
      return terminal;
    },
  };
}

const SETTLE_MS = 2_000;

/** A server that the client starts. */
const entryHere =
  ({ embedded, env }: LabOptions) =>
  async (demo: DemoService): Promise<Entry> => ({
    argv: ['--skip-check', ...(embedded ? ['--demo'] : ['--credentials', 'file'])],
    account: embedded ? {} : { ...NO_BROWSER, ...settingsFor(demo), ...env },
  });

interface Ended {
  readonly code: number | null;
  readonly output: string;
}

/** Returns what a command printed; if the command fails, throws an error with it. */
async function run(argv: readonly string[], env: Readonly<Record<string, string>>, cwd: string): Promise<string> {
  const { code, output } = await end(argv, env, cwd);
  if (code !== 0) throw new Error(`${argv.join(' ')} ended with ${code}:\n${output}`);
  return output;
}

async function end(argv: readonly string[], env: Readonly<Record<string, string>>, cwd: string): Promise<Ended> {
  const [command = '', ...args] = argv;
  const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], timeout: PATIENCE_MS, killSignal: 'SIGKILL' });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  const code = await new Promise<number | null>((resolve, reject) => child.once('close', resolve).once('error', reject));
  return { code, output };
}

/** Ends a process at once, if it still runs. */
export function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
}

/** Kills every process of a client, so that nothing writes to its home any more. */
async function endAll(home: string): Promise<void> {
  for (let pids = processesIn(home); pids.length > 0; pids = processesIn(home)) {
    pids.forEach(kill);
    await sleep(50);
  }
}

/** The ids of the processes with this home folder, from /proc. */
const processesIn = (home: string): number[] =>
  readdirSync('/proc')
    .filter((pid) => /^\d+$/.test(pid) && factOf(pid, 'environ').includes(`HOME=${home}`))
    .map(Number);

const serversIn = (home: string): number[] => processesIn(home).filter((pid) => factOf(String(pid), 'cmdline')[1] === inject('command'));

/** The environment or the command line of a process, from /proc. */
function factOf(pid: string, name: 'environ' | 'cmdline'): string[] {
  try {
    return readFileSync(join('/proc', pid, name), 'utf8').split('\0');
  } catch {
    return []; // it has ended
  }
}
