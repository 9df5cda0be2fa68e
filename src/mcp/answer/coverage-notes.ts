import type { Coverage, ResultColumn, Scalar, Span } from '../../analytics/contract.ts';
import { columnWords, unknownUnitsOf } from '../../analytics/metrics.ts';
import { triesText } from '../../analytics/questions/read-views.ts';
import { DEFAULT_ZONE } from '../../analytics/resolve/dates.ts';
import { DAY_MS, HOUR_MS } from '../../platform/time-units.ts';
import { counted } from '../../text/counted.ts';
import { joined, type Sentence, sentence, word, wordList } from '../../text/sentence.ts';
import { DEFAULT_LENGTH } from './sanitize-answer.ts';

const MAX_REASONS = 2;
/** A question is answered a while after its end, where that is now. */
const PRESENT_MS = HOUR_MS / 4;
const ASKED = 'the time asked for';
/** What a span is called. */
export type SpanName = typeof ASKED | 'the time before';

/** Whether an answer counts all views of its span, and which it does not count. */
export function coverageNotes(coverage: Coverage, share: number, stillReading: boolean, of: SpanName = ASKED, zone = ''): Sentence[] {
  const [first, ...others] = [
    of === ASKED ? clockNote(coverage) : undefined,
    completeNote(coverage, of),
    partialNote(coverage, share, stillReading, of),
    aheadNote(coverage),
  ].filter((note) => note !== undefined);
  if (first === undefined) return others;
  return [of === ASKED && zone === DEFAULT_ZONE ? sentence`${first} Days are in UTC.` : first, ...others];
}

/** What is said of today, now and spans without an end is by this machine’s clock. */
function clockNote({ clockAheadMs = 0 }: Coverage): Sentence | undefined {
  if (Math.abs(clockAheadMs) < HOUR_MS / 4) return undefined;
  const hours = Number((Math.abs(clockAheadMs) / HOUR_MS).toFixed(1));
  return sentence`The clock of this server’s machine is ${hours} h ${clockAheadMs > 0 ? 'behind' : 'ahead of'} the service’s: today, now and an end that is not named go by it.`;
}

function completeNote(coverage: Coverage, of: SpanName): Sentence | undefined {
  const { complete, asOf, newest, asked, records, dataSpan, rejected } = coverage;
  if (!complete) return undefined;
  if (dataSpan === null) return sentence`NO RECORDS: the service has none of ${of}. ${NOT_ZERO}.`;
  if (asked.fromMs >= Date.now() && records === 0)
    return sentence`NOT YET: ${of} is to come, so it has no views. Null, - or 0 is no result.`;
  const open = asked.fromMs < Date.now() && asked.toMs > Date.now() ? ' It is not over.' : '';
  const reasons = rejected.reasons.map(({ reason }) => reason);
  const why = joined([...reasons.slice(0, MAX_REASONS), ...(reasons.length > MAX_REASONS ? [sentence`…`] : [])], '; ');
  // That the time before is complete too, its coverage says.
  const none = noneText(coverage);
  if (of !== ASKED && rejected.count === 0 && newest === undefined && none === undefined) return undefined;
  const malformed = rejected.count === 0 ? '' : sentence`, without ${rejected.count} malformed records (${why})`;
  const what = of === ASKED ? sentence`all views that the service has are counted` : sentence`${of} too`;
  // Of a time that is over, when it was read only the coverage says.
  const reachesPresent = asked.toMs + PRESENT_MS > Date.now() || asked.toMs > Date.parse(String(asOf));
  const read = asOf === null || (newest === undefined && !reachesPresent) ? '' : sentence`, as of ${readAt({ asOf, newest })}`;
  const ofNone = none === undefined ? '' : sentence`; NO RECORDS ${none}: the service has none there. ${NOT_ZERO}`;
  return sentence`Complete: ${what}${malformed}${read}${ofNone}.${open}`;
}

/** Whether the answer is whole or not. Of a time that is all to come, the clock of this machine may be the wrong one. */
function aheadNote({ ahead = 0, asked, records }: Coverage): Sentence | undefined {
  if (ahead > 0) return sentence`Set aside, as dated in the future: ${counted(ahead, 'record')}.`;
  if (asked.fromMs < Date.now() || records === 0) return undefined;
  return sentence`This time is to come: what is counted of it is dated in the future.`;
}

const readAt = ({ asOf, newest }: Pick<Coverage, 'asOf'> & { readonly newest: Coverage['newest'] | undefined }): Sentence =>
  newest === undefined
    ? sentence`${word(String(asOf))}`
    : sentence`${word(String(asOf))}, and those from ${word(newest.from)} on as of ${word(newest.asOf)}`;

function partialNote(coverage: Coverage, share: number, stillReading: boolean, of: SpanName): Sentence | undefined {
  const { complete, missing, asOf, newest, tries } = coverage;
  if (complete) return undefined;
  const why = missing ? sentence` ${missing}` : '';
  const again = tries === undefined ? sentence`Ask the same again to have the rest read.` : triesText(tries);
  const next = stillReading ? sentence`The rest is being read now: ask the same again in a minute.` : again;
  const none = noneText(coverage);
  const ofNone = none === undefined ? '' : sentence`; NO RECORDS ${none} in what is read. ${NOT_ZERO}`;
  const what =
    share >= 1
      ? sentence`PERHAPS NOT WHOLE, for ${of}, as of ${readAt({ asOf, newest })}${ofNone}.`
      : sentence`PARTIAL: ${Math.floor(share * 100)}% of ${of} is read, and these numbers count only that${ofNone}.`;
  return sentence`${what}${why} ${next}`;
}

/** How much of the time that was read lies before the first record, and after the last. */
function emptyTimes({ asked, covered, dataSpan }: Coverage): { readonly beforeMs: number; readonly afterMs: number } {
  const readIn = (span: Span): number =>
    covered.reduce((sum, one) => sum + Math.max(0, Math.min(one.toMs, span.toMs) - Math.max(one.fromMs, span.fromMs)), 0);
  if (dataSpan === null) return { beforeMs: 0, afterMs: 0 };
  const toMs = Math.min(asked.toMs, Date.now());
  return { beforeMs: readIn({ fromMs: asked.fromMs, toMs: dataSpan.fromMs }), afterMs: readIn({ fromMs: dataSpan.toMs - 1, toMs }) };
}

const NOT_ZERO = sentence`Null or - is not known, not 0`;

/** Before and after which moment there are no records in what was read; undefined where that is less than a day. */
function noneText(coverage: Coverage): Sentence | undefined {
  const { dataSpan } = coverage;
  const { beforeMs, afterMs } = emptyTimes(coverage);
  const iso = (ms: number) => word(new Date(ms).toISOString());
  const none = [
    ...(dataSpan !== null && beforeMs >= DAY_MS ? [sentence`before ${iso(dataSpan.fromMs)}`] : []),
    ...(dataSpan !== null && afterMs >= DAY_MS ? [sentence`after ${iso(dataSpan.toMs - 1)}`] : []),
  ];
  return none.length === 0 ? undefined : joined(none, ' or ');
}

/** What is counted beside an answer with filters. */
export const RECORDS_NOTE = sentence`records: all of the time, before filters.`;

interface Table {
  readonly columns: readonly ResultColumn[];
  readonly rows: readonly (readonly Scalar[])[];
  readonly totals?: Readonly<Record<string, unknown>> | undefined;
}

/** The columns of dimensions that some views name nothing for. */
export function namelessGroups({ columns, rows, totals }: Table): string[] {
  const isGroup = (name: string) => totals !== undefined && !(name in totals) && !/_(?:name|title)$/.test(name);
  return columns.filter(({ name }, index) => isGroup(name) && rows.some((row) => row[index] === null)).map(({ name }) => name);
}

const CUT_CELLS = sentence`Texts of more than ${DEFAULT_LENGTH} characters are cut here and end with …; the report has up to 2,000 of each.`;

/** What a reader has to know of the columns. */
export function columnNotes({ columns, rows, totals }: Table): Sentence[] {
  const names = columns.map(({ name }) => name);
  const units = unknownUnitsOf(names);
  const nameless = namelessGroups({ columns, rows, totals });
  return [
    ...(units.length === 0 ? [] : [sentence`${wordList(units)}: unit not documented.`]),
    ...columnWords(names),
    ...(rows.some((row) => row.some((value) => typeof value === 'string' && value.length > DEFAULT_LENGTH)) ? [CUT_CELLS] : []),
    ...(nameless.length === 0 ? [] : [sentence`(none) or null as ${wordList(nameless)}: the views’ own records name none.`]),
  ];
}

/** Which rows an answer shows; undefined if all. */
export function cutNote(shown: number, all: number, limit: number): Sentence | undefined {
  if (shown >= all) return undefined;
  return sentence`The first ${shown} of ${all} rows; ${shown < limit ? 'no more fit an answer: filter, or group by less' : 'a higher limit shows more'}.`;
}
