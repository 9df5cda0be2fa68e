/**
 * What a caller's SQL may not do on a store, by its syntax tree as the server's own parser has it (`EXPLAIN AST`): reach the
 * view behind `views`, use `viewer` in any other way than counted in one reading, read the clock or the session, and compare moments
 * with the local times of a zone. Everything else is held in by the rights of its user.
 */
import { type Sentence, sentence, word } from '../../../text/sentence.ts';
import { VIEWER } from '../../columns.ts';
import {
  clockProblem,
  hasOffsetFormat,
  instantProblem,
  isEpochText,
  isInstantText,
  isOffsetText,
  ONE_READING,
  ONLY_COUNTED,
  readsClock,
  suppressSmallGroups,
  UNNAMED,
  UTC_TEXTS,
  whereCounted,
} from '../../sql/caller-sql.ts';
import { eachNode, isViewsIdentifier, type Node, nameParts, parseTree } from './ast.ts';
import { readingProblems } from './one-reading.ts';

export interface CheckedTree {
  readonly countsViewers: boolean;
  /** What may run: the query, in which groups of few views have no count of viewers. */
  readonly sql: string;
  readonly problems: readonly Sentence[];
}

/** Of a query that counts viewers. What is not here could reach a column without its name. */
const NODE_KINDS: ReadonlySet<string> = new Set(
  `SelectWithUnionQuery SelectIntersectExceptQuery SelectQuery ExpressionList Function Identifier Literal Subquery WithElement
  TablesInSelectQuery TablesInSelectQueryElement TableExpression TableIdentifier TableJoin OrderByElement WindowListElement WindowDefinition
  Asterisk`.split(/\s+/),
);

/** Functions that answer with something of the server or the session. */
const OF_SESSION: ReadonlySet<string> = new Set(
  `currentuser current_user session_user user initialuser currentdatabase current_database database schema current_schema currentschemas
  current_schemas currentroles enabledroles defaultroles currentprofiles enabledprofiles defaultprofiles hostname fqdn servername serveruuid
  version build_id buildid revision displayname getsetting getserversetting getmacro getosversion getoskernelversion tcpport uptime
  servertimezone servertimezoneof queryid query_id initialqueryid initial_query_id connectionid connection_id`.split(/\s+/),
);

/** Functions that make a moment of a number or a text, or count from one: none of them knows by the clocks of which zone `ts` is. */
const OF_INSTANTS =
  /^(?:fromunixtimestamp.*|from_unixtime|tounixtimestamp.*|to_unixtime|totimezone|to_utc_timestamp|from_utc_timestamp|toutctimestamp|fromutctimestamp|timezoneof|timezoneoffset|parsedatetime(?:32|64|us)?besteffort.*|snowflake.*todatetime.*)$/i;
/** The type of a moment by the clocks of a zone, as CAST has it. */
const ZONED_TYPE = /DateTime(?:64)?\(.*[a-z]/i;
/** A zone as the last argument of a function of times. */
const OF_TIMES =
  /^(?:to(?:date|start|monday|last|year|month|quarter|day|hour|minute|second|relative|iso|yyyymm|week|time|unix)|make|parse|format|date|from)/i;

/**
 * Checks the lines of `EXPLAIN AST` for a query; `view` is the name of the view that nobody may name. `isLocal`: `ts` is by the clocks
 * of a zone that is not UTC, so that moments can't be compared with it.
 */
export function checkTree(sql: string, lines: readonly string[], view: string, isLocal: boolean): CheckedTree {
  const root = parseTree(lines);
  if (root?.kind !== 'SelectWithUnionQuery')
    return { countsViewers: false, sql, problems: [sentence`one SELECT is allowed, and nothing else`] };
  if (lines.join('\n').includes(view))
    return { countsViewers: false, sql, problems: [sentence`${word(view)} can’t be named: the table is views`] };
  const nodes = [...eachNode(root)];
  const counted = new Set(nodes.flatMap((node) => countedViewer(node) ?? []));
  const others = nodes.some((node) => !counted.has(node) && node.kind === 'Identifier' && nameParts(node.name).includes(VIEWER.name));
  const clocks = nodes.filter(
    ({ kind, name, children }) => readsClock(name) && (kind === 'Function' || (kind === 'Identifier' && children.length === 0)),
  );
  const ofSession = nodes.filter(({ kind, name }) => kind === 'Function' && OF_SESSION.has(name.toLowerCase()));
  const problems = new Set([
    ...(others ? [ONLY_COUNTED] : []),
    ...clocks.map(({ name }) => clockProblem(sentence`${word(name)}()`)),
    ...ofSession.map(({ name }) => sentence`${word(name)}() is not allowed: it tells of the server and not of views`),
    ...(isLocal ? nodes.flatMap((node) => instantIn(node) ?? []).map(instantProblem) : []),
  ]);
  if (counted.size === 0) return { countsViewers: false, sql, problems: [...problems] };
  const suppressed = suppressSmallGroups(sql);
  // Else the text could be read in two ways: a quoted name could hold what looks like lines of the tree.
  if (UNCLEAR.test(sql)) problems.add(QUOTED);
  else if (suppressed.counts !== counted.size) problems.add(ONE_READING.form);
  const names = new Set(nodes.filter(isViewsIdentifier).flatMap(({ alias }) => ['views', ...(alias === '' ? [] : [alias])]));
  for (const problem of unnamedProblems(root, { names, aliases: orderedAliases(nodes) }, false)) problems.add(whereCounted(problem));
  for (const problem of readingProblems(sql, root)) problems.add(problem);
  if (nodes.some((node) => /^countdistinctif$/i.test(node.name) && countedViewer(node) !== undefined)) problems.add(ONE_READING.filter);
  return { countsViewers: true, sql: suppressed.sql, problems: [...problems] };
}

/** What is a moment wherever it is written. */
function instantIn({ kind, name, children }: Node): Sentence | undefined {
  if (kind === 'Literal') return isInstantText(textOf(name)) ? A_TIME_WITH_OFFSET : undefined;
  if (kind !== 'Function') return undefined;
  if (OF_INSTANTS.test(name)) return sentence`${word(name)}()`;
  const given = children[0]?.children ?? [];
  const literals = given.filter((child) => child.kind === 'Literal').map((child) => child.name);
  if (/cast$/i.test(name) && literals.some((literal) => ZONED_TYPE.test(textOf(literal)))) return sentence`a type with a zone`;
  if (OF_TIMES.test(name) && literals.some((literal) => isZone(textOf(literal)))) return sentence`a zone in ${word(name)}()`;
  return instantOfCall(name, given);
}

const A_TIME_WITH_OFFSET = sentence`a time with an offset`;
const MAKES_TIMES = /^(?:todate|timestamp$|parsedatetime)/i;
const TIME_TYPE = /^(?:Nullable\()?Date/i;
const NUMBER_TYPE = /^(?:Nullable\()?(?:U?Int|Float|Decimal)/i;
const IS_NUMBER = /^(?:U?Int|Float|Decimal)\d*_/;

function instantOfCall(name: string, given: readonly Node[]): Sentence | undefined {
  const [first] = given;
  const parts = given.flatMap((one) => [...eachNode(one)]);
  const texts = parts.flatMap((part) => (part.kind === 'Literal' ? textOf(part.name) : []));
  const castTo = /cast(?:ornull|ordefault)?$/i.test(name) ? textOf(given[1]?.name ?? '') : undefined;
  const isTime = first?.kind === 'Identifier' && nameParts(first.name).at(-1) === 'ts';
  if (MAKES_TIMES.test(name) || (castTo !== undefined && TIME_TYPE.test(castTo))) return instantOfText(name, first);
  if (
    /^makedate/i.test(name) &&
    /^\w*_1970,\w*_1,\w*_1$/.test(
      given
        .slice(0, 3)
        .map((one) => one.name)
        .join(),
    )
  )
    return sentence`the epoch`;
  if (/^(?:formatdatetime|date_format)/i.test(name) && texts.some(hasOffsetFormat))
    return texts.some((text) => /%z/i.test(text)) ? sentence`%z` : A_TIME_WITH_OFFSET;
  if (isTime && (/^(?:to(?:u?int|float|decimal)|reinterpretas)/i.test(name) || (castTo !== undefined && NUMBER_TYPE.test(castTo))))
    return sentence`ts as a number`;
  const isOfTime = parts.some((part) => part.kind === 'Identifier' && nameParts(part.name).at(-1) === 'ts');
  return /^concat/i.test(name) && isOfTime && texts.some(isOffsetText) ? A_TIME_WITH_OFFSET : undefined;
}

/** What becomes a time is a moment where a part of it says so. */
function instantOfText(name: string, made: Node | undefined): Sentence | undefined {
  const parts = made === undefined ? [] : [...eachNode(made)];
  const literals = parts.filter(({ kind }) => kind === 'Literal').map((part) => part.name);
  const column = parts.find((part) => part.kind === 'Identifier' && UTC_TEXTS.has(nameParts(part.name).at(-1) ?? ''));
  if (column !== undefined) return sentence`${word(nameParts(column.name).at(-1) ?? '')} as a time`;
  if (literals.some((literal) => isEpochText(textOf(literal)))) return sentence`the epoch`;
  if (IS_NUMBER.test(made?.name ?? '') || literals.some(isSeconds)) return sentence`${word(name)}() of a number`;
  return parts.length > 1 && literals.some((literal) => isOffsetText(textOf(literal))) ? A_TIME_WITH_OFFSET : undefined;
}

/** So large a number is no part of a date: it counts from the epoch. */
const isSeconds = (literal: string): boolean => IS_NUMBER.test(literal) && Number(literal.replace(/^\w+_/, '')) >= 1e8;

/** Of a literal, as the tree has it; empty where it is no text. */
const textOf = (literal: string): string => (literal.startsWith("'") ? literal.slice(1, -1).replace(/\\(.)/g, '$1') : '');

function isZone(text: string): boolean {
  if (!/^[A-Z][\w+-]*(?:\/[\w+-]+)*$/.test(text)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: text });
    return true;
  } catch {
    return false;
  }
}

const QUOTED = sentence`write no quoted names (" or \`), backslashes, $, # or comments in a query that counts viewers`;
const UNCLEAR = /["`\\$#]|--|\/\*/;

/** The column of `count(DISTINCT viewer)`, with or without FILTER, which is refused; with a window it has another child. */
function countedViewer({ kind, name, children }: Node): Node | undefined {
  const [list, ...more] = children;
  const wanted = { countdistinct: 1, countdistinctif: 2 }[name.toLowerCase()];
  if (kind !== 'Function' || list === undefined || wanted !== list.children.length || more.length > 0) return undefined;
  const [column] = list.children;
  return column?.kind === 'Identifier' && column.alias === '' && nameParts(column.name).at(-1) === VIEWER.name ? column : undefined;
}

/** The terms of each ORDER BY that are the alias of a column of their SELECT: ClickHouse takes one for that before anything else. */
function orderedAliases(nodes: readonly Node[]): ReadonlySet<Node> {
  const selects = nodes.filter(({ kind }) => kind === 'SelectQuery');
  const terms = selects.flatMap(({ children }) => {
    const listed = children.filter(({ kind }) => kind === 'ExpressionList').flatMap((list) => list.children);
    const aliases = listed.map(({ alias }) => alias).filter((alias) => alias !== '');
    const ordered = listed.filter(({ kind }) => kind === 'OrderByElement').flatMap((element) => element.children);
    return ordered.filter(({ kind, name }) => kind === 'Identifier' && aliases.includes(name));
  });
  return new Set(terms);
}

interface Scope {
  readonly names: ReadonlySet<string>;
  readonly aliases: ReadonlySet<Node>;
}

/** Problems of whatever could reach a column of views without its name. `isSeen`: the table is in scope. */
function* unnamedProblems(node: Node, scope: Scope, isSeen: boolean): Generator<Sentence> {
  const sees = isSeen || readsViews(node);
  const problem = unnamedProblem(node, scope, sees);
  if (problem !== undefined) yield problem;
  const isCount = node.kind === 'Function' && node.name.toLowerCase() === 'count';
  // A bare star is how rows are counted.
  for (const child of node.children)
    if (!isCount || child.children.some(({ kind, children }) => kind !== 'Asterisk' || children.length > 0))
      yield* unnamedProblems(child, scope, sees);
}

function unnamedProblem(node: Node, { names, aliases }: Scope, sees: boolean): Sentence | undefined {
  const { kind, name, children } = node;
  const kinds = children.map((child) => child.kind);
  if (!NODE_KINDS.has(kind)) return sentence`${word(kind)} is not allowed`;
  if (kind === 'Asterisk' && sees) return UNNAMED.star;
  if (kind === 'Identifier' && names.has(name.split('.').at(-1) ?? '') && !aliases.has(node)) return UNNAMED.row;
  if (kind === 'TableExpression' && kinds.includes('Function')) return sentence`table functions can’t be used`;
  if (kind === 'TableExpression' && children.some(isViewsIdentifier) && children.length > 1)
    return sentence`views can’t be renamed or sampled in FROM`;
  const joins = children
    .flatMap((child) => (kind === 'TablesInSelectQuery' ? child.children : []))
    .filter((child) => child.kind === 'TableJoin');
  return sees && joins.some((join) => join.children.length === 0) ? sentence`join with ON, not by a comma, CROSS or NATURAL` : undefined;
}

/** Whether the FROM of a SELECT has the table itself, not only in a subquery. */
function readsViews({ kind, children }: Node): boolean {
  if (kind !== 'SelectQuery') return false;
  const tables = children.filter((child) => child.kind === 'TablesInSelectQuery').flatMap((child) => child.children);
  return tables.flatMap((element) => element.children.flatMap((table) => table.children)).some(isViewsIdentifier);
}
