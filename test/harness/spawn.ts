/** Starts the built command as a process, with only the given environment. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { inject } from 'vitest';
import { definedFields } from '../../src/platform/defined-fields.ts';
import { atEnd } from './cleanup.ts';
import { type Environment, NO_BROWSER } from './service.ts';

export interface Spawned {
  readonly child: ChildProcessWithoutNullStreams;
  /** A transport on its stdin and stdout. */
  readonly transport: Transport;
  readonly exit: Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>;
  stdout(): string;
  stderr(): string;
}

export interface SpawnOptions {
  readonly env?: Environment;
  readonly argv?: readonly string[];
  /** Its home folder, the parent of the default data folder. */
  readonly home: string;
  /** Another `main.cjs` than the built one. */
  readonly command?: string | undefined;
}

/** Starts the built command; it is killed after the test if it still runs. */
export function spawnServer({ env = {}, argv = [], home, command = inject('command') }: SpawnOptions): Spawned {
  const given = definedFields({ PATH: process.env.PATH, HOME: home, ...NO_BROWSER, ...env });
  const child = spawn(process.execPath, [command, ...argv], { env: given, cwd: home, stdio: 'pipe' });
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8');
    child[name].on('data', (chunk: string) => {
      output[name] += chunk;
    });
  }
  child.stdin.on('error', () => {}); // the process may have ended
  const exit = once(child, 'close').then(([code, signal]) => ({ code, signal }) as Awaited<Spawned['exit']>); // as documented
  atEnd(async () => {
    child.kill('SIGKILL');
    await exit;
  });
  return { child, exit, transport: transportOf(child), stdout: () => output.stdout, stderr: () => output.stderr };
}

function transportOf(child: ChildProcessWithoutNullStreams): Transport {
  let rest = '';
  const transport: Transport = {
    async start() {
      child.stdout.on('data', (chunk: string) => {
        const lines = (rest + chunk).split('\n');
        rest = lines.pop() ?? '';
        for (const line of lines) transport.onmessage?.(JSON.parse(line) as JSONRPCMessage);
      });
      child.once('close', () => transport.onclose?.());
    },
    async send(message) {
      child.stdin.write(`${JSON.stringify(message)}\n`);
    },
    async close() {
      child.stdin.end();
    },
  };
  return transport;
}
