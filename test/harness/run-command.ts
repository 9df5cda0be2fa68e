/** Runs a command to its end, as people and scripts do. */
import { spawn } from 'node:child_process';
import { expect, inject } from 'vitest';
import { runCommand as run } from '../../src/commands/run-command.ts';
import { parseConfig } from '../../src/config/parse-config.ts';
import { atEnd } from './cleanup.ts';
import { API_KEY, type Environment } from './service.ts';

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The built command. The process gets no environment but `env`. `command` is the path of a `main.cjs`; by default the built one. */
export function runCommand(argv: readonly string[], env: Environment, command = inject('command')): Promise<Ended> {
  const child = spawn(process.execPath, [command, ...argv], { env: { ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  atEnd(() => void child.kill('SIGKILL'));
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', (text: string) => {
      output[name] += text;
    });
  return new Promise((resolve) => {
    child.once('close', (code) => {
      expect(`${output.stdout}${output.stderr}`).not.toContain(API_KEY);
      resolve({ code, ...output });
    });
  });
}

/** The same without a process and a build: for what a command does, and not how it starts and ends. Its output goes into a pipe. */
export async function runInProcess(argv: readonly string[], env: Environment): Promise<Ended> {
  const output = { stdout: '', stderr: '' };
  const code = await run({
    config: parseConfig(argv, env),
    version: '0.0.0-test',
    log: (message) => {
      output.stderr += `video-hosting-mcp: ${message}\n`;
    },
    print: (text) => {
      output.stdout += text;
    },
    status: { write: () => undefined, columns: undefined },
    isTerminal: false,
    terminal: undefined,
    machine: { platform: 'linux', env: {}, home: env.HOME ?? '/' },
    signal: new AbortController().signal,
  });
  expect(`${output.stdout}${output.stderr}`).not.toContain(API_KEY);
  return { code, ...output };
}
