import { type Axis, labelsOf } from './axes.ts';
import { columnTitle, isOrdered } from './dimensions.ts';
import { widthOf } from './font.ts';
import type { Frame } from './frame.ts';
import { type Extent, extentOf, maxMagnitude, valueLabel } from './metric.ts';
import { DARK_TEXT_FROM, HEAT_COLORS, INK, MIDDLE_COLOR, NEGATIVE_COLORS } from './palette.ts';
import { AXIS_SIZE, LEGEND_SIZE, labelLayer, MAX_GRADIENT, namesShare, type Panel, type Place, placesOf, plotOf } from './plot.ts';
import { numberFormat, positionAxis, positionNames, positionsOf, titleAbove } from './scales.ts';
import { shortenAll, wrap } from './text.ts';

/** Between names and axis. */
const AXIS_PADDING = 10;
const LABEL_SIZE = 10.5;
const MAX_ROW_NAME = 200;
const MAX_COLUMN_NAME = 120;

/** A cell for each position and series, coloured by its value, in a panel for each frame; `title` is the title of the rows. */
export function heatPlot(frames: readonly Frame[], title: string, width: number) {
  const [first] = frames;
  if (first === undefined) throw new Error('There is nothing to draw.');
  const rowNames = shortenAll(labelsOf(first.series), namesShare(width, MAX_ROW_NAME), { size: AXIS_SIZE });
  const columnNames = shortenAll(positionNames(first.axis, width), MAX_COLUMN_NAME, { size: AXIS_SIZE });
  const rowsWidth = Math.max(...rowNames.map((name) => widthOf(name, AXIS_SIZE)));
  const places = first.axis.categories.length * first.series.categories.length;
  return {
    hasGaps: frames.some(({ cells }) => cells.filter(({ value }) => value !== null).length < places),
    spec: plotOf({
      names: { x: columnNames, y: rowNames },
      panels: placesOf(frames, width).map(([frame, place]) => heatPanel(frame, { title, rowNames, columnNames, rowsWidth }, place)),
      labelsWidth: rowsWidth + AXIS_PADDING,
      width,
    }),
  };
}

/** What all panels have in common. */
interface Common {
  readonly title: string;
  readonly rowNames: readonly string[];
  readonly columnNames: readonly string[];
  readonly rowsWidth: number;
}

function heatPanel(frame: Frame, { title, rowNames, columnNames, rowsWidth }: Common, place: Place): Panel {
  const { axis, cells, look } = frame;
  const positions = positionsOf(axis);
  const known = cells.flatMap(({ x, series: row, value }) => (value === null ? [] : [{ x: positions[x] ?? 0, row, value }]));
  const extent = extentOf(known.map(({ value }) => value));
  const width = place.width - rowsWidth - 20;
  const cellWidth = width / positions.length;
  const data = known.map((cell) => ({ ...cell, label: valueLabel(cell.value, look) }));
  const isLabelled = data.every(({ label }) => widthOf(label, LABEL_SIZE) <= cellWidth - 6);
  const bandScale = (field: string, domain: readonly number[], axisOf: object): object => ({
    field,
    type: 'ordinal',
    scale: { domain, padding: 0 },
    axis: { domain: false, ticks: false, ...axisOf },
  });
  const rows = rowNames.map((_, row) => row);
  const encoding = {
    // Each map is read by itself, so each has the names of its columns.
    x: bandScale('x', positions, {
      ...columnAxis(axis, columnNames, cellWidth),
      title: place.isLast ? columnTitle(axis.dimension ?? '') : null,
    }),
    y: bandScale('row', rows, { labelExpr: 'names.y[datum.value]', ...titleAbove(title, rowsWidth) }),
  };
  const rect = { type: 'rect', stroke: INK.card, strokeWidth: cellWidth > 6 ? 1.5 : 0 };
  const grid = positions.flatMap((x) => rows.map((row) => ({ x, row })));
  const color = {
    field: 'value',
    type: 'quantitative',
    scale: colorScale(extent),
    legend: {
      title: wrap(look.title, width, { size: LEGEND_SIZE }, 2),
      gradientLength: Math.min(MAX_GRADIENT, width),
      ...numberFormat(look, extent),
      tickCount: 3,
    },
  };
  const textColor = {
    condition: { test: `luminance(scale('${place.prefix}fill', datum.value)) > ${DARK_TEXT_FROM}`, value: INK.title },
    value: INK.card,
  };
  return {
    height: rows.length * Math.min(40, Math.max(20, 320 / rows.length / place.count)),
    layer: [
      { data: { values: grid }, mark: { ...rect, fill: INK.empty }, encoding },
      { data: { values: data }, mark: rect, encoding: { ...encoding, fill: color } },
      ...(isLabelled ? [labelLayer(data, { ...encoding, color: textColor }, { fontSize: LABEL_SIZE })] : []),
    ],
  };
}

/** From few to many; with negative values also from zero down, in another hue, and equally dark for as much on either side. */
function colorScale(extent: Extent): object {
  const steps = (colors: readonly string[], end: number) =>
    colors.map((color, index) => ({ color, value: (index * end) / (colors.length - 1) }));
  const most = maxMagnitude(extent) || 1;
  const up = steps(HEAT_COLORS, most);
  const down = steps(NEGATIVE_COLORS, -most).toReversed();
  const signed = [...down.slice(0, -1), { color: MIDDLE_COLOR, value: 0 }, ...up.slice(1)];
  const scale = extent.min === 0 ? up : extent.max === 0 ? down : signed;
  // Colours of their hue would be between white and the others.
  return {
    domain: scale.map(({ value }) => value),
    range: scale.map(({ color }) => color),
    ...(scale === signed ? { interpolate: 'rgb' } : {}),
  };
}

function columnAxis(axis: Axis, names: readonly string[], cellWidth: number): object {
  const upright = positionAxis(axis);
  const widest = Math.max(...names.map((name) => widthOf(name, AXIS_SIZE)));
  const isNamed = axis.time === undefined && !isOrdered(axis.dimension ?? '');
  const isSlanted = axis.time === undefined && widest > cellWidth - 4 && (isNamed || widest >= 20);
  // Of names none tells what stands between its neighbours.
  if (!isSlanted) return { ...upright, labelOverlap: !isNamed };
  return { ...upright, labelAngle: -40, labelAlign: 'right', labelBaseline: 'middle', labelOverlap: false };
}
