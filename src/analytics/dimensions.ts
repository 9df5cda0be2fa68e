import { type Sentence, sentence } from '../text/sentence.ts';
import type { VIEW_COLUMNS } from './columns.ts';
import { WEEKDAYS } from './resolve/calendar.ts';

type Column<Sql> = Extract<(typeof VIEW_COLUMNS)[number], { readonly sql: Sql }>['name'];

interface Row {
  readonly meaning: string;
  /** In a chart; without one, its name in words. */
  readonly title?: string;
}

/** By when the view was. */
interface Time extends Row {
  readonly kind: 'time';
  /** With what each of its values begins and ends. */
  readonly step: 'hour' | 'day';
}
/** Times that come once, one after the other. */
interface Unit extends Time {
  readonly of: 'time';
}
/** Times that come again and again. */
interface Cycle extends Time {
  /** The type of its values in an answer: numbers, or the texts of `values`. */
  readonly of: 'text' | 'integer';
  /** All of them in their order, by their numbers in a compiled question. */
  readonly values: readonly string[];
  /** How long it takes until all of them came. */
  readonly every: 'day' | 'week';
  /** What one of its values is called in a sentence. */
  readonly noun: Sentence;
}

/** By a column of the view. */
interface OfColumn extends Row {
  /** A value of this belongs to few values of that, so their pairs are those values again. */
  readonly within?: string;
  /** One view has values of all that are crossed in the same name, so one query has the pairs with each of them. */
  readonly crossed?: 'viewer' | 'place';
}
interface Text extends OfColumn {
  readonly kind: 'text';
  readonly column: Column<'VARCHAR'>;
}
interface Flag extends OfColumn {
  readonly kind: 'flag';
  readonly column: Column<'BOOLEAN'>;
}

/** What questions about views are grouped by: all that is to be said of each. Pairs are looked at in this order. */
export const DIMENSIONS = {
  video: { kind: 'text', column: 'video_key', within: 'project', meaning: 'video key; with a video catalogue, also video_title' },
  channel: {
    kind: 'text',
    column: 'channel_key',
    crossed: 'place',
    meaning: 'channel key and channel_name; null: seen outside a channel',
  },
  project: { kind: 'text', column: 'project_key', crossed: 'place', meaning: 'project key and project_name' },
  hour: { kind: 'time', step: 'hour', of: 'time', meaning: '2026-03-01T05:00; an hour that comes twice when clocks go back is one row' },
  day: { kind: 'time', step: 'day', of: 'time', meaning: '2026-03-01' },
  week: { kind: 'time', step: 'day', of: 'time', meaning: 'ISO week, 2026-W09', title: 'Week (ISO)' },
  month: { kind: 'time', step: 'day', of: 'time', meaning: '2026-03' },
  weekday: { kind: 'time', step: 'day', of: 'text', values: WEEKDAYS, every: 'week', noun: sentence`weekday`, meaning: 'Monday to Sunday' },
  hour_of_day: {
    kind: 'time',
    step: 'hour',
    of: 'integer',
    values: Array.from({ length: 24 }, (_, hour) => String(hour)),
    every: 'day',
    noun: sentence`hour of the day`,
    meaning: '0 to 23',
  },
  country: {
    kind: 'text',
    column: 'country',
    within: 'continent',
    crossed: 'place',
    meaning: 'short code of the viewer’s country, and country_name',
  },
  continent: { kind: 'text', column: 'continent', meaning: 'short code of the viewer’s continent' },
  region: { kind: 'text', column: 'region', within: 'country', meaning: 'the viewer’s region (geo.region)' },
  city: { kind: 'text', column: 'city', within: 'region', meaning: 'the viewer’s city' },
  browser: { kind: 'text', column: 'browser', crossed: 'viewer', meaning: 'browser family' },
  os: { kind: 'text', column: 'os', crossed: 'viewer', meaning: 'family of the operating system', title: 'Operating system' },
  device_type: { kind: 'text', column: 'device_type', crossed: 'viewer', meaning: 'type of the device' },
  device_brand: { kind: 'text', column: 'device_brand', crossed: 'viewer', meaning: 'brand of the device' },
  embed_domain: {
    kind: 'text',
    column: 'embed_domain',
    crossed: 'place',
    meaning: 'host of the page that embeds the video, in lower case',
    title: 'Domain',
  },
  embed_url: {
    kind: 'text',
    column: 'embed_url',
    within: 'embed_domain',
    meaning: 'that page, without query and fragment',
    title: 'Page',
  },
  muted: { kind: 'flag', column: 'muted', crossed: 'viewer', meaning: 'true or false; null: not told' },
} as const satisfies Readonly<Record<string, Unit | Cycle | Text | Flag>>;

export type Dimension = keyof typeof DIMENSIONS;
type OfKind<Kind> = { [Name in Dimension]: (typeof DIMENSIONS)[Name]['kind'] extends Kind ? Name : never }[Dimension];
export type TimeDimension = OfKind<'time'>;
/** Times that come again and again: a span need not contain each of them, and contains some of them often. */
export type CyclicDimension = { [Name in TimeDimension]: (typeof DIMENSIONS)[Name] extends Cycle ? Name : never }[TimeDimension];
export type TimeUnit = Exclude<TimeDimension, CyclicDimension>;
export type ColumnDimension = Exclude<Dimension, TimeDimension>;
/** A column of texts that views are grouped and filtered by. */
export type TextColumn = (typeof DIMENSIONS)[OfKind<'text'>]['column'];

export const DIMENSION_NAMES = Object.keys(DIMENSIONS) as [Dimension, ...Dimension[]];

export const rowOf = (dimension: Dimension): Unit | Cycle | Text | Flag => DIMENSIONS[dimension];

export const cycleOf = (dimension: CyclicDimension): Cycle => DIMENSIONS[dimension];

export const isTimeDimension = (dimension: Dimension): dimension is TimeDimension => DIMENSIONS[dimension].kind === 'time';

export const isCyclic = (dimension: Dimension): dimension is CyclicDimension => 'every' in DIMENSIONS[dimension];

export const isTimeUnit = (dimension: Dimension): dimension is TimeUnit => isTimeDimension(dimension) && !isCyclic(dimension);

/** Whether it tells hours of a day apart. */
export const tellsHours = (dimension: Dimension): boolean => isTimeDimension(dimension) && DIMENSIONS[dimension].step === 'hour';

export const isFlag = (dimension: Dimension): dimension is OfKind<'flag'> => DIMENSIONS[dimension].kind === 'flag';

/** Whether each value of one belongs to few of the other, also by way of a third. */
export function areNested(one: Dimension, other: Dimension): boolean {
  const isWithin = (inner: Dimension, outer: Dimension): boolean => {
    const row = rowOf(inner);
    const next = row.kind === 'time' ? undefined : DIMENSION_NAMES.find((name) => name === row.within);
    return next !== undefined && (next === outer || isWithin(next, outer));
  };
  return isWithin(one, other) || isWithin(other, one);
}

/** The dimensions that are crossed with others, in lists of which each is one query. */
export const CROSSED: readonly (readonly Dimension[])[] = (['viewer', 'place'] as const).map((wanted) =>
  DIMENSION_NAMES.filter((name) => {
    const row = rowOf(name);
    return row.kind !== 'time' && row.crossed === wanted;
  }),
);
