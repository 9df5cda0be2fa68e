import { PUBLIC_COLUMNS } from '../../analytics/columns.ts';
import { DIMENSION_NAMES, rowOf } from '../../analytics/dimensions.ts';
import { addsUp, METRIC_NAMES, meaningOf } from '../../analytics/metrics.ts';
import { CHANNELS, PROJECTS, VIDEOS } from '../../analytics/questions/side-tables.ts';
import { NOT_IN_VIEWS } from '../listing/not-there.ts';

const SIDE_TABLES = {
  channels: `${CHANNELS.join(', ')}: the channels that the service lists for this credential now`,
  projects: `${PROJECTS.join(', ')}: the projects that the service lists for this credential now`,
  videos: `${VIDEOS.join(', ')}: the file that VIDEO_HOSTING_VIDEO_CATALOGUE names, since the service can’t list videos; empty without one, which says nothing of which videos exist`,
};

/** What analytics can be asked, and what its words mean. */
export function analyticsSchema() {
  return {
    metrics: Object.fromEntries(METRIC_NAMES.map((name) => [name, meaningOf(name)])),
    dimensions: Object.fromEntries(DIMENSION_NAMES.map((name) => [name, rowOf(name).meaning])),
    rules: [
      'Time is cut in the time zone of the question (IANA name, default UTC). A date takes in its whole day, as from and as to; a time is exact, and to is then not included.',
      'from and to also take 2026-10, 2026-W09, 2026-Q3, 2026, today, yesterday, this or last week, month, quarter or year, last 30 days, 7d, 4w (days, today among them) and 24h. Without to: the end of the period named in from, else now.',
      'A value that is missing or empty is null. In a filter, an empty text stands for it. Values of one filter are alternatives, or, where each begins with !, are left out; all filters apply.',
      'started, ended and muted as filters leave out views of which it is not known. Days that don’t count by weekdays are left out of the rows too.',
      'Times without views are rows of zeros where time is the only dimension; else combinations without views have no row. A ratio of nothing is null. Ratios have six decimals.',
      `share among the metrics adds <metric>_share: each row’s part, from 0 to 1, of the total of the first of them that adds up (${METRIC_NAMES.filter(addsUp).join(', ')}).`,
      'Without orderBy: times in order, else the first metric descending; with compareTo what changed most, up or down.',
      'compareTo adds <metric>_before, <metric>_change (now less before) and <metric>_ratio (now / before). Times stand against those as far back as the spans are apart; what has no counterpart has null.',
      'In SQL, ts, from and to are those of timezone (default UTC), and viewer can be counted, as count(DISTINCT viewer), and used in no other way: a query that counts viewers reads views once, without id, FILTER, ROLLUP, CUBE or GROUPING SETS, and the count of a group of 1 to 4 views is null. now() and current_date are refused, being in UTC: say the time in from and to; with a timezone also what is a moment: times with an offset, of seconds or from the epoch.',
      `${NOT_IN_VIEWS} Collected emails are not linked to viewers or views.`,
      'Units of watch time and duration are not documented.',
    ],
    tables: { views: Object.fromEntries(PUBLIC_COLUMNS.map(({ name, sql, meaning }) => [name, `${sql}: ${meaning}`])), ...SIDE_TABLES },
  };
}
