import type { DuckDBConnection } from '@duckdb/node-api';
import { parseJsonOrUndefined } from '../../platform/parse-json.ts';
import { nearest } from '../../text/nearest.ts';
import { type Sentence, sentence, word } from '../../text/sentence.ts';
import {
  clockProblem,
  hasOffsetFormat,
  instantProblem,
  isEpochText,
  isInstantText,
  isOffsetText,
  isTooLong,
  ONE_READING,
  readsClock,
  suppressSmallGroups,
  TOO_LONG,
  UTC_TEXTS,
} from '../sql/caller-sql.ts';
import {
  ALLOWED_TABLES,
  EXPRESSIONS,
  FUNCTIONS,
  INSTANT_FUNCTIONS,
  INSTANT_TYPE,
  NODES,
  OPERATORS,
  SESSION_NAMES,
  TIME_TYPES,
  TYPES,
} from './sql-allowed.ts';
import { positionText, Refusal, withoutAdvice } from './sql-error.ts';
import { type AddProblem, each, isTree, lastName, locationOf, lowerCase, type Tree } from './syntax-tree.ts';
import { areSuppressed, countsOfViewers } from './viewer-guard.ts';

const MAX_PROBLEMS = 5;
const ONE_SELECT =
  'Only one SELECT statement is allowed: with CTEs, joins, subqueries, unions and window functions, without PIVOT, EXPLAIN, DESCRIBE, or anything that changes data or settings.';

export interface CheckedSql {
  readonly countsViewers: boolean;
  /** What may run: the query, in which groups of few views have no count of viewers. */
  readonly sql: string;
}

/**
 * Refuses SQL that isn't one SELECT within the allow-list. The connection is to an empty database. `isLocal`: `ts` is by the clocks of
 * a zone that is not UTC, so that moments can't be compared with it.
 */
export async function checkSql(connection: DuckDBConnection, sql: string, isLocal: boolean): Promise<CheckedSql> {
  if (isTooLong(sql)) throw new Refusal(TOO_LONG);
  if (/[\0\p{Surrogate}]/u.test(sql)) throw new Refusal('The query holds characters that are no text.');
  const statements = await parse(connection, sql);
  if (statements.length !== 1) throw new Refusal(ONE_SELECT);
  const problems = new Set<string>();
  const report: AddProblem = (problem, location) => problems.add(`${positionText(sql, location)}${problem}.`);
  walk(statements[0], new Set(), report);
  if (isLocal) walkInstants(statements[0], report);
  const counts = countsOfViewers(statements[0], report);
  if (problems.size > 0) throw new Refusal([...problems].slice(0, MAX_PROBLEMS).join('\n'));
  if (counts === 0) return { countsViewers: false, sql };
  const { sql: suppressed } = suppressSmallGroups(sql);
  const [statement] = await parse(connection, suppressed).catch(() => []);
  if (!areSuppressed(statement, counts)) throw new Refusal(`${ONE_READING.form}.`);
  return { countsViewers: true, sql: suppressed };
}

interface Serialized {
  readonly error: boolean;
  readonly statements?: readonly unknown[];
  readonly error_type?: string;
  readonly error_message?: string;
  readonly position?: string;
}

async function serialized(connection: DuckDBConnection, sql: string): Promise<Serialized> {
  const [[json] = []] = (
    await connection.runAndReadAll('SELECT json_serialize_sql($1::VARCHAR, skip_empty := false, skip_null := false)', [sql])
  ).getRows();
  // The form of DuckDB's pinned version, which serialises an infinity as invalid JSON.
  const read = parseJsonOrUndefined(String(json)) as Serialized | undefined;
  if (read === undefined) throw new Refusal('The query holds a number that is too large.');
  return read;
}

async function parse(connection: DuckDBConnection, sql: string): Promise<readonly unknown[]> {
  const { error, statements, error_type, error_message, position } = await serialized(connection, sql);
  if (!error) return statements ?? [];
  if (error_type !== 'parser') throw new Refusal(ONE_SELECT);
  const index = position === undefined ? undefined : Number(position);
  const hint = index === undefined ? '' : await keywordHint(connection, sql, index);
  throw new Refusal(`${positionText(sql, index, 'characters')}${withoutAdvice(String(error_message))}.${hint}`);
}

/** Where a keyword is taken for a name: what would make it one. Nothing unless the query can be read further then. */
async function keywordHint(connection: DuckDBConnection, sql: string, index: number): Promise<string> {
  const [word] = /^[a-z_]+/i.exec(sql.slice(index)) ?? [];
  if (word === undefined) return '';
  const found = await connection.runAndReadAll('SELECT 1 FROM duckdb_keywords() WHERE keyword_name = $1', [word.toLowerCase()]);
  if (found.getRows().length === 0) return '';
  const quotedWord = `"${word}"`;
  const { error, position } = await serialized(connection, `${sql.slice(0, index)}${quotedWord}${sql.slice(index + word.length)}`);
  const isFurther = !error || Number(position ?? 0) >= index + quotedWord.length;
  return isFurther ? ` ${word} is a keyword of SQL: as a name, put it in quotation marks (${quotedWord}), or take another.` : '';
}

/** Checks every node of the tree; `ctes` are the names of CTEs that are visible there. */
function walk(value: unknown, ctes: ReadonlySet<string>, report: AddProblem): void {
  if (Array.isArray(value)) for (const item of value) walk(item, ctes, report);
  else if (isTree(value)) {
    check(value, ctes, (problem) => report(problem, locationOf(value)));
    const { cte_map: map, ...rest } = value;
    const known = isTree(map) ? walkCtes(map.map, ctes, report) : ctes;
    for (const child of Object.values(rest)) walk(child, known, report);
  }
}

/** A CTE sees the CTEs before it, but not itself: inside it, its name would mean another table. */
function walkCtes(map: unknown, outer: ReadonlySet<string>, report: AddProblem): ReadonlySet<string> {
  const known = new Set(outer);
  for (const entry of Array.isArray(map) ? map : []) {
    const { key, value }: Tree = isTree(entry) ? entry : {};
    const name = lowerCase(key);
    if (!/^[\p{L}_][\p{L}\p{N}_]*$/u.test(name) || /^(duckdb_|pragma_|sqlite_|pg_|information_schema)/.test(name))
      report(`${quoted(key)} can’t be the name of a CTE`);
    walk(value, known, report);
    known.add(name);
  }
  return known;
}

/** Refuses moments: their types, the functions that make or count them, and texts with an offset. */
function walkInstants(value: unknown, report: AddProblem): void {
  if (Array.isArray(value)) for (const item of value) walkInstants(item, report);
  else if (isTree(value)) {
    const instant = instantIn(value);
    if (instant !== undefined) report(instantProblem(instant), locationOf(value));
    for (const child of Object.values(value)) walkInstants(child, report);
  }
}

function instantIn(tree: Tree): Sentence | undefined {
  const { class: expression, function_name: name, value } = tree;
  if ('type_info' in tree && tree.id === INSTANT_TYPE) return sentence`TIMESTAMPTZ`;
  if (expression === 'CONSTANT') return isInstantText(textOf(tree)) ? A_TIME_WITH_OFFSET : undefined;
  if (expression === 'CAST')
    return isTree(tree.cast_type) && TIME_TYPES.has(String(tree.cast_type.id)) ? instantOfText(tree.child) : undefined;
  return name === undefined || value !== undefined ? undefined : instantOfCall(lowerCase(name), tree);
}

const A_TIME_WITH_OFFSET = sentence`a time with an offset`;
const THE_EPOCH = sentence`the epoch`;

/** What becomes a time is a moment where a part of it says so. */
function instantOfText(made: unknown): Sentence | undefined {
  const parts = partsOf(made);
  const column = parts.map(utcColumn).find((found) => found !== undefined);
  if (column !== undefined) return column;
  if (parts.some((part) => isEpochText(textOf(part)))) return THE_EPOCH;
  return parts.length > 1 && parts.some((part) => isOffsetText(textOf(part))) ? A_TIME_WITH_OFFSET : undefined;
}

function instantOfCall(name: string, tree: Tree): Sentence | undefined {
  if (INSTANT_FUNCTIONS.has(name)) return sentence`${word(name)}()`;
  const children = (Array.isArray(tree.children) ? tree.children : []).filter(isTree);
  const parts = children.flatMap(partsOf);
  const texts = parts.map(textOf);
  if (/^date_?part$/.test(name)) return texts.some((text) => /^(?:epoch|timezone)/i.test(text)) ? sentence`the epoch of a time` : undefined;
  if (/^make_(?:timestamp|date)$/.test(name)) {
    if (children.length === 1) return sentence`${word(name)}() of a number`;
    return children.slice(0, 3).map(numberOf).join() === '1970,1,1' ? THE_EPOCH : undefined;
  }
  if (/^(?:strftime|(?:try_)?strptime)$/.test(name)) {
    const format = texts.find(hasOffsetFormat);
    if (format !== undefined) return /%z/i.test(format) ? sentence`%z` : A_TIME_WITH_OFFSET;
    return name === 'strftime' ? undefined : parts.map(utcColumn).find((found) => found !== undefined);
  }
  const isOfTime = parts.some((part) => part.class === 'COLUMN_REF' && lastName(part) === 'ts');
  return JOINS_TEXTS.has(name) && isOfTime && texts.some(isOffsetText) ? A_TIME_WITH_OFFSET : undefined;
}

const JOINS_TEXTS: ReadonlySet<string> = new Set(['||', 'concat', 'concat_ws']);

/** An expression with all that it is made of. */
function partsOf(expression: unknown): Tree[] {
  const parts: Tree[] = [];
  each(expression, (tree) => {
    if (typeof tree.class === 'string') parts.push(tree);
  });
  return parts;
}

const utcColumn = (tree: Tree): Sentence | undefined =>
  tree.class === 'COLUMN_REF' && UTC_TEXTS.has(lastName(tree)) ? sentence`${word(lastName(tree))} as a time` : undefined;

const numberOf = ({ value }: Tree): unknown => (isTree(value) ? value.value : undefined);

/** Of a constant. */
const textOf = ({ value }: Tree): string => (isTree(value) && typeof value.value === 'string' ? value.value : '');

function check(tree: Tree, ctes: ReadonlySet<string>, report: AddProblem): void {
  const { class: expression, type } = tree;
  if (typeof expression === 'string') {
    if (!EXPRESSIONS.has(expression)) report(`${expression.toLowerCase()} expressions are not allowed`);
    if (expression === 'OPERATOR' && !OPERATORS.has(String(type))) report(`the operator ${quoted(type)} is not allowed`);
  } else if (typeof type === 'string' && !NODES.has(type)) report(nodeProblem(type));
  const clock = clockIn(tree);
  const session = sessionNameIn(tree);
  if (session !== undefined) report(`${quoted(session)} is not allowed: it is no column; as an alias, take another name`);
  if (clock !== undefined) report(clockProblem(clock));
  else if ('function_name' in tree) checkFunction(tree, report);
  if ('table_name' in tree) checkTable(tree, ctes, report);
  if ('type_info' in tree && !TYPES.has(String(tree.id)))
    report(tree.id === 'UNBOUND' ? 'a type is not allowed' : `the type ${quoted(tree.id)} is not allowed`);
  if (isTree(tree.sample)) report('TABLESAMPLE is not allowed');
}

/** A name that reads the clock: as a function, without its brackets, or as the moment that one time has its age at. */
function clockIn({ class: expression, function_name: name, column_names: names, children }: Tree): Sentence | undefined {
  if (expression === 'COLUMN_REF') {
    const [column, ...path] = Array.isArray(names) ? names : [];
    return path.length === 0 && readsClock(String(column)) ? word(String(column)) : undefined;
  }
  if (name === undefined) return undefined;
  const isAge = lowerCase(name) === 'age' && Array.isArray(children) && children.length === 1;
  return isAge ? sentence`age of one time` : readsClock(String(name)) ? sentence`${word(String(name))}()` : undefined;
}

function sessionNameIn({ class: expression, column_names: names }: Tree): string | undefined {
  const [column, ...path] = expression === 'COLUMN_REF' && Array.isArray(names) ? names : [];
  return path.length === 0 && SESSION_NAMES.has(lowerCase(column)) ? lowerCase(column) : undefined;
}

function checkFunction({ function_name, schema, catalog, class: expression, export_state }: Tree, report: AddProblem): void {
  const name = lowerCase(function_name);
  const plain = (isBlank(schema) || schema === 'main') && isBlank(catalog) && export_state !== true;
  if (FUNCTIONS.has(name) && plain && (expression === 'FUNCTION' || expression === 'WINDOW')) return;
  const near = nearest(name, [...FUNCTIONS]).join(', ');
  report(`the function ${quoted(function_name)} is not allowed${near === '' ? '' : `; the nearest that are: ${near}`}`);
}

function checkTable({ table_name, schema_name, catalog_name, at_clause, type }: Tree, ctes: ReadonlySet<string>, report: AddProblem): void {
  const name = lowerCase(table_name);
  const plain = isBlank(schema_name) && isBlank(catalog_name) && isBlank(at_clause);
  if (type === 'BASE_TABLE' && plain && (ALLOWED_TABLES.has(name) || ctes.has(name))) return;
  if (ALLOWED_TABLES.has(name)) report(`write ${name} alone, without a schema or AT`);
  else if (type === 'BASE_TABLE') report(`there is no table ${quoted(table_name)}; there are ${[...ALLOWED_TABLES, ...ctes].join(', ')}`);
}

function nodeProblem(type: string): string {
  if (type === 'RECURSIVE_CTE_NODE') return 'recursive CTEs are not allowed';
  if (type === 'TABLE_FUNCTION') return 'table functions are not allowed';
  if (type === 'UNBOUND_TYPE_INFO') return 'a type is not allowed';
  if (type === 'SHOW_REF') return 'DESCRIBE, SHOW and SUMMARIZE are not allowed';
  return `${type.toLowerCase()} is not allowed`;
}

const isBlank = (value: unknown): boolean => value === undefined || value === null || value === '';
const quoted = (value: unknown): string => JSON.stringify(String(value).slice(0, 60));
