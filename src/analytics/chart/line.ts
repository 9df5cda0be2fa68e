import type { TopLevelSpec } from 'vega-lite';
import type { Axis } from './axes.ts';
import { columnTitle, STEP_MS } from './dimensions.ts';
import type { Frame } from './frame.ts';
import { extentOf, valueLabel } from './metric.ts';
import { INK } from './palette.ts';
import { AXIS_SIZE, labelLayer, type Panel, type Place, panelHeight, placesOf, plotOf } from './plot.ts';
import { colorChannel, numbersWidth, positionAxis, positionNames, positionsOf, TICKS, timeAxis, titleBelow, valueAxis } from './scales.ts';

const MAX_DOTS = 31;
const MAX_LABELLED_POINTS = 3;
const MIN_DENSE_POINTS = 120;

interface Datum {
  readonly x: number;
  readonly y: number | null;
  readonly color: number;
}

/** A line for each series, with gaps for missing values, and dashed lines for the comparison period; a panel for each frame. */
export function linePlot(frames: readonly Frame[], width: number): TopLevelSpec {
  const [first] = frames;
  if (first === undefined) throw new Error('There is nothing to draw.');
  return plotOf({
    names: { x: positionNames(first.axis, width), series: colorChannel(first).names },
    panels: placesOf(frames, width).map(([frame, place]) => linePanel(frame, place)),
    labelsWidth: numbersWidth(frames),
    width,
  });
}

function linePanel(frame: Frame, place: Place): Panel {
  const { axis, look, series } = frame;
  const count = axis.categories.length;
  const now = linesOf(frame, 'value');
  const before = frame.hasBefore ? linesOf(frame, 'before') : [];
  const known = [...now, ...before].flatMap(({ y }) => (y === null ? [] : [y]));
  const { channel } = colorChannel(frame, place);
  const isTime = axis.time !== undefined && count > 1;
  const encoding = {
    x: {
      field: 'x',
      type: isTime ? 'temporal' : 'ordinal',
      scale: isTime ? { type: 'utc' } : { domain: positionsOf(axis) },
      axis: {
        ...(isTime && axis.time !== undefined ? timeAxis(axis.time) : positionAxis(axis)),
        ...titleBelow(columnTitle(axis.dimension ?? ''), place),
        grid: false,
      },
    },
    y: { field: 'y', type: 'quantitative', axis: valueAxis(look, extentOf(known), 'y', place), scale: scaleOf(known) },
    color: channel,
  };
  const isDense = count > MIN_DENSE_POINTS;
  const many = series.categories.length > 1;
  const line = { type: 'line', strokeJoin: 'round', strokeCap: 'round' };
  const isLabelled = count <= MAX_LABELLED_POINTS && !many && !frame.hasBefore;
  const labels = (isLabelled ? now : []).flatMap((datum) => (datum.y === null ? [] : [{ ...datum, label: valueLabel(datum.y, look) }]));
  const lines = [
    { data: { values: before }, mark: { ...line, strokeWidth: isDense ? 1.25 : 1.75, strokeDash: isDense ? [1, 0] : [5, 3] }, encoding },
    { data: { values: dotsOf(before, 0) }, mark: { type: 'point', filled: true, size: 22, opacity: 1 }, encoding },
    { data: { values: now }, mark: { ...line, strokeWidth: isDense ? 1.5 : many ? 2 : 2.5 }, encoding },
    { data: { values: dotsOf(now, MAX_DOTS) }, mark: { type: 'point', filled: true, size: many ? 26 : 36, opacity: 1 }, encoding },
  ];
  return {
    height: panelHeight(place),
    layer: [
      { data: { values: [{}] }, mark: { type: 'rule', color: INK.line }, encoding: { y: { datum: 0 } } },
      // A layer takes time to compile even if it is empty.
      ...lines.filter(({ data }) => data.values.length > 0),
      ...(isLabelled ? [labelLayer(labels, { x: encoding.x, y: encoding.y }, { dy: -11, fontSize: AXIS_SIZE })] : []),
    ],
  };
}

/** Only zeros give no range. */
const scaleOf = (values: readonly number[]): object =>
  values.every((value) => value === 0) ? { domain: [0, 1] } : { zero: true, nice: TICKS };

/** Each series at each position, in order. If other series have values there, a missing value is zero for an additive metric. */
function linesOf({ cells, series, axis, look }: Frame, what: 'value' | 'before'): Datum[] {
  const positions = positionsOf(axis);
  const known = new Map(cells.map((cell) => [`${cell.x} ${cell.series}`, cell[what]]));
  const read = new Set(cells.filter((cell) => cell[what] !== null).map(({ x }) => x));
  const breaks = breaksOf(axis);
  return series.categories.flatMap((_, s) =>
    positions.flatMap((position, x) => {
      const value = known.get(`${x} ${s}`);
      const y = value === undefined && look.additive && read.has(x) ? 0 : (value ?? null);
      const color = what === 'value' ? s : series.categories.length + s;
      const gap = breaks.get(x);
      return [{ x: position, y, color }, ...(gap === undefined ? [] : [{ x: gap, y: null, color }])];
    }),
  );
}

/** A moment between two times, by the index of the first, where times without a row lie between them: no line leads across. */
function breaksOf({ time }: Axis): ReadonlyMap<number, number> {
  if (time === undefined) return new Map();
  const { moments, unit } = time;
  const steps = moments.slice(1).map((moment, index) => moment - (moments[index] ?? moment));
  const step = Math.max(
    STEP_MS[unit],
    steps.reduce((least, one) => Math.min(least, one), Number.POSITIVE_INFINITY),
  );
  return new Map(steps.flatMap((one, index) => (one < 1.5 * step ? [] : [[index, (moments[index] ?? 0) + one / 2] as const])));
}

/** All points if they are few; else those without a neighbour, which no line shows. */
function dotsOf(data: readonly Datum[], upTo: number): Datum[] {
  const isAlone = (index: number): boolean =>
    [data[index - 1], data[index + 1]].every((next) => next?.color !== data[index]?.color || next?.y === null);
  const positions = new Set(data.map(({ x }) => x)).size;
  return data.filter(({ y }, index) => y !== null && (positions <= upTo || isAlone(index)));
}
