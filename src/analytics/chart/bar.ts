import type { TopLevelSpec } from 'vega-lite';
import { type Axis, labelsOf } from './axes.ts';
import { columnTitle, isOrdered } from './dimensions.ts';
import { widthOf } from './font.ts';
import type { Frame } from './frame.ts';
import { type Extent, extentOf, valueLabel } from './metric.ts';
import { INK, OTHERS_COLOR } from './palette.ts';
import { AXIS_SIZE, labelLayer, namesShare, type Panel, type Place, panelHeight, placesOf, plotOf } from './plot.ts';
import {
  colorChannel,
  numbersWidth,
  panelTitle,
  positionAxis,
  positionNames,
  positionsOf,
  TICKS,
  titleBelow,
  valueAxis,
} from './scales.ts';
import { shortenAll } from './text.ts';

/** Between names and axis. */
const AXIS_PADDING = 10;
const LABELS_WIDTH = 70;
const MAX_NAME_WIDTH = 230;
const LABEL_SIZE = 10.5;
const BAR_HEIGHT = 15;
const THIN_BAR_HEIGHT = 11;
const GAP = 9;
const MAX_BAR_WIDTH = 110;
const MAX_LABELS = 48;

interface Datum {
  readonly position: number;
  readonly bar: number;
  readonly color: number;
  readonly value: number;
  readonly label: string;
  readonly isOthers: boolean;
}

/** Vertical if the positions are ordered, horizontal if they are names. */
export const isVertical = ({ dimension }: Axis): boolean => dimension !== undefined && isOrdered(dimension);

export function barPlot(frames: readonly Frame[], stacked: boolean, width: number): TopLevelSpec {
  const [first] = frames;
  if (first === undefined) throw new Error('There is nothing to draw.');
  const { axis } = first;
  const vertical: boolean = isVertical(axis);
  const names = vertical ? positionNames(axis, width) : shortenAll(labelsOf(axis), namesShare(width, MAX_NAME_WIDTH), { size: AXIS_SIZE });
  const namesWidth = Math.max(...names.map((name) => widthOf(name, AXIS_SIZE)));
  const data = frames.map((frame) => dataOf(frame, stacked));
  const bars = [...new Set(data.flat().map(({ bar }) => bar))].sort((a, b) => a - b);
  return plotOf({
    names: { [vertical ? 'x' : 'y']: names, series: colorChannel(first).names },
    panels: placesOf(frames, width).map(([frame, place], index) =>
      barPanel(frame, data[index] ?? [], { names, namesWidth, bars, stacked }, place),
    ),
    labelsWidth: vertical ? numbersWidth(frames) : namesWidth + AXIS_PADDING,
    width,
  });
}

/** What all panels have in common. */
interface Common {
  readonly names: readonly string[];
  readonly namesWidth: number;
  readonly bars: readonly number[];
  readonly stacked: boolean;
}

function barPanel(frame: Frame, data: readonly Datum[], { names, namesWidth, bars, stacked }: Common, place: Place): Panel {
  const { axis, look } = frame;
  const vertical: boolean = isVertical(axis);
  const step = (place.width - LABELS_WIDTH) / names.length;
  const padding = vertical ? verticalPadding(step) : bars.length > 1 ? 0.22 : 0.3;
  const barWidth = (step * (1 - padding)) / Math.max(1, bars.length);
  const labelWidths = data.map(({ label }) => widthOf(label, LABEL_SIZE));
  const fits = !vertical || (data.length <= MAX_LABELS && labelWidths.every((width) => width <= barWidth + 6));
  const isLabelled = !stacked && fits;
  const labelShare = vertical
    ? (LABEL_SIZE + 10) / panelHeight(place)
    : (Math.max(0, ...labelWidths) + 10) / (place.width - namesWidth - 20);
  const barHeight = names.length * bars.length > 20 ? THIN_BAR_HEIGHT : BAR_HEIGHT;
  const extent = extentOf(data.map(({ value }) => value));
  const [along, across, offset] = vertical ? (['x', 'y', 'xOffset'] as const) : (['y', 'x', 'yOffset'] as const);
  const title = columnTitle(axis.dimension ?? '');
  const { channel } = colorChannel(frame, place);
  // A panel of several is named where one alone tells what its names are.
  const above = place.count > 1 ? look.title : title;
  const encoding = {
    [along]: {
      field: 'position',
      type: 'ordinal',
      scale: { domain: positionsOf(axis), paddingInner: padding, paddingOuter: padding / 2 },
      axis: vertical
        ? { ...positionAxis(axis), ...titleBelow(title, place) }
        : { labelExpr: 'names.y[datum.value]', ...panelTitle(above, namesWidth, place), ticks: false },
    },
    [across]: {
      field: 'value',
      type: 'quantitative',
      stack: stacked ? 'zero' : null,
      axis: valueAxis(look, extent, across, place),
      scale: valueScale(extent, isLabelled ? labelShare : 0),
    },
    ...(stacked || bars.length < 2 ? {} : { [offset]: { field: 'bar', type: 'ordinal', scale: { domain: bars, paddingInner: 0.08 } } }),
  };
  const fill = { condition: { test: 'datum.isOthers', value: OTHERS_COLOR }, ...channel };
  return {
    height: vertical ? panelHeight(place) : names.length * (Math.max(1, bars.length) * barHeight + GAP),
    layer: [
      { data: { values: data }, mark: 'bar', encoding: { ...encoding, color: fill, order: { field: 'color', type: 'ordinal' } } },
      { data: { values: [{}] }, mark: { type: 'rule', color: INK.line }, encoding: { [across]: { datum: 0 } } },
      ...(isLabelled ? labelLayers(data, encoding, vertical) : []),
    ],
  };
}

const verticalPadding = (step: number): number => (step > 8 ? Math.max(0.25, 1 - MAX_BAR_WIDTH / step) : step > 4 ? 0.05 : 0);

/** Labels beyond the ends of the bars: above or to the right, of negative values below or to the left. */
function labelLayers(data: readonly Datum[], encoding: object, vertical: boolean): object[] {
  const up = vertical ? { align: 'center', baseline: 'bottom', dy: -4 } : { align: 'left', dx: 5 };
  const down = vertical ? { align: 'center', baseline: 'top', dy: 4 } : { align: 'right', dx: -5 };
  const sides = [
    { data: data.filter(({ value }) => value >= 0), mark: up },
    { data: data.filter(({ value }) => value < 0), mark: down },
  ];
  return sides.flatMap(({ data, mark }) => (data.length > 0 ? [labelLayer(data, encoding, { fontSize: LABEL_SIZE, ...mark })] : []));
}

/** From the smallest value to the largest, with zero, and with room for a label beyond the longest bar of either side. */
function valueScale({ min, max }: Extent, labelShare: number): object {
  if (min === 0 && max === 0) return { domain: [0, 1] };
  if (labelShare === 0) return { zero: true, nice: TICKS };
  const sides = min < 0 && max > 0 ? 2 : 1;
  const share = Math.min(0.5 / sides, labelShare);
  const room = ((max - min) * share) / (1 - sides * share);
  return { domain: [min < 0 ? min - room : 0, max > 0 ? max + room : 0], nice: false };
}

function dataOf({ cells, axis, series, look, hasBefore }: Frame, stacked: boolean): Datum[] {
  const positions = positionsOf(axis);
  const count = series.categories.length;
  return cells
    .flatMap(({ x, series: index, value, before }) => {
      const isOthers = count === 1 && axis.categories[x]?.isOthers === true;
      const bar = (number: number, color: number, of: number | null, others: boolean): Datum[] =>
        of === null ? [] : [{ position: positions[x] ?? 0, bar: number, color, value: of, label: valueLabel(of, look), isOthers: others }];
      const now = bar(stacked ? 0 : 2 * index + 1, index, value, isOthers);
      return hasBefore && !stacked ? [...bar(2 * index, count + index, before, false), ...now] : now;
    })
    .toSorted((a, b) => a.color - b.color);
}
