/** Engine processes end with their server, however the server ends. */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { build } from 'esbuild';
import { expect, inject, test, vi } from 'vitest';
import { atEnd } from '../../harness/cleanup.ts';
import { lab } from './support.ts';

const HEAVY = "SELECT count(*) FROM range(100000) a, range(100000) b, range(1000) c WHERE a.range || b.range || c.range = 'x'";

/** Starts a program with `engine` and `ask(sql)`. Each of its engine processes has a folder in `tempFolder`. */
async function start(code: string): Promise<{ program: ChildProcess; output: () => string; tempFolder: string }> {
  const { folder, tempFolder } = lab();
  const outfile = join(folder, 'program.cjs');
  const source = `
    import { createEngine } from './src/analytics/engine/engine.ts';
    const engine = createEngine({ tempFolder: ${JSON.stringify(tempFolder)}, file: ${JSON.stringify(join(dirname(inject('command')), 'engine.cjs'))}, log: console.error });
    const ask = (sql) => engine.query({ parts: [], sql, params: [], maxRows: 1, timeoutMs: 500_000, signal: new AbortController().signal });
    void (async () => { ${code} })();`;
  await build({
    stdin: { contents: source, loader: 'ts', resolveDir: join(import.meta.dirname, '..', '..', '..') },
    bundle: true,
    platform: 'node',
    format: 'cjs',
    define: { 'import.meta.dirname': '__dirname' },
    outfile,
    logLevel: 'silent',
  });
  const program = spawn(process.execPath, [outfile], { stdio: ['ignore', 'pipe', 'inherit'] });
  atEnd(() => void program.kill('SIGKILL'));
  let output = '';
  program.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  return { program, output: () => output, tempFolder };
}

const end = (program: ChildProcess): Promise<unknown> =>
  new Promise((resolve) => {
    program.once('exit', (code, signal) => resolve(signal ?? code));
  });

const noneLeft = (tempFolder: string, pids: readonly string[]): Promise<void> =>
  vi.waitFor(
    () => {
      expect(existsSync(tempFolder) ? readdirSync(tempFolder) : []).toEqual([]);
      for (const pid of pids) expect(() => process.kill(Number(pid), 0)).toThrow('ESRCH');
    },
    { timeout: 300_000 },
  );

test('a program runs while queries are pending, and then exits without closing the engine', async () => {
  const { program, output, tempFolder } = await start(
    "console.log((await ask('SELECT 1 + 1')).rows[0][0]); console.log((await ask('SELECT 3')).rows[0][0]);",
  );
  expect(await end(program)).toBe(0);
  expect(output()).toBe('2\n3\n');
  await noneLeft(tempFolder, []);
});

test('a program continues and exits after closing its engine', async () => {
  const { program, output, tempFolder } = await start("await ask('SELECT 1'); await engine.close(); console.log('closed');");
  expect(await end(program)).toBe(0);
  expect(output()).toBe('closed\n');
  await noneLeft(tempFolder, []);
});

test('when a program is killed, its engine processes end', async () => {
  const { program, output, tempFolder } = await start(
    `await ask('SELECT 1'); void ask(${JSON.stringify(HEAVY)}); setTimeout(() => console.log('at it'), 300);`,
  );
  await vi.waitFor(() => expect(output()).toBe('at it\n'), { timeout: 300_000 });
  const pids = readdirSync(tempFolder);
  expect(pids).toHaveLength(1);
  program.kill('SIGKILL');
  expect(await end(program)).toBe('SIGKILL');
  await noneLeft(tempFolder, pids);
});
