import type { TopLevelSpec } from 'vega-lite';
import type { Axis } from './axes.ts';
import { isOrdered, titleOf } from './dimensions.ts';
import { widthOf } from './font.ts';
import type { Frame } from './frame.ts';
import { valueLabel } from './metric.ts';
import { INK, LOSS_COLOR, OTHERS_COLOR } from './palette.ts';
import { AXIS_SIZE, PLOT_WIDTH, plotOf } from './plot.ts';
import { colorChannel, placesAxis, positionsOf, TICKS, titleAbove, valueAxis } from './scales.ts';
import { shortenAll } from './text.ts';

const TALL = 300;
/** About the width of the labels beside bars that stand. */
const SIDE = 70;
/** Widest name beside a bar. */
const MAX_NAME = 230;
const LABEL_SIZE = 10.5;
/** Heights of bars that lie: thin where a picture has many. */
const BAR_HEIGHT = 15;
const THIN_BAR_HEIGHT = 11;
const BETWEEN = 9;
/** Width of all bars at one place together, where bars stand. */
const MAX_BAR_WIDTH = 110;

interface Datum {
  /** Where it is along the axis. */
  readonly place: number;
  /** Which bar of a place. */
  readonly bar: number;
  readonly color: number;
  readonly y: number;
  readonly label: string;
  /** Instead of its series' colour. */
  readonly own?: string;
}

/** Standing where the places have an order, lying where they have names. */
export const isVertical = ({ dimension }: Axis): boolean => dimension !== undefined && isOrdered(dimension);

/** Bars of a frame; `stacked` sets the series upon each other, where they are parts of a whole. */
export function barPlot(frame: Frame, stacked: boolean): TopLevelSpec {
  const { axis, look } = frame;
  const data = dataOf(frame, stacked);
  const standing = isVertical(axis);
  const bars = [...new Set(data.map(({ bar }) => bar))].sort((a, b) => a - b);
  const labels = axis.categories.map(({ label }) => label);
  const names = standing ? labels : shortenAll(labels, MAX_NAME, { size: AXIS_SIZE });
  const step = (PLOT_WIDTH - SIDE) / names.length;
  const padding = standing ? paddingFor(step) : bars.length > 1 ? 0.22 : 0.3;
  const room = (step * (1 - padding)) / Math.max(1, bars.length) + 6;
  const isLabelled = !stacked && (!standing || (data.length <= 48 && data.every(({ label }) => widthOf(label, LABEL_SIZE) <= room)));
  const thick = names.length * bars.length > 20 ? THIN_BAR_HEIGHT : BAR_HEIGHT;
  const [along, value, offset] = standing ? (['x', 'y', 'xOffset'] as const) : (['y', 'x', 'yOffset'] as const);
  const color = colorChannel(frame);
  const namesWidth = Math.max(...names.map((name) => widthOf(name, AXIS_SIZE)));
  const length = standing ? TALL : PLOT_WIDTH - namesWidth - 20;
  const labelRoom = isLabelled ? Math.max(0, ...data.map(({ label }) => (standing ? LABEL_SIZE : widthOf(label, LABEL_SIZE)))) + 10 : 0;
  const most = Math.max(0, ...data.map(({ y }) => Math.abs(y)));
  const encoding = {
    [along]: {
      field: 'place',
      type: 'ordinal',
      scale: { domain: positionsOf(axis), paddingInner: padding, paddingOuter: padding / 2 },
      axis: standing
        ? { ...placesAxis(axis), title: titleOf(axis.dimension ?? '') }
        : { labelExpr: 'names.y[datum.value]', ...titleAbove(titleOf(axis.dimension ?? ''), namesWidth), ticks: false },
    },
    [value]: {
      field: 'y',
      type: 'quantitative',
      stack: stacked ? 'zero' : null,
      axis: valueAxis(look, most, value),
      scale: valueScale(data, labelRoom / length, stacked),
    },
    ...(stacked || bars.length < 2 ? {} : { [offset]: { field: 'bar', type: 'ordinal', scale: { domain: bars, paddingInner: 0.08 } } }),
  };
  const bar = (values: readonly Datum[], fill: object): object => ({
    data: { values },
    mark: { type: 'bar', ...fill },
    encoding: { ...encoding, ...('color' in fill ? {} : { color: color.channel }), order: { field: 'color', type: 'ordinal' } },
  });
  return plotOf({
    height: standing ? TALL : names.length * (Math.max(1, bars.length) * thick + BETWEEN),
    names: { [along]: names, series: color.names },
    layer: [
      bar(
        data.filter(({ own }) => own === undefined),
        {},
      ),
      ...[LOSS_COLOR, OTHERS_COLOR].flatMap((own) => {
        const values = data.filter((datum) => datum.own === own);
        return values.length === 0 ? [] : [bar(values, { color: own })];
      }),
      { data: { values: [{}] }, mark: { type: 'rule', color: INK.line }, encoding: { [value]: { datum: 0 } } },
      ...(isLabelled ? [1, -1].map((way) => labelLayer(data, encoding, standing, way)) : []),
    ],
  });
}

/** Few bars are not made as wide as there is room, and many leave none. */
const paddingFor = (step: number): number => (step > 8 ? Math.max(0.25, 1 - MAX_BAR_WIDTH / step) : step > 4 ? 0.05 : 0);

/** From zero, and beyond the longest bar by a share of the length, where its label has to stand. */
function valueScale(data: readonly Datum[], room: number, stacked: boolean): object {
  const [least, most] = [Math.min(0, ...data.map(({ y }) => y)), Math.max(0, ...data.map(({ y }) => y))];
  if (least === 0 && most === 0) return { domain: [0, 1] };
  if (stacked || room === 0) return { zero: true, nice: TICKS };
  const more = (most - least) * (room / Math.max(0.5, 1 - room));
  return { domain: [least < 0 ? least - more : 0, most > 0 ? most + more : 0], nice: false };
}

/** A bar for each value; what was before stands ahead of what is now. */
function dataOf({ cells, axis, series, look, hasBefore }: Frame, stacked: boolean): Datum[] {
  const positions = positionsOf(axis);
  const count = series.categories.length;
  const isAlone = count === 1 && !hasBefore;
  const bar = (place: number, number: number, color: number, y: number | null, own?: string): Datum[] =>
    y === null ? [] : [{ place, bar: number, color, y, label: valueLabel(y, look), ...(own === undefined ? {} : { own }) }];
  return cells
    .flatMap(({ x, series: s, value, before }) => {
      const place = positions[x] ?? 0;
      const isLoss = isAlone && value !== null && value < 0;
      const isOthers = count === 1 && axis.categories[x]?.isOthers === true;
      const now = bar(place, stacked ? 0 : 2 * s + 1, s, value, isLoss ? LOSS_COLOR : isOthers ? OTHERS_COLOR : undefined);
      return hasBefore && !stacked ? [...bar(place, 2 * s, count + s, before), ...now] : now;
    })
    .toSorted((a, b) => a.color - b.color);
}

/** Values at the ends of the bars, outside. */
function labelLayer(data: readonly Datum[], encoding: object, standing: boolean, way: number): object {
  const place = standing
    ? { align: 'center', baseline: way > 0 ? 'bottom' : 'top', dy: way * -4 }
    : { align: way > 0 ? 'left' : 'right', dx: way * 5 };
  return {
    data: { values: data.filter(({ y }) => y < 0 === way < 0) },
    mark: { type: 'text', fontSize: LABEL_SIZE, color: INK.text, ...place },
    encoding: { ...encoding, text: { field: 'label', type: 'nominal' } },
  };
}
