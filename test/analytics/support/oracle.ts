/**
 * A plain reduction over the demo service's own records, that knows nothing of SQL, offsets or the code under test:
 * local times are what `Intl` writes, groups are maps, distinct counts are sets.
 */
import type { ColumnDimension, Dimension, TimeDimension } from '../../../src/analytics/dimensions.ts';
import { isMetric, type Metric } from '../../../src/analytics/metrics.ts';
import type { DemoView } from '../../../src/demo/records.ts';

export type Cell = string | number | boolean | null;
type Row = Readonly<Record<string, Cell>>;

export interface OracleQuestion {
  /** Whole days, both included: `2026-03-01`. */
  readonly from: string;
  readonly to: string;
  readonly timezone: string;
  readonly metrics: readonly string[];
  readonly groupBy: readonly Dimension[];
  readonly filters: Readonly<Record<string, readonly string[] | boolean>>;
  /** The whole days of the comparison period, and its distance in days. */
  readonly before?: { readonly from: string; readonly to: string; readonly days: number } | undefined;
}

const partsOf = new Map<string, Intl.DateTimeFormat>();
const cache = new Map<string, string>();

/** `2026-03-01T05:12` by the clocks of a zone. */
function localMinute(ms: number, zone: string): string {
  const minute = Math.floor(ms / 60_000);
  const key = `${zone}${minute}`;
  const known = cache.get(key);
  if (known !== undefined) return known;
  const format = partsOf.get(zone) ?? new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'short' });
  partsOf.set(zone, format);
  const text = format.format(minute * 60_000).replace(' ', 'T');
  if (cache.size > 400_000) cache.clear();
  cache.set(key, text);
  return text;
}

/** ISO week: it belongs to the year of its Thursday. */
function isoWeekOf(day: string): string {
  const date = new Date(`${day}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() + 4 - (date.getUTCDay() || 7));
  const number = Math.ceil(((date.getTime() - Date.UTC(date.getUTCFullYear(), 0, 1)) / 86_400_000 + 1) / 7);
  return `${date.getUTCFullYear()}-W${String(number).padStart(2, '0')}`;
}

const WEEKDAY = new Intl.DateTimeFormat('en', { weekday: 'long', timeZone: 'UTC' });
const weekdayOf = (day: string): string => WEEKDAY.format(new Date(`${day}T00:00:00Z`));

const TIMES: Readonly<Record<TimeDimension, (local: string) => Cell>> = {
  hour: (local) => `${local.slice(0, 13)}:00`,
  day: (local) => local.slice(0, 10),
  week: (local) => isoWeekOf(local.slice(0, 10)),
  month: (local) => local.slice(0, 7),
  weekday: (local) => weekdayOf(local.slice(0, 10)),
  hour_of_day: (local) => Number(local.slice(11, 13)),
};

/** Whether a time comes again and again. */
const IS_CYCLIC: Readonly<Record<TimeDimension, boolean>> = {
  ...{ hour: false, day: false, week: false, month: false },
  ...{ weekday: true, hour_of_day: true },
};

const isTime = (name: Dimension): name is TimeDimension => name in TIMES;
const isCyclic = (name: Dimension): boolean => isTime(name) && IS_CYCLIC[name];

const missing = (text: string | undefined): Cell => (text === undefined || text === '' ? null : text);

const TEXTS: Readonly<Record<ColumnDimension, (view: DemoView) => Cell>> = {
  video: (view) => view.videoKey,
  channel: (view) => missing(view.channelKey),
  project: (view) => view.projectKey,
  country: (view) => missing(view.geo.country),
  continent: (view) => missing(view.geo.continent),
  region: (view) => missing(view.geo.region),
  city: (view) => missing(view.geo.city),
  browser: (view) => missing(view.browser.family),
  os: (view) => missing(view.os.family),
  device_type: (view) => missing(view.device.type),
  device_brand: (view) => missing(view.device.brand),
  embed_domain: (view) => missing(view.embed?.domain.toLowerCase()),
  muted: (view) => view.muted,
  embed_url: (view) => missing(view.embed?.url.replace(/[?#].*/, '')),
};

const FILTERED: Readonly<Record<string, ColumnDimension>> = {
  videoKeys: 'video',
  channels: 'channel',
  projects: 'project',
  countries: 'country',
  browsers: 'browser',
  operatingSystems: 'os',
  deviceTypes: 'device_type',
  embedDomains: 'embed_domain',
};

function passes(view: DemoView, filters: OracleQuestion['filters']): boolean {
  return Object.entries(filters).every(([name, wanted]) => {
    if (name === 'started' || name === 'ended' || name === 'muted') return view[name] === wanted;
    if (name === 'weekdays' || typeof wanted === 'boolean') return true;
    const dimension = FILTERED[name];
    if (dimension === undefined) throw new Error(`The oracle knows no filter ${name}.`);
    const value = TEXTS[dimension](view);
    const leavesOut = wanted.some((one) => one.startsWith('!'));
    return wanted.some((one) => one.replace(/^!/, '') === (value ?? '')) !== leavesOut;
  });
}

/** Whether a day passes the weekday filter. Other days have no rows. */
const isCounted = (day: string, { weekdays }: OracleQuestion['filters']): boolean =>
  typeof weekdays !== 'object' || weekdays.includes(weekdayOf(day).toLowerCase());

const playsOf = (views: readonly DemoView[]): number => views.filter(({ started }) => started).length;
const endsOf = (views: readonly DemoView[]): number => views.filter(({ ended }) => ended).length;
const watchedOf = (views: readonly DemoView[]): number => views.reduce((sum, { watchTime }) => sum + watchTime, 0);
const viewersOf = (views: readonly DemoView[]): number => new Set(views.map(({ viewerId }) => viewerId)).size;
const sixDecimals = (value: number): number => Number(value.toFixed(6));
const over = (part: number, whole: number): number | null => (whole === 0 ? null : sixDecimals(part / whole));
/** A mean has two decimals, or four figures where it is less than one. */
const figures = (value: number): number => Number(Math.abs(value) < 1 ? value.toPrecision(4) : value.toFixed(2));
const MEANS: readonly string[] = ['avg_watch_time', 'watch_time_per_viewer'];

const METRICS: Readonly<Record<Metric, (views: readonly DemoView[]) => number | null>> = {
  views: (views) => views.length,
  plays: playsOf,
  completions: endsOf,
  play_rate: (views) => over(playsOf(views), views.length),
  completion_rate: (views) => over(endsOf(views), playsOf(views)),
  watch_time: watchedOf,
  avg_watch_time: (views) => over(watchedOf(views), playsOf(views)),
  unique_viewers: viewersOf,
  watch_time_per_viewer: (views) => over(watchedOf(views), viewersOf(views)),
  unique_videos: (views) => new Set(views.map(({ videoKey }) => videoKey)).size,
};

interface Grouped {
  readonly key: readonly Cell[];
  readonly views: DemoView[];
}

type Span = Pick<OracleQuestion, 'from' | 'to'>;

function grouped(records: readonly DemoView[], { from, to }: Span, { timezone, groupBy, filters }: OracleQuestion) {
  const groups = new Map<string, Grouped>();
  const all: DemoView[] = [];
  for (const view of records) {
    const local = localMinute(Date.parse(view.date), timezone);
    const day = local.slice(0, 10);
    if (day < from || day > to || !isCounted(day, filters) || !passes(view, filters)) continue;
    all.push(view);
    const key = groupBy.map((name) => (isTime(name) ? TIMES[name](local) : TEXTS[name](view)));
    const known = groups.get(JSON.stringify(key)) ?? { key, views: [] };
    known.views.push(view);
    groups.set(JSON.stringify(key), known);
  }
  return { groups, all };
}

/** Every combination of time labels within these days, found in steps of 15 minutes. */
function timesIn({ from, to }: Span, { timezone, groupBy, filters }: OracleQuestion): Cell[][] {
  const names = groupBy.filter(isTime);
  const found = new Map<string, Cell[]>();
  for (let ms = Date.parse(from) - 2 * 86_400_000; ms < Date.parse(to) + 3 * 86_400_000; ms += 900_000) {
    const local = localMinute(ms, timezone);
    if (local.slice(0, 10) < from || local.slice(0, 10) > to || !isCounted(local.slice(0, 10), filters)) continue;
    const key = names.map((name) => TIMES[name](local));
    found.set(JSON.stringify(key), key);
  }
  return [...found.values()];
}

/** The ISO times of the first and last stored record. Outside them, a missing value is null and not 0. */
export type Reach = { readonly from: string; readonly to: string } | null;

/** Whether the stored records reach into a time of a span, by its labels. A weekday or hour outside the span is not reached; another label is judged by the whole span. */
function reachedIn({ from, to }: Span, { timezone, groupBy, filters }: OracleQuestion, reach: Reach): (time: readonly Cell[]) => boolean {
  const names = groupBy.filter(isTime);
  const known = new Map<string, boolean>();
  let isAny = false;
  for (let ms = Date.parse(from) - 2 * 86_400_000; ms < Date.parse(to) + 3 * 86_400_000; ms += 900_000) {
    const local = localMinute(ms, timezone);
    if (local.slice(0, 10) < from || local.slice(0, 10) > to) continue;
    const isIn = reach !== null && ms <= Date.parse(reach.to) && ms + 900_000 > Date.parse(reach.from);
    isAny ||= isIn;
    if (!isCounted(local.slice(0, 10), filters)) continue;
    const key = JSON.stringify(names.map((name) => TIMES[name](local)));
    known.set(key, isIn || known.get(key) === true);
  }
  return (time) => known.get(JSON.stringify(time)) ?? (!names.some(isCyclic) && isAny);
}

/** How many days of a span are over before the first record. */
function lackingDays({ from, to }: Span, { timezone, filters }: OracleQuestion, reach: Reach): number {
  const ends = new Map<string, number>();
  for (let ms = Date.parse(from) - 2 * 86_400_000; ms < Date.parse(to) + 3 * 86_400_000; ms += 900_000) {
    const day = localMinute(ms, timezone).slice(0, 10);
    if (day >= from && day <= to && isCounted(day, filters)) ends.set(day, ms + 900_000);
  }
  return [...ends.values()].filter((end) => reach !== null && end <= Date.parse(reach.from)).length;
}

/** The same time label, this many days earlier. */
function earlierLabel(name: string, label: Cell, days: number): Cell {
  if (name !== 'day' && name !== 'hour') return label;
  const day = new Date(Date.parse(String(label).slice(0, 10)) - days * 86_400_000).toISOString().slice(0, 10);
  return `${day}${String(label).slice(10)}`;
}

/** The expected rows (by their dimensions) and totals of an answer. */
export function expectedAnswer(records: readonly DemoView[], question: OracleQuestion, reach: Reach, reachBefore = reach) {
  const { groupBy, metrics, before } = question;
  const now = grouped(records, question, question);
  const then = before && grouped(records, before, question);
  const keys = new Map([...now.groups].map(([text, { key }]) => [text, key]));
  const dateOf = (key: readonly Cell[], days: number) => key.map((value, at) => earlierLabel(groupBy[at] ?? '', value, days));
  for (const { key } of then?.groups.values() ?? []) {
    const there = dateOf(key, -(before?.days ?? 0));
    keys.set(JSON.stringify(there), there);
  }
  const areTimes = groupBy.map(isTime);
  if (areTimes.includes(true)) {
    const times = timesIn(question, question);
    // Times without views have rows only if all dimensions are times.
    if (!areTimes.includes(false)) for (const time of times) keys.set(JSON.stringify(time), time);
    // An hour or day of the comparison period can lack a counterpart; a weekday stands for itself.
    const there = new Set(times.map((time) => JSON.stringify(time)));
    const names = groupBy.filter(isTime);
    for (const [text, key] of keys)
      if (!names.every(isCyclic) && !there.has(JSON.stringify(key.filter((_, at) => areTimes[at])))) keys.delete(text);
  }
  const formerTimes =
    before && areTimes.includes(true) ? new Set(timesIn(before, question).map((time) => JSON.stringify(time))) : undefined;
  const isReached = reachedIn(question, question, reach);
  const wasReached = before && reachedIn(before, question, reachBefore);
  const timeOf = (key: readonly Cell[]) => key.filter((_, at) => areTimes[at]);
  /** The views of a time, or null if there are none and the stored records do not reach it. */
  const judged = (views: readonly DemoView[] | undefined, isKnown: boolean) => (views?.length ? views : isKnown ? [] : null);
  const inAll = (span: Span, records: Reach) => reachedIn(span, { ...question, groupBy: [] }, records)([]);
  const nowAll = judged(now.all, inAll(question, reach));
  const thenAll = before && then && judged(then.all, inAll(before, reachBefore));
  // Sums over different days have no ratio; days and hours by themselves are known or not.
  const areAlike = before === undefined || lackingDays(question, question, reach) === lackingDays(before, question, reachBefore);
  const areRowsAlike = areAlike || groupBy.includes('day') || groupBy.includes('hour');
  const rows = new Map<string, Row>();
  for (const [text, key] of keys) {
    const former = before && dateOf(key, before.days);
    const exists = former && (formerTimes === undefined || formerTimes.has(JSON.stringify(former.filter((_, at) => areTimes[at]))));
    rows.set(
      text,
      valuesOf(
        metrics,
        judged(now.groups.get(text)?.views, isReached(timeOf(key))),
        then && (exists ? judged(then.groups.get(JSON.stringify(former))?.views, wasReached?.(timeOf(former)) === true) : null),
        areRowsAlike,
      ),
    );
  }
  const totals = valuesOf(metrics, nowAll, thenAll, areAlike);
  if (groupBy.length === 0) rows.set('[]', totals);
  return { rows, totals };
}

const metricOf = (name: string, views: readonly DemoView[]): number | null => (isMetric(name) ? METRICS[name](views) : null);

const RATES: readonly string[] = [...MEANS, 'play_rate', 'completion_rate'];

function valuesOf(
  metrics: readonly string[],
  now: readonly DemoView[] | null,
  then: readonly DemoView[] | null | undefined,
  areAlike: boolean,
): Row {
  const values: Record<string, Cell> = {};
  for (const metric of metrics) {
    const value = now === null ? null : metricOf(metric, now);
    const shown = MEANS.includes(metric) ? (number: number | null) => (number === null ? null : figures(number)) : (number: Cell) => number;
    values[metric] = shown(value);
    if (then === undefined) continue;
    const before = then === null ? null : metricOf(metric, then);
    values[`${metric}_before`] = shown(before);
    values[`${metric}_change`] = value === null || before === null ? null : shown(sixDecimals(value - before));
    const isKnown = areAlike || RATES.includes(metric);
    values[`${metric}_ratio`] = !isKnown || value === null || before === null || before === 0 ? null : sixDecimals(value / before);
  }
  return values;
}
