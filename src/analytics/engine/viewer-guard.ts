/**
 * `viewer` may be counted, as `count(DISTINCT viewer)`, and used in no other way. Only a query that counts it has the column
 * at all; in that query nothing may reach it without its name (a star, a row of the whole table, a place in a list), and the
 * name may stand in that count alone. `one-reading.ts` holds in which views are counted.
 */
import { MIN_VIEWS, ONLY_COUNTED } from '../sql/caller-sql.ts';
import { checkReadings } from './one-reading.ts';
import { each, isTree, isViews, lastName, locationOf, lowerCase, type Report, type Tree, VIEWS } from './syntax-tree.ts';

const VIEWER = 'viewer';

/** The number of counts of viewers in a statement; reports every other use of them. `statement` is DuckDB's syntax tree. */
export function countsOfViewers(statement: unknown, report: Report): number {
  const counts = new Set<unknown>();
  each(statement, (tree) => {
    const counted = countedViewer(tree);
    if (counted !== undefined) counts.add(counted);
  });
  each(statement, (tree) => {
    if (!counts.has(tree) && namesViewer(tree)) report(ONLY_COUNTED, locationOf(tree));
  });
  if (counts.size === 0) return 0;
  const names = namesOfViews(statement);
  checkUnnamed(statement, names, false, report);
  checkReadings(statement, report);
  return counts.size;
}

/** Whether each count of viewers is null for a group of few views, as `suppressSmallGroups` writes it. */
export function areSuppressed(statement: unknown, counts: number): boolean {
  let suppressed = 0;
  let counted = 0;
  each(statement, (tree) => {
    if (countedViewer(tree) !== undefined) counted += 1;
    if (isSuppressed(tree)) suppressed += 1;
  });
  return counted === counts && suppressed === counts;
}

function isSuppressed({ class: kind, case_checks: checks, else_expr: counted }: Tree): boolean {
  const [check, ...others] = Array.isArray(checks) ? checks : [];
  if (kind !== 'CASE' || others.length > 0 || !isTree(check) || !isTree(counted) || countedViewer(counted) === undefined) return false;
  const { when_expr: when, then_expr: then } = check;
  if (!isTree(when) || when.type !== 'COMPARE_BETWEEN' || !isTree(then) || !isTree(then.value) || then.value.is_null !== true) return false;
  const of = (value: unknown): unknown => (isTree(value) && isTree(value.value) ? value.value.value : undefined);
  return (
    of(when.lower) === 1 && of(when.upper) === MIN_VIEWS - 1 && withoutPlaces(when.input) === withoutPlaces({ ...counted, distinct: false })
  );
}

const withoutPlaces = (tree: unknown): string =>
  JSON.stringify(tree, (name, value: unknown) => (name === 'query_location' ? undefined : value));

/** The column of `count(DISTINCT viewer)`; undefined where an expression is something else. */
function countedViewer({ class: kind, function_name: name, distinct, children }: Tree): unknown {
  if (kind !== 'FUNCTION' || lowerCase(name) !== 'count' || distinct !== true || !Array.isArray(children)) return undefined;
  const [column, ...others] = children;
  const isPlain = isTree(column) && column.class === 'COLUMN_REF' && (column.alias ?? '') === '';
  return isPlain && others.length === 0 && lastName(column) === VIEWER ? column : undefined;
}

/** A column by any path that has the name in it, or a join by it. */
function namesViewer({ class: kind, column_names: names, using_columns: using }: Tree): boolean {
  const listed = kind === 'COLUMN_REF' ? names : using;
  return Array.isArray(listed) && listed.some((name) => lowerCase(name) === VIEWER);
}

/** All names that the table has in a statement. */
function namesOfViews(statement: unknown): ReadonlySet<string> {
  const names = new Set([VIEWS]);
  each(statement, (tree) => {
    if (isViews(tree) && typeof tree.alias === 'string' && tree.alias !== '') names.add(lowerCase(tree.alias));
  });
  return names;
}

/** Reports whatever could reach a column of views without its name. `isSeen`: the table is in scope. */
function checkUnnamed(value: unknown, names: ReadonlySet<string>, isSeen: boolean, report: Report): void {
  if (Array.isArray(value)) for (const item of value) checkUnnamed(item, names, isSeen, report);
  if (!isTree(value)) return;
  const sees = isSeen || readsViews(value.from_table);
  const problem = unnamedProblem(value, names, sees);
  if (problem !== undefined) report(`${problem} in a query that counts viewers`, locationOf(value));
  for (const child of Object.values(value)) checkUnnamed(child, names, sees, report);
}

function unnamedProblem(tree: Tree, names: ReadonlySet<string>, sees: boolean): string | undefined {
  if (tree.class === 'STAR') {
    const relation = lowerCase(tree.relation_name ?? '');
    return relation === '' ? (sees ? STAR_PROBLEM : undefined) : names.has(relation) ? STAR_PROBLEM : undefined;
  }
  if (tree.class === 'POSITIONAL_REFERENCE') return 'name columns instead of their places';
  if (tree.class === 'COLUMN_REF' && names.has(lastName(tree))) return 'a whole row of views can’t be used';
  if (tree.ref_type === 'NATURAL') return 'name the columns of a join with ON instead of NATURAL';
  const renamed = tree.column_name_alias;
  return isViews(tree) && Array.isArray(renamed) && renamed.length > 0 ? 'the columns of views can’t be renamed in FROM' : undefined;
}

const STAR_PROBLEM = 'name columns instead of * (or COLUMNS, or ORDER BY ALL)';

/** Whether a FROM has the table itself, not only in a subquery. */
function readsViews(from: unknown): boolean {
  if (!isTree(from)) return false;
  return from.type === 'JOIN' ? readsViews(from.left) || readsViews(from.right) : isViews(from);
}
