import type * as z from 'zod';
import { NAMES_NONE } from '../../analytics/contract.ts';
import { fieldsIn, isObject, type Values } from '../../platform/is-object.ts';
import { quoted } from '../../text/quoted.ts';
import { entrySchema, rendererOf, schemaIn, sentenceOf } from './answer-schema.ts';

type Schema = z.core.$ZodType | undefined;

/**
 * The text of an answer. It says all that the structured content says, in the same order, for the clients that give a model
 * only one of them: sentences as lines, records as tables, other fields by name. What the schema does not declare as a
 * sentence is quoted unless it is a plain word, since a stranger may have written it.
 */
export function renderAnswer(schema: Schema, answer: Values): string {
  return linesOf(schema, answer).join('\n');
}

function linesOf(schema: Schema, values: Values): string[] {
  const lines: string[] = [];
  let fields: string[] = [];
  const endLine = () => {
    if (fields.length > 0) lines.push(fields.join(', '));
    fields = [];
  };
  for (const [field, value] of Object.entries(values)) {
    const name = quoted(field);
    const inner = schemaIn(schema, field);
    if (isBrief(inner, value)) fields.push(`${name}: ${cell(inner, value)}`);
    else {
      endLine();
      lines.push(...block(name, inner, value, values));
    }
  }
  endLine();
  return lines;
}

/** The lines of a field that takes lines of its own. */
function block(name: string, schema: Schema, value: unknown, siblings: Values): string[] {
  const own = rendererOf(schema)?.(value, siblings);
  if (own !== undefined) return [...own];
  if (typeof value === 'string') return [marked(schema, value)];
  if (isList(value)) return list(name, schema, value);
  const fields = isObject(value) ? value : {};
  const entries = Object.entries(fields).map(([field, inner]) => ({ field, inner, of: schemaIn(schema, field) }));
  if (entries.length === 0) return [`${name}: none`];
  const brief = entries.filter(({ of, inner }) => isBrief(of, inner));
  const sentences = entries.filter(({ of, inner }) => typeof inner === 'string' && sentenceOf(of)?.mark === '');
  if (brief.length + sentences.length < entries.length) return [`${name}:`, ...linesOf(schema, fields).map((line) => `  ${line}`)];
  const first = brief.map(({ field, inner, of }) => `${quoted(field)} ${cell(of, inner)}`).join(', ');
  return [`${name}: ${[first, ...sentences.map(({ inner }) => inner)].filter((part) => part !== '').join('. ')}`];
}

function list(name: string, schema: Schema, values: readonly unknown[]): string[] {
  const entry = entrySchema(schema);
  if (sentenceOf(entry) !== undefined)
    return values.map((value) => (typeof value === 'string' ? marked(entry, value) : cell(entry, value)));
  if (values.length === 0) return [`${name}: none`];
  if (!values.every(isObject)) return [`${name} (${values.length}): ${values.map((value) => cell(entry, value)).join(', ')}`];
  return [`${name} (${values.length}):`, ...table(entry, values)];
}

function table(schema: Schema, records: readonly Values[]): string[] {
  const columns = [...new Set(records.flatMap((record) => Object.keys(record)))];
  const declared = columns.map((column) => schemaIn(schema, column));
  const line = (record: Values) => columns.map((column, at) => cell(declared[at], record[column])).join(' | ');
  return [columns.map(quoted).join(' | '), ...records.map(line)];
}

/** Rows without names, under the columns that are given beside them. */
export function underColumns(rows: unknown, given: unknown): string[] | undefined {
  if (!(isList(rows) && isList(given))) return undefined;
  const columns = given.map(fieldsIn);
  return [
    columns.map((column) => cell(undefined, column.name)).join(' | '),
    ...rows.map((cells) => (isList(cells) ? cells : [cells]).map((value, at) => cellIn(columns[at], value)).join(' | ')),
  ];
}

/** What null stands for in a column can be declared with it. */
const cellIn = (column: Values | undefined, value: unknown): string =>
  // Unquoted, unlike the same written by a stranger.
  value === null && column?.null === NAMES_NONE ? NAMES_NONE : cell(undefined, value);

const marked = (schema: Schema, text: string): string => `${sentenceOf(schema)?.mark ?? ''}${text}`;

function cell(schema: Schema, value: unknown): string {
  if (value === undefined || value === null) return '-';
  if (isList(value)) return value.length === 0 ? 'none' : value.map((inner) => cell(entrySchema(schema), inner)).join(', ');
  if (isObject(value)) return JSON.stringify(value);
  return typeof value === 'string' && sentenceOf(schema) === undefined ? quoted(value) : String(value);
}

/** Whether a field shares its line with its neighbours. */
function isBrief(schema: Schema, value: unknown): boolean {
  return value === null || (typeof value === 'string' ? sentenceOf(schema) === undefined : typeof value !== 'object');
}

const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value);
