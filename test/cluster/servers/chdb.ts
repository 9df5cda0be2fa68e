/** Embedded ClickHouse behind its HTTP interface, in a process of its own. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { TestStore } from './stores.ts';

export interface Chdb extends TestStore {
  readonly port: number;
}

/** `front` is the program in front of it. */
export async function startChdb(chdb: string, front = join(import.meta.dirname, 'chdb-front.cjs')): Promise<Chdb> {
  const folder = mkdtempSync(join(tmpdir(), 'chdb-'));
  const child = spawn(process.execPath, [front, JSON.stringify({ chdb, folder: join(folder, 'data') })], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { PATH: process.env.PATH, HOME: folder, TZ: 'America/St_Johns' },
  });
  const [line] = await once(createInterface(child.stdout), 'line');
  const port = Number(line);
  return {
    name: 'embedded ClickHouse',
    port,
    url: (database) => `clickhouse://default@127.0.0.1:${port}/${database}`,
    async close() {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
