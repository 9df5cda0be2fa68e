/** A terminal that a program runs in and a person looks at, made by tmux on a socket of its own. */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

const execute = promisify(execFile);

/** Without tmux nobody can see what a person sees. */
const TMUX = process.env.CLIENTS_TMUX ?? '';
export const NO_TERMINAL = TMUX === '';

export interface TerminalOptions {
  readonly command: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly rows: number;
}

export interface Terminal {
  /** What is on the screen now, a line per row. */
  screen(): Promise<string>;
  /** The same with the escape sequences of its colours. */
  colouredScreen(): Promise<string>;
  /** Waits until the screen shows this, and answers it. Throws with the screen where that does not happen. */
  until(wanted: RegExp): Promise<string>;
  /** Waits for what is to happen meanwhile. Throws with the screen where it does not. */
  meanwhile<T>(awaited: Promise<T>): Promise<T>;
  /** Types it, and sends it off. */
  say(words: string): Promise<void>;
  /** Keys by tmux's names: `Enter`, `Escape`, `Down`. */
  press(...keys: readonly string[]): Promise<void>;
  close(): Promise<void>;
}

const POLL_MS = 200;
const KEY_MS = 500;
/** As wide as the lines that a form may have. */
export const COLUMNS = 110;
/** Several times what the slowest client takes to start. */
export const PATIENCE_MS = 20_000;

/** Each argument as one word of a shell. */
const quoted = (words: readonly string[]): string => words.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ');

export async function openTerminal({ command, env, cwd, rows }: TerminalOptions): Promise<Terminal> {
  const folder = mkdtempSync(join(tmpdir(), 'terminal-'));
  const tmux = async (...args: readonly string[]): Promise<string> => {
    const { stdout } = await execute(TMUX, ['-S', join(folder, 'socket'), '-u', '-f', '/dev/null', ...args]);
    return stdout;
  };
  // With nothing in its environment but what is given; and what a program printed at its end is still there to be read.
  const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  const line = quoted(['env', '-i', 'TERM=tmux-256color', 'COLORTERM=truecolor', ...variables, ...command]);
  await tmux('new-session', '-d', '-x', String(COLUMNS), '-y', String(rows), '-c', cwd, `${line}; sleep 600`);
  await tmux('set-option', '-g', 'status', 'off');
  await tmux('resize-window', '-x', String(COLUMNS), '-y', String(rows));
  const screen = () => tmux('capture-pane', '-p');
  return {
    screen,
    colouredScreen: () => tmux('capture-pane', '-p', '-e'),
    async until(wanted) {
      for (const deadline = Date.now() + PATIENCE_MS; Date.now() < deadline; await sleep(POLL_MS)) {
        if (!wanted.test(await screen())) continue;
        // Once more: it may have been seen while it was being drawn.
        await sleep(POLL_MS);
        const now = await screen();
        if (wanted.test(now)) return now;
      }
      throw new Error(`The screen did not show ${wanted}:\n${await screen()}`);
    },
    async meanwhile(awaited) {
      const given = new AbortController();
      const late = sleep(PATIENCE_MS, undefined, { signal: given.signal }).then(async () => {
        throw new Error(`It did not happen. The screen:\n${await screen()}`);
      });
      return Promise.race([awaited, late]).finally(() => given.abort());
    },
    async say(words) {
      await tmux('send-keys', '-l', words);
      // What comes at once is taken for something pasted, and Enter for a line of it.
      await sleep(KEY_MS);
      await tmux('send-keys', 'Enter');
    },
    async press(...keys) {
      for (const key of keys) {
        await tmux('send-keys', key);
        await sleep(KEY_MS);
      }
    },
    async close() {
      await tmux('kill-server').catch(() => {});
      rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}
