/** Runs the built command to its end, as people and scripts do. */
import { spawn } from 'node:child_process';
import { expect, inject } from 'vitest';
import { atEnd } from './cleanup.ts';
import { API_KEY, type Environment } from './service.ts';

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The process gets no environment but `env`. `command` is the path of a `main.cjs`; by default the built one. */
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
