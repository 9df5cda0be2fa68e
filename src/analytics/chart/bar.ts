import type { Axis } from './axes.ts';
import { isOrdered, titleOf } from './dimensions.ts';
import { widthOf } from './font.ts';
import type { Frame } from './frame.ts';
import { type ValueScale, valueLabel, valueScale } from './numbers.ts';
import { INK, LOSS_COLOR, lighter, seriesColor } from './palette.ts';
import { AXIS_SIZE, PLOT_WIDTH, type Plot, plotOf } from './plot.ts';
import { shortenAll } from './text.ts';
import { type Tick, thinned, timeTicks } from './ticks.ts';

const TALL = 360;
const SIDE = 70;
/** Widest name beside a bar. */
const MAX_NAME = 230;
const LABEL_SIZE = 10.5;
/** Heights of lying bars: thin where a picture has many. */
const BAR_HEIGHT = 15;
const THIN_BAR_HEIGHT = 11;
const BETWEEN = 9;
/** Width of all bars at one place together, where bars stand. */
const MAX_BAR_WIDTH = 110;
/** Room for the axis below and its title. */
const BELOW = 52;

interface Datum {
  readonly x: number;
  /** Which bar of a place. */
  readonly bar: number;
  readonly s: number;
  readonly y: number;
  readonly color: string;
  readonly label: string;
}

/** Standing where the places have an order, lying where they have names. */
export const isStanding = ({ dimension }: Axis): boolean => dimension !== undefined && isOrdered(dimension);

/** Bars of a frame; `stacked` sets the series upon each other, where they are parts of a whole. */
export function barPlot(frame: Frame, stacked: boolean): Plot {
  const data = dataOf(frame, stacked);
  const scale = valueScale(extentOf(data, stacked), frame.look, 5);
  return isStanding(frame.axis) ? standing(frame, data, scale, stacked) : lying(frame, data, scale, stacked);
}

function standing({ axis }: Frame, data: readonly Datum[], scale: ValueScale, stacked: boolean): Plot {
  const count = axis.categories.length;
  const step = (PLOT_WIDTH - SIDE) / count;
  const ticks = ticksOf(axis, (index) => (index + 0.5) * step);
  const room = (step * (1 - paddingFor(step))) / barsOf(data).length;
  const labelled = !stacked && data.length <= 48 && data.every(({ label }) => widthOf(label, LABEL_SIZE) <= room + 6) ? data : [];
  const encoding = {
    x: {
      ...placeOf(count, paddingFor(step)),
      axis: {
        values: ticks.map(({ index }) => index),
        labelExpr: 'xText[datum.value]',
        labelAngle: 0,
        title: titleOf(axis.dimension ?? ''),
        ticks: count > 40,
      },
    },
    y: valueChannel(
      domainFor(scale, labelled, TALL - BELOW, () => LABEL_SIZE + 8),
      stacked,
      { ...valueAxis('y', scale), title: null },
    ),
    ...offset('xOffset', data, stacked),
  };
  const xText = Object.fromEntries(ticks.map(({ index, lines }) => [String(index), lines]));
  return {
    height: TALL,
    spec: plotOf({
      height: TALL,
      xText,
      yText: textOf(scale),
      layer: [...barLayers(data, encoding, 'y'), ...labelLayers(labelled, encoding, 'y')],
    }),
  };
}

function lying({ axis, look }: Frame, data: readonly Datum[], scale: ValueScale, stacked: boolean): Plot {
  const style = { size: AXIS_SIZE };
  const names = shortenAll(
    axis.categories.map(({ label }) => label),
    MAX_NAME,
    style,
  );
  const bars = barsOf(data).length;
  const thick = names.length * bars > 20 ? THIN_BAR_HEIGHT : BAR_HEIGHT;
  const height = names.length * (bars * thick + BETWEEN) + BELOW;
  const width = PLOT_WIDTH - Math.max(...names.map((name) => widthOf(name, AXIS_SIZE))) - 10;
  const labelled = stacked ? [] : data;
  const encoding = {
    x: valueChannel(
      domainFor(scale, labelled, width, ({ label }) => widthOf(label, LABEL_SIZE) + 10),
      stacked,
      {
        ...valueAxis('x', scale),
        title: look.title,
      },
    ),
    y: { ...placeOf(names.length, bars > 1 ? 0.22 : 0.3), axis: { labelExpr: 'yText[datum.value]', title: null, ticks: false } },
    ...offset('yOffset', data, stacked),
  };
  const yText = Object.fromEntries(names.map((name, index) => [String(index), name]));
  return {
    height,
    spec: plotOf({
      height,
      xText: textOf(scale),
      yText,
      layer: [...barLayers(data, encoding, 'x'), ...labelLayers(labelled, encoding, 'x')],
    }),
  };
}

/** Few bars are not made as wide as there is room, and many leave none. */
const paddingFor = (step: number): number => (step > 8 ? Math.max(0.25, 1 - MAX_BAR_WIDTH / step) : step > 4 ? 0.05 : 0);

/** A bar for each value; what was before stands ahead of what is now. */
function dataOf({ cells, axis, series, look, hasBefore }: Frame, stacked: boolean): Datum[] {
  const isAlone = series.categories.length === 1 && !hasBefore;
  const data = cells.flatMap(({ x, series: s, value, before }) => {
    const isOthers = series.categories[s]?.isOthers === true || (series.categories.length === 1 && axis.categories[x]?.isOthers === true);
    const color = isAlone && value !== null && value < 0 ? LOSS_COLOR : seriesColor(s, isOthers);
    const now = { x, s, bar: stacked ? 0 : 2 * s + 1, y: value, color };
    const then = { x, s, bar: 2 * s, y: before, color: lighter(color) };
    return hasBefore && !stacked ? [then, now] : [now];
  });
  return data.flatMap(({ y, ...datum }) => (y === null ? [] : [{ ...datum, y, label: valueLabel(y, look) }])).toSorted((a, b) => a.s - b.s);
}

const barsOf = (data: readonly Datum[]): number[] => {
  const bars = [...new Set(data.map(({ bar }) => bar))].sort((a, b) => a - b);
  return bars.length === 0 ? [0] : bars;
};

/** From the lowest end of a bar to the highest. */
function extentOf(data: readonly Datum[], stacked: boolean): number[] {
  if (!stacked) return data.map(({ y }) => y);
  const ends = new Map<string, number>();
  for (const { x, y } of data) ends.set(`${x} ${y < 0}`, (ends.get(`${x} ${y < 0}`) ?? 0) + y);
  return [...ends.values()];
}

/** Beyond the ticks where a bar's label would not fit before the end. */
function domainFor({ ticks }: ValueScale, labelled: readonly Datum[], length: number, room: (datum: Datum) => number): [number, number] {
  const first = ticks[0] ?? 0;
  const last = ticks.at(-1) ?? 1;
  const need = (datum: Datum): number => length / Math.max(length - room(datum), length / 2);
  const above = labelled.filter(({ y }) => y >= 0).map((datum) => first + (datum.y - first) * need(datum));
  const below = labelled.filter(({ y }) => y < 0).map((datum) => last + (datum.y - last) * need(datum));
  return [below.reduce((least, end) => Math.min(least, end), first), above.reduce((most, end) => Math.max(most, end), last)];
}

function ticksOf({ time, categories }: Axis, at: (index: number) => number): readonly Tick[] {
  if (time !== undefined) return timeTicks(time.unit, time.moments, at, AXIS_SIZE);
  return thinned(categories.length, (index) => [categories[index]?.label ?? ''], at, AXIS_SIZE);
}

const placeOf = (count: number, padding: number): object => ({
  field: 'x',
  type: 'ordinal',
  scale: { domain: Array.from({ length: count }, (_, index) => index), paddingInner: padding, paddingOuter: padding / 2 },
});

const valueChannel = (domain: readonly [number, number], stacked: boolean, axis: object): object => ({
  field: 'y',
  type: 'quantitative',
  stack: stacked ? 'zero' : null,
  scale: { domain, nice: false },
  axis,
});

const valueAxis = (channel: 'x' | 'y', { ticks }: ValueScale): object => ({
  values: ticks,
  labelExpr: `${channel}Text[datum.value]`,
  domain: false,
  ticks: false,
  grid: true,
});

const textOf = ({ ticks, labels }: ValueScale): Record<string, string> =>
  Object.fromEntries(ticks.map((tick, index) => [String(tick), labels[index] ?? '']));

function offset(channel: 'xOffset' | 'yOffset', data: readonly Datum[], stacked: boolean): object {
  const bars = barsOf(data);
  return stacked || bars.length < 2 ? {} : { [channel]: { field: 'bar', type: 'ordinal', scale: { domain: bars, paddingInner: 0.08 } } };
}

function barLayers(values: readonly Datum[], encoding: object, channel: 'x' | 'y'): object[] {
  const color = { field: 'color', type: 'nominal', scale: null };
  return [
    {
      data: { values },
      mark: { type: 'bar' },
      encoding: { ...encoding, color, detail: { field: 's', type: 'ordinal' }, order: { field: 's', type: 'ordinal' } },
    },
    { data: { values: [{}] }, mark: { type: 'rule', color: INK.line }, encoding: { [channel]: { datum: 0 } } },
  ];
}

/** Values at the ends of the bars, outside. */
function labelLayers(data: readonly Datum[], encoding: object, channel: 'x' | 'y'): object[] {
  const mark = { type: 'text', fontSize: LABEL_SIZE, color: INK.text };
  const layer = (values: readonly Datum[], way: number): object => ({
    data: { values },
    mark: {
      ...mark,
      ...(channel === 'x'
        ? { align: way > 0 ? 'left' : 'right', dx: way * 5 }
        : { align: 'center', baseline: way > 0 ? 'bottom' : 'top', dy: way * -4 }),
    },
    encoding: { ...encoding, text: { field: 'label', type: 'nominal' } },
  });
  return data.length === 0
    ? []
    : [
        layer(
          data.filter(({ y }) => y >= 0),
          1,
        ),
        layer(
          data.filter(({ y }) => y < 0),
          -1,
        ),
      ];
}
