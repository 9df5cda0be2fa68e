import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, inject, test, vi } from 'vitest';
import type { PartFile } from '../../../src/analytics/storage/part-file.ts';
import { lab, patience, SPAN, view } from './support.ts';

/** Makes loading DuckDB fail as Node does if the package of the platform is missing. */
const WITHOUT_DUCKDB = `
  const Module = require('node:module');
  const { _load } = Module;
  Module._load = (name, ...rest) => {
    if (name === '@duckdb/node-api') throw Object.assign(new Error("Cannot find module '@duckdb/node-bindings-x/duckdb.node'"), { code: 'MODULE_NOT_FOUND' });
    return _load(name, ...rest);
  };`;

const processes = (folder: string): number[] => (existsSync(folder) ? readdirSync(folder).map(Number) : []);

test('an engine process starts when needed, inherits no setting of the server, and ends when idle', async () => {
  vi.stubEnv('VIDEO_HOSTING_API_KEY', 'secret');
  const { engine, part, tempFolder } = lab({ idleMs: 1_000 });
  expect(processes(tempFolder)).toEqual([]);
  const parts = [await part([view()])];
  const [pid] = processes(tempFolder);
  if (process.platform === 'linux') expect(readFileSync(`/proc/${pid}/environ`, 'utf8')).not.toContain('VIDEO_HOSTING');
  vi.unstubAllEnvs();
  await vi.waitFor(() => expect(processes(tempFolder)).toEqual([]), { timeout: 300_000 });
  const { rows } = await engine.query({ parts, sql: 'SELECT count(*) FROM views', params: [], maxRows: 1, ...patience() });
  expect(rows).toEqual([[1]]);
});

test('a query that comes when an idle process is being ended gets another process', async () => {
  const { engine } = lab({ idleMs: 1 });
  const ask = () => engine.sandboxed({ parts: [], span: SPAN, offsets: [], tables: [], sql: 'SELECT 1', maxRows: 1, ...patience() });
  await ask();
  const next = new Promise((resolve) => setTimeout(() => resolve(ask()), 1));
  // Both timers are due then, and the one of the idle process was first.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
  expect(await next).toMatchObject({ rows: [[1]] });
});

test('an engine process that dies is replaced, and its queries are repeated', async () => {
  const { engine, part, tempFolder } = lab();
  const parts = [await part([view()])];
  const ask = (sql: string) => engine.query({ parts, sql, params: [], maxRows: 1, ...patience() });
  const [writer] = processes(tempFolder);
  await ask('SELECT 1');
  const endless = "SELECT count(*) FROM range(3000) a, range(3000) b, range(50) c WHERE md5(a.range || b.range) = 'x'";
  const slow = expect(ask(endless)).rejects.toMatchObject({ code: 'cancelled' });
  await ask('SELECT 1');
  for (const pid of processes(tempFolder).filter((pid) => pid !== writer)) process.kill(pid, 'SIGKILL');
  await vi.waitFor(() => expect(processes(tempFolder)).toHaveLength(2), { timeout: 300_000 });
  expect((await ask('SELECT 2')).rows).toEqual([[2]]);
  await engine.close();
  await slow;
  expect(processes(tempFolder)).toEqual([]);
});

test('a query has a time limit and can be cancelled', async () => {
  const { engine, part } = lab();
  const parts = [await part([view()])];
  const sql = "SELECT count(*) FROM range(100000) a, range(100000) b, range(1000) c WHERE a.range || b.range || c.range = 'x'";
  const input = { parts, sql, params: [], maxRows: 1 };
  const leaving = new AbortController();
  const given = engine.query({ ...input, timeoutMs: 500_000, signal: leaving.signal });
  await expect(engine.query({ ...input, ...patience(), timeoutMs: 200 })).rejects.toMatchObject({ code: 'query_too_heavy' });
  leaving.abort();
  await expect(given).rejects.toMatchObject({ code: 'cancelled' });
  await expect(engine.query({ ...input, timeoutMs: 500_000, signal: leaving.signal })).rejects.toMatchObject({ code: 'cancelled' });
  expect((await engine.query({ ...input, sql: 'SELECT 1', ...patience() })).rows).toEqual([[1]]);
});

test('40 concurrent queries are all answered', async () => {
  const { engine, part } = lab();
  const parts = [await part([view()])];
  const ask = (n: number) => engine.query({ parts, sql: 'SELECT $1 + count(*) FROM views', params: [n], maxRows: 1, ...patience() });
  const answers = await Promise.all(Array.from({ length: 40 }, (_, n) => ask(n)));
  expect(answers.map(({ rows }) => rows[0]?.[0])).toEqual(Array.from({ length: 40 }, (_, n) => n + 1));
});

test('values are returned unchanged', async () => {
  const { engine } = lab();
  const params = [9_007_199_254_740_991, -3_000_000_000, 0.1, 'é\0"', true, null];
  const sql = 'SELECT $1, $2, $3, $4, $5, $6, $1::HUGEINT * 10, 1e308::DOUBLE * 10';
  const { rows } = await engine.query({ parts: [], sql, params, maxRows: 1, ...patience() });
  expect(rows).toEqual([[...params, '90071992547409910', null]]);
});

test('no more rows are returned than requested', async () => {
  const { engine } = lab();
  const ask = async (maxRows: number) => {
    const { rows, truncated } = await engine.query({ parts: [], sql: 'SELECT range FROM range(5000)', params: [], maxRows, ...patience() });
    return `${rows.length}${truncated ? ', cut' : ''}`;
  };
  const answers = await Promise.all([0, 2_048, 4_999, 5_000, 9_000].map(ask));
  expect(answers).toEqual(['0, cut', '2048, cut', '4999, cut', '5000', '5000']);
});

const DAMAGES: Readonly<Record<string, (path: string) => void>> = {
  missing: (path) => rmSync(path),
  empty: (path) => truncateSync(path),
  truncated: (path) => writeFileSync(path, readFileSync(path).subarray(0, -4)),
  'replaced by another file': (path) => writeFileSync(path, 'id,views\n'),
  'replaced by a folder': (path) => {
    rmSync(path);
    mkdirSync(path);
  },
  'overwritten in the middle': (path) => overwrite(path, (bytes) => bytes.fill(0x58, bytes.length >> 2, (bytes.length >> 2) * 3)),
  'different in one bit': (path) =>
    overwrite(path, (bytes) => {
      const middle = bytes.length >> 1;
      bytes[middle] = (bytes[middle] ?? 0) ^ 4;
    }),
};

function overwrite(path: string, change: (bytes: Buffer) => void): void {
  const bytes = readFileSync(path);
  change(bytes);
  writeFileSync(path, bytes);
}

test('missing and damaged parts are reported, and the others can be read', async () => {
  const { engine, part } = lab();
  const question = { sql: 'SELECT sum(watch_time) FROM views', params: [], maxRows: 1, span: SPAN, offsets: [], tables: [] };
  const ask = (...parts: PartFile[]) => engine.query({ parts, ...question, ...patience() });
  const asSandboxed = (...parts: PartFile[]) => engine.sandboxed({ parts, ...question, ...patience() });
  const make = () => part(Array.from({ length: 5_000 }, (_, n) => view({ id: `v${n}`, watch_time: n % 900 })));
  for (const [kind, damage] of Object.entries(DAMAGES)) {
    const [good, one, other] = [await make(), await make(), await make()];
    // The process has read all of them before.
    await ask(good, one, other);
    for (const { path } of [one, other]) damage(path);
    await expect(ask(good, one, other), kind).rejects.toMatchObject({ name: 'DamagedPartsError', parts: [one.path, other.path] });
    await expect(asSandboxed(one, good), kind).rejects.toMatchObject({ name: 'DamagedPartsError', parts: [one.path] });
    expect((await ask(good)).rows).toEqual([[2_147_500]]);
  }
});

test('after a failure that nothing explains, parts that seemed unchanged are read again', async () => {
  const { engine, part } = lab();
  const ask = (file: PartFile) => engine.query({ parts: [file], sql: 'SELECT max(id) FROM views', params: [], maxRows: 1, ...patience() });
  const [good, bad] = [await part([view({ id: 'good' })]), await part([view({ id: 'bad' })])];
  const { atime, mtime } = statSync(bad.path);
  expect((await ask(bad)).rows).toEqual([['bad']]);
  overwrite(bad.path, (bytes) => bytes.fill(0xff, 4, 200));
  utimesSync(bad.path, atime, mtime);
  await expect(ask(bad)).rejects.toMatchObject({ name: 'DamagedPartsError', parts: [bad.path] });
  expect((await ask(good)).rows).toEqual([['good']]);
});

test('a failure to load DuckDB is reported', async () => {
  const file = join(lab().folder, 'engine.cjs');
  writeFileSync(file, `${WITHOUT_DUCKDB}\n${readFileSync(join(dirname(inject('command')), 'engine.cjs'), 'utf8')}`);
  const { engine } = lab({ file });
  const ask = () => engine.query({ parts: [], sql: 'SELECT 1', params: [], maxRows: 1, ...patience() });
  await expect(ask()).rejects.toMatchObject({ code: 'analytics_unavailable', message: expect.stringContaining('duckdb.node') });
  await expect(Promise.all([ask(), ask()])).rejects.toMatchObject({ code: 'analytics_unavailable' });
});

test('only old temporary folders of dead processes are removed', async () => {
  const { engine, tempFolder } = lab();
  // Process ids above the maximum of any system.
  const [old, young, alive] = [2 ** 30 + 1, 2 ** 30 + 2, process.pid].map((pid) => join(tempFolder, String(pid)));
  if (old === undefined || young === undefined || alive === undefined) throw new Error('unreachable');
  for (const folder of [old, young, alive, join(tempFolder, 'notes')]) await mkdir(folder, { recursive: true });
  for (const folder of [old, alive, join(tempFolder, 'notes')]) utimesSync(folder, 0, 0);
  await engine.query({ parts: [], sql: 'SELECT 1', params: [], maxRows: 1, ...patience() });
  expect([old, young, alive, join(tempFolder, 'notes')].map((folder) => existsSync(folder))).toEqual([false, true, true, true]);
});
