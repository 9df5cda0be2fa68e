/** Views that can still change are read again by their age. A refused span does not affect later requests. */
import { expect, test, vi } from 'vitest';
import type { DemoService } from '../../harness/demo.ts';
import { gate } from '../../harness/gate.ts';
import { DAY_MS, days, inOrder, sharedEngine, startLab, viewEntry, viewsOf } from './support.ts';

const engine = sharedEngine();
const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
const PAGE = 50;
const WAIT = { timeout: 300_000, interval: 50 };

const firstOf = (bodies: readonly { from: string }[]) => inOrder(bodies.map(({ from }) => from))[0];
const bodiesOf = (demo: DemoService) => demo.requests.map(({ body }) => body as { from: string; size?: number });

test('a repeated question reads again only the recent days that are due by their age', async () => {
  const lab = await startLab({ engine, views: 20_000 });
  lab.demo.behaviour.statsMaxSize = PAGE;
  const today = Date.parse('2026-10-20T00:00:00Z');
  lab.clock.ms = today + 18 * HOUR_MS;
  const span = days('2026-10-10', '2026-10-21');
  await lab.ensure(span);

  const readAgain = async (afterMs: number) => {
    lab.demo.requests.length = 0;
    lab.clock.ms += afterMs;
    expect(await lab.ensure(span)).toMatchObject({ complete: true });
    return bodiesOf(lab.demo);
  };
  const pagesFrom = (fromMs: number) => Math.ceil(viewsOf(lab.demo, { fromMs, toMs: today + DAY_MS + 14 * HOUR_MS }).length / PAGE);

  expect(await readAgain(30_000)).toEqual([]);
  const afterAMinute = await readAgain(40_000);
  expect(firstOf(afterAMinute)).toBe('2026-10-19T10:00:00');
  expect(afterAMinute.length).toBeLessThanOrEqual(pagesFrom(today - 14 * HOUR_MS) + 1);
  expect(firstOf(await readAgain(15 * MINUTE_MS))).toBe('2026-10-18T10:00:00');
  expect(firstOf(await readAgain(2 * HOUR_MS))).toBe('2026-10-17T10:00:00');
  expect(firstOf(await readAgain(20 * MINUTE_MS))).toBe('2026-10-18T10:00:00');
  expect(await lab.storedIds(span)).toEqual(viewsOf(lab.demo, span));
});

test('days without views are also read again only if they are recent', async () => {
  const lab = await startLab({ engine });
  lab.clock.ms = Date.parse('2010-05-10T18:00:00Z');
  const span = days('2010-01-01', '2010-06-01');
  await lab.ensure(span);
  lab.demo.requests.length = 0;
  lab.clock.ms += 2 * MINUTE_MS;
  expect(await lab.ensure(span)).toMatchObject({ complete: true, covered: [span] });
  expect(bodiesOf(lab.demo)).toMatchObject([{ from: '2010-05-09T10:00:00' }]);
});

test('a refused span does not change the page size of later requests', async () => {
  const lab = await startLab({ engine, views: 6_000 });
  const tooOld = (body: unknown): boolean => (body as { from: string }).from < '2026-01-01';
  const refusal = { kind: 'status', code: 400, body: { message: 'too old' } } as const;
  lab.demo.faults.always({ match: { api: 'stats', when: ({ body }) => tooOld(body) }, do: refusal });
  const refused = await lab.ensure(days('2025-03-02', '2025-03-03'));
  expect(refused).toMatchObject({ complete: false, missing: expect.stringContaining('too old') });
  lab.demo.requests.length = 0;
  const span = days('2026-08-01', '2026-10-01');
  expect(await lab.ensure(span)).toMatchObject({ complete: true, records: viewsOf(lab.demo, span).length });
  expect(new Set(bodiesOf(lab.demo).map(({ size }) => size))).toEqual(new Set([1_000]));
});

/** Whole days before the clock and after, in two of which there are views. */
async function onADay() {
  const lab = await startLab({ engine, views: 20_000 });
  const today = Date.parse('2026-10-20T00:00:00Z');
  const clock = { ms: today + 12 * HOUR_MS };
  const span = days('2026-10-10', '2026-10-21');
  const heldToday = async () => (await lab.storedIds({ fromMs: today, toMs: today + DAY_MS })).length;
  /** A view enters the log that the next reading must find. */
  const view = (at: number) => lab.demo.world.addView({ id: `late-${at}`, date: new Date(at).toISOString() });
  return { lab, span, clock, heldToday, view };
}

test.each([3 * DAY_MS, -3 * DAY_MS])('if the service tells the time, a clock that is wrong by %d ms changes nothing', async (wrongByMs) => {
  const { lab, span, clock, heldToday, view } = await onADay();
  // What the machine shows is wrong, the service's clock is right.
  const tell = () => {
    lab.clock.ms = clock.ms + wrongByMs;
    lab.demo.behaviour.date = () => Date.now() - wrongByMs;
  };
  tell();
  expect((await lab.ensure(span)).complete).toBe(true);
  const before = await heldToday();
  const { asOf } = await lab.reader.coverage(span);
  expect(Math.abs(Date.parse(asOf ?? '') - clock.ms)).toBeLessThan(MINUTE_MS);
  // Another process, which has to learn it anew, and reads the recent days alone.
  view(clock.ms - 1_000);
  clock.ms += 2 * MINUTE_MS;
  tell();
  lab.demo.requests.length = 0;
  const next = lab.another();
  const how = { signal: new AbortController().signal, until: Number.POSITIVE_INFINITY, progress: () => {} };
  expect(await next.ensure(span, how)).toMatchObject({ complete: true });
  expect(await heldToday()).toBe(before + 1);
  const read = bodiesOf(lab.demo).filter(({ size }) => size !== 1);
  if (wrongByMs < 0) expect(firstOf(read)).toBe('2026-10-19T10:00:00');
  // And one whose clock is right.
  lab.clock.ms = clock.ms + 20_000;
  lab.demo.behaviour.date = () => Date.now();
  lab.demo.requests.length = 0;
  await lab.another().ensure(span, how);
  expect(bodiesOf(lab.demo)).toEqual([]);
});

const TODAY = days('2026-10-20', '2026-10-21');
const STEP_MS = 20_000;

/** An account with a view every 20 seconds, of which all of today was read at noon. */
async function onABusyDay(behaviour: Partial<DemoService['behaviour']> = {}, afterTheMinuteMs = 0) {
  const lab = await startLab({ engine, views: 0 });
  Object.assign(lab.demo.behaviour, { statsMaxSize: 100, ...behaviour });
  const enter = viewEntry(lab.demo);
  let enteredMs = TODAY.fromMs - DAY_MS + afterTheMinuteMs;
  const ask = async (clockMs: number) => {
    for (; enteredMs < clockMs; enteredMs += STEP_MS) enter(enteredMs);
    lab.clock.ms = clockMs;
    lab.demo.requests.length = 0;
    const coverage = await lab.ensure(TODAY);
    expect(coverage.complete).toBe(true);
    const bodies = bodiesOf(lab.demo);
    return { requests: bodies.length, from: firstOf(bodies), asOf: coverage.asOf, held: await lab.storedIds(TODAY) };
  };
  const noon = TODAY.fromMs + 12 * HOUR_MS;
  await ask(noon);
  return { lab, enter, ask, noon, all: () => viewsOf(lab.demo, TODAY) };
}

test('on a busy day a question reads what is new, and the whole day again after half an hour and when it is over', async () => {
  const { lab, ask, noon, all } = await onABusyDay();
  for (const minute of [2, 4, 12, 14, 29]) {
    const { requests, asOf, held, from } = await ask(noon + minute * MINUTE_MS);
    expect([minute, from]).toEqual([minute, `2026-10-20T11:${minute < 14 ? 40 : 55}:00`]);
    expect(requests).toBeLessThanOrEqual(3);
    expect(asOf).toBe('2026-10-20T12:00:00.000Z');
    expect(held).toEqual(all());
  }
  expect(await ask(noon + 31 * MINUTE_MS)).toMatchObject({ from: '2026-10-19T10:00:00', held: all() });
  // A slow machine answers as of 12:29, once what was read at noon is stored anew, and goes on with the rest.
  await vi.waitFor(async () => expect((await lab.reader.coverage(TODAY)).asOf).toBe('2026-10-20T12:31:00.000Z'), WAIT);
  expect((await ask(noon + 33 * MINUTE_MS)).from).toBe('2026-10-20T12:10:00');
  await ask(TODAY.toMs - MINUTE_MS);
  const { from, held } = await ask(TODAY.toMs + MINUTE_MS + 1);
  expect({ from, held }).toEqual({ from: '2026-10-19T10:00:00', held: all() });
});

test('where no view comes at the second at which a request begins, the next one begins no hour earlier for that', async () => {
  const { ask, noon, all } = await onABusyDay({}, 7_000);
  for (const minute of [2, 4, 6]) {
    const { from, held } = await ask(noon + minute * MINUTE_MS);
    expect([minute, from]).toEqual([minute, '2026-10-20T11:40:00']);
    expect(held).toEqual(all());
  }
});

test('a view that enters the log late is counted at once within ten minutes, and else within half an hour', async () => {
  const { ask, enter, noon } = await onABusyDay();
  await ask(noon + 20 * MINUTE_MS);
  const [soon, late] = [enter(noon + 13 * MINUTE_MS), enter(noon - 3 * HOUR_MS)];
  const before = (await ask(noon + 22 * MINUTE_MS)).held;
  expect([before.includes(soon), before.includes(late)]).toEqual([true, false]);
  expect((await ask(noon + 31 * MINUTE_MS)).held).toContain(late);
});

test.each([840, 330, 10, 0, -60, -720])(
  'where the service reads times as %d minutes east of UTC, no view is missing, and few requests are made',
  async (offset) => {
    const { ask, noon, all } = await onABusyDay({ statsTimezoneOffsetMinutes: offset });
    for (const minute of [2, 17, 19]) {
      const { requests, held } = await ask(noon + minute * MINUTE_MS);
      expect(held).toEqual(all());
      expect(requests).toBeLessThanOrEqual(4);
    }
  },
);

test.each([
  [120, 60],
  [60, 120],
  [-240, -300],
  [10, 0],
])('where the service begins to read times as %d and then as %d minutes east of UTC, no view is missing', async (offset, then) => {
  const { lab, ask, noon, all } = await onABusyDay({ statsTimezoneOffsetMinutes: offset });
  await ask(noon + 2 * MINUTE_MS);
  lab.demo.behaviour.statsTimezoneOffsetMinutes = then;
  for (const minute of [4, 17, 19]) expect((await ask(noon + minute * MINUTE_MS)).held).toEqual(all());
});

test.each([4, 10])(
  'where the service goes by when a view entered the log, up to twice %d minutes late, and not by its date, none is lost',
  async (lateMinutes) => {
    const lab = await startLab({ engine, views: 0 });
    lab.demo.behaviour.statsMaxSize = 100;
    const noon = TODAY.fromMs + 12 * HOUR_MS;
    const coming = Array.from({ length: 6_600 }, (_, index) => {
      const date = noon - 36 * HOUR_MS + index * STEP_MS;
      return { id: `entry-${date}`, date, lateMs: (index % 3) * lateMinutes * MINUTE_MS };
    });
    const held: string[] = [];
    for (const minute of [0, 2, 4, 17]) {
      lab.clock.ms = noon + minute * MINUTE_MS;
      for (const view of coming.filter(({ date, lateMs }) => date + lateMs <= lab.clock.ms)) {
        const [date, entered] = [view.date, view.date + view.lateMs].map((ms) => new Date(ms).toISOString());
        lab.demo.world.addRawView({ id: view.id, viewId: view.id, viewerId: 'vwr-1', date, started: true }, entered);
        coming.splice(coming.indexOf(view), 1);
        // Of those that come later still, all of today is read again after half an hour.
        if (view.date >= TODAY.fromMs && (minute === 0 || view.lateMs <= 10 * MINUTE_MS)) held.push(view.id);
      }
      expect((await lab.ensure(TODAY)).complete).toBe(true);
      const stored = new Set(await lab.storedIds(TODAY));
      expect(held.filter((id) => !stored.has(id))).toEqual([]);
    }
  },
);

test('while the hours of today that are due again are being read, a question is answered with what is new', async () => {
  const { lab, ask, enter, noon } = await onABusyDay();
  await ask(noon + 29 * MINUTE_MS);
  const [late, fresh] = [enter(noon - 3 * HOUR_MS), enter(noon + 31 * MINUTE_MS)];
  const { opened: held, open: answer } = gate();
  lab.demo.behaviour.onRequest = ({ body }) => ((body as { from: string }).from < '2026-10-20' ? held : undefined);
  lab.clock.ms = noon + 32 * MINUTE_MS;
  const asked = lab.ensure(TODAY, { until: lab.clock.ms + DAY_MS });
  await vi.waitFor(async () => expect(await lab.storedIds(TODAY)).toContain(fresh), WAIT);
  const passing = setInterval(() => {
    lab.clock.ms += 1_000;
  }, 100);
  const coverage = await asked.finally(() => clearInterval(passing));
  expect(coverage).toMatchObject({
    complete: false,
    stillReading: true,
    asOf: '2026-10-20T12:00:00.000Z',
    newest: { asOf: '2026-10-20T12:32:00.000Z' },
    missing: 'Not read again since it may have changed: 2026-10-20 until 2026-10-20T12:15:00+00:00 (it is being read).',
  });
  // It goes on without a question.
  answer();
  await vi.waitFor(async () => expect(await lab.storedIds(TODAY)).toContain(late), WAIT);
});

test('a day that was quiet when it was read, and so is stored in one piece, is replaced once it is busy', async () => {
  const lab = await startLab({ engine, views: 0 });
  const enter = viewEntry(lab.demo);
  enter(TODAY.fromMs + HOUR_MS);
  lab.clock.ms = TODAY.fromMs + 12 * HOUR_MS;
  expect((await lab.ensure(TODAY)).records).toBe(1);
  for (let index = 0; index < 3_000; index += 1) enter(lab.clock.ms - HOUR_MS + index * 1_000);
  lab.clock.ms += 2 * MINUTE_MS;
  expect(await lab.ensure(TODAY)).toMatchObject({ complete: true, records: 3_001 });
});

test('the last hours of a busy day are stored in quarters of an hour, which are joined as they grow old', async () => {
  const { lab, ask, noon, all } = await onABusyDay();
  const stored = async () => (await lab.writer.snapshot()).segments.filter(({ fromMs, rows }) => fromMs >= TODAY.fromMs && rows > 0);
  expect((await stored()).map(({ toMs }) => (noon - toMs) / MINUTE_MS)).toEqual([120, 105, 90, 75, 60, 45, 30, 15, 0]);
  for (const hours of [5, 9]) expect((await ask(noon + hours * HOUR_MS)).held).toEqual(all());
  expect((await stored()).length).toBeLessThanOrEqual(11);
});
