import type { Column, Coverage, Scalar } from '../../analytics/contract.ts';

const MAX_REASONS = 2;

/** Whether an answer counts all views of its span, and which it does not count. */
export function coverageNotes(coverage: Coverage, share: number, stillReading: boolean, of = 'the time asked for'): string[] {
  return [completeNote(coverage, of), partialNote(coverage, share, stillReading, of), reachNote(coverage, of)].filter(
    (note) => note !== undefined,
  );
}

function completeNote({ complete, asOf, reach, setAside }: Coverage, of: string): string | undefined {
  if (!complete || reach === null) return undefined;
  const reasons = setAside.reasons.map(({ reason }) => reason);
  const why = `${reasons.slice(0, MAX_REASONS).join('; ')}${reasons.length > MAX_REASONS ? '; …' : ''}`;
  const malformed = setAside.count === 0 ? '' : `, without ${setAside.count} malformed records (${why})`;
  return `Complete: all views of ${of} that the service has are counted${malformed}, as of ${asOf}.`;
}

function partialNote({ complete, missing }: Coverage, share: number, stillReading: boolean, of: string): string | undefined {
  if (complete) return undefined;
  const why = missing ? ` ${sentence(missing)}` : '';
  const next = stillReading ? 'The rest is being read now: ask the same again in a minute.' : 'Ask the same again to have the rest read.';
  const what =
    share >= 1
      ? `PERHAPS NOT WHOLE, for ${of}.`
      : `PARTIAL: ${Math.floor(share * 100)}% of ${of} is read, and these numbers count only that.`;
  return `${what}${why} ${next}`;
}

const DAY_MS = 86_400_000;

/** From when to when there are records; undefined unless that is a day or more less than the span. */
function reachNote({ complete, asked, reach }: Coverage, of: string): string | undefined {
  if (reach === null) return complete ? `NO RECORDS: the service has none of ${of}. Null or - is not known, not 0.` : undefined;
  const missesStart = reach.fromMs - asked.fromMs >= DAY_MS;
  const missesEnd = Math.min(asked.toMs, Date.now()) - (reach.toMs - 1) >= DAY_MS;
  if (!missesStart && !missesEnd) return undefined;
  const iso = (ms: number) => new Date(ms).toISOString();
  const none = [...(missesStart ? [`before ${iso(reach.fromMs)}`] : []), ...(missesEnd ? [`after ${iso(reach.toMs - 1)}`] : [])].join(
    ' or ',
  );
  const text = complete ? `NO RECORDS ${none}: the service has none of ${of} there.` : `No records are held ${none}.`;
  return `${text} Null or - is not known, not 0.`;
}

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`;

interface Table {
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly Scalar[])[];
  readonly totals?: Readonly<Record<string, unknown>>;
}

/** What a reader has to know of the columns. */
export function columnNotes({ columns, rows, totals }: Table): string[] {
  const units = ['watch_time', 'duration'].filter((unit) => columns.some(({ name }) => name.includes(unit)));
  const isGroup = (name: string) => totals !== undefined && !(name in totals) && !/_(?:name|title)$/.test(name);
  const withNull = columns.filter(({ name }, index) => isGroup(name) && rows.some((row) => row[index] === null)).map(({ name }) => name);
  const has = (part: string) => columns.some(({ name }) => name.includes(part));
  return [
    ...(units.length === 0 ? [] : [`${units.join(', ')}: unit not documented.`]),
    ...(has('completion') ? ['A completion is a view in which playback ended.'] : []),
    ...(has('unique_viewers') ? ['A viewer is a viewerId of the service: a person or a browser, that is not documented.'] : []),
    ...(withNull.length === 0 ? [] : [`- or null as ${withNull.join(', ')}: the views’ own records name none.`]),
  ];
}

/** Which rows an answer shows; undefined if all. */
export function cutNote(shown: number, all: number, limit: number): string | undefined {
  if (shown >= all) return undefined;
  return `The first ${shown} of ${all} rows; ${shown < limit ? 'no more fit an answer: filter, or group by less' : 'a higher limit shows more'}.`;
}
