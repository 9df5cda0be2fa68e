import type { Axis } from './axes.ts';
import { titleOf } from './dimensions.ts';
import { widthOf } from './font.ts';
import type { Frame } from './frame.ts';
import { valueLabel } from './numbers.ts';
import { heatColor, heatScale, INK, inkOn } from './palette.ts';
import { AXIS_SIZE, PLOT_WIDTH, type Plot, plotOf } from './plot.ts';
import { shortenAll } from './text.ts';
import { type Tick, thinned, timeTicks } from './ticks.ts';

const LABEL_SIZE = 10.5;
const MAX_ROW_NAME = 200;
const MAX_COLUMN_NAME = 120;

export interface HeatPlot extends Plot {
  readonly scale: ReturnType<typeof heatScale>;
  /** Whether some place has no value. */
  readonly hasGaps: boolean;
}

/** A cell for each place and series, coloured by its value. */
export function heatPlot(frame: Frame): HeatPlot {
  const { axis, series, cells, look } = frame;
  const known = cells.flatMap(({ x, series: row, value }) => (value === null ? [] : [{ x, row, value }]));
  const values = known.map(({ value }) => value);
  const scale = heatScale(
    values.reduce((least, value) => Math.min(least, value), 0),
    values.reduce((most, value) => Math.max(most, value), 0),
  );
  const rowNames = shortenAll(
    series.categories.map(({ label }) => label),
    MAX_ROW_NAME,
    { size: AXIS_SIZE },
  );
  const width = PLOT_WIDTH - Math.max(...rowNames.map((name) => widthOf(name, AXIS_SIZE))) - 20;
  const cellWidth = width / axis.categories.length;
  const cellHeight = Math.min(40, Math.max(20, 320 / rowNames.length));
  const columns = columnsOf(axis, cellWidth);
  const data = known.map(({ x, row, value }) => {
    const color = heatColor(value, scale);
    return { x, row, color, ink: inkOn(color), label: valueLabel(value, look) };
  });
  const fits = data.every(({ label }) => widthOf(label, LABEL_SIZE) <= cellWidth - 6);
  const gap = cellWidth > 6 ? 1.5 : 0;
  const place = (field: string, count: number, axisOf: object): object => ({
    field,
    type: 'ordinal',
    scale: { domain: Array.from({ length: count }, (_, index) => index), padding: 0 },
    axis: { domain: false, ticks: false, ...axisOf },
  });
  const encoding = {
    x: place('x', axis.categories.length, {
      values: columns.ticks.map(({ index }) => index),
      labelExpr: 'xText[datum.value]',
      title: titleOf(axis.dimension ?? ''),
      ...columns.look,
    }),
    y: place('row', rowNames.length, { labelExpr: 'yText[datum.value]', title: null }),
  };
  const places = axis.categories.flatMap((_, x) => rowNames.map((_name, row) => ({ x, row, color: INK.empty })));
  const rects = (list: readonly object[]): object => ({
    data: { values: list },
    mark: { type: 'rect', stroke: INK.card, strokeWidth: gap },
    encoding: { ...encoding, fill: { field: 'color', type: 'nominal', scale: null } },
  });
  const labels = {
    data: { values: data },
    mark: { type: 'text', fontSize: LABEL_SIZE },
    encoding: { ...encoding, text: { field: 'label', type: 'nominal' }, color: { field: 'ink', type: 'nominal', scale: null } },
  };
  const height = rowNames.length * cellHeight + columns.below;
  return {
    height,
    scale,
    hasGaps: known.length < places.length,
    spec: plotOf({
      height,
      xText: Object.fromEntries(columns.ticks.map(({ index, lines }) => [String(index), lines])),
      yText: Object.fromEntries(rowNames.map((name, index) => [String(index), name])),
      layer: [rects(places), rects(data), ...(fits ? [labels] : [])],
    }),
  };
}

interface Columns {
  readonly ticks: readonly Tick[];
  readonly look: object;
  /** What the axis takes. */
  readonly below: number;
}

/** Names that don't fit under their column are written aslant. */
function columnsOf({ time, categories }: Axis, cellWidth: number): Columns {
  const at = (index: number): number => (index + 0.5) * cellWidth;
  const upright = { labelAngle: 0 };
  if (time !== undefined) return { ticks: timeTicks(time.unit, time.moments, at, AXIS_SIZE), look: upright, below: 62 };
  const names = shortenAll(
    categories.map(({ label }) => label),
    MAX_COLUMN_NAME,
    { size: AXIS_SIZE },
  );
  const widest = Math.max(...names.map((name) => widthOf(name, AXIS_SIZE)));
  if (widest <= cellWidth - 4) return { ticks: names.map((name, index) => ({ index, lines: [name] })), look: upright, below: 48 };
  if (widest < 20) return { ticks: thinned(names.length, (index) => [names[index] ?? ''], at, AXIS_SIZE), look: upright, below: 48 };
  const ticks = names.map((name, index) => ({ index, lines: [name] }));
  return { ticks, look: { labelAngle: -40, labelAlign: 'right', labelBaseline: 'middle' }, below: 40 + widest * 0.66 };
}
