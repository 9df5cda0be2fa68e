import { readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createFolderLeases } from '../../../src/analytics/storage/folder/leases.ts';
import type { DemoService } from '../../harness/demo.ts';
import { hold } from '../../harness/service.ts';
import { days, type Lab, NOW_MS, sharedEngine, startLab, viewsOf } from './support.ts';

const engine = sharedEngine();
const SPAN = days('2026-09-01', '2026-09-20');

/** Holds all requests after the first `count` until the returned function is called. */
function holdAfter(demo: DemoService, count: number): () => void {
  let seen = 0;
  return hold(demo, () => ++seen > count);
}

const expectWhole = async (lab: Lab): Promise<void> => expect(await lab.storedIds(SPAN)).toEqual(viewsOf(lab.demo, SPAN));

test('a span is read once and completely', async () => {
  const lab = await startLab({ engine });
  const records = viewsOf(lab.demo, SPAN).length;
  const dataSpan = { fromMs: expect.any(Number), toMs: expect.any(Number) };
  const whole = { asked: SPAN, covered: [SPAN], dataSpan, complete: true, records, rejected: { count: 0, reasons: [] } };
  expect(await lab.ensure(SPAN)).toEqual({ ...whole, asOf: new Date(NOW_MS).toISOString() });
  await expectWhole(lab);
  const requests = lab.demo.requests.length;
  const within = { fromMs: SPAN.fromMs + 3_600_001, toMs: SPAN.toMs - 7_200_500 };
  expect(await lab.ensure(within)).toMatchObject({ complete: true, records: viewsOf(lab.demo, within).length });
  expect(await lab.reader.coverage(within)).toMatchObject({ complete: true, records: viewsOf(lab.demo, within).length });
  expect(lab.demo.requests.length).toBe(requests);
});

test('only missing spans are read, with a margin of fourteen hours', async () => {
  const lab = await startLab({ engine });
  await lab.ensure(SPAN);
  lab.demo.requests.length = 0;
  await lab.ensure(days('2026-08-30', '2026-09-22'));
  const asked = lab.demo.requests.map(({ body }) => JSON.stringify(body));
  expect(asked.filter((body) => !/"from":"2026-08-29T10:|"from":"2026-09-19T10:/.test(body))).toEqual([]);
});

test('concurrent questions share one read', async () => {
  const lab = await startLab({ engine });
  const one = await startLab({ demo: lab.demo, engine });
  await one.ensure(SPAN);
  const needed = lab.demo.requests.length;
  lab.demo.requests.length = 0;
  const all = await Promise.all([lab.ensure(SPAN), lab.ensure(SPAN), lab.ensure(days('2026-09-05', '2026-09-10'))]);
  expect(all.map(({ complete }) => complete)).toEqual([true, true, true]);
  expect(lab.demo.requests.length).toBe(needed);
});

test('a server waits for another server that is reading the same span', async () => {
  const lab = await startLab({ engine });
  const how = { signal: new AbortController().signal, until: Number.POSITIVE_INFINITY, progress: () => {} };
  const release = holdAfter(lab.demo, 1);
  const first = lab.ensure(SPAN);
  while (lab.demo.requests.length < 2) await sleep(5);
  const second = lab.another().ensure(SPAN, how);
  await sleep(300);
  release();
  expect(await Promise.all([first, second])).toMatchObject([{ complete: true }, { complete: true }]);
  const asked = lab.demo.requests.map(({ body }) => JSON.stringify(body));
  expect(new Set(asked).size).toBe(asked.length);
  await expectWhole(lab);
});

test('a lease of another machine is respected until it expires, and a lease of a dead process of this machine is ignored', async () => {
  const lab = await startLab({ engine });
  const lease = createFolderLeases(join(lab.folder, 'leases'));
  const { end, spans } = await lease([SPAN]);
  expect(spans).toEqual([SPAN]);
  await end();
  const elsewhere = join(lab.folder, 'leases', 'elsewhere~1~0');
  writeFileSync(elsewhere, JSON.stringify([SPAN]));
  const waiting = lab.ensure(SPAN, { until: lab.clock.ms });
  expect(await waiting).toMatchObject({ complete: false, covered: [], missing: expect.stringContaining('it is being read') });
  expect(lab.demo.requests.length).toBe(0);
  utimesSync(elsewhere, 1, 1);
  expect(await lab.ensure(days('2026-09-01', '2026-09-02'))).toMatchObject({ complete: true });
  // A dead process of this machine is recognised at once.
  const { hostname } = await import('node:os');
  writeFileSync(join(lab.folder, 'leases', `${hostname().replace(/[^\w.-]/g, '_')}~4194305~0`), JSON.stringify([SPAN]));
  expect(await lab.ensure(SPAN)).toMatchObject({ complete: true });
});

test('cancelling a question ends its read unless another question waits for it', async () => {
  const lab = await startLab({ engine });
  const release = holdAfter(lab.demo, 1);
  const stop = new AbortController();
  const given = lab.ensure(SPAN, { signal: stop.signal });
  while (lab.demo.requests.length < 2) await sleep(5);
  const other = lab.ensure(SPAN);
  await sleep(20);
  stop.abort();
  await expect(given).rejects.toMatchObject({ code: 'cancelled' });
  release();
  expect(await other).toMatchObject({ complete: true });
  await expectWhole(lab);

  const alone = await startLab({ demo: lab.demo, engine });
  const hold = holdAfter(lab.demo, 0);
  const end = new AbortController();
  const last = alone.ensure(SPAN, { signal: end.signal });
  const before = lab.demo.requests.length;
  while (lab.demo.requests.length === before) await sleep(5);
  end.abort();
  await expect(last).rejects.toMatchObject({ code: 'cancelled' });
  hold();
  await alone.sync.close();
  const after = lab.demo.requests.length;
  await sleep(50);
  expect(lab.demo.requests.length).toBe(after);
});

test('after a failure of the service, the coverage says why views are missing', async () => {
  const lab = await startLab({ engine, views: 20_000 });
  lab.demo.behaviour.statsMaxSize = 100;
  lab.demo.faults.always({ match: { api: 'stats' }, skip: 60, do: { kind: 'status', code: 500, body: { message: 'out of order' } } });
  const all = days('2026-03-01', '2026-10-01');
  const coverage = await lab.ensure(all);
  expect(coverage.complete).toBe(false);
  expect(coverage.missing).toMatch(/out of order/);
  const [held] = coverage.covered;
  expect(held).toBeDefined();
  expect(await lab.storedIds(all)).toEqual(coverage.covered.flatMap((span) => viewsOf(lab.demo, span)).sort((a, b) => (a < b ? -1 : 1)));
  lab.demo.faults.clear();
  lab.clock.ms += 1;
  expect(await lab.ensure(all)).toMatchObject({ complete: true });
  expect(await lab.storedIds(all)).toEqual(viewsOf(lab.demo, all));
});

test('a full disk is reported', async () => {
  const lab = await startLab({ engine: { ...engine, writePart: () => Promise.reject(new Error('no space left')) } });
  await expect(lab.ensure(SPAN)).rejects.toThrow('no space left');
  expect(lab.log.join()).toContain('could not be stored');
});

test('a span whose reading could not begin is not reserved, and the next question reads it', async () => {
  const lab = await startLab({ engine });
  const inTheWay = join(lab.folder, 'tmp');
  writeFileSync(inTheWay, '');
  await expect(lab.ensure(SPAN)).rejects.toThrow('EEXIST');
  expect(readdirSync(join(lab.folder, 'leases'))).toEqual([]);
  rmSync(inTheWay);
  expect(await lab.ensure(SPAN)).toMatchObject({ complete: true });
});

test('years without views and future years take few requests', async () => {
  const lab = await startLab({ engine });
  const empty = days('2010-01-01', '2024-01-01');
  expect(await lab.ensure(empty)).toMatchObject({ complete: true, records: 0, covered: [empty] });
  const future = days('2027-01-01', '2035-01-01');
  expect(await lab.ensure(future)).toMatchObject({ complete: true, records: 0, covered: [future] });
  expect(lab.demo.requests.length).toBeLessThan(5);
  lab.clock.ms += 120_000;
  // Only the requested part is read again; the rest stays covered.
  expect(await lab.ensure(days('2030-01-01', '2030-02-01'))).toMatchObject({ complete: true });
  expect(await lab.reader.coverage(future)).toMatchObject({ covered: [future] });
});
