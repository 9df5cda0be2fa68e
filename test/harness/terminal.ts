/** The built command at a terminal, with a person's answers. */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { inject } from 'vitest';
import { atEnd } from './cleanup.ts';
import type { Environment } from './service.ts';

/** Runs a program at a terminal of its own and ends with its exit code: that of util-linux, which is in every Debian. */
const inTerminal = (command: string) => ['--quiet', '--return', '--command', command, '/dev/null'] as const;

export const HAS_TERMINAL = process.platform === 'linux' && spawnSync('script', inTerminal('true')).status === 0;

// biome-ignore lint/suspicious/noControlCharactersInRegex: a terminal's cursor is placed with one
const WAITS = /(:|\[y\/N(?:\/all)?\]) (\u001b\[\d+G)?$|ends it[.]\r\n$/;
const SILENCE_MS = 100;

/** Runs the built command at a terminal, and types the next answer, or sends it a signal, whenever it waits at a prompt. */
export function atTerminal(
  answers: readonly (string | { readonly signal: NodeJS.Signals })[],
  argv: readonly string[],
  env: Environment,
): Promise<{ code: number | null; seen: string }> {
  const words = [process.execPath, inject('command'), ...argv].map((word) => `'${word.replaceAll("'", `'\\''`)}'`);
  const child = spawn('script', inTerminal(`exec ${words.join(' ')}`), {
    env: { PATH: process.env.PATH, TERM: 'xterm', SHELL: '/bin/sh', ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  atEnd(() => void child.kill('SIGKILL'));
  const left = [...answers];
  let seen = '';
  let silence: NodeJS.Timeout | undefined;
  const answer = () => {
    if (left.length === 0 || !WAITS.test(seen)) return;
    const next = left.shift();
    if (typeof next !== 'object') child.stdin.write(`${next}\r`);
    // The one process below the terminal.
    else process.kill(Number(execFileSync('pgrep', ['-P', String(child.pid)], { encoding: 'utf8' })), next.signal);
  };
  child.stdout.setEncoding('utf8').on('data', (piece: string) => {
    seen += piece;
    clearTimeout(silence);
    silence = setTimeout(answer, SILENCE_MS);
  });
  return new Promise((resolve) => {
    child.once('close', (code) => {
      clearTimeout(silence);
      resolve({ code, seen });
    });
  });
}
