import type { ResultColumn, Rows, Scalar } from '../contract.ts';

export const CHART_KINDS = ['line', 'bar', 'stacked_bar', 'heatmap'] as const;
export type ChartKind = (typeof CHART_KINDS)[number];

/** All texts may be untrusted. */
export interface ChartInput {
  readonly kind: ChartKind;
  readonly title: string;
  /** Drawn where no font has the letters of `title`. */
  readonly ownTitle?: string;
  /** The keys of things by the names that the rows have for them. */
  readonly keys?: readonly (readonly [name: string, key: string])[];
  /** Parts of one line: the period, its time zone, filters, missing coverage. */
  readonly subtitle: readonly string[];
  readonly columns: readonly ResultColumn[];
  /** Those of the answer that are drawn, not only those that are sent to the model. */
  readonly rows: readonly (readonly Scalar[])[];
  /** Names of the columns that the rows are grouped by, in order; up to three. */
  readonly dimensions: readonly string[];
  /** Names of the columns to draw, in order. A column `<metric>_before` is drawn beside each, lighter. */
  readonly metrics: readonly string[];
  /** The rows are in an order that was asked for: the first of them are drawn where there are too many, not the largest. */
  readonly isOrdered?: boolean;
  /** The columns have the names that a caller's SQL gave them, which say nothing of what they hold. */
  readonly isOfSql?: boolean;
  /** For a page, which is the default, or as narrow as a phone. */
  readonly size?: ChartSize;
}

export const CHART_SIZES = ['wide', 'narrow'] as const;
export type ChartSize = (typeof CHART_SIZES)[number];

/** What a report keeps beside its rows, so that they can be drawn later. */
export interface ReportDrawing {
  /** Absent for rows of SQL, whose columns tell neither. */
  readonly grouping?: { readonly dimensions: readonly string[]; readonly metrics: readonly string[] };
  readonly about: readonly string[];
  /** Which views were not read, in sentences; absent where all were. */
  readonly unread?: readonly string[];
  /** The question asked for so many rows, which are drawn alone. */
  readonly first?: number;
  /** The question or the SQL said by what the rows are sorted. */
  readonly isOrdered?: boolean;
  /** Labels of times that are counted in part. */
  readonly partial?: readonly string[];
}

export interface DrawableTable extends Pick<Rows, 'columns' | 'rows'> {
  readonly drawing: ReportDrawing;
}
