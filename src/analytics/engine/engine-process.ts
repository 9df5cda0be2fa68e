import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { FromChild, Opening, ToChild } from './messages.ts';
import { removeTempFolder } from './temp-folder.ts';

const MAX_LOG_LINES = 20;
const MAX_LOG_CHARS = 500;

export interface ProcessOptions {
  /** The built `engine.cjs`. */
  readonly file: string;
  readonly opening: Opening;
  readonly log: (message: string) => void;
  readonly onMessage: (message: FromChild) => void;
  /** Once, whatever it died of. */
  readonly onEnd: (how: string) => void;
}

export interface EngineProcess {
  send(message: ToChild): void;
  /** While it is busy, it keeps this process alive; else it doesn't. */
  setBusy(busy: boolean): void;
  kill(): void;
}

/** Starts a process and tells it what it is for. `onEnd` is called once, however it ended, also where it could not start. */
export function startEngineProcess({ file, opening, log, onMessage, onEnd }: ProcessOptions): EngineProcess {
  const child = spawn(process.execPath, [file], {
    // No credential, no setting of ours. Where the server runs on Electron's Node, so must this. What DuckDB does, it does on threads of this pool.
    env: { ELECTRON_RUN_AS_NODE: '1', UV_THREADPOOL_SIZE: '8' },
    // stdout is the protocol of the server.
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    windowsHide: true,
  });
  logLines(child, log);
  let ended = false;
  const end = (how: string): void => {
    if (ended) return;
    ended = true;
    if (child.pid !== undefined) removeTempFolder(opening.tempFolder, child.pid);
    onEnd(how);
  };
  child.once('error', (error) => end(error.message));
  child.once('exit', (code, signal) => end(signal ?? `exit code ${code}`));
  // Our own build's, by the type of its messages.
  child.on('message', (message) => onMessage(message as FromChild));
  const send = (message: ToChild): void => {
    // A message is only lost where the process has ended, which its own event tells.
    if (child.connected) child.send(message, () => {});
  };
  const setBusy = (busy: boolean): void => {
    const change = busy ? 'ref' : 'unref';
    child[change]();
    child.channel?.[change]();
  };
  send({ open: opening });
  return { send, setBusy, kill: () => child.kill('SIGKILL') };
}

function logLines(child: ChildProcess, log: (message: string) => void): void {
  const { stderr } = child;
  if (stderr === null) return;
  let lines = 0;
  createInterface({ input: stderr }).on('line', (line) => {
    if (++lines <= MAX_LOG_LINES) log(`analytics engine: ${line.slice(0, MAX_LOG_CHARS)}`);
  });
  // A pipe is a socket, whatever its type says; without this it keeps the process alive.
  if ('unref' in stderr && typeof stderr.unref === 'function') stderr.unref();
}
