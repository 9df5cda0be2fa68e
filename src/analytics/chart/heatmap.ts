import { type Axis, labelsOf } from './axes.ts';
import { titleOf } from './dimensions.ts';
import { widthOf } from './font.ts';
import type { Frame } from './frame.ts';
import { valueLabel } from './metric.ts';
import { DARK_TEXT_FROM, HEAT_COLORS, INK } from './palette.ts';
import { AXIS_SIZE, labelLayer, PLOT_WIDTH, plotOf } from './plot.ts';
import { numberFormat, placesAxis, positionsOf, titleAbove } from './scales.ts';
import { shortenAll } from './text.ts';

const LABEL_SIZE = 10.5;
const MAX_ROW_NAME = 200;
const MAX_COLUMN_NAME = 120;

/** A cell for each position and series, coloured by its value; `title` is the title of the rows. */
export function heatPlot(frame: Frame, title: string) {
  const { axis, series, cells, look } = frame;
  const positions = positionsOf(axis);
  const known = cells.flatMap(({ x, series: row, value }) => (value === null ? [] : [{ x: positions[x] ?? 0, row, value }]));
  const max = known.reduce((most, { value }) => Math.max(most, value), 0) || 1;
  const rowNames = shortenAll(labelsOf(series), MAX_ROW_NAME, { size: AXIS_SIZE });
  const columnNames = shortenAll(labelsOf(axis), MAX_COLUMN_NAME, { size: AXIS_SIZE });
  const rowsWidth = Math.max(...rowNames.map((name) => widthOf(name, AXIS_SIZE)));
  const width = PLOT_WIDTH - rowsWidth - 20;
  const cellWidth = width / positions.length;
  const data = known.map((cell) => ({ ...cell, label: valueLabel(cell.value, look) }));
  const isLabelled = data.every(({ label }) => widthOf(label, LABEL_SIZE) <= cellWidth - 6);
  const place = (field: string, domain: readonly number[], axisOf: object): object => ({
    field,
    type: 'ordinal',
    scale: { domain, padding: 0 },
    axis: { domain: false, ticks: false, ...axisOf },
  });
  const rows = rowNames.map((_, row) => row);
  const encoding = {
    x: place('x', positions, { ...columnAxis(axis, columnNames, cellWidth), title: titleOf(axis.dimension ?? '') }),
    y: place('row', rows, { labelExpr: 'names.y[datum.value]', ...titleAbove(title, rowsWidth) }),
  };
  const rect = { type: 'rect', stroke: INK.card, strokeWidth: cellWidth > 6 ? 1.5 : 0 };
  const places = positions.flatMap((x) => rows.map((row) => ({ x, row })));
  const color = {
    field: 'value',
    type: 'quantitative',
    scale: { domain: HEAT_COLORS.map((_, index) => (index * max) / (HEAT_COLORS.length - 1)), range: HEAT_COLORS },
    legend: { title: look.title, ...numberFormat(look, max), tickCount: 3 },
  };
  const textColor = { condition: { test: `luminance(scale('fill', datum.value)) > ${DARK_TEXT_FROM}`, value: INK.title }, value: INK.card };
  return {
    hasGaps: known.length < places.length,
    spec: plotOf({
      height: rows.length * Math.min(40, Math.max(20, 320 / rows.length)),
      names: { x: columnNames, y: rowNames },
      layer: [
        { data: { values: places }, mark: { ...rect, fill: INK.empty }, encoding },
        { data: { values: data }, mark: rect, encoding: { ...encoding, fill: color } },
        ...(isLabelled ? [labelLayer(data, { ...encoding, color: textColor }, { fontSize: LABEL_SIZE })] : []),
      ],
    }),
  };
}

function columnAxis(axis: Axis, names: readonly string[], cellWidth: number): object {
  const upright = placesAxis(axis);
  const widest = Math.max(...names.map((name) => widthOf(name, AXIS_SIZE)));
  const isSlanted = axis.time === undefined && widest > cellWidth - 4 && widest >= 20;
  return isSlanted ? { ...upright, labelAngle: -40, labelAlign: 'right', labelBaseline: 'middle', labelOverlap: false } : upright;
}
