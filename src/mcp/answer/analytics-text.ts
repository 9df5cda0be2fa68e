import type { CoverageOut, SpanOut } from '../analytics-schemas.ts';
import { token } from './table.ts';

interface Table {
  readonly columns: readonly { readonly name: string; readonly type: string }[];
  readonly rows: readonly (readonly unknown[])[];
}

interface SpanAnswer extends Table {
  readonly coverage: CoverageOut;
  readonly span: SpanOut;
  readonly notes?: readonly string[] | undefined;
  /** What `truncateAnswer` left out. */
  readonly omitted?: string;
}

interface QuestionAnswer extends SpanAnswer {
  readonly totals: Readonly<Record<string, unknown>>;
  readonly report: string;
  // Not listed in the schema.
  readonly before?: Before;
  readonly rowCount?: number;
  readonly cutBy?: 'size' | 'limit';
  readonly reportFile?: string;
}

/** The span of a comparison. */
interface Before {
  readonly span: SpanOut;
  readonly coverage: CoverageOut;
}

/** The text of an answer: what is missing, the span, notes, the rows, the total and the files. */
export function answerText(answer: QuestionAnswer): string {
  const { rows, before, rowCount = rows.length, cutBy } = answer;
  const comparison = before === undefined ? '' : `, _before: ${before.span.text}; _ratio: now / before`;
  return spanText(
    answer,
    `${answer.span.text}${comparison}. ${rowsWords(rows.length, rowCount, cutBy)}`,
    totalText(answer),
    reportText(answer),
  );
}

/** The text of an SQL query's answer. */
export function sqlText(answer: SpanAnswer & SavedRows & { readonly truncated: boolean }): string {
  const { rows, rowCount = rows.length } = answer;
  return spanText(answer, `${answer.span.text}. ${rowsWords(rows.length, rowCount, 'limit')}`, [], reportText(answer));
}

interface SavedRows {
  readonly report: string;
  // Not listed in the schema.
  readonly rowCount?: number;
  readonly reportFile?: string;
}

function spanText(
  answer: SpanAnswer & { readonly before?: Before },
  title: string,
  totals: readonly string[] = [],
  files: readonly string[] = [],
) {
  const partial = coverageNotes(answer);
  const notes = answer.notes?.filter((note) => !partial.includes(note)) ?? [];
  const omitted = answer.omitted === undefined ? [] : [answer.omitted];
  return [...partial, title, ...notes, rowsText(answer), ...totals, coverageText(answer.coverage), ...files, ...omitted].join('\n');
}

/** Whether an answer is complete, and what it leaves out. It stands in the structured answer too, because many clients show a model only that. */
export function coverageNotes({ coverage, before }: { readonly coverage: CoverageOut; readonly before?: Before }): string[] {
  const earlier =
    before === undefined ? [] : [completenessText(before.coverage, 'the time before'), reachText(before.coverage, 'the time before')];
  return [completenessText(coverage), reachText(coverage), ...earlier].filter((note) => note !== undefined);
}

function completenessText(coverage: CoverageOut, of = 'the time asked for'): string | undefined {
  const { complete, heldShare, missing, stillReading, asOf, reach, setAside } = coverage;
  if (complete) {
    const malformed = setAside.count === 0 ? '' : `, without ${setAside.count} malformed records`;
    return reach === null ? undefined : `Complete: all views of ${of} that the service has are counted${malformed}, as of ${asOf}.`;
  }
  const why = missing ? ` ${sentence(missing)}` : '';
  const next = stillReading ? 'The rest is being read now: ask the same again in a minute.' : 'Ask the same again to have the rest read.';
  const what =
    heldShare >= 1
      ? `PERHAPS NOT WHOLE, for ${of}.`
      : `PARTIAL: ${Math.floor(heldShare * 100)}% of ${of} is read, and these numbers count only that.`;
  return `${what}${why} ${next}`;
}

const DAY_MS = 86_400_000;

/** From when to when there are records; undefined unless that is a day or more less than the span. */
function reachText({ complete, from, to, reach }: CoverageOut, of = 'the time asked for'): string | undefined {
  if (reach === null) return complete ? `NO RECORDS: the service has none of ${of}. Null or - is not known, not 0.` : undefined;
  const missesStart = Date.parse(reach.from) - Date.parse(from) >= DAY_MS;
  const missesEnd = Math.min(Date.parse(to), Date.now()) - Date.parse(reach.to) >= DAY_MS;
  if (!missesStart && !missesEnd) return undefined;
  const none = [...(missesStart ? [`before ${reach.from}`] : []), ...(missesEnd ? [`after ${reach.to}`] : [])].join(' or ');
  const text = complete ? `NO RECORDS ${none}: the service has none of ${of} there.` : `No records are held ${none}.`;
  return `${text} Null or - is not known, not 0.`;
}

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`;

function coverageText({ records, asOf, setAside: { count, reasons } }: CoverageOut): string {
  const list = reasons.map((entry) => `${entry.reason}: ${entry.count}`).join('; ');
  const malformed = count === 0 ? '' : ` ${count} malformed records were set aside (${list}).`;
  return `${records} view records of that time are held${asOf === null ? '' : `, as of ${asOf}`}.${malformed}`;
}

/** What a reader has to know of the columns. */
export function columnNotes({ columns, rows, totals }: Table & { readonly totals?: Readonly<Record<string, unknown>> }): string[] {
  const units = ['watch_time', 'duration'].filter((unit) => columns.some(({ name }) => name.includes(unit)));
  const isGroup = (name: string) => totals !== undefined && !(name in totals) && !/_(?:name|title)$/.test(name);
  const withNull = columns.filter(({ name }, index) => isGroup(name) && rows.some((row) => row[index] === null)).map(({ name }) => name);
  return [
    ...(units.length === 0 ? [] : [`${units.join(', ')}: unit not documented.`]),
    ...(withNull.length === 0 ? [] : [`- or null as ${withNull.join(', ')}: the views’ own records name none.`]),
  ];
}

/** A header line, then a line a row. */
function rowsText({ columns, rows }: Table): string {
  return [columns.map(({ name }) => cellText(name)).join(' | '), ...rows.map((row) => row.map(cellText).join(' | '))].join('\n');
}

/** Text that is no plain word is quoted: strangers may have written it. */
function cellText(value: unknown): string {
  if (value === null || value === undefined) return '-';
  if (value === '') return '""';
  if (typeof value === 'number') return numberText(value);
  return typeof value === 'string' ? (token(value) ?? '-') : String(value);
}

/** Integers whole, other numbers to four digits. */
function numberText(value: number): string {
  if (Number.isInteger(value)) return String(value);
  return Math.abs(value) >= 1_000 ? value.toFixed(1) : String(Number(value.toPrecision(4)));
}

/** None where the only row is the total itself. */
function totalText({ columns, rows, totals }: QuestionAnswer): string[] {
  if (rows.length === 1 && columns.every(({ name }) => name in totals)) return [];
  const parts = Object.entries(totals).map(([name, value]) => `${name} ${cellText(value)}`);
  return [`Total: ${parts.join(', ')}`];
}

function rowsWords(shown: number, all: number, cutBy?: 'size' | 'limit'): string {
  if (shown >= all) return `${all} ${all === 1 ? 'row' : 'rows'}.`;
  return `The first ${shown} of ${all} rows; ${cutBy === 'limit' ? 'a higher limit shows more' : 'no more fit an answer: filter, or group by less'}.`;
}

function reportText({ report, reportFile }: SavedRows): string[] {
  return [`All rows (CSV, kept for a week): ${report}${reportFile === undefined ? '' : `, ${reportFile}`}`];
}
