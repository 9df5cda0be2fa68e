import { quoted } from '../../text/quoted.ts';
import { isSentence } from './sanitize-answer.ts';

type Values = Readonly<Record<string, unknown>>;

/** What stands before a sentence of ours, by field; others have nothing. */
const MARKS: Readonly<Record<string, string>> = {
  warnings: '! ',
  problems: '- ',
  lines: '- ',
  hint: 'Next: ',
  confirmation: 'Changes: ',
  hidden: 'Hidden: ',
  filters: 'filters: ',
};

/** Whether a change can be undone. */
const POSSIBLE: Readonly<Record<string, string>> = { yes: 'possible', partly: 'partly possible', no: 'not possible' };

/** Lists with a table for each kind of record: in one table, `-` for what was not changed would read as no value. */
const GROUPED: ReadonlySet<string> = new Set(['before', 'after']);

/**
 * The text of an answer. It says all that the structured content says, in the same order, for the clients that give a model
 * only one of them: sentences as lines, records as tables, other fields by name. Text that is no plain word is quoted,
 * since a stranger may have written it.
 */
export function renderAnswer(answer: Values): string {
  return linesOf(answer).join('\n');
}

function linesOf(values: Values): string[] {
  const lines: string[] = [];
  let fields: string[] = [];
  const endLine = () => {
    if (fields.length > 0) lines.push(fields.join(', '));
    fields = [];
  };
  for (const [name, value] of Object.entries(values)) {
    if (isBrief(name, value)) fields.push(`${name}: ${cell(name, value)}`);
    else {
      endLine();
      lines.push(...block(name, value, values));
    }
  }
  endLine();
  return lines;
}

/** The lines of a field that takes lines of its own. */
function block(name: string, value: unknown, siblings: Values): string[] {
  if (typeof value === 'string') return [`${MARKS[name] ?? ''}${value}`];
  if (isList(value)) return list(name, value, siblings);
  const fields = isObject(value) ? value : {};
  const entries = Object.entries(fields);
  if (entries.length === 0) return [`${name}: none`];
  if (name === 'undo' && typeof fields.possible === 'string' && fields.possible in POSSIBLE)
    return [`${name}: ${[POSSIBLE[fields.possible], fields.how].filter((part) => part !== undefined).join('. ')}`];
  if (entries.every(([field, inner]) => isBrief(field, inner) || (typeof inner === 'string' && !(field in MARKS)))) {
    const brief = entries.filter(([field, inner]) => isBrief(field, inner)).map(([field, inner]) => `${field} ${cell(field, inner)}`);
    const sentences = entries.filter(([field, inner]) => !isBrief(field, inner)).map(([, inner]) => String(inner));
    return [`${name}: ${[brief.join(', '), ...sentences].filter((part) => part !== '').join('. ')}`];
  }
  return [`${name}:`, ...linesOf(fields).map((line) => `  ${line}`)];
}

function list(name: string, values: readonly unknown[], siblings: Values): string[] {
  // A table's columns are the header of its rows.
  if (name === 'columns' && isList(siblings.rows)) return [];
  if (name === 'rows' && isList(siblings.columns))
    return [
      row(siblings.columns.map((column) => (isObject(column) ? column.name : column))),
      ...values.map((cells) => row(isList(cells) ? cells : [cells])),
    ];
  if (isSentence(name)) return values.map((value) => `${MARKS[name] ?? ''}${String(value)}`);
  if (values.length === 0) return [`${name}: none`];
  if (!values.every(isObject)) return [`${name} (${values.length}): ${values.map((value) => cell(name, value)).join(', ')}`];
  const groups = new Map<string, Values[]>();
  for (const record of values) {
    const columns = GROUPED.has(name) ? Object.keys(record).join() : '';
    groups.set(columns, [...(groups.get(columns) ?? []), record]);
  }
  return [`${name} (${values.length}):`, ...[...groups.values()].flatMap(table)];
}

function table(records: readonly Values[]): string[] {
  const columns = [...new Set(records.flatMap((record) => Object.keys(record)))];
  return [columns.join(' | '), ...records.map((record) => columns.map((column) => cell(column, record[column])).join(' | '))];
}

const row = (cells: readonly unknown[]): string => cells.map((value) => cell('', value)).join(' | ');

function cell(name: string, value: unknown): string {
  if (value === undefined || value === null) return '-';
  if (isList(value)) return value.length === 0 ? 'none' : value.map((inner) => cell(name, inner)).join(', ');
  if (isObject(value)) return JSON.stringify(value);
  return typeof value === 'string' && !isSentence(name) ? quoted(value) : String(value);
}

/** Whether a field shares its line with its neighbours. */
function isBrief(name: string, value: unknown): boolean {
  return value === null || (typeof value === 'string' ? !isSentence(name) : typeof value !== 'object');
}

const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value);
const isObject = (value: unknown): value is Values => typeof value === 'object' && value !== null && !Array.isArray(value);
