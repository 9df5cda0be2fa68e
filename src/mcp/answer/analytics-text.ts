import { token } from './table.ts';

/** What an answer about views has for its text. */
export interface TableAnswer {
  readonly columns: readonly { readonly name: string; readonly type: string }[];
  readonly rows: readonly (readonly unknown[])[];
}

/** A number as a model reads it: whole ones as they are, others to four digits. */
function rounded(value: number): string {
  if (Number.isInteger(value)) return String(value);
  return Math.abs(value) >= 1_000 ? value.toFixed(1) : String(Number(value.toPrecision(4)));
}

function cellText(value: unknown): string {
  if (value === null || value === undefined || value === '') return '-';
  if (typeof value === 'number') return rounded(value);
  return typeof value === 'string' ? (token(value) ?? '-') : String(value);
}

/** A header line, then a line a row. Texts that are no plain word are quoted: strangers wrote them. */
function rowsText({ columns, rows }: TableAnswer): string {
  return [columns.map(({ name }) => cellText(name)).join(' | '), ...rows.map((row) => row.map(cellText).join(' | '))].join('\n');
}

interface CoverageText {
  readonly complete: boolean;
  readonly from?: unknown;
  readonly to?: unknown;
  readonly reach?: unknown;
  readonly heldShare?: unknown;
  readonly asOf?: unknown;
  readonly records?: unknown;
  readonly stillReading?: unknown;
  readonly missing?: unknown;
  readonly setAside?: unknown;
}

/** The first line of an answer that is not about all views; undefined where it is. */
function partialText(coverage: CoverageText, of = 'the time asked for'): string | undefined {
  if (coverage.complete) return undefined;
  const share = typeof coverage.heldShare === 'number' ? coverage.heldShare : 0;
  const why = typeof coverage.missing === 'string' && coverage.missing !== '' ? ` ${sentence(coverage.missing)}` : '';
  const rest =
    coverage.stillReading === true
      ? 'The rest is being read now: ask the same again in a minute.'
      : 'Ask the same again to have the rest read.';
  const what =
    share >= 1
      ? `PERHAPS NOT WHOLE, for ${of}.`
      : `PARTIAL: ${Math.floor(share * 100)}% of ${of} is read, and these numbers count only that.`;
  return `${what}${why} ${rest}`;
}

const DAY_MS = 86_400_000;

/** From when to when records are held, where that is a day or more less than what was asked for; undefined where it is not. */
function reachText({ complete, from, to, reach }: CoverageText, of = 'the time asked for'): string | undefined {
  if (typeof from !== 'string' || typeof to !== 'string' || reach === undefined) return undefined;
  if (reach === null) return complete ? `NO RECORDS: the service has none of ${of}. Null or - is not known, not 0.` : undefined;
  const held = reach as { from: string; to: string }; // as coverageOf makes it
  const isLaterBegun = Date.parse(held.from) - Date.parse(from) >= DAY_MS;
  const isEarlierEnded = Math.min(Date.parse(to), Date.now()) - Date.parse(held.to) >= DAY_MS;
  if (!isLaterBegun && !isEarlierEnded) return undefined;
  const none = [...(isLaterBegun ? [`before ${held.from}`] : []), ...(isEarlierEnded ? [`after ${held.to}`] : [])].join(' or ');
  const said = complete ? `NO RECORDS ${none}: the service has none of ${of} there.` : `No records are held ${none}.`;
  return `${said} Null or - is not known, not 0.`;
}

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`;

function coverageText({ records, asOf, setAside }: CoverageText): string {
  const { count = 0, reasons = [] } = (setAside ?? {}) as { count?: number; reasons?: readonly { reason: string; count: number }[] }; // as coverageOf makes it
  const aside = reasons.map((entry) => `${entry.reason}: ${entry.count}`).join('; ');
  const malformed = count === 0 ? '' : ` ${count} malformed records were set aside (${aside}).`;
  return `${String(records ?? '?')} view records of that time are held${typeof asOf === 'string' ? `, as of ${asOf}` : ''}.${malformed}`;
}

interface QuestionAnswer extends TableAnswer {
  readonly totals: Readonly<Record<string, unknown>>;
  readonly coverage: CoverageText;
  readonly span: { readonly from: string; readonly text?: unknown };
  readonly notes?: readonly string[] | undefined;
  readonly report?: string | undefined;
  // What only some answers have.
  readonly before?: unknown;
  readonly rowCount?: unknown;
  readonly cutBy?: unknown;
  readonly reportFile?: unknown;
  readonly chart?: unknown;
  readonly chartFile?: unknown;
  readonly omitted?: unknown;
}

/** What an answer leaves out: also in the structured answer, since that is all that the models of many clients see. */
export function partialNotes({ coverage, before }: { readonly coverage: CoverageText; readonly before?: unknown }): string[] {
  const earlier = before as { coverage: CoverageText } | undefined; // as the tool makes it
  return [
    partialText(coverage),
    reachText(coverage),
    ...(earlier === undefined ? [] : [partialText(earlier.coverage, 'the time before'), reachText(earlier.coverage, 'the time before')]),
  ].filter((note) => note !== undefined);
}

/** What has to be known of columns to read them rightly. */
export function columnNotes(answer: TableAnswer & { readonly totals?: Readonly<Record<string, unknown>> }): string[] {
  const units = ['watch_time', 'duration'].filter((unit) => answer.columns.some(({ name }) => name.includes(unit)));
  return [...(units.length === 0 ? [] : [`${units.join(', ')}: unit not documented.`]), ...noneNotes(answer)];
}

/** An answer as a model reads it: first what it is not, then what it is of, then the numbers. */
export function answerText(answer: QuestionAnswer): string {
  const { columns, rows, coverage, span } = answer;
  const partial = partialNotes(answer);
  const notes = answer.notes?.filter((note) => !partial.includes(note)) ?? [];
  const before = answer.before as { span: { text?: unknown }; coverage: CoverageText } | undefined; // as the tool makes it
  const count = typeof answer.rowCount === 'number' ? answer.rowCount : rows.length;
  return [
    ...partial,
    `${String(span.text)}${before === undefined ? '' : `, _before: ${String(before.span.text)}; _ratio: now / before`}. ${rowsWords(rows.length, count, answer.cutBy)}`,
    ...notes,
    rowsText({ columns, rows }),
    totalText(answer),
    coverageText(coverage),
    ...reportText(answer),
  ]
    .filter((line) => line !== undefined)
    .join('\n');
}

/** What a row without a value stands for, since it is often the greatest. */
function noneNotes({ columns, rows, totals }: Parameters<typeof columnNotes>[0]): string[] {
  if (totals === undefined) return [];
  const isGroup = (name: string) => !(name in totals) && !/_(?:name|title)$/.test(name);
  const lacking = columns.filter(({ name }, at) => isGroup(name) && rows.some((row) => row[at] === null));
  return lacking.length === 0 ? [] : [`- or null as ${lacking.map(({ name }) => name).join(', ')}: the views’ own records name none.`];
}

/** Nothing where the only row is the total itself. */
function totalText({ columns, rows, totals }: QuestionAnswer): string | undefined {
  if (rows.length === 1 && columns.every(({ name }) => name in totals)) return undefined;
  const parts = Object.entries(totals).map(([name, value]) => `${name} ${cellText(value)}`);
  return `Total: ${parts.join(', ')}`;
}

function rowsWords(shown: number, all: number, cutBy: unknown): string {
  if (shown >= all) return `${all} ${all === 1 ? 'row' : 'rows'}.`;
  return `The first ${shown} of ${all} rows; ${cutBy === 'limit' ? 'a higher limit shows more' : 'no more fit an answer: filter, or group by less'}.`;
}

function reportText({ report, reportFile, chart, chartFile, omitted }: QuestionAnswer): string[] {
  return [
    ...(typeof report === 'string' ? [`All rows (CSV, kept for a week): ${report}, ${String(reportFile)}`] : []),
    ...(typeof chart === 'string' ? [`Chart (PNG): ${chart}, ${String(chartFile)}`] : []),
    ...(typeof omitted === 'string' ? [omitted] : []),
  ];
}

interface SqlAnswer extends TableAnswer {
  readonly truncated: boolean;
  readonly coverage: CoverageText;
  readonly span: { readonly from: string; readonly text?: unknown };
  readonly notes?: readonly string[] | undefined;
  readonly omitted?: unknown;
}

/** The answer of a query of the caller's own making. */
export function sqlText({ columns, rows, truncated, coverage, span, notes = [], omitted }: SqlAnswer): string {
  const partial = partialNotes({ coverage });
  const more = truncated ? `The first ${rows.length} rows; there are more.` : `${rows.length} ${rows.length === 1 ? 'row' : 'rows'}.`;
  return [
    ...partial,
    `${String(span.text)}. ${more}`,
    ...notes.filter((note) => !partial.includes(note)),
    rowsText({ columns, rows }),
    coverageText(coverage),
    ...(typeof omitted === 'string' ? [omitted] : []),
  ]
    .filter((line) => line !== undefined)
    .join('\n');
}
