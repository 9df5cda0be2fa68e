/** The renderer's processes: whatever happens to one of them, the server goes on and draws the next chart. */
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { expect, inject, test, vi } from 'vitest';
import { createRenderer, type RendererOptions } from '../../../src/analytics/chart/renderer.ts';
import { atEnd, freshHome } from '../../harness/cleanup.ts';
import { chartOf } from './inputs.ts';

const CHART = chartOf('bar', ['country', 'views'], [['DE', 3]]);
const titled = (title: string) => ({ ...CHART, title });

function renderer(options: Partial<RendererOptions> = {}) {
  const log: string[] = [];
  const made = createRenderer({ log: (line) => log.push(line), file: join(dirname(inject('command')), 'chart.cjs'), ...options });
  atEnd(made.close);
  return { ...made, log };
}

/** The built program, after code that may misbehave once a task with this title arrives. */
function misbehaving(code: string): string {
  const file = join(freshHome(), 'chart.cjs');
  const built = join(dirname(inject('command')), 'chart.cjs');
  writeFileSync(file, `${code}\nrequire(${JSON.stringify(built)});`);
  return file;
}
const onTitle = (title: string, code: string): string =>
  misbehaving(`process.on('message', ({ task }) => { if (task?.title === '${title}') { ${code} } });`);

test('a chart is drawn in another process, and the renderer writes nothing to the log', async () => {
  const { render, log } = renderer();
  const { png, drawn } = await render(CHART);
  expect(png.subarray(1, 4).toString()).toBe('PNG');
  expect(drawn).toMatchObject({ kind: 'bar', notes: [], frames: [{ axis: { dimension: 'country' } }] });
  expect(log).toEqual([]);
  expect(Object.keys(createRequire(import.meta.url).cache).filter((path) => path.includes('resvg'))).toEqual([]);
});

test('a renderer that dies fails its chart with one clear error, and the next chart is drawn', async () => {
  const { render, log } = renderer({ file: onTitle('deadly', 'process.abort()') });
  const failure = { code: 'chart_failed', message: expect.stringContaining('the process that draws it ended (SIGABRT)') as string };
  await expect(render(titled('deadly'))).rejects.toMatchObject(failure);
  await expect(Promise.all([render(titled('deadly')), render(CHART)])).rejects.toMatchObject(failure);
  expect((await render(CHART)).png.subarray(1, 4).toString()).toBe('PNG');
  expect(log.join('\n')).toContain('SIGABRT');
});

test('a renderer that hangs is ended, and does not hold up other charts', async () => {
  const { render } = renderer({ file: onTitle('endless', 'for (;;) {}'), timeoutMs: 10_000 });
  const hanging = render(titled('endless')).catch((error: unknown) => error);
  expect((await render(CHART)).png.length).toBeGreaterThan(1_000);
  expect(await hanging).toMatchObject({ code: 'chart_failed', message: expect.stringContaining('longer than 10 seconds') as string });
  expect((await render(CHART)).png.length).toBeGreaterThan(1_000);
});

test('a chart that is no longer wanted is given up', async () => {
  const { render } = renderer({ file: onTitle('endless', 'for (;;) {}') });
  const controller = new AbortController();
  const hanging = render(titled('endless'), controller.signal);
  setTimeout(() => controller.abort(), 50);
  await expect(hanging).rejects.toMatchObject({ code: 'cancelled' });
});

test('a failure to load the native part is chart_unavailable, and what can’t be drawn is chart_failed', async () => {
  const without = `const { Module } = require('node:module');
    const load = Module._load;
    Module._load = (name, ...rest) => { if (name === '@resvg/resvg-js') throw new Error('Cannot find native binding'); return load(name, ...rest); };`;
  const { render, log } = renderer({ file: misbehaving(without) });
  await expect(render(CHART)).rejects.toMatchObject({ code: 'chart_unavailable', hint: expect.stringContaining('numbers') as string });
  expect(log.join('\n')).toContain('Cannot find native binding');
  await expect(renderer().render({ ...CHART, metrics: ['plays'] })).rejects.toMatchObject({ code: 'chart_failed' });
});

test('closing the renderer ends its processes, and nothing is drawn any more', async () => {
  const file = misbehaving(`require('node:fs').writeFileSync(__filename + '.pid', String(process.pid));`);
  const { render, close } = renderer({ file });
  await render(CHART);
  await close();
  const pid = Number(readFileSync(`${file}.pid`, 'utf8'));
  await vi.waitFor(() => expect(() => process.kill(pid, 0)).toThrow('ESRCH'), { timeout: 300_000 });
  await expect(render(CHART)).rejects.toMatchObject({ code: 'cancelled' });
});
