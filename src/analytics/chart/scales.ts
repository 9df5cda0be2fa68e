import { DAY_MS } from '../../platform/time-units.ts';
import type { TimeUnit } from '../dimensions.ts';
import { type Axis, labelsOf } from './axes.ts';
import { STEP_MS } from './dimensions.ts';
import { widthOf } from './font.ts';
import type { Frame } from './frame.ts';
import { type Extent, extentOf, isExtreme, type MetricLook, MIN_COMPACT, maxMagnitude, valueLabel } from './metric.ts';
import { INK, lighter, seriesColor } from './palette.ts';
import { ALONE, AXIS_SIZE, PLOT_WIDTHS, type Place } from './plot.ts';
import { shortenAll } from './text.ts';

export function numberFormat(look: MetricLook, extent: Extent): object {
  const { percent, integer } = look;
  const most = maxMagnitude(extent);
  if (isExtreme(most, look)) return { format: '.2~e' };
  if (percent) return { format: '.1~%' };
  // d3's giga is a billion.
  if (most >= MIN_COMPACT) return { labelExpr: "replace(format(datum.value, '.3~s'), 'G', 'B')" };
  return { format: ',~r', ...(integer ? { tickMinStep: 1 } : {}) };
}

export const titleAbove = (title: string, labelWidth: number): object => ({
  title,
  titleAngle: 0,
  titleAlign: 'left',
  titleBaseline: 'bottom',
  titleX: -labelWidth - 6,
  titleY: -13,
});

export const TICKS = 5;
const PANEL_TICKS = 3;
const NUMBERS_WIDTH = 36;
const LABELS_SPACE = 16;

/** In bold above a panel of several, which it names. */
export const panelTitle = (title: string, labelWidth: number, { count }: Place): object => ({
  ...titleAbove(title, labelWidth),
  ...(count === 1 ? {} : { titleFontWeight: 'bold', titleColor: INK.text }),
});

export const valueAxis = (look: MetricLook, extent: Extent, side: 'x' | 'y', place: Place): object => ({
  tickCount: place.count === 1 || side === 'x' ? TICKS : PANEL_TICKS,
  ...numberFormat(look, extent),
  ...(side === 'y' ? panelTitle(look.title, NUMBERS_WIDTH, place) : { title: place.count === 1 ? look.title : null }),
  domain: false,
  ticks: false,
  grid: true,
});

/** Of an axis that panels share, the last one alone shows labels and title. */
export const titleBelow = (title: string, { isLast }: Place): object => (isLast ? { title } : { title: null, labels: false, ticks: false });

/** What the numbers of a vertical axis take of the width, at most. */
export function numbersWidth(frames: readonly Frame[]): number {
  const labels = frames.flatMap(({ cells, look }) => {
    const { min, max } = extentOf(cells.flatMap(({ value, before }) => [value ?? 0, before ?? 0]));
    return [min, max].map((value) => valueLabel(value, look));
  });
  return Math.max(...labels.map((label) => widthOf(label, AXIS_SIZE))) + LABELS_SPACE;
}

/** Labels of moments. A second line shows the year or the day, at the first tick and where one begins. */
function timeLabels(unit: TimeUnit, days: number): object {
  const label = (format: string, begins: string, first: string, context: string): object => ({
    labelExpr: `[utcFormat(datum.value, '${format}'), datum.index === 0 || utcFormat(datum.value, '${begins}') === '${first}' ? utcFormat(datum.value, '${context}') : '']`,
  });
  if (unit === 'hour' && days <= 3) return label('%H:%M', '%H', '00', '%-d %b %Y');
  if (unit === 'week' && days <= 400) return label('W%V', '%V', '01', '%G');
  return days > 120 || unit === 'month' ? label('%b', '%m', '01', '%Y') : label('%-d %b', '%m%d', '0101', '%Y');
}

const daysOf = ({ moments }: NonNullable<Axis['time']>): number => ((moments.at(-1) ?? 0) - (moments[0] ?? 0)) / DAY_MS;

/**
 * Ticks of a time axis: at the points if they are few, else those of d3. ISO weeks have ticks on Mondays, which d3 lacks, and
 * long periods on the first of a month.
 */
export function timeAxis(time: NonNullable<Axis['time']>): object {
  const { unit, moments } = time;
  const days = daysOf(time);
  const labels = { ...timeLabels(unit, days), labelOverlap: true, labelFlush: false };
  if (moments.length <= 14 || (unit === 'week' && days <= 400)) {
    const every = Math.ceil(moments.length / 14);
    return { ...labels, values: moments.filter((_, index) => index % every === 0) };
  }
  if (days > 120 || unit === 'month')
    return { ...labels, tickCount: { interval: 'month', step: [1, 2, 3, 6].find((step) => days / 30.5 / step <= 14) ?? 12 } };
  return { ...labels, tickCount: 10, tickMinStep: STEP_MS[unit] };
}

/** So many letters tell weekdays apart. */
const SHORT_DAY = 3;

/** The names of the positions of an axis. On a phone there is no room for whole weekdays beside each other. */
export function positionNames(axis: Axis, width: number): string[] {
  const names = labelsOf(axis);
  return axis.dimension === 'weekday' && width < PLOT_WIDTHS.wide ? names.map((name) => name.slice(0, SHORT_DAY)) : names;
}

/** An axis with a position for each moment or name; the labels are `names.x`, or the moments. */
export function positionAxis({ time }: Axis): object {
  const labels = time === undefined ? { labelExpr: 'names.x[datum.value]' } : timeLabels(time.unit, daysOf(time));
  return { ...labels, labelAngle: 0, labelOverlap: true, ticks: false };
}

export const positionsOf = ({ time, categories }: Axis): readonly number[] => time?.moments ?? categories.map((_, index) => index);

/** Colours of the series, then of the comparison period; with a legend if there are several, above the first panel. */
export function colorChannel(
  { series, hasBefore }: Frame,
  place: Place = ALONE,
): { readonly channel: object; readonly names: readonly string[] } {
  const own = series.categories.map(({ isOthers }, index) => seriesColor(index, isOthers));
  const many = own.length > 1;
  const shown = many ? shortenAll(labelsOf(series), 220, { size: 12 }) : ['This period'];
  const names = [...shown, many ? 'lighter: comparison period' : 'Comparison period'];
  const values = names.map((_, index) => index).slice(0, hasBefore ? names.length : own.length);
  const widest = Math.max(...values.map((index) => widthOf(names[index] ?? '', 12)));
  const columns = Math.max(1, Math.min(values.length, Math.floor(place.width / (widest + 36))));
  const legend = { title: null, values, labelExpr: 'names.series[datum.value]', columns };
  const range = hasBefore ? [...own, ...own.map(lighter)] : own;
  return {
    names,
    channel: {
      field: 'color',
      type: 'nominal',
      scale: { domain: range.map((_, index) => index), range },
      legend: place.isFirst && (many || hasBefore) ? legend : null,
    },
  };
}
