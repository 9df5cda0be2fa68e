/** A terminal in which a program runs, made by tmux on a socket of its own. */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

const execute = promisify(execFile);

/** The path of tmux. Without it, tests at a terminal are skipped. */
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
  /** Waits until the screen matches, and returns it; on a timeout, throws an error with the screen. */
  until(wanted: RegExp): Promise<string>;
  /** Waits for a promise; on a timeout, throws an error with the screen. */
  meanwhile<T>(awaited: Promise<T>): Promise<T>;
  /** Types the words and presses Enter. */
  say(words: string): Promise<void>;
  /** Keys by tmux's names: `Enter`, `Escape`, `Down`. */
  press(...keys: readonly string[]): Promise<void>;
  close(): Promise<void>;
}

const POLL_MS = 200;
const KEY_MS = 500;
/** As wide as the lines that a form may have. */
export const COLUMNS = 110;
/** Far above what the slowest client takes on a busy machine. */
export const PATIENCE_MS = 300_000;

/** Each argument as one word of a shell. */
const quoted = (words: readonly string[]): string => words.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ');

export async function openTerminal({ command, env, cwd, rows }: TerminalOptions): Promise<Terminal> {
  const folder = mkdtempSync(join(tmpdir(), 'terminal-'));
  const tmux = async (...args: readonly string[]): Promise<string> => {
    const { stdout } = await execute(TMUX, ['-S', join(folder, 'socket'), '-u', '-f', '/dev/null', ...args]);
    return stdout;
  };
  // The environment holds only the given variables. The sleep keeps the output on the screen after the program has ended.
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
        // Checked again: the first match may have come while the screen was being drawn.
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
      // Without a pause, clients take the text for a paste, and Enter for a line break in it.
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
