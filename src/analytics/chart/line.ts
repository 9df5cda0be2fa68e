import type { Axis } from './axes.ts';
import { titleOf } from './dimensions.ts';
import type { Frame } from './frame.ts';
import { valueLabel, valueScale } from './numbers.ts';
import { INK, lighter, seriesColor } from './palette.ts';
import { AXIS_SIZE, PLOT_WIDTH, type Plot, plotOf } from './plot.ts';
import { type Tick, thinned, timeTicks } from './ticks.ts';

const HEIGHT = 360;
/** About the width of the labels at the side: ticks are chosen before anything is laid out. */
const SIDE = 70;
/** Few points are easier to find with a dot on each. */
const DOTS_UP_TO = 31;
/** So few points are labelled with their values. */
const LABELS_UP_TO = 3;
/** More than this run together where a line is thick or dashed. */
const DENSE_FROM = 120;

interface Datum {
  readonly x: number;
  readonly y: number | null;
  readonly s: number;
  readonly color: string;
}

/** Where along the axis the points are: by time, or by their order. */
const positionsOf = ({ time, categories }: Axis): readonly number[] => time?.moments ?? categories.map((_, index) => index);

/** A line for each series, broken where there is no value; what came before beside it, where it was asked for. */
export function linePlot(frame: Frame): Plot {
  const positions = positionsOf(frame.axis);
  const now = linesOf(frame, 'value', positions);
  const before = frame.hasBefore ? linesOf(frame, 'before', positions) : [];
  const numbers = [...now, ...before].flatMap(({ y }) => (y === null ? [] : [y]));
  const scale = valueScale(numbers, frame.look, 5);
  const ticks = ticksOf(frame.axis, positions);
  const span = spanOf(positions);
  const at = (index: number): number => positions[index] ?? 0;
  const x = {
    field: 'x',
    type: 'quantitative',
    scale: { domain: span, nice: false, zero: false },
    axis: {
      values: ticks.map(({ index }) => at(index)),
      labelExpr: 'xText[datum.value]',
      title: titleOf(frame.axis.dimension ?? ''),
      grid: false,
    },
  };
  const y = {
    field: 'y',
    type: 'quantitative',
    scale: { domain: [scale.ticks[0], scale.ticks.at(-1)], nice: false },
    axis: { values: scale.ticks, labelExpr: 'yText[datum.value]', title: null, domain: false, ticks: false, grid: true },
  };
  const color = { field: 'color', type: 'nominal', scale: null };
  const labelsOf = (data: readonly Datum[]): object => ({
    data: { values: data.flatMap((datum) => (datum.y === null ? [] : [{ ...datum, label: valueLabel(datum.y, frame.look) }])) },
    mark: { type: 'text', dy: -11, fontSize: AXIS_SIZE, color: INK.text },
    encoding: { x, y, text: { field: 'label', type: 'nominal' } },
  });
  const layerOf = (values: readonly Datum[], mark: object): object => ({
    data: { values },
    mark,
    encoding: { x, y, color, detail: { field: 's', type: 'nominal' } },
  });
  const manySeries = frame.series.categories.length > 1;
  const isDense = positions.length > DENSE_FROM;
  return {
    height: HEIGHT,
    spec: plotOf({
      height: HEIGHT,
      xText: Object.fromEntries(ticks.map(({ index, lines }) => [String(at(index)), lines])),
      yText: Object.fromEntries(scale.ticks.map((tick, index) => [String(tick), scale.labels[index] ?? ''])),
      layer: [
        ...(scale.ticks[0] === 0
          ? []
          : [{ data: { values: [{}] }, mark: { type: 'rule', color: INK.line }, encoding: { y: { datum: 0 } } }]),
        layerOf(before, { type: 'line', strokeWidth: isDense ? 1.25 : 1.75, strokeDash: isDense ? [1, 0] : [5, 3], strokeJoin: 'round' }),
        layerOf(dotsOf(before, 0), { type: 'point', filled: true, size: 22, opacity: 1 }),
        layerOf(now, { type: 'line', strokeWidth: isDense ? 1.5 : manySeries ? 2 : 2.5, strokeJoin: 'round', strokeCap: 'round' }),
        ...(positions.length <= LABELS_UP_TO && !manySeries && !frame.hasBefore ? [labelsOf(now)] : []),
        layerOf(dotsOf(now, DOTS_UP_TO), { type: 'point', filled: true, size: manySeries ? 26 : 36, opacity: 1 }),
      ],
    }),
  };
}

/** One point alone stands in the middle. */
function spanOf(positions: readonly number[]): [number, number] {
  const first = positions[0] ?? 0;
  const last = positions.at(-1) ?? first;
  return first === last ? [first - 1, last + 1] : [first, last];
}

function ticksOf({ time, categories }: Axis, positions: readonly number[]): readonly Tick[] {
  const [from, to] = spanOf(positions);
  const at = (index: number): number => (((positions[index] ?? 0) - from) / (to - from)) * (PLOT_WIDTH - SIDE);
  if (time !== undefined) return timeTicks(time.unit, time.moments, at, AXIS_SIZE);
  return thinned(categories.length, (index) => [categories[index]?.label ?? ''], at, AXIS_SIZE);
}

/**
 * Each series at each place, in order. A group without a row is a group without views where the moment itself was read:
 * of what adds up that is zero, of the rest nothing.
 */
function linesOf({ cells, series, axis, look }: Frame, what: 'value' | 'before', positions: readonly number[]): Datum[] {
  const known = new Map(cells.map((cell) => [`${cell.x} ${cell.series}`, cell[what]]));
  const read = new Set(cells.filter((cell) => cell[what] !== null).map(({ x }) => x));
  return series.categories.flatMap(({ isOthers }, s) => {
    const color = what === 'value' ? seriesColor(s, isOthers) : lighter(seriesColor(s, isOthers));
    return axis.categories.map((_, x) => {
      const value = known.get(`${x} ${s}`);
      const y = value === undefined && look.additive && read.has(x) ? 0 : (value ?? null);
      return { x: positions[x] ?? 0, y, s, color };
    });
  });
}

/** All points where they are few, or those with a gap on both sides, which no line shows. */
function dotsOf(data: readonly Datum[], upTo: number): Datum[] {
  const isAlone = (index: number): boolean =>
    [data[index - 1], data[index + 1]].every((next) => next?.s !== data[index]?.s || next?.y === null);
  const places = new Set(data.map(({ x }) => x)).size;
  return data.filter(({ y }, index) => y !== null && (places <= upTo || isAlone(index)));
}
